import type { JobStatus } from '@telecine/contract/domain/states.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { Chunk, ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { Claim, JobStore } from '../../ports/job-store.ts';
import type { Scratch } from '../../ports/media-store.ts';
import { fileIdOf } from './chunk-task.ts';

interface DropDeps {
  readonly chunks: ChunkStore;
  readonly chunkFiles: ChunkFiles;
}

/**
 * Removes the chunks of a job, and their files. If the database or the storage is away, throws: the next call removes what is left, and
 * `removeOldChunks` removes files without rows.
 *
 * @param claim See `ChunkStore.remove`.
 * @param scratch See `ChunkFiles.remove`.
 */
export async function dropChunks(
  { chunks, chunkFiles }: DropDeps,
  jobId: string,
  { claim, scratch }: { readonly claim?: Claim; readonly scratch?: Scratch } = {},
): Promise<void> {
  // Most jobs have none, and a read costs less than a write.
  if ((await chunks.list(jobId)).length === 0) return;
  const files = filesOf(await chunks.remove(jobId, claim));
  if (files.length > 0) await chunkFiles.remove(files, scratch);
}

/** The files of all claims: after an outage, a chunk may have been encoded twice. */
const filesOf = (removed: readonly Pick<Chunk, 'chunkId' | 'fence'>[]): readonly string[] =>
  removed.flatMap(({ chunkId, fence }) =>
    Array.from({ length: fence }, (_, earlier) => fileIdOf({ chunkId, fence: earlier + 1 })),
  );

/**
 * Removes the chunks of a job whose claim was lost, if no worker needs them: the job may have ended by a commit whose
 * reply was lost, or it was deleted.
 */
export async function dropOfLost(
  { jobs, ...deps }: DropDeps & { readonly jobs: Pick<JobStore, 'get'> },
  jobId: string,
): Promise<void> {
  const job = await jobs.get(jobId);
  if (job === undefined || WITHOUT_RETRY.has(job.status)) await dropChunks(deps, jobId);
}

/** The ends after which no retry uses the chunks of a job. See `ChunkStore.ofEndedJobs`. */
const WITHOUT_RETRY: ReadonlySet<JobStatus> = new Set(['COMPLETED', 'CANCELLED']);

/**
 * Removes the file of a chunk whose claim was lost before the chunk was finished. Keeps it if the chunk was finished
 * after all, by a commit whose reply was lost. `scratch`: see `ChunkFiles.remove`.
 */
export async function dropUnused(
  { chunks, chunkFiles }: DropDeps,
  { chunk: { chunkId }, fence }: ChunkClaim,
  scratch?: Scratch,
): Promise<void> {
  const id = fileIdOf({ chunkId, fence });
  if (!(await chunks.fileIds()).has(id)) await chunkFiles.remove([id], scratch);
}

/** How long the chunks of a failed job are kept, so that a retry of the job can use them. In ms. */
const KEPT_MS = 24 * 3_600_000;

/** Removes the chunks of jobs that ended long ago, and files that belong to no chunk. */
export async function removeOldChunks({ now, ...deps }: DropDeps & { readonly now: () => Date }): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  for (const jobId of await deps.chunks.ofEndedJobs(before)) await dropChunks(deps, jobId);
  await deps.chunkFiles.sweep(() => deps.chunks.fileIds());
}

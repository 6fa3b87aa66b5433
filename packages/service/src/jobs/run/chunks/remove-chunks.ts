import { StorageDown } from '@telecine/contract/domain/failure.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { Claim, JobStore } from '../../ports/job-store.ts';
import type { Scratch } from '../../ports/media-store.ts';
import { retryWhileUnavailable } from '../outage-retries.ts';
import { fileIdOf } from './chunk-task.ts';

interface RemoveDeps {
  readonly chunks: ChunkStore;
  readonly chunkFiles: ChunkFiles;
  readonly now: () => Date;
}

type DropDeps = Pick<RemoveDeps, 'chunks' | 'chunkFiles'>;

interface DropOptions {
  /** See `ChunkStore.remove`. */
  readonly claim?: Claim;
  /** See `ChunkFiles.remove`. */
  readonly scratch?: Scratch;
  /** How long to repeat the removal during an outage, in ms. Default: without a limit. */
  readonly maxMs?: number;
}

/**
 * Creates the removal of the chunks of a job and of their files, also of the files of lost claims: after an outage, a
 * chunk may have been encoded twice. A removal that failed can run again. It remembers the chunks that it has seen,
 * because a commit whose reply was lost removes them from the database without telling which files are left.
 */
function chunkRemoval(
  { chunks, chunkFiles }: DropDeps,
  jobId: string,
  { claim, scratch }: Pick<DropOptions, 'claim' | 'scratch'> = {},
): () => Promise<void> {
  const fences = new Map<string, number>();
  const note = (found: Awaited<ReturnType<ChunkStore['remove']>>): void => {
    for (const { chunkId, fence } of found) fences.set(chunkId, Math.max(fence, fences.get(chunkId) ?? 0));
  };
  return async () => {
    const listed = await chunks.list(jobId);
    note(listed);
    const removed = listed.length === 0 ? [] : await chunks.remove(jobId, claim);
    note(removed);
    const stored = [...fences].flatMap(([chunkId, fence]) =>
      Array.from({ length: fence }, (_, earlier) => fileIdOf({ chunkId, fence: earlier + 1 })),
    );
    if (stored.length === 0) return;
    // What this run has not removed may be in use: the claim may be over, or another job may have adopted the chunks.
    const used = removed.length === fences.size ? NONE : await chunks.fileIds();
    await chunkFiles.remove(
      stored.filter((id) => !used.has(id)),
      scratch,
    );
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Whether a removal may succeed later: the database or the object store is away. */
const isOutage = (error: unknown): boolean => isStoreOutage(error) || error instanceof StorageDown;

/**
 * Removes the chunks of a job, and their files. Tries again while the database or the storage is away. After an abort of
 * `signal`, tries one last time.
 */
export const dropChunks = (
  deps: DropDeps,
  jobId: string,
  signal: AbortSignal,
  { maxMs = Number.POSITIVE_INFINITY, ...removal }: DropOptions = {},
): Promise<void> => retryWhileUnavailable(chunkRemoval(deps, jobId, removal), signal, { isOutage, maxMs });

/**
 * How long the removal of the chunks of an ended job is repeated during an outage, in ms. After a longer one, the hourly
 * task removes them.
 */
const MAX_OUTAGE_MS = 15 * 60_000;

/** Removes the chunks of a job that has ended. Gives up after a long outage. */
export const dropOfEnded = (deps: DropDeps, jobId: string, signal: AbortSignal): Promise<void> =>
  dropChunks(deps, jobId, signal, { maxMs: MAX_OUTAGE_MS });

/**
 * Removes the chunks of a job whose claim was lost, if no worker needs them: the job may have ended by a commit whose
 * reply was lost, or it was deleted. Gives up after a long outage.
 */
export async function dropOfLost(
  { jobs, ...deps }: DropDeps & { readonly jobs: Pick<JobStore, 'get'> },
  jobId: string,
  signal: AbortSignal,
): Promise<void> {
  const job = await retryWhileUnavailable(() => jobs.get(jobId), signal, { isOutage, maxMs: MAX_OUTAGE_MS });
  if (job === undefined || WITHOUT_RETRY.has(job.status)) await dropOfEnded(deps, jobId, signal);
}

/** The ends after which no retry uses the chunks of a job. See `ChunkStore.ofEndedJobs`. */
const WITHOUT_RETRY: ReadonlySet<JobStatus> = new Set(['COMPLETED', 'CANCELLED']);

/** How long the removal of the file of a lost claim is repeated during an outage, in ms. The worker has a slot meanwhile. */
const MAX_UNUSED_MS = 5000;

/**
 * Removes the file of a chunk whose claim was lost before the chunk was finished. Keeps it if the chunk was finished
 * after all, by a commit whose reply was lost. Gives up after a short outage: the hourly task removes the file.
 * `scratch`: see `ChunkFiles.remove`.
 */
export async function dropUnused(
  { chunks, chunkFiles }: DropDeps,
  { chunk: { chunkId }, fence }: ChunkClaim,
  signal: AbortSignal,
  { scratch, maxMs = MAX_UNUSED_MS }: { readonly scratch?: Scratch; readonly maxMs?: number } = {},
): Promise<void> {
  const id = fileIdOf({ chunkId, fence });
  const drop = async (): Promise<void> => {
    const used = await chunks.fileIds();
    if (!used.has(id)) await chunkFiles.remove([id], scratch);
  };
  await retryWhileUnavailable(drop, signal, { isOutage, maxMs }).catch((error: unknown) => {
    if (!isOutage(error)) throw error;
  });
}

/** How long the chunks of a failed job are kept, so that a retry of the job can use them. In ms. */
const KEPT_MS = 24 * 3_600_000;

/** Removes the chunks of jobs that ended long ago, and files that belong to no chunk. */
export async function removeOldChunks({ chunks, chunkFiles, now }: RemoveDeps): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  for (const jobId of await chunks.ofEndedJobs(before)) await chunkRemoval({ chunks, chunkFiles }, jobId)();
  await chunkFiles.sweep(() => chunks.fileIds());
}

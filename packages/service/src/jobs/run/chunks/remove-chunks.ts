import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkClaim, ChunkStore } from '../../ports/chunk-store.ts';
import type { Claim } from '../../ports/job-store.ts';
import { fileIdOf } from './chunk-task.ts';

interface RemoveDeps {
  readonly chunks: ChunkStore;
  readonly chunkFiles: ChunkFiles;
  readonly now: () => Date;
}

/**
 * Removes the chunks of a job, and their files, also those of lost claims: after an outage, a chunk may have been encoded twice. `claim`: see
 * `ChunkStore.remove`.
 */
export async function dropChunks(
  { chunks, chunkFiles }: Pick<RemoveDeps, 'chunks' | 'chunkFiles'>,
  jobId: string,
  claim?: Claim,
): Promise<void> {
  const removed = await chunks.remove(jobId, claim);
  const stored = removed.flatMap(({ chunkId, fence }) =>
    Array.from({ length: fence }, (_, earlier) => fileIdOf({ chunkId, fence: earlier + 1 })),
  );
  if (stored.length > 0) await chunkFiles.remove(stored);
}

/**
 * Removes the file of a chunk whose claim was lost before the chunk was finished. Keeps it if the chunk was finished after all, by a commit
 * whose reply was lost.
 */
export async function dropUnused(
  { chunks, chunkFiles }: Pick<RemoveDeps, 'chunks' | 'chunkFiles'>,
  { chunk: { chunkId }, fence }: ChunkClaim,
): Promise<void> {
  const id = fileIdOf({ chunkId, fence });
  const used = await chunks.fileIds();
  if (!used.has(id)) await chunkFiles.remove([id]);
}

/** How long the chunks of a failed job are kept, so that a retry of the job can use them. In ms. */
const KEPT_MS = 24 * 3_600_000;

/** Removes the chunks of jobs that ended long ago, and files that belong to no chunk. */
export async function removeOldChunks({ chunks, chunkFiles, now }: RemoveDeps): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  for (const jobId of await chunks.ofEndedJobs(before)) await dropChunks({ chunks, chunkFiles }, jobId);
  await chunkFiles.sweep(() => chunks.fileIds());
}

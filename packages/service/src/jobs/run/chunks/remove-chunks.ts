import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkStore } from '../../ports/chunk-store.ts';
import { dropChunks } from './convert-in-chunks.ts';

interface RemoveDeps {
  readonly chunks: ChunkStore;
  readonly chunkFiles: ChunkFiles;
  readonly now: () => Date;
}

/** How long the chunks of a failed job are kept, so that a retry of the job can use them. In ms. */
const KEPT_MS = 24 * 3_600_000;

/** Removes the chunks of jobs that ended long ago, and files that belong to no chunk. */
export async function removeOldChunks({ chunks, chunkFiles, now }: RemoveDeps): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  for (const jobId of await chunks.ofEndedJobs(before)) await dropChunks({ chunks, chunkFiles }, jobId);
  await chunkFiles.sweep(() => chunks.fileIds());
}

import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { ChunkFiles } from '../ports/chunk-files.ts';
import { type ChunkMaker, isWhole, type StagedPlan } from '../ports/chunk-maker.ts';
import type { ChunkClaim } from '../ports/chunk-store.ts';
import { type ConvertDeps, convertWatched } from '../run/watched-convert.ts';
import { fileIdOf, readTask } from './chunk-task.ts';

export interface EncodeDeps extends ConvertDeps {
  readonly chunkMaker: ChunkMaker;
  readonly chunkFiles: ChunkFiles;
}

export interface ChunkToEncode {
  readonly job: Pick<Job, 'jobId'>;
  readonly claim: ChunkClaim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  /** Called with the encoded seconds of the chunk so far. */
  readonly onProgress: (doneSeconds: number) => void;
}

/**
 * Encodes a chunk in a scratch folder and stores its file. Resolves to the facts that `ChunkMaker.join` needs. Throws
 * `JobFailed`, and the reason of an abort.
 */
export async function encodeChunk(
  deps: EncodeDeps,
  { job, claim, staged, waitForTurn, onProgress }: ChunkToEncode,
): Promise<string> {
  const { film } = readTask(claim.chunk);
  const chunk = deps.chunkMaker.chunkOf(staged.plan, film);
  const { duration: _ofWhole, ...policy } = staged.policy;
  const { outcome, watched } = await convertWatched(deps, {
    ...staged,
    policy,
    // A chunk that is not whole is of no use.
    graceSeconds: 0,
    jobId: job.jobId,
    plan: chunk.plan,
    waitForTurn,
    onStart: () => undefined,
    // The frames of a chunk have the times of the whole, so its progress begins at its start.
    onProgress: ({ percent = 0 }) =>
      onProgress(Math.max(0, (percent / 100) * (chunk.start + chunk.seconds) - chunk.start)),
  });
  staged.signal.throwIfAborted();
  if (!outcome.ok)
    throw new JobFailed(watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
  const checked = await deps.chunkMaker.check(staged, film);
  if (isWhole(checked)) throw new ChunkUnfit(checked.whole);
  await deps.chunkFiles.keep(staged.scratch, chunk.name, fileIdOf({ ...claim.chunk, fence: claim.fence }));
  return checked.facts;
}

/** Thrown if an encoded chunk is not as planned, so that the job has to run whole. */
export class ChunkUnfit extends Error {
  override readonly name = 'ChunkUnfit';
}

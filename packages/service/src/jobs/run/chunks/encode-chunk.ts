import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import { type ChunkMaker, isWhole, type PlannedChunk, type StagedPlan } from '../../ports/chunk-maker.ts';
import type { ChunkClaim } from '../../ports/chunk-store.ts';
import type { ScratchSpace } from '../../ports/media-store.ts';
import { prepareWhileDown } from '../outage-retries.ts';
import type { WatchedConversion } from '../space-watch.ts';
import { type ConvertDeps, convertWatched } from '../watched-convert.ts';
import { type EncodedChunk, fileIdOf, readTask } from './chunk-task.ts';

export interface EncodeDeps extends ConvertDeps {
  readonly chunkMaker: () => Promise<ChunkMaker>;
  readonly chunkFiles: ChunkFiles;
  readonly media: Pick<ScratchSpace, 'discardEarlier'>;
}

export interface ChunkToEncode {
  readonly job: Pick<Job, 'jobId'>;
  readonly claim: ChunkClaim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  /** True if the copy of the input may lack bytes that turn out to be needed. */
  readonly isPartial?: boolean;
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  /** Called with the encoded seconds of the chunk so far. */
  readonly onProgress: (doneSeconds: number) => void;
  /** Called with the log of the run, also if it failed. */
  readonly onLog?: (log: string) => void;
  readonly onWatched?: (watched: WatchedConversion) => void;
}

/**
 * Encodes a chunk in a scratch folder and stores its file. Throws `JobFailed`, and the reason of an abort. Throws
 * `ChunkUnfit` if the job must run whole instead.
 */
export async function encodeChunk(
  deps: EncodeDeps,
  { job, claim, staged, isPartial, waitForTurn, onProgress, onLog, onWatched }: ChunkToEncode,
): Promise<EncodedChunk> {
  const { part } = readTask(claim.chunk);
  // The worker of an earlier claim may have been killed, and has left its scratch folder.
  if (claim.fence > 1)
    await deps.media
      .discardEarlier(claim.chunk.chunkId, claim.fence, undefined)
      .catch((error) => deps.onInternalError(job.jobId, error));
  const maker = await deps.chunkMaker();
  const chunk = maker.chunkOf(staged.plan, part);
  const { duration: _ofWhole, ...policy } = staged.policy;
  const { outcome, watched } = await convertWatched(deps, {
    ...staged,
    policy,
    // A partly encoded chunk is useless, so do not wait for ffmpeg to finish it.
    graceSeconds: 0,
    jobId: job.jobId,
    plan: chunk.plan,
    waitForTurn,
    ...(onWatched && { onWatched }),
    onStart: () => undefined,
    onProgress: ({ percent = 0 }) => onProgress(encodedSeconds(percent, chunk)),
  });
  onLog?.(outcome.log);
  staged.signal.throwIfAborted();
  const isFailed = !outcome.ok && !watched.signal.aborted && outcome.failure.code === 'FFMPEG_FAILED';
  // For few bits, a second pass may fail: "requested bitrate is too low". Without chunks, the bits of other frames make up for them.
  if (isFailed && chunk.hasShare) throw new ChunkUnfit('The encoder failed with the bit rate of a chunk.');
  if (!outcome.ok)
    throw new JobFailed(watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
  const checked = await maker.check(staged, part, outcome);
  if (isWhole(checked)) throw new ChunkUnfit(checked.whole);
  // Other warnings compare the chunk with the whole conversion.
  const warnings = outcome.warnings.filter(({ code }) => code === 'DECODE_ERRORS');
  if (isPartial && warnings.length > 0) throw new ChunkUnfit('Bytes of the input are damaged, or were not copied.');
  const id = fileIdOf({ ...claim.chunk, fence: claim.fence });
  const bytes = await deps.chunkFiles.keep(staged.scratch, chunk.name, id, prepareWhileDown(staged.signal));
  return { facts: checked.facts, bytes, warnings };
}

/**
 * How many seconds of a chunk are encoded, by the progress of its run. The frames of a chunk have the times of the whole conversion, so each pass
 * begins at the start of the chunk.
 */
export function encodedSeconds(
  percent: number,
  {
    start,
    seconds,
    plan: { passes },
  }: Pick<PlannedChunk, 'start' | 'seconds'> & { readonly plan: Pick<Plan, 'passes'> },
): number {
  const ended = Math.min(passes.length - 1, Math.floor((percent / 100) * passes.length));
  const done = ((percent / 100) * passes.length - ended) * (start + seconds) - start;
  return (ended * seconds + Math.max(0, done)) / passes.length;
}

/** Thrown if an encoded chunk is not as planned, so that the job has to run whole, or the worker needs the whole input. */
export class ChunkUnfit extends Error {
  override readonly name = 'ChunkUnfit';
}

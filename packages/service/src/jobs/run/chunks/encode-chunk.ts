import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { partFile, partSpan, planPart } from '@telecine/ffmpeg/chunks/parts.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkClaim } from '../../ports/chunk-store.ts';
import type { ConversionOutcome } from '../../ports/ffmpeg.ts';
import type { ScratchSpace } from '../../ports/media-store.ts';
import { prepareWhileDown } from '../outage-retries.ts';
import type { WatchedConversion } from '../space-watch.ts';
import { type ConvertDeps, convertWatched, runWatched } from '../watched-convert.ts';
import { type ChunkMaker, isWhole, type StagedPlan, templatesOf } from './chunk-maker.ts';
import { type EncodedChunk, fileIdOf, readTask, type TriedChunk } from './chunk-task.ts';

export interface EncodeDeps extends ConvertDeps {
  readonly chunkMaker: () => Promise<ChunkMaker>;
  readonly chunkFiles: ChunkFiles;
  readonly media: Pick<ScratchSpace, 'discardEarlier'>;
}

export interface ChunkToEncode {
  readonly job: Pick<Job, 'jobId'>;
  readonly claim: ChunkClaim;
  readonly staged: StagedPlan & { readonly freeBefore: number };
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  /** Called with the encoded seconds of the chunk so far. */
  readonly onProgress: (doneSeconds: number) => void;
  /** Called with the log of the run, also if it failed. */
  readonly onLog?: (log: string) => void;
  readonly onWatched?: (watched: WatchedConversion) => void;
}

/**
 * Encodes a chunk in a scratch folder and stores its file, or tries a sample of a search. Throws `JobFailed`, and the reason of an abort. Throws
 * `ChunkUnfit` if the job must run whole instead.
 */
export async function encodeChunk(
  deps: EncodeDeps,
  { job, claim, staged, waitForTurn, onProgress, onLog, onWatched }: ChunkToEncode,
): Promise<EncodedChunk | TriedChunk> {
  // The worker of an earlier claim may have been killed, and has left its scratch folder.
  if (claim.fence > 1)
    await deps.media
      .discardEarlier(claim.chunk.chunkId, claim.fence, undefined)
      .catch((error) => deps.onInternalError(job.jobId, error));
  const maker = await deps.chunkMaker();
  const { part, sample } = readTask(claim.chunk);
  const planned = templatesOf(staged.plan);
  const { duration: _ofWhole, ...policy } = staged.policy;
  const task = { ...staged, policy, waitForTurn, ...(onWatched && { onWatched }) };
  if (sample !== undefined) {
    const tried = await runWatched(deps.space, task, (own) => maker.trySample({ ...task, ...own }, sample));
    return { tried: succeeded(tried, staged.signal).value };
  }
  const encoded = await convertWatched(deps, {
    ...task,
    // A partly encoded chunk is useless, so do not wait for ffmpeg to finish it.
    graceSeconds: 0,
    jobId: job.jobId,
    plan: planPart(staged.plan, planned, part),
    onStart: () => undefined,
    onProgress: ({ percent = 0 }) => onProgress(encodedSeconds(percent, partSpan(part))),
  });
  onLog?.(encoded.outcome.log);
  const outcome = succeeded(encoded, staged.signal);
  const facts = await maker.check(staged, part, outcome);
  if (isWhole(facts)) throw new ChunkUnfit(facts.whole);
  // The others compare the part with the whole conversion, which the join does.
  const warnings = outcome.warnings.filter(({ code }) => code === 'DECODE_ERRORS');
  const id = fileIdOf({ ...claim.chunk, fence: claim.fence });
  const whileDown = prepareWhileDown(staged.signal);
  const bytes = await deps.chunkFiles.keep(staged.scratch, partFile(planned, part), id, whileDown);
  return { facts, bytes, warnings, taken: outcome.taken?.[0] };
}

type FailedRun = Extract<ConversionOutcome, { ok: false }>;

/** Returns the outcome of a run. Throws the reason of an abort, and `JobFailed` if the run failed. */
function succeeded<T extends { readonly ok: true } | FailedRun>(
  { outcome, watched }: { readonly outcome: T; readonly watched: WatchedConversion },
  signal: AbortSignal,
): Exclude<T, FailedRun> {
  signal.throwIfAborted();
  if (outcome.ok) return outcome as Exclude<T, FailedRun>;
  throw new JobFailed(watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
}

/** How many seconds of a chunk are encoded, by the progress of its run. The frames of a chunk have the times of the whole conversion. */
export const encodedSeconds = (percent: number, { start, seconds }: ReturnType<typeof partSpan>): number =>
  Math.max(0, (percent / 100) * (start + seconds) - start);

/** Thrown if an encoded chunk is not as planned, so that the job has to run whole. */
export class ChunkUnfit extends Error {
  override readonly name = 'ChunkUnfit';
}

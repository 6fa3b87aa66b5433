import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { fallbackOf } from '@telecine/contract/domain/devices.ts';
import { AttemptDeferred, type Failure, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import type { JobOutput, OutputReport, Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { fileInputs, type OutputFiles, type Plan, type Warning } from '@telecine/contract/domain/plan.ts';
import { failureForClient, warningsForClient } from '@telecine/contract/domain/recipe-options.ts';
import { triesSamples } from '@telecine/contract/domain/sampling.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { countedBytes, type StoredFiles, type WithRoom } from '@telecine/contract/domain/stored-files.ts';
import { trackText } from '@telecine/contract/domain/thumbnail-track.ts';
import { type ChunkWorkers, chunkLength } from '../chunk-length.ts';
import { CANCELLED_ON_REQUEST } from '../end-job.ts';
import type { ConversionOutcome, MeasuredConversion } from '../ports/ffmpeg.ts';
import type { UsageStore } from '../ports/job-records.ts';
import type { Claim, JobClaims } from '../ports/job-store.ts';
import type {
  FinishedOutput,
  InputStaging,
  PublishIntent,
  Publishing,
  Scratch,
  ScratchSpace,
  StagedInput,
} from '../ports/media-store.ts';
import {
  checkInputSize,
  checkScratchSize,
  fallbackWarning,
  fetchDeadline,
  OUTPUT_TOO_LARGE,
  quotaFailureOf,
  STAGED_FILE_VANISHED,
  sequenceGaps,
  strictFailure,
  UNMEASURED_SHEET,
  WORKER_LOST,
  wholeWarning,
} from './attempt-failures.ts';
import {
  type FinalPlan,
  type JoinDeps,
  type MeasureInputs,
  type PlanJobDeps,
  type PlannedJob,
  planFallback,
  planJob,
  planWithInputs,
} from './attempt-plan.ts';
import type { ChunkedDeps, ChunkedOutcome } from './chunks/convert-in-chunks.ts';
import type { Heartbeat, StopCause } from './heartbeat.ts';
import {
  prepareWhileDown,
  publishFiles,
  publishWait,
  retryWhileUnavailable,
  unpublishFiles,
} from './outage-retries.ts';
import { LOW_DISK_SPACE, type WatchedConversion } from './space-watch.ts';
import { type ConvertDeps, convertWatched } from './watched-convert.ts';
import type { JobSlot } from './worker-room.ts';

/** Points at which tests kill the process, to check that the job survives a crash there. */
type Failpoint = 'after-claim' | 'after-intent' | 'after-commit';

export interface AttemptDeps extends PlanJobDeps, JoinDeps, ConvertDeps {
  readonly jobs: Pick<JobClaims, 'recordIntent'>;
  readonly usage: Pick<UsageStore, 'leftFor'>;
  readonly stored: Pick<StoredFiles, 'settle'>;
  readonly withRoom: WithRoom;
  readonly media: ScratchSpace & InputStaging & Publishing;
  readonly minFreeBytes: number;
  /** Returns the failure of a job on this machine if it is not ready now. */
  readonly machineFailure: () => Promise<Failure | undefined>;
  /** Absent if this worker converts all jobs whole. */
  readonly chunked?: ChunkedDeps & ChunkWorkers;
  readonly failpoint: (point: Failpoint) => void;
}

type AttemptEnd =
  | {
      readonly kind: 'completed';
      readonly outputs: readonly JobOutput[];
      readonly measurements?: Measurements;
      /** The warnings of the run. Absent if there are none. */
      readonly warnings?: readonly Warning[];
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** The cause, only for the log of the operator: an error, or the last lines of ffmpeg. */
      readonly cause?: unknown;
      /** true: another attempt would fail in the same way. Set for failures whose code is usually retried. */
      readonly nonRetryable?: boolean;
      /** The warnings because of which a strict job fails. */
      readonly warnings?: readonly Warning[];
    }
  | { readonly kind: 'stopped'; readonly cause: StopCause | 'database outage' }
  /**
   * The storage is down, or this machine cannot run the job now: see `StorageDown` and `AttemptDeferred`. `counts`: whether
   * the attempt counts towards the limit of attempts.
   */
  | { readonly kind: 'outage'; readonly failure: Failure; readonly cause?: unknown; readonly counts: boolean }
  /** This worker cannot run the job. `needs`: what a worker must have to run it. */
  | { readonly kind: 'unfit'; readonly needs: Requirements['needs'] };

/** The result of one attempt. The caller removes the scratch folder after it has stored the result. */
export type AttemptResult = AttemptEnd & {
  readonly log: string;
  readonly scratch?: Scratch;
  /** Present if the attempt converted the whole job in one run that shows how fast this worker is. */
  readonly measured?: MeasuredConversion;
};

interface Attempt {
  readonly deps: AttemptDeps;
  readonly claim: Claim;
  /** Aborted when the attempt must stop. The reason is a `StopCause`. */
  readonly signal: AbortSignal;
  readonly heartbeat: Heartbeat;
  scratch: Scratch | undefined;
  /**
   * The intent that may be stored now: from before it is stored until its files are all published or all unpublished.
   */
  openIntent: PublishIntent | undefined;
  watched: WatchedConversion | undefined;
  /** When it began, by `performance.now`. */
  readonly beganMs: number;
  /** The lines of the ffmpeg log that clients may read. */
  log: string;
  measured: MeasuredConversion | undefined;
}

/**
 * Stages, converts and publishes one claimed job. If an earlier worker crashed while it published the job, finishes
 * that. Frees the slot of the job before it publishes.
 */
export async function runAttempt(
  deps: AttemptDeps,
  claim: Claim,
  signal: AbortSignal,
  heartbeat: Heartbeat,
  slot: JobSlot,
): Promise<AttemptResult> {
  const { intent } = claim;
  const scratch = intent && { name: intent.scratch };
  const attempt: Attempt = {
    deps,
    claim,
    signal,
    heartbeat,
    scratch,
    openIntent: intent,
    watched: undefined,
    beganMs: performance.now(),
    log: '',
    measured: undefined,
  };
  const end = await runSteps(attempt, slot).catch((error: unknown) => endAfterError(attempt, error));
  const { log, measured } = attempt;
  return { ...end, log, ...(attempt.scratch && { scratch: attempt.scratch }), ...(measured && { measured }) };
}

async function runSteps(attempt: Attempt, slot: JobSlot): Promise<AttemptEnd> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { job, intent } = claim;
  const end = intent && (await finishEarlierIntent(attempt, intent));
  if (end !== undefined) return end;
  if (job.cancelRequestedAt !== undefined) throw new JobFailed(CANCELLED_ON_REQUEST);
  if (claim.exhausted) throw new JobFailed(WORKER_LOST);
  const planned = await planJob(deps, job, signal);
  if ('needs' in planned) return { kind: 'unfit', needs: planned.needs };
  const path = planned.plan.outputs[0]?.path;
  // Test the storage only if an earlier attempt found it down, because the test costs requests.
  if (claim.storageDownSince !== undefined && path !== undefined)
    await deps.media.tryToWrite(planned.context.root, path, signal);
  const preferred = await convertJob(attempt, planned, slot);
  const other = await fallbackAfter(attempt, preferred);
  const converted = other === undefined ? preferred : await convertJob(attempt, other, slot);
  const { staged, final, outcome, watched, notChunked } = converted;
  if (!outcome.ok) {
    if (signal.aborted) return stopped(signal);
    return failed(attempt, watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
  }
  if (await watched.hasMetFullDisk()) throw new JobFailed(LOW_DISK_SPACE);
  await checkScratchSize(deps.media, staged.scratch, staged.context.policy);
  const { measurements } = outcome;
  const ofRun = warningsForClient(job.request, outcome.warnings);
  // An analysis publishes nothing. After a crash, the next attempt only measures again.
  if (measurements !== undefined)
    return { kind: 'completed', outputs: [], measurements, ...(ofRun.length > 0 && { warnings: ofRun }) };
  const gaps = sequenceGaps(fileInputs(staged.plan.inputs), staged.inputs);
  const ofChunks = notChunked === undefined ? [] : [notChunked];
  const warnings = [...gaps, ...warningsForClient(job.request, final.warnings), ...ofChunks, ...ofRun];
  if (job.request.strict === true && warnings.length > 0)
    return { kind: 'failed', failure: failureForClient(job.request, strictFailure(warnings)), warnings };
  heartbeat.setPhase('PUBLISHING');
  slot.release();
  const { replacedBecause } = staged;
  // The client asked for the fallback, so its use is no warning that fails a strict job.
  const replaced = replacedBecause === undefined ? [] : [fallbackWarning(replacedBecause)];
  return publish(attempt, staged, outcome.outputs, [...replaced, ...warnings]);
}

interface Converted {
  /** The warning that the job ran whole, although the request asks for chunks of a certain length. */
  readonly notChunked?: Warning;
  readonly staged: StagedJob;
  readonly final: FinalPlan;
  readonly outcome: ConversionOutcome;
  readonly watched: WatchedConversion;
}

async function convertJob(attempt: Attempt, planned: PlannedJob, slot: JobSlot): Promise<Converted> {
  const { deps, claim, signal } = attempt;
  const staged = await stageInputs(attempt, planned);
  await slot.take(signal);
  const job = planned.replacedBecause === undefined ? claim.job : withFallback(claim.job);
  const measure: MeasureInputs = async (plan) => {
    const { outcome, watched } = await convert(attempt, { ...staged, plan }, FIRST_HALF, slot);
    if (signal.aborted) throw signal.reason;
    if (watched.signal.aborted) throw new JobFailed(watched.signal.reason as Failure);
    if (!outcome.ok) throw new JobFailed(outcome.failure, outcome.raw);
    return outcome.measurements ?? {};
  };
  const final = await planWithInputs(deps, job, planned, staged.inputs, signal, measure);
  const chunked = await convertChunked(attempt, staged, final.plan, slot);
  if ('outcome' in chunked) return { staged, final, ...chunked };
  const part = final.plan.cut?.measure === undefined ? WHOLE : SECOND_HALF;
  const converted = await convert(attempt, { ...staged, plan: final.plan }, part, slot);
  const notChunked = wholeWarning(job.request, chunked.whole);
  return { staged, final, ...converted, ...(notChunked && { notChunked }) };
}

/** The part of the job's progress, in percent, that one run of ffmpeg covers. */
interface JobPart {
  readonly from: number;
  readonly to: number;
}

const WHOLE: JobPart = { from: 0, to: 100 };
const FIRST_HALF: JobPart = { from: 0, to: 50 };
const SECOND_HALF: JobPart = { from: 50, to: 100 };

const inPart = (progress: Progress, { from, to }: JobPart): Progress =>
  progress.percent === undefined ? progress : { ...progress, percent: from + (progress.percent * (to - from)) / 100 };

const withFallback = (job: Claim['job']): Claim['job'] => ({ ...job, request: fallbackOf(job.request) ?? job.request });

/** The failures on a hardware device after which a run on the processor may succeed. STALLED: the driver may hang. */
const OF_DEVICE: ReadonlySet<Failure['code']> = new Set([
  'DEVICE_FAILED',
  'FFMPEG_FAILED',
  'UNSUPPORTED',
  'INPUT_INVALID',
  'STALLED',
]);

/**
 * If the run failed because of the device, plans the fallback and empties the scratch folder. undefined: there is no
 * fallback to run.
 */
async function fallbackAfter(
  attempt: Attempt,
  { staged, outcome, watched }: Converted,
): Promise<PlannedJob | undefined> {
  const { deps, claim, signal } = attempt;
  if (outcome.ok || signal.aborted || watched.signal.aborted || staged.plan.devices === undefined) return undefined;
  const { code, about } = outcome.failure;
  if (!OF_DEVICE.has(code) || about?.isTooLarge) return undefined;
  const other = await planFallback(deps, claim.job, staged.context, outcome.failure.message, signal);
  if (other === undefined) return undefined;
  await deps.media.discard(staged.scratch);
  attempt.scratch = undefined;
  return other;
}

/**
 * Finishes the publishing that a crashed worker has begun. If that is impossible, removes the files that it published
 * and resolves to undefined.
 */
async function finishEarlierIntent(attempt: Attempt, intent: PublishIntent): Promise<AttemptEnd | undefined> {
  const { media } = attempt.deps;
  if (intent.abandoned !== true && (await publishFiles(media, intent, attempt.signal))) {
    await settleRoom(attempt, intent, true);
    return completed(intent);
  }
  if (!(await abandon(attempt, intent))) return LOST;
  await unpublishFiles(media, intent, attempt.signal);
  await settleRoom(attempt, intent, false);
  attempt.openIntent = undefined;
  await media.discard({ name: intent.scratch });
  attempt.scratch = undefined;
  return undefined;
}

interface StagedJob extends PlannedJob {
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** The free disk space before the inputs were staged, in bytes. */
  readonly freeBefore: number;
}

async function stageInputs(attempt: Attempt, planned: PlannedJob): Promise<StagedJob> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { plan, context } = planned;
  const freeBefore = await deps.media.freeBytes();
  if (freeBefore < deps.minFreeBytes) throw new AttemptDeferred(LOW_DISK_SPACE);
  const scratch = await deps.media.openScratch(claim.job.jobId, claim.fence);
  attempt.scratch = scratch;
  const inputs = await deps.media.stage(context.root, scratch, fileInputs(plan.inputs), plan.outputs, {
    signal,
    checkSizes: (sizes) => checkInputSize(sizes, context.policy),
    onProgress: (percent) => heartbeat.setProgress({ percent }, ''),
    isReadAgain: isTrial(claim.job),
    ...fetchDeadline(context.policy),
  });
  checkInputSize(inputs, context.policy);
  return { ...planned, scratch, inputs, freeBefore };
}

/** A client that keeps outputs no longer than this tries out options with them, in seconds. */
const TRIAL_SECONDS = 3600;

/** Whether the next job of the client probably reads the same inputs. */
const isTrial = ({ request: { expiresAfterSeconds } }: Claim['job']): boolean =>
  expiresAfterSeconds !== undefined && expiresAfterSeconds <= TRIAL_SECONDS;

/**
 * Converts. Stops the conversion if it fills the disk or exceeds its limits: `watched.signal` is then aborted, and its
 * reason is the failure.
 */
async function convert(
  attempt: Attempt,
  { plan, context: { policy }, scratch, inputs, freeBefore }: StagedJob,
  part: JobPart,
  { waitForTurn, watchOthers }: JobSlot,
): Promise<{ readonly outcome: ConversionOutcome; readonly watched: WatchedConversion }> {
  const { deps, claim, signal, heartbeat } = attempt;
  let busyCores: (() => number) | undefined;
  const converted = await convertWatched(deps, {
    jobId: claim.job.jobId,
    plan,
    policy: await policyOfRun(attempt, plan, policy),
    ...{ scratch, inputs, freeBefore, signal, waitForTurn },
    encryption: claim.job.request.encrypt,
    onWatched: (watched) => {
      attempt.watched = watched;
    },
    onStart: () => {
      busyCores = watchOthers?.();
      heartbeat.setPhase(firstPhase(plan));
    },
    onProgress: (progress, logSoFar) => showProgress(heartbeat, inPart(progress, part), logSoFar),
  });
  const { outcome } = converted;
  attempt.log = outcome.log;
  if (part === WHOLE && outcome.ok && outcome.measured !== undefined && busyCores !== undefined)
    attempt.measured = { ...outcome.measured, busyCores: busyCores() };
  return converted;
}

/** The phase in which the first ffmpeg of a plan runs. */
const firstPhase = ({ search }: Plan): JobPhase => (triesSamples(search) ? 'SAMPLING' : 'CONVERTING');

/** Stores the progress of a conversion. A progress without samples means that all were tried. */
function showProgress(heartbeat: Heartbeat, progress: Progress, log: string): void {
  if (progress.samples === undefined && heartbeat.phase() === 'SAMPLING') heartbeat.setPhase('CONVERTING');
  heartbeat.setProgress(progress, log);
}

/** Returns the limits of a run. Their `media` is what is left of the day's quota. */
async function policyOfRun(attempt: Attempt, plan: Plan, policy: ClientLimits): Promise<ClientLimits> {
  const { media: _wholeDay, ...withoutMedia } = policy;
  const media = await mediaLeft(attempt, plan, policy);
  return { ...withoutMedia, ...(media !== undefined && { media }) };
}

/**
 * Converts in chunks, if the request asks for them and the plan allows it. Resolves to the reason why the job runs whole
 * otherwise.
 */
async function convertChunked(
  attempt: Attempt,
  staged: StagedJob,
  plan: Plan,
  { waitForTurn }: JobSlot,
): Promise<ChunkedOutcome> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { chunks } = claim.job.request;
  if (chunks === undefined || chunks === 'off') return { whole: 'The request asks for no chunks.' };
  if (deps.chunked === undefined) return { whole: 'This worker cannot share chunks with others.' };
  const policy = await policyOfRun(attempt, plan, staged.context.policy);
  const { scratch, inputs, freeBefore } = staged;
  const { convertInChunks } = await import('./chunks/convert-in-chunks.ts');
  const outcome = await convertInChunks(deps.chunked, {
    claim,
    staged: { ...{ plan, policy, scratch, inputs, freeBefore, signal } },
    lengthOf: await chunkLength(chunks, deps.chunked, policy.running),
    needs: deps.chunked.needs,
    waitForTurn,
    onStart: () => heartbeat.setPhase(firstPhase(plan)),
    onProgress: (progress) => showProgress(heartbeat, progress, ''),
    onWatched: (watched) => {
      attempt.watched = watched;
    },
    onLog: (log) => {
      attempt.log = log;
    },
  });
  if ('outcome' in outcome) attempt.log = outcome.outcome.log;
  return outcome;
}

/** Returns how many seconds of media this job may still publish. undefined: there is no quota, or no output. */
async function mediaLeft(
  { deps, claim, signal }: Attempt,
  { outputs }: PlannedJob['plan'],
  { media }: ClientLimits,
): Promise<number | undefined> {
  if (media === undefined || outputs.length === 0) return undefined;
  return retryWhileUnavailable(() => deps.usage.leftFor(claim.job, media), signal);
}

async function publish(
  attempt: Attempt,
  { plan, context, scratch, inputs }: StagedJob,
  reports: readonly OutputReport[],
  warnings: readonly Warning[],
): Promise<AttemptEnd> {
  const { deps, claim, signal } = attempt;
  const outputs = plan.outputs.map((files, index) => finishedOutput(files, reports[index] ?? {}));
  const waitMs = publishWait(performance.now() - attempt.beganMs);
  const prepared = await deps.media.prepare(context.root, scratch, outputs, inputs, prepareWhileDown(signal, waitMs));
  const intent: PublishIntent = warnings.length === 0 ? prepared : { ...prepared, warnings };
  const owner = { clientId: claim.job.clientId, root: context.root };
  const record = () => deps.withRoom(owner, () => deps.jobs.recordIntent(claim, intent, context.policy));
  attempt.openIntent = intent;
  const isRecorded = await retryWhileUnavailable(record, signal).catch((error: unknown) => {
    const failure = quotaFailureOf(error);
    // If a quota is exceeded, nothing is stored. After another error, the intent may be stored.
    if (failure !== undefined) attempt.openIntent = undefined;
    throw failure ?? error;
  });
  if (!isRecorded) return LOST;
  deps.failpoint('after-intent');
  if (!(await publishFiles(deps.media, intent, signal, waitMs))) throw new JobFailed(STAGED_FILE_VANISHED);
  await settleRoom(attempt, intent, true);
  return completed(intent);
}

/** Adds to an output the file that the service itself writes about it: the thumbnail track of a sheet of images. */
function finishedOutput(files: OutputFiles, report: OutputReport): FinishedOutput {
  const { track, path } = files;
  if (track === undefined) return { files, report };
  const { width, height } = report.streams?.find(({ type }) => type === 'video') ?? {};
  if (width === undefined || height === undefined) throw new JobFailed(UNMEASURED_SHEET);
  return { files, report, texts: [{ name: track.name, text: trackText(track, path, { width, height }) }] };
}

/**
 * Decides how an attempt ends after an error. If the attempt has published only some of its files, removes these first.
 * Throws errors of the service.
 */
async function endAfterError(attempt: Attempt, error: unknown): Promise<AttemptEnd> {
  const { deps, claim, signal, openIntent } = attempt;
  if (signal.aborted && error === signal.reason) return stopped(signal);
  if (openIntent !== undefined) {
    if (!(await abandon(attempt, openIntent))) return LOST;
    // If the files cannot be unpublished, throw: the files and the row of the job stay for the next attempt, as after a
    // crash. After the last attempt, ignore the error.
    await unpublishFiles(deps.media, openIntent, signal).catch((unpublishError) => {
      if (!claim.exhausted) throw outageCounts(attempt) ? asFailure(unpublishError) : unpublishError;
    });
    await settleRoom(attempt, openIntent, false);
  }
  if (error instanceof AttemptDeferred || error instanceof StorageDown) {
    const counts = error instanceof StorageDown && outageCounts(attempt);
    return { kind: 'outage', failure: error.failure, cause: error.cause, counts };
  }
  if (error instanceof JobFailed) return failed(attempt, error.failure, error.cause, error.nonRetryable);
  if (isStoreOutage(error)) return { kind: 'stopped', cause: 'database outage' };
  if (attempt.scratch !== undefined) await deps.media.discard(attempt.scratch).catch(() => undefined);
  throw error;
}

/**
 * Returns whether an attempt that found the storage down counts towards the limit of attempts: only if it has
 * converted, and an earlier attempt found the storage down too. Without this limit, a storage that fails only on writes
 * would make the job convert again and again, for as long as the job may wait.
 */
const outageCounts = ({ claim, watched }: Attempt): boolean =>
  claim.storageDownSince !== undefined && watched !== undefined;

/** Turns StorageDown into a failure of the job, so that the attempt counts. */
const asFailure = (error: unknown): unknown =>
  error instanceof StorageDown ? new JobFailed(error.failure, error.cause) : error;

/**
 * Stores that the files of an intent must be removed. Resolves to false if another worker has the job. Await this
 * before unpublishing: while this process was paused, another worker may have completed the job with these files.
 */
const abandon = ({ deps, claim, signal }: Attempt, intent: PublishIntent): Promise<boolean> =>
  retryWhileUnavailable(() => deps.jobs.recordIntent(claim, { ...intent, abandoned: true }), signal);

/** Ends the reservation of room for the outputs, after an outage too. If it cannot be ended, the room counts until it expires. */
const settleRoom = (
  { deps, claim, signal }: Attempt,
  { outputs, scratch }: PublishIntent,
  isStored: boolean,
): Promise<void> => {
  const settle = () => deps.stored.settle(claim.job.clientId, scratch, isStored ? countedBytes(outputs) : 0);
  return retryWhileUnavailable(settle, signal).catch(() => undefined);
};

/** The end of an attempt if another worker has the job. */
const LOST: AttemptEnd = { kind: 'stopped', cause: 'lost' };

const stopped = (signal: AbortSignal): AttemptEnd => ({ kind: 'stopped', cause: signal.reason as StopCause });

const completed = ({ outputs, warnings }: PublishIntent): AttemptEnd => ({
  kind: 'completed',
  outputs,
  ...(warnings && { warnings }),
});

/** Ends an attempt that failed. If this machine is not ready now, that may be the cause, unless ffmpeg ran. */
async function failed(
  attempt: Attempt,
  failure: Failure,
  cause: unknown,
  nonRetryable = false,
): Promise<Extract<AttemptEnd, { kind: 'failed' | 'outage' }>> {
  const { watched, claim, deps } = attempt;
  const { code } = failure;
  const mayBeOfMachine =
    (watched === undefined || code === 'STORAGE_FAULT') && code !== 'CANCELLED' && !claim.exhausted;
  const unready = mayBeOfMachine ? await deps.machineFailure() : undefined;
  if (unready !== undefined)
    return { kind: 'outage', failure: unready, cause: cause ?? failure, counts: outageCounts(attempt) };
  const hasFilledDisk = failure.code === 'NO_SPACE' && (await watched?.hasFilledDisk()) === true;
  return {
    kind: 'failed',
    failure: hasFilledDisk ? OUTPUT_TOO_LARGE : failureForClient(claim.job.request, failure),
    cause,
    nonRetryable: nonRetryable || hasFilledDisk,
  };
}

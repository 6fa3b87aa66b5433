import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { AttemptDeferred, type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import { fileInputs, type Plan, type Warning } from '@telecine/contract/domain/plan.ts';
import { triesSamples } from '@telecine/contract/domain/sampling.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';
import { chunkLength } from '../chunk-length.ts';
import type { Inspector } from '../inspect-inputs.ts';
import type { ConversionOutcome } from '../ports/ffmpeg.ts';
import type { Claim } from '../ports/job-store.ts';
import type { Scratch, StagedInput } from '../ports/media-store.ts';
import { checkInputSize, fetchDeadline, wholeWarning } from './attempt-failures.ts';
import { type Attempt, noteRequest } from './attempt-state.ts';
import type { ChunkedOutcome } from './chunks/convert-in-chunks.ts';
import type { DraftedJob } from './draft-job.ts';
import type { Heartbeat } from './heartbeat.ts';
import { retryWhileUnavailable } from './outage-retries.ts';
import { planStaged } from './plan-staged.ts';
import { LOW_DISK_SPACE, type WatchedConversion } from './space-watch.ts';
import { convertWatched } from './watched-convert.ts';
import type { JobSlot } from './worker-room.ts';

export interface Converted {
  readonly planned: PlannedJob;
  /** The warnings that the submission could not know, also the one that the job ran whole although it asks for chunks. */
  readonly warnings: readonly Warning[];
  readonly outcome: ConversionOutcome;
  readonly watched: WatchedConversion;
}

/** Stages the inputs of a drafted job, plans it with what is in them, and runs the plan. Throws the failure of the job. */
export async function convertJob(attempt: Attempt, drafted: DraftedJob, slot: JobSlot): Promise<Converted> {
  const { deps, claim, signal } = attempt;
  const staged = await stageInputs(attempt, drafted);
  await slot.take(signal);
  const measure: Inspector['measure'] = async (plan) => {
    const { outcome, watched } = await convert(attempt, { ...staged, plan }, FIRST_HALF, slot);
    if (signal.aborted) throw signal.reason;
    if (watched.signal.aborted) throw new JobFailed(watched.signal.reason as Failure);
    if (!outcome.ok) throw new JobFailed(outcome.failure, outcome.raw);
    return outcome.measurements ?? {};
  };
  const { warnings, ...read } = await planStaged(deps, claim.job, drafted, staged.inputs, signal, measure);
  const planned = { ...staged, ...read };
  const { plan } = planned;
  noteRequest(attempt, read);
  const chunked = await convertChunked(attempt, planned, slot);
  if ('outcome' in chunked) return { planned, warnings, ...chunked };
  const part = plan.cut?.measure === undefined ? WHOLE : SECOND_HALF;
  const converted = await convert(attempt, planned, part, slot);
  const notChunked = wholeWarning(claim.job.request, chunked.whole);
  return { planned, warnings: [...warnings, ...(notChunked === undefined ? [] : [notChunked])], ...converted };
}

interface StagedJob extends DraftedJob {
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** The free disk space before the inputs were staged, in bytes. */
  readonly freeBefore: number;
}

/** A staged job with its plan. */
export interface PlannedJob extends StagedJob {
  readonly plan: Plan;
}

async function stageInputs(attempt: Attempt, drafted: DraftedJob): Promise<StagedJob> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { draft, context } = drafted;
  const freeBefore = await deps.media.freeBytes();
  if (freeBefore < deps.minFreeBytes) throw new AttemptDeferred(LOW_DISK_SPACE);
  const scratch = await deps.media.openScratch(claim.job.jobId, claim.fence);
  attempt.scratch = scratch;
  const inputs = await deps.media.stage(context.root, scratch, fileInputs(draft.inputs), draft.outputs, {
    signal,
    checkSizes: (sizes) => checkInputSize(sizes, context.policy),
    onProgress: (percent) => heartbeat.setProgress({ percent }, ''),
    isReadAgain: isTrial(claim.job),
    ...fetchDeadline(context.policy),
  });
  checkInputSize(inputs, context.policy);
  return { ...drafted, scratch, inputs, freeBefore };
}

/** A client that keeps outputs no longer than this tries out options with them, in seconds. */
const TRIAL_SECONDS = 3600;

/** Whether the next job of the client probably reads the same inputs. */
const isTrial = ({ request: { expiresAfterSeconds } }: Claim['job']): boolean =>
  expiresAfterSeconds !== undefined && expiresAfterSeconds <= TRIAL_SECONDS;

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

/**
 * Converts. Stops the conversion if it fills the disk or exceeds its limits: `watched.signal` is then aborted, and its
 * reason is the failure.
 */
async function convert(
  attempt: Attempt,
  { plan, context: { policy }, scratch, inputs, freeBefore }: PlannedJob,
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
  { plan, context, scratch, inputs, freeBefore }: PlannedJob,
  { waitForTurn }: JobSlot,
): Promise<ChunkedOutcome> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { chunks } = claim.job.request;
  if (chunks === undefined || chunks === 'off') return { whole: 'The request asks for no chunks.' };
  if (deps.chunked === undefined) return { whole: 'This worker cannot share chunks with others.' };
  const policy = await policyOfRun(attempt, plan, context.policy);
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
  { outputs }: Plan,
  { media }: ClientLimits,
): Promise<number | undefined> {
  if (media === undefined || outputs.length === 0) return undefined;
  return retryWhileUnavailable(() => deps.usage.leftFor(claim.job, media), signal);
}

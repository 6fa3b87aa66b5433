import { failureForClient, warningsForClient } from '@telecine/contract/domain/client-words.ts';
import { AttemptDeferred, type Failure, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { fileInputs } from '@telecine/contract/domain/plan.ts';
import { RECIPE_NEED } from '@telecine/contract/domain/speed-needs.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { CANCELLED_ON_REQUEST } from '../end-job.ts';
import type { Claim } from '../ports/job-store.ts';
import {
  checkScratchSize,
  fallbackWarning,
  OUTPUT_TOO_LARGE,
  sequenceGaps,
  strictFailure,
  WORKER_LOST,
} from './attempt-failures.ts';
import {
  type Attempt,
  type AttemptDeps,
  type AttemptEnd,
  type AttemptResult,
  LOST,
  noteRequest,
  stopped,
} from './attempt-state.ts';
import { type Converted, convertJob } from './convert-job.ts';
import { type DraftedJob, draftFallback, draftJob } from './draft-job.ts';
import type { Heartbeat } from './heartbeat.ts';
import { finishEarlierIntent, publishJob, unpublishJob } from './publish-job.ts';
import { LOW_DISK_SPACE } from './space-watch.ts';
import type { JobSlot } from './worker-room.ts';

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
    request: claim.job.request,
    ran: undefined,
    openIntent: intent,
    watched: undefined,
    beganMs: performance.now(),
    log: '',
    measured: undefined,
  };
  const end = await runSteps(attempt, slot).catch((error: unknown) => endAfterError(attempt, error));
  const { log, measured, ran } = attempt;
  return {
    ...{ ...end, log },
    ...(attempt.scratch && { scratch: attempt.scratch }),
    ...(ran && { request: ran }),
    ...(measured && { measured }),
  };
}

async function runSteps(attempt: Attempt, slot: JobSlot): Promise<AttemptEnd> {
  const { deps, claim, signal, heartbeat } = attempt;
  const { job, intent } = claim;
  const end = intent && (await finishEarlierIntent(attempt, intent));
  if (end !== undefined) return end;
  if (job.cancelRequestedAt !== undefined) throw new JobFailed(CANCELLED_ON_REQUEST);
  if (claim.exhausted) throw new JobFailed(WORKER_LOST);
  const drafted = await draftJob(deps, job, signal);
  if ('needs' in drafted)
    return { kind: 'unfit', needs: [...drafted.needs, ...(job.request.recipe ? [RECIPE_NEED] : [])].toSorted() };
  noteRequest(attempt, drafted);
  const path = drafted.draft.outputs[0]?.path;
  // Test the storage only if an earlier attempt found it down, because the test costs requests.
  if (claim.storageDownSince !== undefined && path !== undefined)
    await deps.media.tryToWrite(drafted.context.root, path, signal);
  const preferred = await convertJob(attempt, drafted, slot);
  const other = await fallbackAfter(attempt, preferred);
  const converted = other === undefined ? preferred : await convertJob(attempt, other, slot);
  const { planned, outcome, watched } = converted;
  if (!outcome.ok) {
    if (signal.aborted) return stopped(signal);
    return failed(attempt, watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
  }
  if (await watched.hasMetFullDisk()) throw new JobFailed(LOW_DISK_SPACE);
  await checkScratchSize(deps.media, planned.scratch, planned.context.policy);
  const { measurements } = outcome;
  const ofRun = warningsForClient(attempt.request, outcome.warnings);
  // An analysis publishes nothing. After a crash, the next attempt only measures again.
  if (measurements !== undefined)
    return { kind: 'completed', outputs: [], measurements, ...(ofRun.length > 0 && { warnings: ofRun }) };
  const gaps = sequenceGaps(fileInputs(planned.plan.inputs), planned.inputs);
  const warnings = [...gaps, ...converted.warnings, ...ofRun];
  if (job.request.strict === true && warnings.length > 0)
    return { kind: 'failed', failure: failureForClient(attempt.request, strictFailure(warnings)), warnings };
  heartbeat.setPhase('PUBLISHING');
  slot.release();
  const { replacedBecause } = planned;
  // The client asked for the fallback, so its use is no warning that fails a strict job.
  const replaced = replacedBecause === undefined ? [] : [fallbackWarning(replacedBecause)];
  return publishJob(attempt, planned, outcome.outputs, [...replaced, ...warnings]);
}

/** The failures on a hardware device after which a run on the processor may succeed. STALLED: the driver may hang. */
const OF_DEVICE: ReadonlySet<Failure['code']> = new Set([
  'DEVICE_FAILED',
  'FFMPEG_FAILED',
  'UNSUPPORTED',
  'INPUT_INVALID',
  'STALLED',
]);

/**
 * If the run failed because of the device, drafts the fallback and empties the scratch folder. undefined: there is no
 * fallback to run.
 */
async function fallbackAfter(
  attempt: Attempt,
  { planned, outcome, watched }: Converted,
): Promise<DraftedJob | undefined> {
  const { deps, signal } = attempt;
  if (outcome.ok || signal.aborted || watched.signal.aborted || planned.plan.devices === undefined) return undefined;
  const { code, about } = outcome.failure;
  if (!OF_DEVICE.has(code) || about?.isTooLarge) return undefined;
  const other = await draftFallback(deps, planned, outcome.failure.message, signal);
  if (other === undefined) return undefined;
  await deps.media.discard(planned.scratch);
  attempt.scratch = undefined;
  return other;
}

/**
 * Decides how an attempt ends after an error. If the attempt has published only some of its files, removes these first.
 * Throws errors of the service.
 */
async function endAfterError(attempt: Attempt, error: unknown): Promise<AttemptEnd> {
  const { deps, claim, signal, openIntent } = attempt;
  if (signal.aborted && error === signal.reason) return stopped(signal);
  if (openIntent !== undefined) {
    // If the files cannot be unpublished, throw: the files and the row of the job stay for the next attempt, as after a
    // crash. After the last attempt, ignore the error.
    const isOurs = await unpublishJob(attempt, openIntent, (unpublishError) => {
      if (!claim.exhausted) throw outageCounts(attempt) ? asFailure(unpublishError) : unpublishError;
    });
    if (!isOurs) return LOST;
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
    failure: hasFilledDisk ? OUTPUT_TOO_LARGE : failureForClient(attempt.request, failure),
    cause,
    nonRetryable: nonRetryable || hasFilledDisk,
  };
}

import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { OutputReport } from '@telecine/contract/domain/job.ts';
import type { OutputFiles, Warning } from '@telecine/contract/domain/plan.ts';
import { countedBytes } from '@telecine/contract/domain/stored-files.ts';
import { trackText } from '@telecine/contract/domain/thumbnail-track.ts';
import type { FinishedOutput, PublishIntent } from '../ports/media-store.ts';
import { quotaFailureOf, STAGED_FILE_VANISHED, UNMEASURED_SHEET } from './attempt-failures.ts';
import { type Attempt, type AttemptEnd, LOST } from './attempt-state.ts';
import type { PlannedJob } from './convert-job.ts';
import {
  prepareWhileDown,
  publishFiles,
  publishWait,
  retryWhileUnavailable,
  unpublishFiles,
} from './outage-retries.ts';

/** Publishes the outputs of a job, in steps that survive a crash. Throws the failure of the job. */
export async function publishJob(
  attempt: Attempt,
  { plan, context, scratch, inputs }: PlannedJob,
  reports: readonly OutputReport[],
  warnings: readonly Warning[],
): Promise<AttemptEnd> {
  const { deps, claim, signal } = attempt;
  const outputs = plan.outputs.map((files, index) => finishedOutput(files, reports[index] ?? {}));
  const waitMs = publishWait(performance.now() - attempt.beganMs);
  const prepared = await deps.media.prepare(context.root, scratch, outputs, inputs, prepareWhileDown(signal, waitMs));
  const { ran } = attempt;
  const intent: PublishIntent = { ...prepared, ...(warnings.length > 0 && { warnings }), ...(ran && { request: ran }) };
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
 * Finishes the publishing that a crashed worker has begun. If that is impossible, removes the files that it published
 * and resolves to undefined.
 */
export async function finishEarlierIntent(attempt: Attempt, intent: PublishIntent): Promise<AttemptEnd | undefined> {
  const { media } = attempt.deps;
  if (intent.abandoned !== true && (await publishFiles(media, intent, attempt.signal))) {
    await settleRoom(attempt, intent, true);
    return completed(intent);
  }
  const rethrow = (error: unknown): never => {
    throw error;
  };
  if (!(await unpublishJob(attempt, intent, rethrow))) return LOST;
  attempt.openIntent = undefined;
  await media.discard({ name: intent.scratch });
  attempt.scratch = undefined;
  return undefined;
}

/** Removes what the attempt has published of its files. Resolves to false if another worker has the job. */
export async function unpublishJob(
  attempt: Attempt,
  intent: PublishIntent,
  onError: (error: unknown) => void,
): Promise<boolean> {
  if (!(await abandon(attempt, intent))) return false;
  await unpublishFiles(attempt.deps.media, intent, attempt.signal).catch(onError);
  await settleRoom(attempt, intent, false);
  return true;
}

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

const completed = ({ outputs, warnings, request }: PublishIntent): AttemptEnd => ({
  kind: 'completed',
  outputs,
  ...(warnings && { warnings }),
  ...(request && { request }),
});

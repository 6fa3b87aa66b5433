import { stat } from 'node:fs/promises';
import type { NodeClient } from '../../../client/node/node-client.ts';
import type { RetryBudget } from '../../../client/options.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { JobView } from '../../../wire/job.ts';
import { EXIT } from '../../exit-codes.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { filesOf } from './caller-names.ts';
import { checkOrder, sayWarnings } from './check-order.ts';
import { cleanUp, type ServerLeftovers } from './cleanup.ts';
import { type ConversionOrder, type PreparedConversion, prepareConversion } from './conversion-order.ts';
import { serverPath } from './file-location.ts';
import { removeOldUploads, UPLOAD_DAYS } from './old-uploads.ts';
import { newPermanentFolder, newUploadFolder } from './output-names.ts';
import { type SavedFile, saveOutputs } from './save-outputs.ts';
import { createSubmission } from './submission.ts';

export interface ConvertOptions {
  /** Whether to keep the uploaded files and the outputs on the service. */
  readonly keep: boolean;
  /** Whether the command has other conversions. Then it says itself that it cleans up, and removes old uploads. */
  readonly isOneOfMany?: boolean;
  /** How long the submission waits while the service is busy or unreachable. */
  readonly retries?: RetryBudget;
  /** Whether the service ends with the command, with all that it has. */
  readonly isLocal: boolean;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
}

/** A finished conversion. */
export interface ConvertResult {
  readonly job: JobView;
  /** The saved local files. The first is the output. */
  readonly files: readonly SavedFile[];
}

/** What a command says after the first Ctrl-C. */
export const CLEANING_UP = 'Cancelling the job and cleaning up. Press Ctrl-C to stop at once.';

/** Uploads the inputs and submits the job. Returns its id. */
export async function submitFiles(
  client: NodeClient,
  order: ConversionOrder,
  { isOneOfMany = false, retries, progress, signal }: Omit<ConvertOptions, 'keep' | 'isLocal'>,
): Promise<string> {
  const folder = newUploadFolder();
  const prepared = prepareConversion(order, folder);
  const { request, uploads, names } = prepared;
  await checkOrder(client, order, prepared, progress, signal);
  const removeUploads = async (error: unknown): Promise<never> => {
    const files = filesOf(uploads).map(({ path }) => path);
    if (files.length > 0) for (const failure of await cleanUp(client, { folder, files })) progress.say(failure);
    throw names.error(error);
  };
  await sendAll(client, uploads, progress, signal).catch(removeUploads);
  const submission = createSubmission(client, request, retries);
  // A job of which the reply was lost needs the uploads.
  const jobId = await submission
    .send(signal)
    .catch((error: unknown) => (submission.mayHaveJob ? names.rethrow(error) : removeUploads(error)));
  if (!isOneOfMany) await removeOldUploads(client);
  return jobId;
}

/**
 * Uploads local inputs, converts them, downloads the output. When it ends, the job has ended and only its record stays
 * on the service, except with `keep` or when the output could not be saved. Throws `CommandFailed` for errors of the
 * command line, `ClientError`, or the reason of the signal.
 */
export async function convertFiles(
  client: NodeClient,
  order: ConversionOrder,
  { keep, isOneOfMany = false, retries, isLocal, progress, signal }: ConvertOptions,
): Promise<ConvertResult> {
  const folder = keep ? newPermanentFolder() : newUploadFolder();
  const prepared = prepareConversion(order, folder);
  const { request, uploads, fetch, names } = prepared;
  const { printed, files: planned } = await checkOrder(client, order, prepared, progress, signal);
  const submission = createSubmission(client, request, retries);
  const isUsed = uploads.length > 0 || fetch !== undefined;
  let leftovers: ServerLeftovers = {
    folder: isUsed ? folder : undefined,
    files: filesOf(uploads).map(({ path }) => path),
    outputsIn: fetch?.base,
  };
  try {
    await sendAll(client, uploads, progress, signal);
    const jobId = await submission.send(signal).catch((error: unknown) => {
      // Repeating a submission without a reply returns the job that it may have created.
      if (submission.mayHaveJob) leftovers = { ...leftovers, job: submission.send };
      throw error;
    });
    leftovers = { ...leftovers, job: async () => jobId };
    const job = names.job(await client.wait(jobId, { onUpdate: progress.job, signal }));
    sayWarnings(progress, job.warnings, printed);
    if (job.status !== 'COMPLETED' || fetch === undefined) return { job, files: [] };
    const files = await saveOutputs(
      client,
      job,
      { ...fetch, planned },
      { replace: order.replace, progress, signal },
    ).catch((error: unknown) => {
      if (signal.aborted) throw error;
      // Keep the outputs on the service if they cannot be saved here, for example on a full disk.
      leftovers = { ...leftovers, outputsIn: undefined };
      throw notSaved(names.error(error), isLocal ? undefined : job);
    });
    return { job, files };
  } catch (error) {
    throw names.error(error);
  } finally {
    if (signal.aborted && !isOneOfMany) progress.say(CLEANING_UP);
    if (!keep || signal.aborted) for (const failure of await cleanUp(client, leftovers)) progress.say(failure);
    if (!signal.aborted && isUsed && !isOneOfMany) await removeOldUploads(client);
  }
}

async function sendAll(
  client: NodeClient,
  uploads: PreparedConversion['uploads'],
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  for (const upload of uploads) {
    const files = filesOf([upload]);
    const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let before = 0;
    for (const [i, { file, path }] of files.entries()) {
      const onBytes = (done: number): void => progress.bytes('upload', plainText(upload.file), before + done, total);
      await client.uploadFile(file, path, { onBytes, signal });
      before += sizes[i] ?? 0;
    }
  }
}

/** @param job The job whose outputs stay on the service. */
function notSaved(cause: unknown, job: JobView | undefined): CommandFailed {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const path = job?.outputs?.[0]?.path;
  return new CommandFailed(
    EXIT.failed,
    'NOT_SAVED',
    `The conversion is complete, but its output could not be saved: ${reason}`,
    {
      fix:
        path === undefined
          ? undefined
          : `The output stays on the service for ${UPLOAD_DAYS} days: ${serverPath(path)}.`,
      cause,
    },
  );
}

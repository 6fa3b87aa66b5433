import { ClientError } from '../../../client/client-error.ts';
import type { NodeClient } from '../../../client/node/node-client.ts';
import type { CallOptions } from '../../../client/options.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { JobView } from '../../../wire/job.ts';
import { EXIT } from '../../exit-codes.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { checkOrder, sayWarnings } from './check-order.ts';
import { cleanUp, type ServerLeftovers } from './cleanup.ts';
import { type ConversionOrder, type PreparedConversion, prepareConversion } from './conversion-order.ts';
import { serverPath } from './file-location.ts';
import { removeOldUploads, UPLOAD_DAYS } from './old-uploads.ts';
import { newKeptFolder, newUploadFolder } from './output-names.ts';
import { type SavedFile, saveOutputs } from './save-outputs.ts';

export interface ConvertOptions {
  /** Whether to keep the uploaded files and the outputs on the service. */
  readonly keep: boolean;
  /** Whether the command has other conversions. Then it says itself that it cleans up, and removes old uploads. */
  readonly isOneOfMany?: boolean;
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
  { isOneOfMany = false, progress, signal }: Omit<ConvertOptions, 'keep' | 'isLocal'>,
): Promise<string> {
  const folder = newUploadFolder();
  const prepared = prepareConversion(order, folder);
  const { request, uploads, names } = prepared;
  await checkOrder(client, order, prepared, progress, signal);
  const removeUploads = async (error: unknown): Promise<never> => {
    const files = uploads.map(({ path }) => path);
    if (files.length > 0) for (const failure of await cleanUp(client, { folder, files })) progress.say(failure);
    throw names.error(error);
  };
  await sendAll(client, uploads, progress, signal).catch(removeUploads);
  // If no reply arrived, the service may have created a job that needs the uploads.
  const { jobId } = await client
    .submit(request, { signal })
    .catch((error: unknown) => (isRejection(error) ? removeUploads(error) : names.rethrow(error)));
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
  { keep, isOneOfMany = false, isLocal, progress, signal }: ConvertOptions,
): Promise<ConvertResult> {
  const folder = keep ? newKeptFolder() : newUploadFolder();
  const prepared = prepareConversion(order, folder);
  const { request, uploads, fetch, names } = prepared;
  const { printed, files: planned } = await checkOrder(client, order, prepared, progress, signal);
  const idempotencyKey = crypto.randomUUID();
  const submitOnce = (options: CallOptions = {}) => client.submit(request, { idempotencyKey, ...options });
  const isUsed = uploads.length > 0 || fetch !== undefined;
  let leftovers: ServerLeftovers = {
    folder: isUsed ? folder : undefined,
    files: uploads.map(({ path }) => path),
    outputsIn: fetch?.base,
  };
  try {
    await sendAll(client, uploads, progress, signal);
    // Repeating an interrupted submission returns the job that it may have created.
    leftovers = { ...leftovers, job: async () => (await submitOnce()).jobId };
    const { jobId } = await submitOnce({ signal }).catch((error: unknown) => {
      if (isRejection(error)) leftovers = { ...leftovers, job: undefined };
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

/** Whether the service has replied with an error, so that there is no job. */
const isRejection = (error: unknown): boolean => error instanceof ClientError && error.kind === 'rejected';

async function sendAll(
  client: NodeClient,
  uploads: PreparedConversion['uploads'],
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  for (const { file, path } of uploads) {
    const onBytes = (done: number, total: number): void => progress.bytes('upload', plainText(file), done, total);
    await client.uploadFile(file, path, { onBytes, signal });
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

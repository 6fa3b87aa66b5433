import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConversionRequest } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import type { NodeClient } from '@telecine/client/node/node-client.ts';
import type { RetryBudget } from '@telecine/client/options.ts';
import { DEFAULT_BUDGET, wasNeverSent, withRetry } from '@telecine/client/retry.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import { isUuid } from '@telecine/contract/wire/job-id.ts';
import { createFolder } from '@telecine/service/store/data-folder.ts';
import { EXIT } from '../../exit-codes.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { filesOf } from './caller-names.ts';
import { checkOrder, sayWarnings } from './check-order.ts';
import { cleanUp, removeOldUploads, requestAllOutputs, type ServerLeftovers, UPLOAD_DAYS } from './cleanup.ts';
import { type ConversionOrder, type PreparedConversion, prepareConversion } from './conversion-order.ts';
import { type ExpectedOutputs, localPath, newPermanentFolder, newUploadFolder, serverPath } from './file-names.ts';
import { requireNoFile } from './local-files.ts';

interface ConvertOptions {
  /** Whether to keep the uploaded files and the outputs on the service. */
  readonly keep: boolean;
  /** Whether the command runs other conversions too. Then the caller reports the cleanup and removes old uploads. */
  readonly isOneOfMany?: boolean;
  /** How long the submission retries while the service is busy or unreachable. */
  readonly retries?: RetryBudget;
  /** Whether the service stops when the command ends. */
  readonly isLocal: boolean;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
}

export interface ConvertResult {
  readonly job: JobView;
  /** The saved local files. The first is the output. */
  readonly files: readonly SavedFile[];
}

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
  // If the reply was lost, a job may exist and need the uploads, so keep them.
  const jobId = await submission
    .send(signal)
    .catch((error: unknown) => (submission.mayHaveJob ? names.rethrow(error) : removeUploads(error)));
  if (!isOneOfMany) await removeOldUploads(client);
  return jobId;
}

/**
 * Uploads local inputs, converts them and downloads the output. Afterwards only the job record stays on the service. With `keep`, or if the
 * output cannot be saved, the files stay too. Throws `CommandFailed`, `ClientError`, or the reason of the signal.
 */
export async function convertFiles(
  client: NodeClient,
  order: ConversionOrder,
  { keep, isOneOfMany = false, retries, isLocal, progress, signal }: ConvertOptions,
): Promise<ConvertResult> {
  const folder = keep ? newPermanentFolder() : newUploadFolder();
  const prepared = prepareConversion(order, folder);
  const { request, uploads, fetch, names } = prepared;
  const printed = await checkOrder(client, order, prepared, progress, signal);
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
      // If the reply was lost, the service may have created a job. Sending the same submission again returns it.
      if (submission.mayHaveJob) leftovers = { ...leftovers, job: submission.send };
      throw error;
    });
    leftovers = { ...leftovers, job: async () => jobId };
    const job = names.job(await client.wait(jobId, { onUpdate: progress.job, signal }));
    sayWarnings(progress, job.warnings, printed);
    if (job.status !== 'COMPLETED' || fetch === undefined) return { job, files: [] };
    const files = await saveOutputs(client, job, fetch, { replace: order.replace, progress, signal }).catch(
      (error: unknown) => {
        if (signal.aborted) throw error;
        // The outputs cannot be saved, for example because the disk is full. Keep them on the service.
        leftovers = { ...leftovers, outputsIn: undefined };
        throw notSaved(names.error(error), isLocal ? undefined : job);
      },
    );
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

/** @param job The job whose outputs stay on the service. undefined: none stay. */
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

/** A request that is sent until the service accepts it. All tries have the same idempotency key, so only one job is created. */
interface Submission {
  /** Sends the request and returns the id of the job. Rejects with `ClientError`, or with the reason of the signal. */
  send(signal: AbortSignal): Promise<string>;
  /** Whether the service may have created a job that the command does not know, because a reply was lost or has not arrived yet. */
  readonly mayHaveJob: boolean;
}

/** One try without retries, so that `mayHaveJob` is updated after each try. */
const ONE_TRY: RetryBudget = { busySeconds: 0, unreachableSeconds: 0 };

/** HTTP statuses of a service that is busy or rejects the credentials. A try with one of these statuses creates no job. */
const WITHOUT_JOB: ReadonlySet<number | undefined> = new Set([401, 403, 429, 503]);

/** @param budget How long `send` retries in total while the service is busy or unreachable. */
export function createSubmission(
  client: Pick<NodeClient, 'submit'>,
  request: ConversionRequest,
  budget: RetryBudget = DEFAULT_BUDGET,
): Submission {
  const idempotencyKey = crypto.randomUUID();
  let isOpen = false;
  let wasLost = false;
  return {
    get mayHaveJob() {
      return isOpen || wasLost;
    },
    send: (signal) =>
      withRetry({ isRepeatable: true, budget, signal }, async () => {
        isOpen = true;
        try {
          const { jobId } = await client.submit(request, { idempotencyKey, retries: ONE_TRY, signal });
          if (isUuid(jobId)) return jobId;
          throw new CommandFailed(EXIT.failed, 'BAD_REPLY', 'The service replied with a job id that is not a UUID.');
        } catch (error) {
          if (signal.aborted) throw error;
          isOpen = false;
          if (mayHaveCreated(error)) wasLost = true;
          // The service rejects the request itself. If an earlier try had created a job, the key would have returned it.
          else if (isFinal(error)) wasLost = false;
          throw error;
        }
      }),
  };
}

/**
 * Whether the service may have created the job despite an error. For example, a proxy replies with an error if it gets
 * no reply from the service.
 */
function mayHaveCreated(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  const { kind, status = 0 } = error;
  return kind === 'rejected' ? status >= 500 && !WITHOUT_JOB.has(status) : !wasNeverSent(error);
}

/** Whether the service rejected the request itself, so that another try would fail too. */
const isFinal = (error: unknown): boolean =>
  error instanceof ClientError && error.problem !== undefined && !WITHOUT_JOB.has(error.status);

interface SavedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Downloads all outputs of a completed job if the order names each of them. Saves the job's `output` last, so that a manifest appears after
 * its segments. If a download fails, deletes the saved files, except those that replaced other files.
 */
async function saveOutputs(
  client: NodeClient,
  job: JobView,
  expected: ExpectedOutputs,
  options: { readonly replace: boolean; readonly progress: ProgressDisplay; readonly signal: AbortSignal },
): Promise<readonly SavedFile[]> {
  const { replace, progress, signal } = options;
  const outputs = await requestAllOutputs(client, job, signal);
  const files = outputs.map(({ path, sizeBytes }) => ({ path, sizeBytes, target: localPath(expected, path) }));
  // On some file systems, names that differ in case or in the form of their letters are the same file.
  if (new Set(files.map(({ target }) => target.normalize().toLowerCase())).size < files.length)
    throw new CommandFailed(EXIT.failed, 'UNEXPECTED_OUTPUT', 'The service has two outputs of the same name.');
  for (const { target } of files) await requireNoFile(target, replace);
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const name = files.length === 1 ? '1 file' : `${files.length} files`;
  const saved: SavedFile[] = [];
  let before = 0;
  try {
    for (const { path, sizeBytes, target } of files.toReversed()) {
      createFolder(dirname(target));
      const onBytes = (done: number): void => progress.bytes('download', name, before + done, total);
      await client.saveOutput(job.jobId, target, { path, replace, onBytes, signal });
      before += sizeBytes;
      saved.push({ path: target, sizeBytes });
    }
  } catch (error) {
    if (!replace) for (const { path } of saved) await rm(path, { force: true });
    throw error;
  }
  return saved.toReversed();
}

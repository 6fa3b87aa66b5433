import type { TelecineClient } from '../../../client/client.ts';
import { ClientError } from '../../../client/client-error.ts';
import type { CallOptions } from '../../../client/transport.ts';
import type { PlannedName } from '../../../domain/planned-names.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { DryRunView } from '../../../wire/dry-run.ts';
import type { JobView } from '../../../wire/job.ts';
import type { WarningView } from '../../../wire/warning.ts';
import { EXIT } from '../../exit-codes.ts';
import { warningText } from '../../output/plan-text.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { cleanUp, type ServerLeftovers } from './cleanup.ts';
import { type ConversionOrder, prepareConversion } from './conversion-order.ts';
import { serverPath } from './file-location.ts';
import { requireFile, requireNoFile } from './local-files.ts';
import { removeOldUploads, UPLOAD_DAYS } from './old-uploads.ts';
import { newKeptFolder, newUploadFolder } from './output-names.ts';
import { type SavedFile, saveOutputs } from './save-outputs.ts';

export interface ConvertOptions {
  /** Whether to keep the uploaded files and the outputs on the service. */
  readonly keep: boolean;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
}

/** A finished conversion. */
export interface ConvertResult {
  readonly job: JobView;
  /** The saved local files. The first is the output. */
  readonly files: readonly SavedFile[];
}

/** Returns the dry run of an order, without uploads. Throws `ClientError`, and `CommandFailed` for a missing input. */
export async function planFiles(
  client: TelecineClient,
  order: ConversionOrder,
  signal: AbortSignal,
): Promise<DryRunView> {
  const { request, uploads } = prepareConversion(order, newUploadFolder());
  await requireInputs(order);
  return planOf(client, request, uploads, signal);
}

/** Uploads the inputs and submits the job. Returns its id. */
export async function submitFiles(
  client: TelecineClient,
  order: ConversionOrder,
  { progress, signal }: Omit<ConvertOptions, 'keep'>,
): Promise<string> {
  const { request, uploads } = prepareConversion(order, newUploadFolder());
  await checkOrder(client, order, request, uploads, progress, signal);
  await sendAll(client, uploads, progress, signal);
  const { jobId } = await client.submit(request, { signal });
  await removeOldUploads(client);
  return jobId;
}

/**
 * Uploads local inputs, converts them, downloads the output. When it ends, the job has ended and only its record stays
 * on the service, except with `keep` or when the output could not be saved. Throws `CommandFailed` for errors of the
 * command line, `ClientError`, or the reason of the signal.
 */
export async function convertFiles(
  client: TelecineClient,
  order: ConversionOrder,
  { keep, progress, signal }: ConvertOptions,
): Promise<ConvertResult> {
  const folder = keep ? newKeptFolder() : newUploadFolder();
  const { request, uploads, fetch } = prepareConversion(order, folder);
  const { printed, files: planned } = await checkOrder(client, order, request, uploads, progress, signal);
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
      if (error instanceof ClientError && error.kind === 'rejected') leftovers = { ...leftovers, job: undefined };
      throw error;
    });
    leftovers = { ...leftovers, job: async () => jobId };
    const job = await client.wait(jobId, { onUpdate: progress.job, signal });
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
      throw notSaved(error, job);
    });
    return { job, files };
  } finally {
    if (signal.aborted) progress.say('Cancelling the job and cleaning up. Press Ctrl-C to stop at once.');
    if (!keep || signal.aborted) for (const failure of await cleanUp(client, leftovers)) progress.say(failure);
    if (!signal.aborted && isUsed) await removeOldUploads(client);
  }
}

async function requireInputs({ inputs }: ConversionOrder): Promise<void> {
  for (const { place } of inputs) if (place.on === 'here') await requireFile(place.path);
}

type Uploads = ReturnType<typeof prepareConversion>['uploads'];
type Request = ReturnType<typeof prepareConversion>['request'];

/**
 * Checks the files and the request before the upload. Prints the warnings and returns their texts, and the files that
 * the job can publish. Throws `CommandFailed` if a warning says that the job would fail.
 */
async function checkOrder(
  client: TelecineClient,
  order: ConversionOrder,
  request: Request,
  uploads: Uploads,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly printed: ReadonlySet<string>; readonly files: readonly PlannedName[] }> {
  await requireInputs(order);
  const { output, replace } = order;
  if (output.on === 'here') await requireNoFile(output.path, replace);
  const { warnings, plan } = await planOf(client, request, uploads, signal);
  const certain = warnings.find(({ code }) => code === 'CODEC_NOT_HELD');
  if (certain !== undefined) throw new CommandFailed(EXIT.refused, certain.code, certain.message, { fix: certain.fix });
  return { printed: sayWarnings(progress, warnings, new Set()), files: plan.output.files };
}

/** Prints the warnings that are not among `printed`. Returns the texts of all. */
function sayWarnings(
  progress: ProgressDisplay,
  warnings: readonly WarningView[] = [],
  printed: ReadonlySet<string>,
): ReadonlySet<string> {
  const texts = new Set(warnings.map(warningText));
  for (const text of texts) if (!printed.has(text)) progress.say(text);
  return texts;
}

/** Returns the dry run, but without warnings about inputs that are not uploaded yet. */
async function planOf(
  client: TelecineClient,
  request: Request,
  uploads: Uploads,
  signal: AbortSignal,
): Promise<DryRunView> {
  const run = await client.dryRun(request, { signal });
  if (uploads.length === 0) return run;
  const uploaded = new Set(uploads.map(({ path }) => path));
  const pathAt = (field: string): string | undefined => {
    const index = field === '/input' ? 0 : Number(/^\/inputs\/(\d+)/.exec(field)?.[1]);
    return run.plan.inputs[index]?.path;
  };
  const isUploaded = (field = ''): boolean => uploaded.has(pathAt(field) ?? '');
  return {
    ...run,
    warnings: run.warnings.filter(({ code, field }) => code !== 'INPUT_NOT_FOUND' || !isUploaded(field)),
  };
}

async function sendAll(
  client: TelecineClient,
  uploads: Uploads,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  for (const { file, path } of uploads) {
    const onBytes = (done: number, total: number): void => progress.bytes('upload', plainText(file), done, total);
    await client.upload(file, path, { onBytes, signal });
  }
}

function notSaved(cause: unknown, { outputs = [] }: JobView): CommandFailed {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const path = outputs[0]?.path ?? '';
  return new CommandFailed(
    EXIT.failed,
    'NOT_SAVED',
    `The conversion is complete, but its output could not be saved: ${reason}`,
    {
      fix: `The output stays on the service for ${UPLOAD_DAYS} days: ${serverPath(path)}.`,
      cause,
    },
  );
}

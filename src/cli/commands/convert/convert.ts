import type { TelecineClient } from '../../../client/client.ts';
import { ClientError } from '../../../client/client-error.ts';
import type { CallOptions } from '../../../client/transport.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { DryRunView } from '../../../wire/dry-run.ts';
import type { JobView } from '../../../wire/job.ts';
import { EXIT } from '../../exit-codes.ts';
import { warningText } from '../../output/plan-text.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { cleanUp, type ServerLeftovers } from './cleanup.ts';
import { type ConversionOrder, prepareConversion } from './conversion-order.ts';
import { serverPath } from './file-location.ts';
import { requireFile, requireNoFile } from './local-files.ts';
import { newUploadFolder } from './output-names.ts';
import { type SavedFile, saveOutputs } from './save-outputs.ts';

export interface ConvertOptions {
  /** Leaves on the service what was sent there and made there. */
  readonly keep: boolean;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
}

/** What came of a conversion. */
export interface ConvertResult {
  readonly job: JobView;
  /** Local files that were saved, the output itself first. */
  readonly files: readonly SavedFile[];
}

/** What would run; nothing is sent over but the request. Throws `ClientError`. */
export async function planFiles(
  client: TelecineClient,
  order: ConversionOrder,
  signal: AbortSignal,
): Promise<DryRunView> {
  const { request, uploads } = prepareConversion(order, newUploadFolder());
  await needInputs(order);
  return planOf(client, request, uploads, signal);
}

/** Puts a conversion in line and leaves it there; its id. */
export async function submitFiles(
  client: TelecineClient,
  order: ConversionOrder,
  { progress, signal }: Omit<ConvertOptions, 'keep'>,
): Promise<string> {
  const { request, uploads } = prepareConversion(order, newUploadFolder());
  await checked(client, order, request, uploads, progress, signal);
  await sendAll(client, uploads, progress, signal);
  return (await client.submit(request, { signal })).jobId;
}

/**
 * Sends local inputs over, has them converted, fetches the output. However it ends, the job has ended and nothing of it
 * is left on the service but its record, unless `keep`, or the output could not be saved. Throws `CommandFailed` for
 * what the command line got wrong, `ClientError`, or the signal's reason.
 */
export async function convertFiles(
  client: TelecineClient,
  order: ConversionOrder,
  { keep, progress, signal }: ConvertOptions,
): Promise<ConvertResult> {
  const folder = newUploadFolder();
  const { request, uploads, fetch } = prepareConversion(order, folder);
  await checked(client, order, request, uploads, progress, signal);
  const idempotencyKey = crypto.randomUUID();
  const enter = (options: CallOptions = {}) => client.submit(request, { idempotencyKey, ...options });
  const isUsed = uploads.length > 0 || fetch !== undefined;
  let leftovers: ServerLeftovers = {
    folder: isUsed ? folder : undefined,
    files: uploads.map(({ path }) => path),
    outputsIn: fetch?.base,
  };
  try {
    await sendAll(client, uploads, progress, signal);
    // Asked for again, a submission that was cut short tells the job that it may have made.
    leftovers = { ...leftovers, job: async () => (await enter()).jobId };
    const { jobId } = await enter({ signal }).catch((error: unknown) => {
      if (error instanceof ClientError && error.kind === 'rejected') leftovers = { ...leftovers, job: undefined };
      throw error;
    });
    leftovers = { ...leftovers, job: async () => jobId };
    const job = await client.wait(jobId, { onUpdate: progress.job, signal });
    if (job.status !== 'COMPLETED' || fetch === undefined) return { job, files: [] };
    const files = await saveOutputs(client, job, fetch, { replace: order.replace, progress, signal }).catch(
      (error: unknown) => {
        if (signal.aborted) throw error;
        // What took long to make is not thrown away because a local disk is full.
        leftovers = { ...leftovers, outputsIn: undefined };
        throw notSaved(error, job);
      },
    );
    return { job, files };
  } finally {
    if (signal.aborted) progress.say('Cancelling the job and cleaning up; Ctrl-C ends this at once.');
    if (!keep || signal.aborted) for (const complaint of await cleanUp(client, leftovers)) progress.say(complaint);
  }
}

async function needInputs({ inputs }: ConversionOrder): Promise<void> {
  for (const { place } of inputs) if (place.on === 'here') await requireFile(place.path);
}

type Uploads = ReturnType<typeof prepareConversion>['uploads'];
type Request = ReturnType<typeof prepareConversion>['request'];

/** Tells what is wrong before anything is sent over, and what is odd. */
async function checked(
  client: TelecineClient,
  order: ConversionOrder,
  request: Request,
  uploads: Uploads,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  await needInputs(order);
  const { output, replace } = order;
  if (output.on === 'here') await requireNoFile(output.path, replace);
  const { warnings } = await planOf(client, request, uploads, signal);
  for (const warning of warnings) progress.say(warningText(warning));
}

/** What is still to be sent over is not missing. */
async function planOf(
  client: TelecineClient,
  request: Request,
  uploads: Uploads,
  signal: AbortSignal,
): Promise<DryRunView> {
  const run = await client.dryRun(request, { signal });
  if (uploads.length === 0) return run;
  const coming = new Set(uploads.map(({ path }) => path));
  const pathAt = (field: string): string | undefined => {
    const index = field === '/input' ? 0 : Number(/^\/inputs\/(\d+)/.exec(field)?.[1]);
    return run.plan.inputs[index]?.path;
  };
  const isComing = (field: string): boolean => coming.has(pathAt(field) ?? '');
  return {
    ...run,
    warnings: run.warnings.filter(({ code, field }) => code !== 'INPUT_NOT_FOUND' || !isComing(field)),
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
  const why = cause instanceof Error ? cause.message : String(cause);
  const kept = outputs[0]?.path ?? '';
  return new CommandFailed(
    EXIT.failed,
    'NOT_SAVED',
    `The conversion is done, but its result could not be saved. ${why}`,
    {
      fix: `It is kept as ${serverPath(kept)}.`,
      cause,
    },
  );
}

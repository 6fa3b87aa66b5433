import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { DryRunView } from '@telecine/contract/wire/dry-run.ts';
import type { WarningView } from '@telecine/contract/wire/warning.ts';
import { argvLines, planEstimateLines, warningText } from '../../output/job-text.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { usageError } from '../../session/command-failed.ts';
import { filesOf } from './caller-names.ts';
import {
  type ConversionOrder,
  localOutputs,
  locationsOf,
  type PreparedConversion,
  prepareConversion,
} from './conversion-order.ts';
import { checkPlannedFiles, type FileLocation, newUploadFolder } from './file-names.ts';
import { isWildcard } from './inputs.ts';
import { requireFile, requireNoFile, requireWritableFolder } from './local-files.ts';
import type { Service } from './open-service.ts';
import type { ConvertFlags } from './order-flags.ts';

/** Runs a dry run of an order without uploading files. Throws `ClientError`, and `CommandFailed` for a missing input. */
export async function planFiles(
  { client, link }: Pick<Service, 'client' | 'link'>,
  order: ConversionOrder,
  signal: AbortSignal,
): Promise<DryRunView> {
  await requireInputs(order);
  const prepared = prepareConversion(order, newUploadFolder());
  if (link !== undefined) for (const { file, path } of filesOf(prepared.uploads)) await link(file, path);
  return planOf(client, prepared, signal);
}

async function requireInputs({ inputs }: ConversionOrder): Promise<void> {
  for (const input of inputs) {
    const { location, frames } = input;
    if (location.on === 'local' && frames === undefined)
      await requireFile(location.path, isWildcard(input) ? 'No image has a name that matches.' : undefined);
  }
}

/**
 * Checks the files and the request before the upload, and prints the warnings. Returns the texts of the warnings. Throws `CommandFailed` if a
 * warning says that the job would fail, or if the job could write a file that the order does not name.
 */
export async function checkOrder(
  client: TelecineClient,
  order: ConversionOrder,
  prepared: PreparedConversion,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  await requireInputs(order);
  for (const { path } of localOutputs(order)) {
    await requireNoFile(path, order.replace);
    await requireWritableFolder(path);
  }
  const { warnings, plan } = await planOf(client, prepared, signal);
  const certain = warnings.find(({ code }) => code === 'CODEC_NOT_HELD');
  if (certain !== undefined) throw usageError(certain.code, certain.message, certain.fix);
  if (prepared.fetch !== undefined) {
    const { output, outputs = [] } = prepared.request;
    // A plan also has the pattern of numbered pictures itself, as the command sent it.
    const sent = new Set([output, ...outputs.map((one) => one.output)]);
    const planned = plan.outputs.flatMap(({ files }) => files.filter((parts) => !sent.has(parts.join(''))));
    checkPlannedFiles(prepared.fetch, planned);
  }
  return sayWarnings(progress, warnings, new Set());
}

/** Prints the warnings that are not in `printed`. Returns the texts of all warnings. */
export function sayWarnings(
  progress: ProgressDisplay,
  warnings: readonly WarningView[] = [],
  printed: ReadonlySet<string>,
): ReadonlySet<string> {
  const texts = new Set(warnings.map(warningText));
  for (const text of texts) if (!printed.has(text)) progress.say(text);
  return texts;
}

/** Warnings about an input that does not exist yet. */
const OF_MISSING_FILES: ReadonlySet<string> = new Set(['INPUT_NOT_FOUND', 'ASSUMED_FACTS']);

/** Returns the dry run without warnings about inputs that will be uploaded later. */
async function planOf(
  client: TelecineClient,
  { request, uploads, names }: PreparedConversion,
  signal: AbortSignal,
): Promise<DryRunView> {
  const run = await client.dryRun(request, { signal }).catch(names.rethrow);
  const isUploaded = (field = ''): boolean => {
    const role = /^\/preset\/arguments\/(.+)/.exec(field)?.[1];
    if (role !== undefined) return uploads.some((upload) => upload.role === role);
    const input = field === '/input' ? 0 : Number(/^\/inputs\/(\d+)/.exec(field)?.[1]);
    return uploads.some(({ index }) => index === input);
  };
  return {
    ...run,
    warnings: run.warnings
      .filter(({ code, field }) => !OF_MISSING_FILES.has(code) || !isUploaded(field))
      // Leave out ASSUMED_MEDIA if the command uploads inputs: they exist when the job starts. This warning does not
      // name its input.
      .filter(({ code }) => code !== 'ASSUMED_MEDIA' || uploads.length === 0)
      .map(names.message),
  };
}

/** Prints a dry run. `file`: the converted file, if the command converts several files. */
export function printPlan(run: DryRunView, { json }: Pick<ConvertFlags, 'json'>, file?: string): void {
  if (json) {
    console.log(JSON.stringify({ ...(file !== undefined && { file }), ...run }));
    return;
  }
  for (const line of argvLines(run)) console.log(line);
  const about = file === undefined ? '' : `${file}: `;
  for (const line of [...planEstimateLines(run), ...run.warnings.map(warningText)])
    console.error(plainText(`${about}${line}`));
}

/**
 * Throws `CommandFailed` for a location that is not a file. Throws it also for a local output with `--no-wait`, because nobody would
 * download the output.
 */
export function checkLocations(order: ConversionOrder, { wait }: Pick<ConvertFlags, 'wait'>): void {
  const { output } = order;
  if (!wait && output.on === 'local')
    throw usageError('OUTPUT_HERE', '--no-wait requires a server: output.', 'Name the output server:path.');
  for (const location of locationsOf(order)) {
    const { path } = location;
    if (location.on === 'local' && /^(?:-|pipe:\d*)$/.test(path))
      throw usageError(
        'NO_PIPES',
        `${path} would be a pipe. Inputs and outputs are files.`,
        `Name a file, such as out.mp4. For a local file of that name: ./${path}`,
      );
    if (isAddress(location) || (location === output && isUrl(path)))
      throw usageError(
        'NOT_A_FILE',
        `${path} is an address. Files are local paths, or server:path for the media root of the service; an input can be an https URL.`,
        `For a local file of that name: ./${path}`,
      );
  }
}

const isAddress = ({ on, path }: FileLocation): boolean => on === 'local' && /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

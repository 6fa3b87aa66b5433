import type { TelecineClient } from '../../../client/telecine-client.ts';
import type { PlannedName } from '../../../domain/planned-names.ts';
import type { DryRunView } from '../../../wire/dry-run.ts';
import type { WarningView } from '../../../wire/warning.ts';
import { EXIT } from '../../exit-codes.ts';
import { warningText } from '../../output/plan-text.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { filesOf } from './caller-names.ts';
import { type ConversionOrder, type PreparedConversion, prepareConversion } from './conversion-order.ts';
import { isWildcard } from './inputs.ts';
import { requireFile, requireNoFile, requireWritableFolder } from './local-files.ts';
import type { Service } from './open-service.ts';
import { rejectOutputFirst } from './output-first.ts';
import { type ExpectedOutputs, hiddenFile, newUploadFolder } from './output-names.ts';

/**
 * Returns the dry run of an order, without uploads. A service on this machine can read the inputs, and says more about them. Throws
 * `ClientError`, and `CommandFailed` for a missing input.
 */
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

async function requireInputs(order: ConversionOrder): Promise<void> {
  const { inputs } = order;
  await rejectOutputFirst(order);
  for (const input of inputs) {
    const { location, nameBefore, frames } = input;
    const fix = isWildcard(input) ? 'No picture has a name that matches.' : undefined;
    if (location.on === 'local' && frames === undefined)
      await requireFile(location.path, { nameBefore, ...(fix && { fix }) });
  }
}

/**
 * Checks the files and the request before the upload. Prints the warnings and returns their texts, and the files that
 * the job can publish. Throws `CommandFailed` if a warning says that the job would fail.
 */
export async function checkOrder(
  client: TelecineClient,
  order: ConversionOrder,
  prepared: PreparedConversion,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly printed: ReadonlySet<string>; readonly files: readonly PlannedName[] }> {
  await requireInputs(order);
  const { output, replace } = order;
  if (output.on === 'local') {
    await requireNoFile(output.path, replace);
    await requireWritableFolder(output.path);
  }
  const { warnings, plan } = await planOf(client, prepared, signal);
  const certain = warnings.find(({ code }) => code === 'CODEC_NOT_HELD');
  if (certain !== undefined) throw refused(certain.code, certain.message, certain.fix);
  // A service of an earlier version does not send this list, although its type requires it.
  const files = (plan.outputs as typeof plan.outputs | undefined)?.[0]?.files;
  if (prepared.fetch !== undefined) requireSavable(prepared.fetch, files, client.url);
  return { printed: sayWarnings(progress, warnings, new Set()), files: files ?? [] };
}

const refused = (code: string, message: string, fix: string | undefined): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });

/** Throws `CommandFailed` if `saveOutputs` would certainly reject one of the files. */
function requireSavable(
  output: Omit<ExpectedOutputs, 'planned'>,
  planned: readonly PlannedName[] | undefined,
  url: string,
): void {
  if (planned === undefined)
    throw refused(
      'OLD_SERVICE',
      `The service at ${url} is older than this command: its dry run does not list the files of an output.`,
      `Update the service. Or keep the output there, and download it: server:${output.path}.`,
    );
  const hidden = hiddenFile({ ...output, planned });
  if (hidden !== undefined)
    throw refused(
      'HIDDEN_OUTPUT',
      `The output would have the hidden file ${hidden}. Besides the output itself, hidden files are not saved.`,
      'Do not begin the output, or a name in an option such as hls_segment_filename, with a dot.',
    );
}

/** Prints the warnings that are not among `printed`. Returns the texts of all. */
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

/** Returns the dry run, but without warnings about inputs that are not uploaded yet. */
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
      // Which inputs it is about, it does not say. Those that are uploaded will be there.
      .filter(({ code }) => code !== 'ASSUMED_MEDIA' || uploads.length === 0)
      .map(names.message),
  };
}

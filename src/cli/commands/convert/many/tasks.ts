import { lstat, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import limitConcurrency from 'p-limit';
import type { TelecineClient } from '../../../../client/client.ts';
import { ClientError } from '../../../../client/client-error.ts';
import { isUrl } from '../../../../domain/url-input.ts';
import { EXIT } from '../../../exit-codes.ts';
import { shellWord } from '../../../output/shell-word.ts';
import { CommandFailed } from '../../../session/command-failed.ts';
import type { ConversionOrder } from '../conversion-order.ts';
import { type FileLocation, serverPath } from '../file-location.ts';
import type { CommandInput } from '../inputs.ts';
import { requireFile, requireNoFile, requireWritableFolder, valueApart } from '../local-files.ts';
import { isTemplate, outputOf, templateIn } from './output-template.ts';

/** One of the conversions of a command with `--to`. */
export interface ConversionTask {
  /** The input as it was written. */
  readonly file: string;
  readonly order: ConversionOrder;
}

/** The most names in one message. */
const MOST_NAMES = 5;

const usageError = (code: string, message: string, fix: string): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });

/** A place as it was written. */
const written = ({ on, path }: FileLocation): string => (on === 'here' || isUrl(path) ? path : serverPath(path));

/** `a.mov, b.mov and 3 more`. */
export const namesText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`;

/** The template of `--to`. Throws `CommandFailed` if the format of outputs in a folder is missing. */
export async function readTemplate(to: string, format: string | undefined): Promise<string> {
  if (isTemplate(to)) return to;
  const looksLikeFile = /[^/.][^/]*\.[^./]+$/.test(to) && !(await stat(to).catch(() => undefined))?.isDirectory();
  if (looksLikeFile)
    throw usageError(
      'NOT_A_FOLDER',
      `--to ${to} would be the name of all outputs.`,
      `Name a folder: --to ${shellWord(`${to.replace(/[^/]*$/, '') || 'out/'}`)}, or all files: --to '${to.replace(/[^/]*(?=\.[^.]*$)/, '{name}')}'.`,
    );
  if (format === undefined)
    throw usageError(
      'NO_FORMAT',
      '--to names a folder, and nothing says what the outputs are.',
      `Add their format, such as -f mp4. Or name them: --to '${to.replace(/\/$/, '')}/{name}.mp4'.`,
    );
  return templateIn(to, format);
}

/** The conversions, one for each input. `common`: all of an order but its files. */
export const tasksOf = (
  inputs: readonly CommandInput[],
  template: string,
  common: Omit<ConversionOrder, 'inputs' | 'output'>,
): readonly ConversionTask[] =>
  inputs.map((input) => {
    return {
      file: written(input.place),
      order: { ...common, inputs: [input], output: outputOf(template, input.place) },
    };
  });

/**
 * Checks the files of all conversions before one starts: inputs that are missing, outputs that exist, and outputs that would
 * replace an input or each other. Throws `CommandFailed`.
 */
export async function checkTasks(tasks: readonly ConversionTask[]): Promise<void> {
  requireOwnOutputs(tasks);
  await requireInputs(tasks);
  const existing: string[] = [];
  for (const { order } of tasks) {
    const { output, replace } = order;
    if (output.on === 'server') continue;
    const found = await lstat(output.path).catch(() => undefined);
    if (found?.isFile() && !replace) existing.push(output.path);
    else await requireNoFile(output.path, replace);
    await requireWritableFolder(output.path);
  }
  if (existing.length > 0) throw outputsExist(existing);
}

const outputsExist = (names: readonly string[]): CommandFailed =>
  usageError(
    'FILE_EXISTS',
    names.length === 1
      ? `${namesText(names)} already exists.`
      : `${names.length} outputs already exist: ${namesText(names)}.`,
    'Use another --to, or add -y to replace them.',
  );

/** How many outputs on the service are looked up at the same time. */
const LOOKUPS = 8;

/** Throws `CommandFailed` if outputs on the service exist, unless they are to be replaced. */
export async function checkServerOutputs(
  tasks: readonly ConversionTask[],
  client: TelecineClient,
  signal: AbortSignal,
): Promise<void> {
  const paths = tasks.flatMap(({ order: { output, replace } }) =>
    output.on === 'server' && !replace ? [output.path.replace(/^\/+/, '')] : [],
  );
  const limit = limitConcurrency(LOOKUPS);
  const existing = await Promise.all(
    paths.map((path) =>
      limit(async () => {
        const { files } = await client.listFiles(path, { signal }).catch(nothing);
        return files.some((one) => one.path === path) ? [serverPath(path)] : [];
      }),
    ),
  );
  if (existing.flat().length > 0) throw outputsExist(existing.flat());
}

/** No file is found in another bucket, or without the scope for it. The job then says whether its output exists. */
function nothing(error: unknown): { readonly files: readonly { readonly path: string }[] } {
  if (error instanceof ClientError && error.kind === 'rejected') return { files: [] };
  throw error;
}

async function requireInputs(tasks: readonly ConversionTask[]): Promise<void> {
  const failures: { readonly path: string; readonly error: unknown }[] = [];
  for (const { order } of tasks)
    for (const { place, nameBefore } of order.inputs)
      if (place.on === 'here')
        await requireFile(place.path, { nameBefore }).catch((error: unknown) =>
          failures.push({ path: place.path, error }),
        );
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === 1 || !(first.error instanceof CommandFailed) || first.error.code === valueApart('', '').code)
    throw first.error;
  throw usageError(
    'NO_SUCH_FILE',
    `${failures.length} of ${tasks.length} inputs are not files: ${namesText(failures.map(({ path }) => path))}.`,
    'Correct their names. For files on the service, send server:path.',
  );
}

/** Throws `CommandFailed` if two conversions have one output, or one has the input of another or its own. */
function requireOwnOutputs(tasks: readonly ConversionTask[]): void {
  const key = (place: FileLocation): string => (place.on === 'here' ? resolve(place.path) : `server:${place.path}`);
  const inputs = new Map(tasks.flatMap(({ file, order }) => order.inputs.map(({ place }) => [key(place), file])));
  const outputs = new Map<string, string>();
  for (const { file, order } of tasks) {
    const output = key(order.output);
    const other = outputs.get(output);
    const name = written(order.output);
    if (other !== undefined)
      throw usageError(
        'OUTPUT_CLASH',
        other === file ? `${file} is named twice.` : `${other} and ${file} would both become ${name}.`,
        other === file
          ? 'Name each file once.'
          : `Put their folders into the names, such as --to 'out/{folder}/{name}.mp4', or convert them one after the other into other folders.`,
      );
    outputs.set(output, file);
    const input = inputs.get(output);
    if (input !== undefined)
      throw usageError(
        'OUTPUT_IS_INPUT',
        `The output of ${file} would replace ${input === file ? 'the input itself' : `the input ${input}`}.`,
        'Use another folder: --to out/',
      );
  }
}

import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import limitConcurrency from 'p-limit';
import { CommandFailed, usageError } from '../../../session/command-failed.ts';
import { type FileLocation, serverPath } from '../file-names.ts';
import { isPattern, requireFile, requireNoFile, requireWritableFolder } from '../local-files.ts';
import { type ConversionTask, textOf } from './output-template.ts';

/**
 * Checks the files of all conversions before the first one starts. Throws `CommandFailed` for missing inputs, existing outputs, and outputs
 * that would replace an input or another output.
 */
export async function checkTasks(tasks: readonly ConversionTask[]): Promise<void> {
  await requireOwnOutputs(tasks);
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

/** How many files are looked up on the service at the same time. */
const LOOKUPS = 8;

/** Throws `CommandFailed` if outputs on the service already exist, unless the command replaces them. */
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
        const { files } = await client.listFiles(path, { signal }).catch(noFiles);
        return files.some((one) => one.path === path) ? [serverPath(path)] : [];
      }),
    ),
  );
  if (existing.flat().length > 0) throw outputsExist(existing.flat());
}

/**
 * Returns no files if the service rejects the list, for example in another bucket or without the scope for files. The job then checks
 * whether its output exists.
 */
function noFiles(error: unknown): { readonly files: readonly { readonly path: string }[] } {
  if (error instanceof ClientError && error.kind === 'rejected') return { files: [] };
  throw error;
}

const SEQUENCE_FIX = 'Convert an image sequence by a command of its own, with the name of its output and without --to.';

async function requireInputs(tasks: readonly ConversionTask[]): Promise<void> {
  const failures: { readonly path: string; readonly error: unknown }[] = [];
  for (const { order } of tasks)
    for (const { location } of order.inputs)
      if (location.on === 'local')
        await requireFile(location.path, isPattern(location.path) ? SEQUENCE_FIX : undefined).catch((error: unknown) =>
          failures.push({ path: location.path, error }),
        );
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === 1 || !(first.error instanceof CommandFailed)) throw first.error;
  throw usageError(
    'NO_SUCH_FILE',
    `${failures.length} of ${tasks.length} inputs are not files: ${namesText(failures.map(({ path }) => path))}.`,
    'Correct their names. For files on the service, send server:path.',
  );
}

/** Throws `CommandFailed` if two conversions have the same output, or if an output is also an input. */
async function requireOwnOutputs(tasks: readonly ConversionTask[]): Promise<void> {
  const inputs = new Map<string, string>();
  for (const { file, order } of tasks)
    for (const { location } of order.inputs) inputs.set(await identityOf(location), file);
  const outputs = new Map<string, string>();
  for (const { file, order } of tasks) {
    const output = await identityOf(order.output);
    const other = outputs.get(output);
    const name = textOf(order.output);
    if (other !== undefined)
      throw usageError(
        'OUTPUT_CLASH',
        other === file ? `${file} is named twice.` : `${other} and ${file} would both be converted to ${name}.`,
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

/** Returns the same text for two locations of the same file. Resolves symlinks in folders, but not a file that is a symlink. */
async function identityOf({ on, path }: FileLocation): Promise<string> {
  if (on === 'server') return serverPath(path);
  const file = resolve(path);
  // A folder that does not exist yet cannot contain an input, so its path needs no resolution.
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return join(folder, basename(file));
}

const MOST_NAMES = 5;

/** Lists names: `a.mov, b.mov and 3 more`. */
export const namesText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`;

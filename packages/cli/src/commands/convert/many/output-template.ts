import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { hideUrlSecrets, isUrl } from '@telecine/contract/domain/url-input.ts';
import { usageError } from '../../../session/command-failed.ts';
import type { ConversionOrder } from '../conversion-order.ts';
import { type FileLocation, fileLocation, serverPath } from '../file-names.ts';
import type { CommandInput } from '../inputs.ts';

/** The file name extensions of formats whose names are not extensions. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  matroska: 'mkv',
  mpegts: 'ts',
  ipod: 'm4a',
  adts: 'aac',
  webvtt: 'vtt',
  yuv4mpegpipe: 'y4m',
};

/** The manifest names of formats that write many files. Each output gets its own folder. */
const MANIFESTS: Readonly<Record<string, string>> = {
  hls: 'index.m3u8',
  m3u8: 'index.m3u8',
  dash: 'index.mpd',
  mpd: 'index.mpd',
};

const PLACEHOLDER = /\{(name|folder)\}/g;

/** Whether `--to` is a template, such as `out/{name}.mp4`, and not only a folder. */
const isTemplate = (to: string): boolean => to.includes('{name}') || to.includes('{folder}');

/** Returns the template for outputs of a format in a folder. */
export function templateIn(folder: string, format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  const manifest = MANIFESTS[name];
  const rest = manifest === undefined ? `{name}.${EXTENSIONS[name] ?? name}` : `{name}/${manifest}`;
  return folder === '' || /[/:]$/.test(folder) ? `${folder}${rest}` : `${folder}/${rest}`;
}

/**
 * Returns the output for an input. `{name}` is the input name without its extension, and `{folder}` the name of its folder. Throws
 * `CommandFailed` for a URL without a file name.
 */
export function outputOf(template: string, { path }: FileLocation): FileLocation {
  const file = isUrl(path) ? decoded(new URL(path).pathname) : path;
  const name = basename(file, extname(file));
  // A decoded name can be "..", which would lead out of the output folder.
  if (isUrl(path) && /^\.{0,2}$/.test(name))
    throw usageError(
      'NO_NAME',
      `The URL ${hideUrlSecrets(path)} has no file name, which --to needs.`,
      'Convert it by a command of its own, with the name of its output.',
    );
  const folder = basename(dirname(file));
  const values = { name, folder: /^\.{0,2}$/.test(folder) ? '' : folder };
  // If `{folder}` is empty, remove its slash too: "{folder}/x" would become the absolute path "/x".
  const output = (values.folder === '' ? template.replaceAll('{folder}/', '') : template).replaceAll(
    PLACEHOLDER,
    (_all, key: keyof typeof values) => values[key],
  );
  // Only the template decides whether the output is on the service, never the name of an input.
  return fileLocation(template).on === 'server' ? fileLocation(output) : { on: 'local', path: output };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads the template of `--to`. Throws `CommandFailed` for a folder without a format. */
export async function readTemplate(to: string, format: string | undefined): Promise<string> {
  const isFolder = (await stat(to).catch(() => undefined))?.isDirectory() ?? false;
  return templateOf(to, format, { isFolder });
}

/**
 * Returns the template of `--to`. `isFolder`: whether it is known to be a folder, although its name looks like that of a file. `name`: the name of
 * an output in a folder, without its extension. Throws `CommandFailed`.
 */
export function templateOf(to: string, format: string | undefined, { isFolder = false, name = '{name}' } = {}): string {
  if (isTemplate(to)) return to;
  if (!isFolder && /[^/.][^/]*\.[^./]+$/.test(to))
    throw usageError(
      'NOT_A_FOLDER',
      `--to ${to} would be the name of all outputs.`,
      `Name a folder: --to ${shellWord(`${to.replace(/[^/]*$/, '') || 'out/'}`)}, or all files: --to '${to.replace(/[^/]*(?=\.[^.]*$)/, '{name}')}'.`,
    );
  if (format === undefined)
    throw usageError(
      'NO_FORMAT',
      '--to names a folder, and the format of the outputs is missing.',
      `Add their format, such as -f mp4. Or name them: --to '${to.replace(/\/$/, '')}/${name}.mp4'.`,
    );
  return templateIn(to, format).replace('{name}', name);
}

export interface ConversionTask {
  /** The input as the user wrote it. */
  readonly file: string;
  readonly order: ConversionOrder;
}

export const tasksOf = (
  inputs: readonly CommandInput[],
  template: string,
  common: Omit<ConversionOrder, 'inputs' | 'output'>,
): readonly ConversionTask[] =>
  inputs.map((input) => ({
    file: textOf(input.location),
    order: { ...common, inputs: [input], output: outputOf(template, input.location) },
  }));

/** Formats a location as on the command line. */
export const textOf = ({ on, path }: FileLocation): string => (on === 'local' || isUrl(path) ? path : serverPath(path));

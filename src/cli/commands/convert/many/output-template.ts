import { basename, dirname, extname } from 'node:path';
import { hideUrlSecrets, isUrl } from '../../../../domain/url-input.ts';
import { usageError } from '../../../session/usage-error.ts';
import { type FileLocation, fileLocation } from '../file-location.ts';

/** The extensions of containers whose names differ from them. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  matroska: 'mkv',
  mpegts: 'ts',
  ipod: 'm4a',
  adts: 'aac',
  webvtt: 'vtt',
  yuv4mpegpipe: 'y4m',
};

/** The names of outputs of many files, which get a folder of their own. */
const MANIFESTS: Readonly<Record<string, string>> = {
  hls: 'index.m3u8',
  m3u8: 'index.m3u8',
  dash: 'index.mpd',
  mpd: 'index.mpd',
};

const PLACEHOLDER = /\{(name|folder)\}/g;

/** Whether the text of `--to` names each output by a template, such as `out/{name}.mp4`, and not only their folder. */
export const isTemplate = (to: string): boolean => to.includes('{name}') || to.includes('{folder}');

/** The template for outputs of a format in a folder. */
export function templateIn(folder: string, format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  const manifest = MANIFESTS[name];
  const rest = manifest === undefined ? `{name}.${EXTENSIONS[name] ?? name}` : `{name}/${manifest}`;
  return folder === '' || /[/:]$/.test(folder) ? `${folder}${rest}` : `${folder}/${rest}`;
}

/**
 * The output for an input: `{name}` is its name without the extension, `{folder}` that of the folder that contains it. Throws
 * `CommandFailed` for a URL whose path has no name.
 */
export function outputOf(template: string, { path }: FileLocation): FileLocation {
  const file = isUrl(path) ? decoded(new URL(path).pathname) : path;
  const name = basename(file, extname(file));
  // A decoded name can be "..", which would lead out of the folder of the outputs.
  if (isUrl(path) && /^\.{0,2}$/.test(name))
    throw usageError(
      'NO_NAME',
      `The URL ${hideUrlSecrets(path)} has no file name, which --to needs.`,
      'Convert it by a command of its own, with the name of its output.',
    );
  const folder = basename(dirname(file));
  const values = { name, folder: /^\.{0,2}$/.test(folder) ? '' : folder };
  // Without a folder, its slash would make a path absolute.
  const output = (values.folder === '' ? template.replaceAll('{folder}/', '') : template).replaceAll(
    PLACEHOLDER,
    (_all, key: keyof typeof values) => values[key],
  );
  // "server:" counts in the template, and not in the name of an input.
  return fileLocation(template).on === 'server' ? fileLocation(output) : { on: 'local', path: output };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

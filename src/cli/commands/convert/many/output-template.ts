import { basename, dirname, extname } from 'node:path';
import { isUrl } from '../../../../domain/url-input.ts';
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

/** The output for an input: `{name}` is its name without the extension, `{folder}` that of the folder that contains it. */
export function outputOf(template: string, { path }: FileLocation): FileLocation {
  const file = isUrl(path) ? decoded(new URL(path).pathname) : path;
  const name = basename(file, extname(file));
  const folder = basename(dirname(file));
  const values = { name, folder: /^\.{0,2}$/.test(folder) ? '' : folder };
  // Without a folder, its slash would make a path absolute.
  const filled = (values.folder === '' ? template.replaceAll('{folder}/', '') : template).replaceAll(
    PLACEHOLDER,
    (_all, key: keyof typeof values) => values[key],
  );
  // "server:" counts in the template, and not in the name of an input.
  return fileLocation(template).on === 'server' ? fileLocation(filled) : { on: 'here', path: filled };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

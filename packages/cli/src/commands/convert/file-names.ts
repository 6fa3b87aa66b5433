import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { isPlannedName, type PlannedName } from '@telecine/contract/domain/planned-names.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

export type FileLocation =
  | {
      /** The file is in the media root of the client, or at a URL from which the service downloads it. */
      readonly on: 'server';
      readonly path: string;
      /** Whether the input is a filtergraph that generates its own video or audio. `path` is then this filtergraph. */
      readonly isSource?: true;
    }
  | { readonly on: 'local'; readonly path: string };

const SERVER = 'server:';
const SOURCE = 'source:';

/**
 * Reads `server:path` as a file on the service, and `https://…` as a file that the service downloads. Write `./server:path` for a local
 * file of that name.
 */
export function fileLocation(text: string): FileLocation {
  if (text.startsWith(SERVER)) return { on: 'server', path: text.slice(SERVER.length) };
  return { on: isUrl(text) ? 'server' : 'local', path: text };
}

/**
 * Reads the location of an input like `fileLocation`. Also accepts a filtergraph that generates video or audio, such as
 * `source:color=c=navy`.
 */
export const inputLocation = (text: string): FileLocation =>
  text.startsWith(SOURCE) ? { on: 'server', path: text.slice(SOURCE.length), isSource: true } : fileLocation(text);

/** Formats the path of a file on the service as on the command line. */
export const serverPath = (path: string): string => `${SERVER}${path}`;

/** Reads the path of a file on the service, for commands that take no other files. They need no `server:`, but accept it. */
export const pathOnServer = (text: string): string => (text.startsWith(SERVER) ? text.slice(SERVER.length) : text);

/** The folder in the media root for the uploads of all commands. */
export const UPLOADS = 'cli';

/** Returns a new folder in the media root for one command. Its name begins with the date. */
export const newUploadFolder = (): string =>
  `${UPLOADS}/${new Date().toISOString().slice(0, 10)}-${crypto.randomUUID()}`;

/** Returns a new folder for a command with `--keep`. Nothing removes its files automatically. */
export const newPermanentFolder = (): string => `${UPLOADS}/kept/${crypto.randomUUID()}`;

/** The date in the name of an upload folder, in milliseconds since 1970. undefined: the path is not an upload folder. */
export function uploadDay(path: string): number | undefined {
  const [, day = ''] = /^cli\/(\d{4}-\d\d-\d\d)-[0-9a-f-]{36}$/.exec(path) ?? [];
  const time = Date.parse(day);
  return Number.isNaN(time) ? undefined : time;
}

/** The maximum length of a name without its prefix. With the prefix, the name still fits every file system. */
const MAX_NAME_BYTES = 200;

/** Returns the name for an uploaded input. Replaces characters that have a meaning in filtergraphs, patterns or file systems. */
export function uploadName(index: number, file: string): string {
  const plain = basename(file).replace(/[^\p{L}\p{M}\p{N} ._+&()-]/gu, '_');
  let name = plain;
  // Keep the end, because the extension determines the format.
  while (Buffer.byteLength(name) > MAX_NAME_BYTES) name = name.replace(/^./su, '');
  return `${index}-${name}`;
}

/** The counter in the name pattern of uploaded frames. `counted` formats a number in the same way. */
export const COUNTER = '%06d';
export const counted = (number: number): string => String(number).padStart(6, '0');

/**
 * Returns the path of an uploaded frame. With `COUNTER` as `number`, returns the pattern of the image sequence. The path has no special
 * characters.
 */
export function framePath(folder: string, index: number, pattern: string, number: string): string {
  return `${folder}/${index}-frames/${number}${extname(pattern).replace(/[^\w.]/g, '')}`;
}

/** A local output: a folder without file name patterns, and the path in this folder, which may contain patterns. */
export interface LocalOutput {
  readonly folder: string;
  readonly path: string;
}

/** Splits `hls/v%v/index.m3u8` into `hls` and `v%v/index.m3u8`. Only ffmpeg can expand the patterns in the second part. */
export function splitOutput(file: string): LocalOutput {
  let folder = dirname(file);
  let path = basename(file);
  while (folder.includes('%')) {
    path = `${basename(folder)}/${path}`;
    folder = dirname(folder);
  }
  return { folder, path };
}

/** Splits several outputs: the next folder that contains all of them, and their paths in it. */
export function splitOutputs(files: readonly string[]): { readonly folder: string; readonly paths: readonly string[] } {
  const all = files.map(splitOutput);
  let folder = all[0]?.folder ?? '.';
  while (all.some((one) => /^\.\.(?:\/|$)/.test(relative(folder, one.folder)))) folder = dirname(resolve(folder));
  return { folder, paths: all.map((one) => join(relative(folder, one.folder), one.path)) };
}

export interface ExpectedOutputs extends Pick<LocalOutput, 'folder'> {
  /** The prefix of the output paths on the service. */
  readonly base: string;
  /** The names of all files that the command has ordered, below the local folder. */
  readonly names: readonly PlannedName[];
  /** The names that a recipe may give to files of its own. */
  readonly siblings?: readonly PlannedName[];
  /** The absolute paths of the inputs. No file of a recipe may replace one. */
  readonly inputs?: readonly string[];
}

/** The local path of an output. Throws if the command did not order it: otherwise, an attacker who controls the service could write any file. */
export function localPath({ folder, base, names, siblings = [], inputs = [] }: ExpectedOutputs, path: string): string {
  const below = path.startsWith(base) ? path.slice(base.length) : '';
  const target = join(folder, below);
  // On some file systems, names that differ in case or in the form of their letters are the same file.
  const [key, ...ofInputs] = [resolve(target), ...inputs].map((file) => file.normalize().toLowerCase());
  const isOrdered = isPlannedName(names, below) || (isPlannedName(siblings, below) && !ofInputs.includes(key ?? ''));
  if (isOrdered && plainText(path) === path) return target;
  throw new CommandFailed(
    EXIT.failed,
    'UNEXPECTED_OUTPUT',
    `The command did not order the output ${plainText(path)}.`,
    {
      fix: 'Name such files in an option, such as hls_segment_filename, or keep the output on the service: server:path.',
    },
  );
}

/** Throws if the plan of the service has a file that the command did not order. */
export function checkPlannedFiles(expected: ExpectedOutputs, planned: readonly PlannedName[]): void {
  // A plan has one part for a date of many.
  const example = (part: PlannedName[number]): string =>
    typeof part === 'string'
      ? part
      : 'oneOf' in part
        ? (part.oneOf[0] ?? '')
        : part.any === 'date'
          ? '0000000000'
          : '0';
  for (const parts of planned) localPath(expected, parts.map(example).join(''));
}

/** Replaces `{0}`, `{1}`, … by the input paths in the media root, for filters that read a file: `subtitles={1}`. */
export const replacePlaceholders = (value: string, paths: readonly string[]): string =>
  // Do not replace "%{pts}", which ffmpeg expands.
  value.replace(/(?<!%)\{(\d+)\}/g, (whole, index: string) => paths[Number(index)] ?? whole);

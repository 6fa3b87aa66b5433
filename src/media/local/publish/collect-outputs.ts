import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import type { PlannedOutput } from '../../../domain/plan.ts';
import { failed } from '../errors.ts';
import { parseNumberedName } from '../paths/numbered-name.ts';

/** A file that ffmpeg left. */
export interface OutputFile {
  /** Absolute. */
  readonly temporary: string;
  /** Where the client finds it. */
  readonly path: MediaPath;
}

export interface OutputFiles {
  /** In the order of publishing. */
  readonly files: readonly OutputFile[];
  /** The one that stands for the output: the named file, the manifest, or the first of a series. */
  readonly main: OutputFile;
}

/** More would make the job's record larger than a reader of it can use. */
const MAX_OUTPUT_FILES = 10_000;

/**
 * The regular files below `out/`, nested ones included: by name, playlists after what they may name, the named output
 * after them and a manifest of all last, so that each appears when what it names is there. Throws FFMPEG_FAILED where
 * the output itself is not there.
 */
export async function collectOutputs(outDir: string, output: PlannedOutput): Promise<OutputFiles> {
  const named = output.logical.slice('out/'.length);
  const counter = parseNumberedName(named);
  const { folder } = output;
  const order = (name: string): number => counter?.read(name) ?? -1;
  const rank = (name: string): number => {
    if (name === output.manifest) return 3;
    return `${folder}${name}` === output.path ? 2 : Number(PLAYLIST.test(name));
  };

  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)))
    .sort((a, b) => rank(a) - rank(b) || order(a) - order(b) || (a < b ? -1 : 1));
  if (names.length > MAX_OUTPUT_FILES)
    throw failed(
      'UNSUPPORTED',
      `The conversion made ${names.length} files; at most ${MAX_OUTPUT_FILES} can be published.`,
      'Make fewer: longer segments, a lower frame rate, or a part of the input at a time.',
    );

  const files = names.map((name) => ({
    temporary: join(outDir, name),
    path: name === named ? output.path : siblingPath(folder, name),
  }));
  const main =
    files.find(({ path }) => path === output.path) ??
    files.find((_file, index) => names[index] === output.manifest) ??
    files[names.findIndex((name) => output.dated === true || order(name) >= 0 || isVariant(name, named))];
  if (main === undefined)
    throw failed(
      'FFMPEG_FAILED',
      `ffmpeg ended without an error but made no file for "${output.path}".`,
      'Read the log of the job; often no stream of the input fits the options.',
    );
  return { files, main };
}

const PLAYLIST = /\.(?:m3u8?|mpd)$/i;

/** Whether ffmpeg's HLS makes `name` of one with `%v`, the variant's number or name. */
function isVariant(name: string, named: string): boolean {
  const [before = '', ...rest] = named.split('%v');
  const after = rest.at(-1);
  return (
    after !== undefined && name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length
  );
}

/** ffmpeg's options may name siblings: what no client may name is not published for one either. */
function siblingPath(folder: string, name: string): MediaPath {
  const parsed = parseMediaPath(`${folder}${name}`, '/');
  if (typeof parsed === 'string') return parsed;
  throw failed('UNSUPPORTED', `A file that the conversion made cannot be published: ${parsed.message}`);
}

import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import type { PlannedOutput } from '../../../domain/plan.ts';
import { failed } from '../job-failures.ts';
import { parseNumberedName } from '../paths/numbered-name.ts';

/** A finished file in the scratch folder. */
export interface FinishedFile {
  /** Absolute. */
  readonly temporary: string;
  /** The path of the published file in the client's media root. */
  readonly path: MediaPath;
}

export interface FinishedFiles {
  /** In the order of publishing. */
  readonly files: readonly FinishedFile[];
  /** The main output: the file that the client named, the manifest, or the first of a series. */
  readonly main: FinishedFile;
}

/** The most files that a job can publish. With more, the job's row would be too large. */
const MAX_OUTPUT_FILES = 10_000;

/**
 * Lists the regular files below `out/` so that a file comes after the files that it refers to: other files by name,
 * then playlists, then the output that the client named, then the manifest. Throws FFMPEG_FAILED if the main output is
 * missing.
 */
export async function collectOutputs(outDir: string, output: PlannedOutput): Promise<FinishedFiles> {
  const outputName = output.logical.slice('out/'.length);
  const numbered = parseNumberedName(outputName);
  const { folder } = output;
  const numberIn = (name: string): number => numbered?.read(name) ?? -1;
  const rank = (name: string): number => {
    if (name === output.manifest) return 3;
    return `${folder}${name}` === output.path ? 2 : Number(PLAYLIST.test(name));
  };

  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)))
    .sort((a, b) => rank(a) - rank(b) || numberIn(a) - numberIn(b) || (a < b ? -1 : 1));
  if (names.length > MAX_OUTPUT_FILES)
    throw failed(
      'UNSUPPORTED',
      `The conversion wrote ${names.length} files; at most ${MAX_OUTPUT_FILES} can be published.`,
      'Write fewer files: longer segments, a lower frame rate, or a part of the input per job.',
    );

  const files = names.map((name) => ({
    temporary: join(outDir, name),
    path: name === outputName ? output.path : publishedPath(folder, name),
  }));
  const isMain = (name: string) => output.dated === true || numberIn(name) >= 0 || isVariant(name, outputName);
  const main =
    files.find(({ path }) => path === output.path) ??
    files.find((_file, index) => names[index] === output.manifest) ??
    files[names.findIndex(isMain)];
  if (main === undefined)
    throw failed(
      'FFMPEG_FAILED',
      `ffmpeg ended without an error but did not write "${output.path}".`,
      'Read the log of the job. Often no stream of the input fits the options.',
    );
  return { files, main };
}

const PLAYLIST = /\.(?:m3u8?|mpd)$/i;

/** Whether `name` is `pattern` with `%v` replaced by a variant's number or name, as in ffmpeg's HLS muxer. */
function isVariant(name: string, pattern: string): boolean {
  const [before = '', ...rest] = pattern.split('%v');
  const after = rest.at(-1);
  return (
    after !== undefined && name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length
  );
}

/**
 * The path of a published file. Throws UNSUPPORTED for a name that a client could not send; ffmpeg options can set one.
 */
function publishedPath(folder: string, name: string): MediaPath {
  const parsed = parseMediaPath(`${folder}${name}`, '/');
  if (typeof parsed === 'string') return parsed;
  throw failed('UNSUPPORTED', `The conversion wrote a file that cannot be published: ${parsed.message}`);
}

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type MediaPath, parseMediaPath } from '../domain/media-path.ts';
import type { PlannedOutput } from '../domain/plan.ts';
import { parseCounter } from './counter.ts';
import { failed } from './errors.ts';

/** A file that ffmpeg left. */
export interface LeftFile {
  /** Absolute. */
  readonly temporary: string;
  /** Where the client finds it. */
  readonly path: MediaPath;
}

export interface LeftFiles {
  /** In the order of publishing. */
  readonly files: readonly LeftFile[];
  /** The one that stands for the output: the named file, or the first of a numbered series. */
  readonly main: LeftFile;
}

/** More would make the job's record larger than a reader of it can use. */
const MAX_OUTPUT_FILES = 10_000;

/**
 * The regular files below `out/`, nested ones included: siblings first by name, the named output last, so that a
 * manifest appears when all it names is there. Throws FFMPEG_FAILED where the output itself is not there.
 */
export async function findOutputs(outDir: string, output: PlannedOutput): Promise<LeftFiles> {
  const named = basename(output.logical);
  const counter = parseCounter(named);
  const folder = output.path.slice(0, output.path.length - basename(output.path).length);
  const order = (name: string): number => counter?.read(name) ?? -1;

  const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)))
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
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
  const exact = files.find(({ path }) => path === output.path);
  if (exact !== undefined) return { files: [...files.filter((file) => file !== exact), exact], main: exact };
  const first = files[names.findIndex((name) => order(name) >= 0)];
  if (first === undefined)
    throw failed(
      'FFMPEG_FAILED',
      `ffmpeg ended without an error but made no file for "${output.path}".`,
      'Read the log of the job; often no stream of the input fits the options.',
    );
  return { files, main: first };
}

/** ffmpeg's options may name siblings: what no client may name is not published for one either. */
function siblingPath(folder: string, name: string): MediaPath {
  const parsed = parseMediaPath(`${folder}${name}`, '/');
  if (typeof parsed === 'string') return parsed;
  throw failed('UNSUPPORTED', `A file that the conversion made cannot be published: ${parsed.message}`);
}

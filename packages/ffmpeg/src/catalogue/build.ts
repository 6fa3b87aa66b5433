import { createHash } from 'node:crypto';
import { constants, createReadStream, statSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defined } from '@telecine/contract/domain/defined.ts';
import { runTool } from '../process/run-tool.ts';

export interface Build {
  /** Absolute, with symlinks resolved. */
  readonly path: string;
  /** The first line of `ffmpeg -version`. */
  readonly versionLine: string;
  /** The text after `ffmpeg version`: `5.1.9-0+deb12u1`, `n7.1`, `N-47683-g0e8eb07980-static`. */
  readonly version: string;
  /** The major and minor version. Absent for a snapshot of ffmpeg's sources, which has no version. */
  readonly release?: readonly [major: number, minor: number];
  /** false: it is older than `OLDEST_RELEASE`. */
  readonly isSupported?: boolean;
  /** SHA-256 (hex) of the program and its `-version` text. That text changes if libraries with other options are installed. */
  readonly key: string;
  /** The `fileStamp` of the program. Absent if the program is on another machine. */
  readonly stamp?: string;
}

/** The oldest supported release, and the version of its libavcodec. */
export const OLDEST_RELEASE = [5, 1] as const;
const LIBAVCODEC_OF_OLDEST = [59, 37] as const;

/** The timeout of `ffmpeg -version`, in milliseconds. With a cold disk cache, it takes some hundred milliseconds. */
const VERSION_TIMEOUT_MS = 10_000;

/**
 * Finds a program: the path `explicit` if it is set, or else the first executable file `name` in the folders of `searchPath` (such as
 * PATH). Returns its absolute path with symlinks resolved. undefined: there is none.
 */
export async function findProgram(
  name: string,
  explicit: string | undefined,
  searchPath: string,
): Promise<string | undefined> {
  const folders = searchPath.split(delimiter).filter(Boolean);
  const candidates = explicit === undefined ? folders.map((folder) => join(folder, name)) : [explicit];
  for (const candidate of candidates) {
    if (await isRunnable(candidate)) return realpath(candidate);
  }
  return undefined;
}

/** Finds ffprobe: `explicit`, else next to `ffmpegPath` (same version), else in `searchPath`. undefined: there is none. */
export const findFfprobe = async (
  explicit: string | undefined,
  ffmpegPath: string | undefined,
  searchPath: string,
): Promise<string | undefined> => {
  if (explicit !== undefined || ffmpegPath === undefined) return findProgram('ffprobe', explicit, searchPath);
  return (
    (await findProgram('ffprobe', join(dirname(ffmpegPath), 'ffprobe'), '')) ??
    findProgram('ffprobe', undefined, searchPath)
  );
};

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Identifies the program at `ffmpegPath`. Throws if it cannot run or is not ffmpeg.
 *
 * @param known The output of `-version`, if the caller has it. It saves a run, which loads all libraries of ffmpeg.
 */
export async function identifyBuild(ffmpegPath: string, known?: string): Promise<Build> {
  const path = await realpath(ffmpegPath);
  const stamp = fileStamp(path);
  const hash = createHash('sha256');
  const [text] = await Promise.all([
    known ?? runTool(path, ['-version'], VERSION_TIMEOUT_MS).then(({ stdout }) => stdout),
    pipeline(createReadStream(path), hash, { end: false }),
  ]);
  const versionLine = text.split('\n', 1)[0]?.trim() ?? '';
  const version = /^ffmpeg version (\S+)/.exec(versionLine)?.[1];
  if (version === undefined) throw new Error(`${path} -version does not print a version of ffmpeg`);
  const release = parseRelease(version);
  return {
    path,
    versionLine,
    version,
    ...defined({ release, stamp }),
    ...(!isSupported(text) && { isSupported: false }),
    key: hash.update('\0').update(text).digest('hex'),
  };
}

/** The release in `5.1.9-0+deb12u1` or `n7.1`. undefined for a snapshot: `N-47683-g…`, or a date. */
export function parseRelease(version: string): readonly [number, number] | undefined {
  const match = /^n?(\d{1,2})\.(\d{1,3})(?![\d-]*-g)/.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/**
 * Whether a build is as new as the oldest supported release, by the output of its `-version`. A snapshot of the sources
 * has no release, but the version of a library.
 */
export function isSupported(versionText: string): boolean {
  const release = parseRelease(/^ffmpeg version (\S+)/.exec(versionText)?.[1] ?? '');
  if (release !== undefined) return isReleaseFrom(release, OLDEST_RELEASE);
  const [, major, minor] = /^libavcodec +(\d+)\. *(\d+)\./m.exec(versionText) ?? [];
  return isReleaseFrom([Number(major ?? 0), Number(minor ?? 0)], LIBAVCODEC_OF_OLDEST);
}

type Release = NonNullable<Build['release']>;

/** True for the release `first` and all later ones. */
export const isReleaseFrom = ([major, minor]: Release, [firstMajor, firstMinor]: Release): boolean =>
  major > firstMajor || (major === firstMajor && minor >= firstMinor);

/** Compares builds by release (oldest first), then by key. Snapshots come first, because their age is unknown. */
export const releaseOrder = (a: Pick<Build, 'release' | 'key'>, b: Pick<Build, 'release' | 'key'>): number => {
  const [[majorA, minorA], [majorB, minorB]] = [a.release ?? [0, 0], b.release ?? [0, 0]];
  return majorA - majorB || minorA - minorB || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
};

/** Identifies the file at a path: a file that replaces it has another stamp. undefined: there is no file. */
export function fileStamp(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(' ');
}

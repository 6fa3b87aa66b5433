import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool } from '../process/run-tool.ts';

/** One installed ffmpeg, and what tells it from every other. */
export interface Build {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /** The first line of `ffmpeg -version`. */
  readonly versionLine: string;
  /** What follows `ffmpeg version` in it: `5.1.9-0+deb12u1`, `n7.1`, `N-47683-g0e8eb07980-static`. */
  readonly version: string;
  /** Major and minor; absent where the version is no release but a snapshot of the sources. */
  readonly release?: readonly [major: number, minor: number];
  /**
   * SHA-256 (hex) over the program's bytes and its `-version` text. The text counts too: a dynamically
   * linked ffmpeg stays byte for byte the same when its libraries, which hold the options, are replaced.
   */
  readonly key: string;
}

/** The oldest release that the service is made for. */
export const OLDEST_RELEASE = [5, 1] as const;

/** Milliseconds for `ffmpeg -version`; a cold disk needs a few hundred. */
const VERSION_TIMEOUT_MS = 10_000;

/**
 * The absolute path of a program: `explicit` when given (undefined if it cannot be run), else the first
 * runnable `name` in the folders of `searchPath`, which has the form of the PATH variable.
 */
export async function findProgram(
  name: string,
  explicit: string | undefined,
  searchPath: string,
): Promise<string | undefined> {
  const candidates =
    explicit !== undefined
      ? [explicit]
      : searchPath
          .split(delimiter)
          .filter((folder) => folder !== '')
          .map((folder) => join(folder, name));
  for (const candidate of candidates) {
    if (await isRunnable(candidate)) return realpath(candidate);
  }
  return undefined;
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Asks the program at `ffmpegPath` who it is. Throws when it cannot be run or is no ffmpeg. */
export async function identifyBuild(ffmpegPath: string): Promise<Build> {
  const path = await realpath(ffmpegPath);
  const hash = createHash('sha256');
  const [{ stdout }] = await Promise.all([
    runTool(path, ['-version'], VERSION_TIMEOUT_MS),
    pipeline(createReadStream(path), hash, { end: false }),
  ]);
  const versionLine = stdout.split('\n', 1)[0]?.trim() ?? '';
  const version = /^ffmpeg version (\S+)/.exec(versionLine)?.[1];
  if (version === undefined) throw new Error(`${path} does not answer -version as ffmpeg does`);
  const release = parseRelease(version);
  return {
    path,
    versionLine,
    version,
    ...(release === undefined ? {} : { release }),
    key: hash.update('\0').update(stdout).digest('hex'),
  };
}

/** Distributions write `5.1.9-0+deb12u1` or `n7.1`; snapshots write `N-47683-g…` or a date, which say nothing. */
export function parseRelease(version: string): readonly [number, number] | undefined {
  const match = /^n?(\d{1,2})\.(\d{1,3})(?![\d-]*-g)/.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/** `too old` is certain; `unknown` is a snapshot whose age its version does not tell. */
export function releaseSupport(build: Pick<Build, 'release'>): 'supported' | 'too old' | 'unknown' {
  if (build.release === undefined) return 'unknown';
  const [major, minor] = build.release;
  const [oldMajor, oldMinor] = OLDEST_RELEASE;
  return major > oldMajor || (major === oldMajor && minor >= oldMinor) ? 'supported' : 'too old';
}

import { type Build, findProgram, identifyBuild, OLDEST_RELEASE } from '@telecine/ffmpeg/catalogue/build.ts';
import { type TriedSandbox, trySandboxes } from '@telecine/ffmpeg/sandbox/find-sandbox.ts';
import type { KnownLibraries } from '@telecine/ffmpeg/sandbox/system-view.ts';
import type { Config } from '../config/config.ts';
import { findReservedPaths, realPathIfPresent } from './reserved-paths.ts';

/** ffmpeg is missing or unusable. The message says what to do. */
export class ToolchainError extends Error {
  override readonly name = 'ToolchainError';
}

export const findFfmpegPath = ({ ffmpegPath, searchPath }: Config): Promise<string | undefined> =>
  findProgram('ffmpeg', ffmpegPath, searchPath);

/** Throws `ToolchainError` if there is no ffmpeg. */
export function requireFfmpeg({ ffmpegPath }: Config, path: string | undefined): string {
  if (path !== undefined) return path;
  throw new ToolchainError(
    ffmpegPath === undefined
      ? 'ffmpeg is not on PATH. Install it (apt-get install ffmpeg, brew install ffmpeg), or set FFMPEG_PATH.'
      : `FFMPEG_PATH: ${ffmpegPath} cannot be run. Set it to the ffmpeg program, or unset it.`,
  );
}

/**
 * Finds ffmpeg. Throws `ToolchainError` if it is missing or too old.
 * `versionText`: the output of `ffmpeg -version`, if it is known.
 */
export async function findFfmpeg(config: Config, versionText?: string): Promise<Build> {
  const path = requireFfmpeg(config, await findFfmpegPath(config));
  const build = await identifyBuild(path, versionText);
  if (build.isSupported === false)
    throw new ToolchainError(
      `${path} is version ${build.version}, which is too old: old builds have known vulnerabilities. Install ffmpeg ${OLDEST_RELEASE.join('.')} or newer.`,
    );
  return build;
}

/** Finds a sandbox for the ffmpeg at `path`. Throws `SandboxMissing` if a sandbox is required and there is none. */
export const trySandbox = (
  config: Config,
  path: string,
  others: readonly string[] = [],
  workRoot?: string,
  libraries?: KnownLibraries,
): Promise<TriedSandbox> =>
  trySandboxes(config.sandbox, path, [...findReservedPaths(config), realPathIfPresent(config.mediaRoot)], others, {
    workRoot,
    niceness: config.niceness,
    libraries,
  });

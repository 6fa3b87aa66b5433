import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import {
  type Build,
  findProgram,
  identifyBuild,
  OLDEST_RELEASE,
  releaseSupport,
} from '../../ffmpeg/catalogue/build.ts';
import { type LiveCatalogue, openCatalogue } from '../../ffmpeg/catalogue/live-catalogue.ts';
import { sweepTemporaryFolders } from '../../ffmpeg/process/temporary-folder.ts';
import { findSandbox } from '../../ffmpeg/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../ffmpeg/sandbox/sandbox.ts';
import { capabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { CapabilityOperations } from '../../jobs/capabilities/operations.ts';
import type { Log } from '../logger.ts';
import { findReservedPaths, realPathIfPresent } from './reserved-paths.ts';

/** ffmpeg as it was found, what is known of it, and what holds it. */
export interface Toolchain {
  readonly build: Build;
  readonly catalogue: LiveCatalogue;
  /** Absolute, symlinks resolved; absent where there is none. */
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
}

/** The tool is not there or not fit; the message says how to mend it. */
export class ToolchainError extends Error {
  override readonly name = 'ToolError';
}

type ToolConfig = Pick<
  Config,
  | 'ffmpegPath'
  | 'ffprobePath'
  | 'searchPath'
  | 'sandbox'
  | 'dataDir'
  | 'mediaRoot'
  | 'adminSecretFile'
  | 'allowOldFfmpeg'
>;

/** Finds ffmpeg. Throws `ToolError` where there is none, or one too old that was not asked for. */
export async function findFfmpeg(config: ToolConfig): Promise<Build> {
  const path = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  if (path === undefined)
    throw new ToolchainError(
      config.ffmpegPath === undefined
        ? 'There is no ffmpeg on PATH. Install it (apt-get install ffmpeg, brew install ffmpeg), or set FFMPEG_PATH.'
        : `FFMPEG_PATH is ${config.ffmpegPath}, which cannot be run. Set it to the ffmpeg program, or unset it.`,
    );
  const build = await identifyBuild(path);
  const age = releaseSupport(build);
  if (age !== 'supported' && !config.allowOldFfmpeg)
    throw new ToolchainError(
      `${path} is version ${build.version}, ${age === 'unknown' ? 'which does not tell its age' : 'which is too old'}. Install ffmpeg ${OLDEST_RELEASE.join('.')} or newer, or set TELECINE_ALLOW_OLD_FFMPEG=1 to use it all the same.`,
    );
  return build;
}

/** Finds out what can hold the ffmpeg at `path`. Throws `SandboxMissing` where it is required and there is none. */
export const trySandbox = (config: ToolConfig, path: string, others: readonly string[] = []): Promise<Sandbox> =>
  findSandbox(config.sandbox, path, [...findReservedPaths(config), realPathIfPresent(config.mediaRoot)], others);

/** FFPROBE_PATH, else the one beside ffmpeg, which is of its version, else the one on PATH. */
export const findFfprobe = async (
  { ffprobePath, searchPath }: Pick<Config, 'ffprobePath' | 'searchPath'>,
  ffmpegPath: string | undefined,
): Promise<string | undefined> => {
  if (ffprobePath !== undefined || ffmpegPath === undefined) return findProgram('ffprobe', ffprobePath, searchPath);
  return (
    (await findProgram('ffprobe', join(dirname(ffmpegPath), 'ffprobe'), '')) ??
    findProgram('ffprobe', undefined, searchPath)
  );
};

/** Finds the tools while the rest of the service opens. The promise rejects with `ToolError`. */
export function openToolchain(closers: AsyncDisposableStack, config: ToolConfig, log: Log['log']): Promise<Toolchain> {
  const tools = findTools(config, (err) => log.error({ component: 'catalogue', err }, 'internal error'));
  // Handled by whoever needs ffmpeg, even when the service fails to open first.
  tools.catch(() => {});
  closers.defer(() => tools.then(({ catalogue }) => catalogue.flush()).catch(() => {}));
  return tools;
}

/** Finds ffmpeg and asks it what it can do, and tries the sandbox. */
async function findTools(config: ToolConfig, onFault: (error: unknown) => void): Promise<Toolchain> {
  await sweepTemporaryFolders();
  const build = await findFfmpeg(config);
  const ffprobePath = await findFfprobe(config, build.path);
  const [catalogue, sandbox] = await Promise.all([
    openCatalogue(build, join(config.dataDir, 'catalogues'), onFault),
    trySandbox(config, build.path, ffprobePath === undefined ? [] : [ffprobePath]),
  ]);
  return { build, catalogue, sandbox, ...(ffprobePath === undefined ? {} : { ffprobePath }) };
}

/** The capabilities of the ffmpeg that was found. */
export const capabilitiesOf = (tools: Promise<Pick<Toolchain, 'catalogue'>>): CapabilityOperations =>
  capabilityOperations(async () => {
    const { catalogue } = await tools;
    return {
      catalogue: () => catalogue.current,
      component: catalogue.component,
      option: catalogue.option,
      classes: catalogue.classes,
    };
  });

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { deviceAbilities } from '../../domain/devices.ts';
import {
  type Build,
  findProgram,
  identifyBuild,
  OLDEST_RELEASE,
  releaseSupport,
} from '../../ffmpeg/catalogue/build.ts';
import { QueryFailed } from '../../ffmpeg/catalogue/build-queries.ts';
import { sourceWithDevices, sourceWithSpeech } from '../../ffmpeg/catalogue/changed-source.ts';
import { openCatalogue } from '../../ffmpeg/catalogue/live-catalogue.ts';
import { loadPreparedCatalogue, PreparedCatalogueUnusable } from '../../ffmpeg/catalogue/prepared-catalogue.ts';
import { queryInitialCatalogue } from '../../ffmpeg/catalogue/query-ffmpeg.ts';
import { type Devices, openDevices } from '../../ffmpeg/devices/devices.ts';
import { findSpeechModel } from '../../ffmpeg/filtergraph/speech-model.ts';
import { openWorkRoot } from '../../ffmpeg/process/work-root.ts';
import { type TriedSandbox, trySandboxes } from '../../ffmpeg/sandbox/find-sandbox.ts';
import type { KnownLibraries } from '../../ffmpeg/sandbox/system-view.ts';
import type { Toolchain } from '../../ffmpeg/toolchain.ts';
import type { Log } from '../logger.ts';
import { cataloguesFolderIn, type DiscoveredTools, discoverTools } from './discover-tools.ts';
import { findReservedPaths, realPathIfPresent } from './reserved-paths.ts';

/** ffmpeg is missing or unusable. The message says how to fix it. */
export class ToolchainError extends Error {
  override readonly name = 'ToolError';
}

type ToolConfig = Pick<
  Config,
  | 'ffmpegPath'
  | 'ffprobePath'
  | 'searchPath'
  | 'sandbox'
  | 'niceness'
  | 'devices'
  | 'deviceSessions'
  | 'dataDir'
  | 'mediaRoot'
  | 'adminSecretFile'
  | 'metricsTokenFile'
  | 'allowOldFfmpeg'
  | 'catalogueDir'
  | 'recipesDir'
  | 'whisperModel'
  | ('storage' | 'storageBuckets' | 'storageEndpoint')
>;

/** Finds ffmpeg. Throws `ToolchainError` if there is none. */
const findFfmpegPath = async (config: ToolConfig): Promise<string> =>
  requireFfmpeg(config, await findProgram('ffmpeg', config.ffmpegPath, config.searchPath));

function requireFfmpeg(config: ToolConfig, path: string | undefined): string {
  if (path === undefined)
    throw new ToolchainError(
      config.ffmpegPath === undefined
        ? 'ffmpeg is not on PATH. Install it (apt-get install ffmpeg, brew install ffmpeg), or set FFMPEG_PATH.'
        : `FFMPEG_PATH: ${config.ffmpegPath} cannot be run. Set it to the ffmpeg program, or unset it.`,
    );
  return path;
}

/**
 * Finds ffmpeg. Throws `ToolchainError` if there is none, or if it is too old and TELECINE_ALLOW_OLD_FFMPEG is not set.
 *
 * @param versionText What it printed for `-version`, if the caller has run it.
 */
export async function findFfmpeg(config: ToolConfig, versionText?: string): Promise<Build> {
  const path = await findFfmpegPath(config);
  const build = await identifyBuild(path, versionText);
  const age = releaseSupport(build);
  if (age !== 'supported' && !config.allowOldFfmpeg)
    throw new ToolchainError(
      `${path} is version ${build.version}, ${age === 'unknown' ? 'whose age is unknown' : 'which is too old'}. Install ffmpeg ${OLDEST_RELEASE.join('.')} or newer, or set TELECINE_ALLOW_OLD_FFMPEG=1 to use it anyway.`,
    );
  return build;
}

/** Finds the sandbox for the ffmpeg at `path`. Throws `SandboxMissing` if it is required and there is none. */
export const trySandbox = (
  config: ToolConfig,
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

/** Tries the devices that the operator allows, with the ffmpeg at `path`. */
export async function tryDevices(config: ToolConfig, path: string): Promise<Devices> {
  const [{ sandbox }, build] = await Promise.all([trySandbox(config, path), findFfmpeg(config)]);
  const encoders = (await queryInitialCatalogue(build)).lists.encoders.keys();
  return openDevices(config.devices, config.deviceSessions, {
    sandbox,
    ffmpegPath: path,
    encoders,
    workRoot: tmpdir(),
  });
}

/**
 * Finds the tools while the rest of the service opens. The promise rejects with `ToolchainError`. If `isRequired` is false,
 * it resolves to undefined if no usable ffmpeg is on PATH, and rejects only if FFMPEG_PATH names an unusable one.
 * `cataloguesFolder`: where catalogues are kept for the next start. `discovered`: what is found already.
 */
export function openToolchain(
  closers: AsyncDisposableStack,
  config: ToolConfig,
  log: Log['log'],
  {
    isRequired,
    cataloguesFolder = cataloguesFolderIn(config.dataDir),
    discovered,
  }: {
    readonly isRequired: boolean;
    readonly cataloguesFolder?: string | undefined;
    readonly discovered?: DiscoveredTools | undefined;
  },
): Promise<Toolchain | undefined> {
  const tools = findTools(config, cataloguesFolder, discovered, (err) => {
    if (err instanceof PreparedCatalogueUnusable)
      return log.warn({ reason: err.message, fix: err.fix }, 'prepared catalogue not used');
    if (err instanceof QueryFailed) return log.warn({ err }, 'query of ffmpeg failed');
    // A full data disk is logged once, with the storage. The catalogue is saved again with its next change.
    if (!(err instanceof Error && 'code' in err && (err.code === 'ENOSPC' || err.code === 'EDQUOT')))
      log.error({ component: 'catalogue', err }, 'internal error');
  }).catch((error: unknown) => {
    if (isRequired || config.ffmpegPath !== undefined || !(error instanceof ToolchainError)) throw error;
    return undefined;
  });
  let found: Toolchain | undefined;
  void tools.then(
    (toolchain) => {
      found = toolchain;
    },
    () => {
      // The code that awaits the tools handles a rejection. If the service fails to open first, nothing awaits them.
    },
  );
  // A stop does not wait for an ffmpeg that is slow to answer. Its sandbox ends with this process.
  closers.defer(async () => found?.catalogue.flush());
  return tools;
}

/** The tools of a service that cannot do without them. Whoever awaits the promise handles its rejection. */
export function requireTools(tools: Promise<Toolchain | undefined>): Promise<Toolchain> {
  const required = tools.then((found) => {
    if (found === undefined) throw new Error('This service needs ffmpeg, and opened without it.');
    return found;
  });
  required.catch(() => {});
  return required;
}

/** Finds ffmpeg, loads its catalogue and tests the sandbox. */
async function findTools(
  config: ToolConfig,
  cataloguesFolder: string,
  discovered: DiscoveredTools | undefined,
  onFault: (error: unknown) => void,
): Promise<Toolchain> {
  // No other process uses the folder: this one has locked the data folder.
  const workRoot = await openWorkRoot(join(config.dataDir, 'tmp'));
  const found = discovered ?? (await discoverTools(config, cataloguesFolder));
  const { cgroups, ffmpegPath, ffprobePath, libraries, queries } = found;
  const path = requireFfmpeg(config, ffmpegPath);
  const others = ffprobePath === undefined ? [] : [ffprobePath];
  const { sandbox, versionText } = await trySandbox(config, path, others, workRoot, libraries).catch(
    async (error: unknown) => {
      // An ffmpeg that cannot be used is the cause that the operator must see.
      await findFfmpeg(config);
      throw error;
    },
  );
  const build = await findFfmpeg(config, versionText);
  const loading = config.catalogueDir === undefined ? undefined : loadPreparedCatalogue(config.catalogueDir, build);
  const prepared = await loading?.catch((error: unknown) => {
    onFault(error);
    return undefined;
  });
  const base = await openCatalogue(build, cataloguesFolder, onFault, prepared, queries);
  const encoders = base.current.lists.encoders.keys();
  const devices = await openDevices(config.devices, config.deviceSessions, {
    sandbox,
    ffmpegPath: path,
    encoders,
    workRoot,
  });
  const speech = await findSpeechModel(config.whisperModel, base.current);
  const speechSource = speech.model === undefined ? base : sourceWithSpeech(base);
  const catalogue = sourceWithDevices(speechSource, deviceAbilities(devices.list));
  return {
    build,
    catalogue,
    sandbox,
    devices,
    speech,
    cgroups,
    workRoot,
    ...(ffprobePath === undefined ? {} : { ffprobePath }),
  };
}

import { join } from 'node:path';
import { deviceAbilities } from '@telecine/contract/domain/devices.ts';
import { isFullDisk } from '@telecine/contract/domain/errno.ts';
import { withDevices, withSpeech } from '@telecine/ffmpeg/catalogue/changed-catalogue.ts';
import { openCatalogue } from '@telecine/ffmpeg/catalogue/open-catalogue.ts';
import { QueryFailed, withUsableVmaf } from '@telecine/ffmpeg/catalogue/vmaf-model.ts';
import { openDevices } from '@telecine/ffmpeg/devices/devices.ts';
import { findSpeechModel } from '@telecine/ffmpeg/filtergraph/speech-model.ts';
import { openWorkRoot } from '@telecine/ffmpeg/process/work-root.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import { cataloguesFolderIn, type DiscoveredTools, discoverTools } from './discover-tools.ts';
import { findFfmpeg, requireFfmpeg, ToolchainError, trySandbox } from './find-ffmpeg.ts';
import type { Log } from './logger.ts';

/**
 * Finds the tools while the rest of the service opens. Rejects with `ToolchainError`. If `isRequired` is false and PATH has no usable
 * ffmpeg, resolves to undefined.
 */
export function openToolchain(
  config: Config,
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
    if (err instanceof QueryFailed) return log.warn({ err }, 'query of ffmpeg failed');
    // A full data disk is already logged by the storage. The next start saves the catalogue.
    if (!isFullDisk(err)) log.error({ component: 'catalogue', err }, 'internal error');
  }).catch((error: unknown) => {
    if (isRequired || config.ffmpegPath !== undefined || !(error instanceof ToolchainError)) throw error;
    return undefined;
  });
  // The code that awaits `tools` handles its rejection. If the service fails to open before that, ignore the rejection.
  tools.catch(() => {});
  return tools;
}

/** The tools of a service that cannot run without them. The code that awaits the promise handles a rejection. */
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
  config: Config,
  cataloguesFolder: string,
  discovered: DiscoveredTools | undefined,
  onFault: (error: unknown) => void,
): Promise<Toolchain> {
  // This process has locked the data folder, so no other process uses this folder.
  const workRoot = await openWorkRoot(join(config.dataDir, 'tmp'));
  const { cgroups, ffmpegPath, ffprobePath, libraries, queries } =
    discovered ?? (await discoverTools(config, cataloguesFolder));
  const path = requireFfmpeg(config, ffmpegPath);
  const others = ffprobePath === undefined ? [] : [ffprobePath];
  const { sandbox, versionText } = await trySandbox(config, path, others, workRoot, libraries).catch(
    async (error: unknown) => {
      // If ffmpeg itself is unusable, throw that error, not the one about the sandbox.
      await findFfmpeg(config);
      throw error;
    },
  );
  const build = await findFfmpeg(config, versionText);
  const base = await withUsableVmaf(await openCatalogue(build, cataloguesFolder, onFault, queries), onFault);
  const encoders = base.lists.encoders.keys();
  const devices = await openDevices(config.devices, {
    sandbox,
    ffmpegPath: path,
    encoders,
    workRoot,
  });
  const speech = await findSpeechModel(config.whisperModel, base);
  const speaking = speech.model === undefined ? base : withSpeech(base);
  const catalogue = withDevices(speaking, deviceAbilities(devices.list));
  const found = { build, catalogue, sandbox, devices, speech, cgroups, workRoot };
  return ffprobePath === undefined ? found : { ...found, ffprobePath };
}

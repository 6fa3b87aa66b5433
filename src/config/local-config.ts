import { type Config, readConfig } from './config.ts';
import type { Environment } from './read-settings.ts';
import { SETTINGS } from './settings.ts';

/** The settings of a service that also count for a command that converts without one: what runs, and its limits. */
const SHARED = [
  'concurrency',
  'niceness',
  'jobTimeoutSeconds',
  'stallTimeoutSeconds',
  'clientLimits',
  'sandbox',
  'devices',
  'deviceSessions',
  'whisperModel',
  'minFreeBytes',
  'inputUrls',
  'ffmpegPath',
  'ffprobePath',
  'catalogueDir',
  'recipesDir',
  'allowOldFfmpeg',
] as const satisfies readonly (keyof typeof SETTINGS)[];

/** The settings of a service that lasts as long as one command, on folders of that command. Throws `ConfigError`. */
export function readLocalConfig(
  env: Environment,
  { dataDir, mediaRoot }: { readonly dataDir: string; readonly mediaRoot: string },
): Config {
  const names = SHARED.flatMap((key): readonly string[] => SETTINGS[key].names);
  return readConfig({
    // The person who converts waits for as long as it takes, and nobody waits for replies.
    TELECINE_JOB_TIMEOUT_SECONDS: '31536000',
    TELECINE_NICENESS: '0',
    TELECINE_MAX_UPLOAD_SIZE: '1T',
    ...Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name))),
    PATH: env['PATH'],
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    TELECINE_RATE_LIMIT: 'off',
    TELECINE_LOG_LEVEL: 'silent',
  });
}

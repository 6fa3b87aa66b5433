import { closest } from 'fastest-levenshtein';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Settings = typeof SETTINGS;
type Value<S> = S extends Setting<infer T> ? T : never;
type Optional =
  | (
      | 'databaseUrl'
      | 'databaseListenUrl'
      | 'publicUrl'
      | 'trustProxy'
      | 'adminSecretFile'
      | 'metricsTokenFile'
      | 'ffmpegPath'
      | 'ffprobePath'
      | 'catalogueDir'
      | 'failpoint'
    )
  | ('storage' | 'storageEndpoint' | 'storagePathStyle' | 'scratchDir')
  | ('oauthIssuer' | 'oauthAudiences' | 'oauthScopePrefix' | 'oauthJwksUri');

/** All settings, read once and frozen. `settings.ts` documents each of them. */
export type Config = {
  readonly [K in keyof Settings]: Value<Settings[K]> | (K extends Optional ? undefined : never);
} & {
  /** Warnings about settings that are probably a mistake, one sentence each. */
  readonly warnings: readonly string[];
  /** Whether the operator has chosen the media root. Only the default one is created if it is missing. */
  readonly mediaRootIsChosen: boolean;
  /** The value of PATH: the folders in which programs are searched. */
  readonly searchPath: string;
};

const FAILPOINT_SET =
  'TELECINE_FAILPOINT is set: the service will kill itself at that point. It is for crash tests only; unset it';

/** Reads the settings of the service. Throws a `ConfigError` that lists every error. */
export function readConfig(env: Environment): Config {
  const read = readSettings(SETTINGS, env);
  const values = read.values as Omit<Config, 'warnings' | 'searchPath' | 'mediaRootIsChosen'>;
  const errors = [...read.errors];
  if (values.oauthIssuer !== undefined && values.publicUrl === undefined)
    errors.push(
      'TELECINE_OAUTH_ISSUER: needs TELECINE_PUBLIC_URL, the address under which clients of the issuer reach this service',
    );
  if (values.databaseListenUrl !== undefined && values.databaseUrl === undefined)
    errors.push(
      'TELECINE_DATABASE_LISTEN_URL: needs TELECINE_DATABASE_URL, the database of which it is another address',
    );
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  const mediaRootIsChosen = SETTINGS.mediaRoot.names.some((name) => env[name]);
  const warnings = [
    ...unknownNames(env),
    ...(values.failpoint === undefined ? [] : [FAILPOINT_SET]),
    ...storageWarnings(values, mediaRootIsChosen),
  ];
  return Object.freeze({
    ...values,
    warnings,
    mediaRootIsChosen,
    searchPath: env['PATH'] ?? '',
  });
}

/** Warnings for settings of a storage that is not used. */
function storageWarnings(
  { storage, storageEndpoint, scratchDir }: Pick<Config, 'storage' | 'storageEndpoint' | 'scratchDir'>,
  mediaRootIsChosen: boolean,
): readonly string[] {
  if (storage !== undefined)
    return mediaRootIsChosen ? ['TELECINE_MEDIA_ROOT is not used, because TELECINE_STORAGE is set'] : [];
  const unused = { TELECINE_STORAGE_ENDPOINT: storageEndpoint, TELECINE_SCRATCH_DIR: scratchDir };
  return Object.entries(unused).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} is not used, because TELECINE_STORAGE is not set`],
  );
}

/** Warnings for unknown variables. They are not errors: container platforms set names such as TELECINE_SERVICE_HOST. */
function unknownNames(env: Environment): readonly string[] {
  const known = Object.values({ ...SETTINGS, ...CLIENT_SETTINGS }).flatMap((s): readonly string[] => s.names);
  return Object.keys(env)
    .filter((name) => name.startsWith('TELECINE_') && !known.includes(name))
    .map((name) => `${name} is not a setting of this version; did you mean ${closest(name, known)}?`);
}

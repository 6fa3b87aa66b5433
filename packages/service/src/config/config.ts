import { isIPv6 } from 'node:net';
import { closest, distance } from 'fastest-levenshtein';
import { CLIENT_SETTINGS } from './client-config.ts';
import { FAILPOINTS } from './failpoint.ts';
import { ConfigError, type Environment, readSettings, type ValuesOf } from './read-settings.ts';
import { choice, optional } from './setting.ts';
import { SETTING_GROUPS, SETTINGS } from './settings.ts';

/** Also reads the point at which a crash test kills the service, or pauses it (`:SIGSTOP`). The manual does not have this setting. */
const ALL = {
  ...SETTINGS,
  failpoint: optional(
    'TELECINE_FAILPOINT',
    choice(...FAILPOINTS.flatMap((point) => [point, `${point}:SIGSTOP`] as const)),
    'For crash tests only.',
  ),
};

/** All settings, read at the start and frozen. `settings.ts` documents each setting. */
export type Config = ValuesOf<typeof ALL> & {
  /** Warnings about settings that are probably mistakes, one sentence each. */
  readonly warnings: readonly string[];
  /** true: the operator has chosen the media root. A missing media root is created only if it is the default one. */
  readonly mediaRootIsChosen: boolean;
  /** The longest possible conversion, whatever limits a client has. */
  readonly longestRunSeconds: number;
  /** The value of PATH: the folders in which programs are searched for. */
  readonly searchPath: string;
};

/** A name with more differences is not a typing error of another. */
const MAX_EDITS = 4;

const FAILPOINT_SET =
  'TELECINE_FAILPOINT is set: the service will kill itself at that point. It is for crash tests only; unset it';

/**
 * The longest possible conversion with PostgreSQL: pg-boss ends a delivery after 24 hours, and one hour is left for
 * copying inputs and outputs.
 */
const LONGEST_ON_POSTGRES_SECONDS = 23 * 3600;

const YEAR_SECONDS = 31_536_000;

/** Reads the settings of the service. Throws a `ConfigError` that lists every error. */
export function readConfig(env: Environment): Config {
  const { values, errors: wrongValues } = readSettings(ALL, env);
  const errors = [...wrongValues];
  if (values.oauth !== undefined && values.publicUrl === undefined)
    errors.push(
      'TELECINE_OAUTH: needs TELECINE_PUBLIC_URL, the address under which clients of the issuer reach this service',
    );
  if (values.databaseListenUrl !== undefined && values.databaseUrl === undefined)
    errors.push(
      'TELECINE_DATABASE_LISTEN_URL: needs TELECINE_DATABASE_URL, because it is another address of the same database',
    );
  if (values.storagePublicEndpoint !== undefined && isOwnOrigin(values, values.storagePublicEndpoint))
    errors.push(
      'TELECINE_STORAGE_PUBLIC_ENDPOINT: must not have the origin of this service, because files of clients could run scripts there; set the address of the object store',
    );
  const { time } = values.clientLimits ?? {};
  if (values.databaseUrl !== undefined && typeof time === 'number' && time > LONGEST_ON_POSTGRES_SECONDS)
    errors.push(
      `TELECINE_CLIENT_LIMITS: time=${time} is too long with TELECINE_DATABASE_URL; at most ${LONGEST_ON_POSTGRES_SECONDS} (23 hours) is allowed, because the queue on PostgreSQL hands a job out again after 24 hours`,
    );
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  const mediaRootIsChosen = SETTINGS.mediaRoot.names.some((name) => env[name]);
  const warnings = [
    ...unknownNames(env),
    ...(values.failpoint === undefined ? [] : [FAILPOINT_SET]),
    ...storageWarnings(values, mediaRootIsChosen),
  ];
  const longestRunSeconds = values.databaseUrl === undefined ? YEAR_SECONDS : LONGEST_ON_POSTGRES_SECONDS;
  return Object.freeze({ ...values, warnings, mediaRootIsChosen, longestRunSeconds, searchPath: env['PATH'] ?? '' });
}

/** Whether clients reach this service at the origin of a URL. */
function isOwnOrigin({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>, address: string): boolean {
  const { origin } = new URL(address);
  const own = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return [own, ...(publicUrl === undefined ? [] : [publicUrl])].some((url) => new URL(url).origin === origin);
}

/** Returns warnings about settings of a storage that is not used. */
function storageWarnings(
  config: Pick<Config, 'storage' | 'storageEndpoint' | 'storagePublicEndpoint' | 'scratchDir'>,
  mediaRootIsChosen: boolean,
): readonly string[] {
  if (config.storage !== undefined)
    return mediaRootIsChosen ? ['TELECINE_MEDIA_ROOT is not used, because TELECINE_STORAGE is set'] : [];
  const unused = {
    TELECINE_STORAGE_ENDPOINT: config.storageEndpoint,
    TELECINE_STORAGE_PUBLIC_ENDPOINT: config.storagePublicEndpoint,
    TELECINE_SCRATCH_DIR: config.scratchDir,
  };
  return Object.entries(unused).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} is not used, because TELECINE_STORAGE is not set`],
  );
}

/**
 * Returns warnings about unknown variables. They are no errors, because container platforms set variables such as
 * TELECINE_SERVICE_HOST.
 */
function unknownNames(env: Environment): readonly string[] {
  const known = Object.values({ ...ALL, ...CLIENT_SETTINGS }).flatMap((s): readonly string[] => s.names);
  return Object.keys(env)
    .filter((name) => name.startsWith('TELECINE_') && !known.includes(name))
    .map((name) => {
      const near = known.find((one) => name.startsWith(`${one}_`)) ?? closest(name, known);
      const isNear = name.startsWith(near) || distance(name, near) <= MAX_EDITS;
      const hint = isNear ? `did you mean ${near}?` : 'docs/configuration.md lists all';
      return `${name} is not a setting of this version; ${hint}`;
    });
}

/** The settings that `telecine convert --local` also reads: how conversions run. Their limits are added to its own. */
const { concurrency, niceness, stallTimeoutSeconds, sandbox, minFreeBytes, inputUrls } = SETTINGS;
const SHARED = {
  ...SETTING_GROUPS['ffmpeg and recipes'],
  concurrency,
  niceness,
  stallTimeoutSeconds,
  sandbox,
  minFreeBytes,
  inputUrls,
};

/** Reads the settings of a service that runs for one command, in folders of this command. Throws `ConfigError`. */
export function readLocalConfig(
  env: Environment,
  { dataDir, mediaRoot }: { readonly dataDir: string; readonly mediaRoot: string },
): Config {
  const names = Object.values(SHARED).flatMap((s): readonly string[] => s.names);
  return readConfig({
    // The service has only one user, so conversions get full priority and enough time by default.
    TELECINE_NICENESS: '0',
    TELECINE_MAX_UPLOAD_SIZE: '1T',
    ...Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name))),
    TELECINE_CLIENT_LIMITS: `time=none,submissions=none,pending=none,${env['TELECINE_CLIENT_LIMITS'] ?? ''}`,
    PATH: env['PATH'],
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    TELECINE_SERVICE_LIMITS: 'pending-in-all=none',
    TELECINE_LOG_LEVEL: 'silent',
  });
}

import { closest } from 'fastest-levenshtein';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Settings = typeof SETTINGS;
type Value<S> = S extends Setting<infer T> ? T : never;
type Optional =
  | ('publicUrl' | 'trustProxy' | 'adminSecretFile' | 'ffmpegPath' | 'ffprobePath' | 'failpoint')
  | ('oauthIssuer' | 'oauthAudiences' | 'oauthScopePrefix' | 'oauthJwksUri');

/** All settings, resolved once and frozen; what each means stands in `settings.ts`. */
export type Config = {
  readonly [K in keyof Settings]: Value<Settings[K]> | (K extends Optional ? undefined : never);
} & {
  /** What the operator set and probably did not mean, a sentence each. */
  readonly warnings: readonly string[];
  /** Folders in which programs are looked for. */
  readonly searchPath: string;
};

/** Set by whoever reads a later version's manual; started without them, data would land where nobody looks. */
const NOT_HERE = ['TELECINE_DATABASE_URL', 'TELECINE_STORAGE'];

const FAILPOINT_SET =
  'TELECINE_FAILPOINT is set: the service will kill itself at that point. It is for tests alone; unset it.';

/** Reads an environment. Throws `ConfigError` with every fault at once. */
export function readConfig(env: Environment): Config {
  const read = readSettings(SETTINGS, env);
  const values = read.values as Omit<Config, 'warnings' | 'searchPath'>;
  const faults = [...read.faults];
  for (const name of NOT_HERE)
    if (env[name]) faults.push(`${name}: this version keeps all on one machine and does not know it`);
  if (values.oauthIssuer !== undefined && values.publicUrl === undefined)
    faults.push(`TELECINE_OAUTH_ISSUER: needs TELECINE_PUBLIC_URL, by which its clients know this service`);
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  const warnings = [...unknownNames(env), ...(values.failpoint === undefined ? [] : [FAILPOINT_SET])];
  return Object.freeze({ ...values, warnings, searchPath: env['PATH'] ?? '' });
}

/** Only warned of: container platforms put variables such as TELECINE_SERVICE_HOST there by themselves. */
function unknownNames(env: Environment): readonly string[] {
  const known = Object.values({ ...SETTINGS, ...CLIENT_SETTINGS }).flatMap((s): readonly string[] => s.names);
  return Object.keys(env)
    .filter((name) => name.startsWith('TELECINE_') && !known.includes(name))
    .map((name) => `${name} is not a setting of this version; the nearest is ${closest(name, known)}`);
}

import { closest } from 'fastest-levenshtein';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Settings = typeof SETTINGS;
type Value<S> = S extends Setting<infer T> ? T : never;
type Optional = 'publicUrl' | 'trustProxy' | 'adminSecretFile' | 'ffmpegPath' | 'ffprobePath' | 'failpoint';

/** All settings, resolved once and frozen; what each means stands in `settings.ts`. */
export type Config = {
  readonly [K in keyof Settings]: Value<Settings[K]> | (K extends Optional ? undefined : never);
} & {
  /** What the operator set and probably did not mean, a sentence each. */
  readonly warnings: readonly string[];
  /** Folders in which programs are looked for. */
  readonly searchPath: string;
};

/** The environment holds what cannot be used; the message names each variable, what is wrong and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Set by whoever reads a later version's manual; started without them, data would land where nobody looks. */
const NOT_HERE = ['TELECINE_DATABASE_URL', 'TELECINE_STORAGE'];

const FAILPOINT_SET =
  'TELECINE_FAILPOINT is set: the service will kill itself at that point. It is for tests alone; unset it.';

/** Reads an environment. Throws `ConfigError` with every fault at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const read = <T>(s: Setting<T>): T | undefined => {
    const name = s.names.find((n) => env[n] !== undefined && env[n] !== '') ?? s.names[0];
    const text = env[name] || s.fallback;
    if (text === undefined) return undefined;
    try {
      return s.read(text);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : error}; it is ${JSON.stringify(text)}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, s]) => [key, read(s as Setting<unknown>)]),
  ) as unknown as Omit<Config, 'warnings' | 'searchPath'>;
  for (const name of NOT_HERE)
    if (env[name]) faults.push(`${name}: this version keeps all on one machine and does not know it`);
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  const warnings = [...unknownNames(env), ...(values.failpoint === undefined ? [] : [FAILPOINT_SET])];
  return Object.freeze({ ...values, warnings, searchPath: env['PATH'] ?? '' });
}

/** Only warned of: container platforms put variables such as TELECINE_SERVICE_HOST there by themselves. */
function unknownNames(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.values(SETTINGS).flatMap((s): readonly string[] => s.names);
  return Object.keys(env)
    .filter((name) => name.startsWith('TELECINE_') && !known.includes(name))
    .map((name) => `${name} is not a setting of this version; the nearest is ${closest(name, known)}`);
}

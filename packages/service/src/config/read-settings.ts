import type { Setting } from './setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Value<S> = S extends Setting<infer T, infer F> ? T | (F extends string ? never : undefined) : never;

/** The values of settings. undefined: the variable is not set, and the setting has no default. */
export type ValuesOf<S> = { readonly [K in keyof S]: Value<S[K]> };

/** Thrown if settings are invalid. The message has one line for each variable: its name, its value, what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads all settings. `errors` has one line for each invalid variable, which then has no value in `values`. */
export function readSettings<S extends Readonly<Record<string, Setting<unknown>>>>(
  settings: S,
  env: Environment,
): { readonly values: ValuesOf<S>; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const read = <T>(s: Setting<T>): T | undefined => {
    const name = s.names.find((n) => env[n] !== undefined && env[n] !== '') ?? s.names[0];
    const text = env[name] || s.fallback;
    if (text === undefined) return undefined;
    try {
      return s.read(text);
    } catch (error) {
      const it = s.isSecret ? '' : `; it is ${JSON.stringify(text)}`;
      errors.push(`${name}: ${error instanceof Error ? error.message : error}${it}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(Object.entries(settings).map(([key, s]) => [key, read(s)]));
  return { values: values as ValuesOf<S>, errors };
}

import type { Setting } from './setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Value<S> = S extends Setting<infer T> ? T : never;

/** The environment holds what cannot be used; the message names each variable, what is wrong and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Values of all settings, undefined where one has neither a value nor a default, and a sentence for each fault. */
export function readSettings<S extends Readonly<Record<string, Setting<unknown>>>>(
  settings: S,
  env: Environment,
): { readonly values: { readonly [K in keyof S]: Value<S[K]> | undefined }; readonly faults: readonly string[] } {
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
  const values = Object.fromEntries(Object.entries(settings).map(([key, s]) => [key, read(s)]));
  return { values: values as { [K in keyof S]: Value<S[K]> | undefined }, faults };
}

import type { SettingReader } from './setting.ts';

type Readers<K extends string> = Readonly<Record<K, SettingReader<number>>>;

/** Limits by name. null: no limit. undefined: the default. */
export type LimitsOf<K extends string> = { readonly [N in K]?: number | null | undefined };

/** Splits the text of a setting into limits. */
export const splitLimits = (text: string): readonly string[] => text.split(',').filter((part) => part.trim() !== '');

/**
 * Reads texts such as `time=2h`. `none` removes a limit, and `default` restores its default. Throws an `Error` that
 * names all invalid limits.
 */
export function readLimits<K extends string>(parts: readonly string[], readers: Readers<K>): LimitsOf<K> {
  const limits: { [N in K]?: number | null | undefined } = {};
  const isKey = (key: string): key is K => Object.hasOwn(readers, key);
  const errors: string[] = [];
  for (const part of parts) {
    const cut = part.includes('=') ? part.indexOf('=') : part.length;
    const [key, text] = [part.slice(0, cut).trim(), part.slice(cut + 1).trim()];
    if (!isKey(key)) {
      errors.push(`unknown limit ${JSON.stringify(key || part)}; allowed: ${Object.keys(readers).join(', ')}`);
      continue;
    }
    if (text === 'none') limits[key] = null;
    else if (text === 'default') limits[key] = undefined;
    else
      try {
        limits[key] = readers[key](text);
      } catch (error) {
        errors.push(`${key} ${error instanceof Error ? error.message : ''}`);
      }
  }
  if (errors.length > 0) throw new Error(errors.join('; '));
  return limits;
}

/** The defaults, replaced by the changes that are not undefined. */
export const overDefaults = <L extends object>(defaults: L, changes: L): L => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(changes).filter(([, limit]) => limit !== undefined)),
});

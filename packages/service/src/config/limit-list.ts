import type { SettingReader } from './setting.ts';

/** By name of a limit: how its value is read, and what it limits, for the manual. */
export type LimitTable<K extends string> = Readonly<Record<K, readonly [read: SettingReader<number>, about: string]>>;

/** Limits by name. null: no limit. undefined: the default. */
export type LimitsOf<K extends string> = { readonly [N in K]?: number | null | undefined };

/** The form of a list of limits, for the manual and error messages. */
export const limitsForm = (example: string, table: LimitTable<string>): string =>
  `a list such as \`${example}\`, with the keys ${Object.keys(table).join(', ')}; \`none\` removes a limit`;

/** Splits the text of a setting into limits. */
export const splitLimits = (text: string): readonly string[] => text.split(',').filter((part) => part.trim() !== '');

/**
 * Reads texts such as `time=2h`. `none` removes a limit, and `default` restores its default. Throws an `Error` that
 * names all invalid limits.
 */
export function readLimits<K extends string>(
  parts: readonly string[],
  table: LimitTable<K>,
  form: string,
): LimitsOf<K> {
  const limits: { [N in K]?: number | null | undefined } = {};
  const isKey = (key: string): key is K => Object.hasOwn(table, key);
  const errors: string[] = [];
  for (const part of parts) {
    const cut = part.includes('=') ? part.indexOf('=') : part.length;
    const [key, text] = [part.slice(0, cut).trim(), part.slice(cut + 1).trim()];
    if (!isKey(key)) {
      errors.push(`unknown limit ${JSON.stringify(key || part)}; must be ${form.replaceAll('`', '')}`);
      continue;
    }
    if (text === 'none') limits[key] = null;
    else if (text === 'default') limits[key] = undefined;
    else
      try {
        limits[key] = table[key][0](text);
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

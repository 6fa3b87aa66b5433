import type { OptionValue } from '../../../domain/conversion.ts';
import type { CliRule } from '../../allowlist/cli-rules.ts';
import type { Catalogue, CliFacts } from '../../catalogue/catalogue.ts';
import { checkCliValue } from '../../values/cli-value.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type OptionName, printOptionName } from './option-name.ts';

/**
 * What an option of ffmpeg's own adds to the argv: its values; none for a flag; undefined for a flag that was
 * switched off. The value of a flag never gets into the argv, where it would be one more output file.
 */
export function resolveCliValues(
  name: OptionName,
  value: OptionValue,
  facts: CliFacts,
  rule: CliRule,
  catalogue: Catalogue,
): { readonly values: readonly string[] | undefined } | ValueError {
  const key = printOptionName(name);
  if (typeof value !== 'string' && rule.repeatable === undefined) return notRepeatable(key);
  if (!facts.argument) {
    if (value === '' || value === 'true') return { values: [] };
    if (value === 'false') return { values: undefined };
    return {
      code: 'TAKES_NO_VALUE',
      message: `"${key}" is switched on or off and takes no value.`,
      allowed: ['', 'true', 'false'],
      fix: `Send "${key}": "" to switch it on, or leave it out.`,
    };
  }
  const values = typeof value === 'string' ? [value] : value;
  for (const one of values) {
    const fault = one === '' ? emptyValue(key) : checkCliValue(key, one, rule.value, catalogue.lists);
    if (fault !== undefined) return fault;
  }
  return { values };
}

export const notRepeatable = (key: string): ValueError => ({
  code: 'NOT_REPEATABLE',
  message: `ffmpeg takes "${key}" once, so it cannot be a list.`,
  fix: 'Send one string.',
});

export const emptyValue = (key: string): ValueError => ({
  code: 'EMPTY_VALUE',
  message: `"${key}" needs a value.`,
  fix: 'Send its value as a string, or leave it out.',
});

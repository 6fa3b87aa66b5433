import type { OptionValue } from '../../../domain/conversion.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { FILE_NAME_OPTIONS } from '../../allowlist/file-name-options.ts';
import type { AvUse } from '../../catalogue/catalogue.ts';
import { checkAvText } from '../../values/av-text.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type OptionName, printOptionName } from './option-name.ts';
import { emptyValue, notRepeatable } from './parse-cli-option.ts';

/**
 * What an AVOption adds to the argv. AVOptions always take a value, and only one. Whether it is of the right type and
 * range is checked when all options are read: it depends on the encoders.
 */
export function resolveAvValue(
  name: OptionName,
  value: OptionValue,
  uses: readonly AvUse[],
): { readonly value: string } | ValueError {
  const key = printOptionName(name);
  if (typeof value !== 'string') return notRepeatable(key);
  if (value === '') return emptyValue(key);
  if (FILE_NAME_OPTIONS.has(name.name)) return { value };
  if (uses.some((use) => isTextType(use.type))) return checkAvText(key, name.name, value) ?? { value };
  // Values of all other types are expressions to ffmpeg, and `while(1,1)` never ends, not even on SIGTERM.
  if (value.includes('('))
    return {
      code: 'BAD_VALUE',
      message: `"${key}" takes a plain value, not an expression.`,
      fix: 'Send the number itself.',
    };
  return { value };
}

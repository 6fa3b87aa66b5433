import { type OptionText, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { FILE_NAME_OPTIONS } from '@telecine/contract/domain/planned-names.ts';
import { badEncoding, controlCharacter } from '@telecine/contract/domain/text-validation.ts';
import type { CliRule } from '../../allowlist/allowed-cli-options.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import type { AvUse, Catalogue, CliFacts } from '../../catalogue/catalogue.ts';
import { checkAvText } from '../../values/av-text-values.ts';
import { FLAG_VALUES, readFlag } from '../../values/boolean.ts';
import { checkCliValue } from '../../values/cli-value.ts';
import type { ValueError } from '../../values/value-error.ts';

/** An error about one element of a list. */
export type ElementError = ValueError & { readonly index: number };

/**
 * The values that an option of the ffmpeg program has in the argv. A list has one error per wrong element. `values` is empty for a flag
 * that is on, and undefined for a flag that is off: ffmpeg would take the value of a flag in the argv for another output file.
 *
 * @param key The name as the client sent it.
 */
export function resolveCliValues(
  key: string,
  value: OptionText,
  facts: Pick<CliFacts, 'argument'>,
  rule: CliRule,
  catalogue: Catalogue,
): { readonly values: readonly string[] | undefined } | ValueError | readonly ElementError[] {
  if (typeof value !== 'string' && rule.repeatable === undefined) return notRepeatable(key);
  if (!facts.argument) return resolveFlag(key, value);
  const check = (text: string): ValueError | undefined =>
    text === '' ? emptyValue(key) : checkCliValue(key, text, rule.value, catalogue);
  if (typeof value === 'string') return check(value) ?? { values: [value] };
  const errors = value.flatMap((text, index) => {
    const error = check(text);
    return error === undefined ? [] : [{ ...error, index }];
  });
  return errors.length > 0 ? errors : { values: value };
}

function resolveFlag(key: string, value: OptionText): { readonly values: readonly string[] | undefined } | ValueError {
  const flag = readFlag(value);
  if (flag !== undefined) return { values: flag ? [] : undefined };
  return {
    code: 'TAKES_NO_VALUE',
    message: `"${key}" is a flag and takes no value.`,
    allowed: FLAG_VALUES,
  };
}

/** The value of an AVOption in the argv. Its range is checked later, when the encoders are known. */
export function resolveAvValue(
  key: string,
  name: string,
  value: OptionText,
  uses: readonly AvUse[],
): { readonly value: string } | ValueError {
  if (typeof value !== 'string') return notRepeatable(key);
  if (value === '') return emptyValue(key);
  if (FILE_NAME_OPTIONS.has(name)) return { value };
  if (uses.some((use) => isTextType(use.type))) return checkAvText(key, name, value) ?? { value };
  // Reject function calls: ffmpeg evaluates values of all other types as expressions, and `while(1,1)` does not even end on SIGTERM.
  if (value.includes('(')) return { code: 'BAD_VALUE', message: `"${key}" takes a plain value, not an expression.` };
  return { value };
}

const notRepeatable = (key: string): ValueError => ({
  code: 'NOT_REPEATABLE',
  message: `"${key}" takes one string, not a list.`,
});

const emptyValue = (key: string): ValueError => ({ code: 'EMPTY_VALUE', message: `"${key}" needs a value.` });

/** Allow tabs and line breaks, which titles and filtergraphs may have. Texts that people write have no other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Checks the text of a value, by the rules for every option. */
export function checkOptionText(value: OptionText): ValueError | undefined {
  if (typeof value !== 'string' && value.length === 0)
    return { code: 'EMPTY_LIST', message: 'The list is empty. Send at least one value, or leave the option out.' };
  if (typeof value === 'string') return checkOneText(value);
  return value.map(checkOneText).find((error) => error !== undefined);
}

function checkOneText(text: string): ValueError | undefined {
  if (text.length > REQUEST_LIMITS.optionValueLength)
    return { code: 'TOO_LONG', message: `The value is longer than ${REQUEST_LIMITS.optionValueLength} characters.` };
  if (CONTROL.test(text)) return controlCharacter('The value');
  return text.isWellFormed() ? undefined : badEncoding('The value');
}

/** Options whose values may be any text, also with quotes. */
const FREE_TEXT: ReadonlySet<string> = new Set(['metadata', 'program']);

/** Rejects a value with the quotes of a shell: `"scale=320:-2"` with the quotes. */
export const checkShellQuotes = (name: string, value: OptionText): ValueError | undefined =>
  typeof value === 'string' && /^(?:"[^"]+"|'[^']+')$/.test(value) && !FREE_TEXT.has(name)
    ? { code: 'SHELL_QUOTES', message: 'The value has quotes around it, which only a shell removes.' }
    : undefined;

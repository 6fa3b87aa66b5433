import type { OptionText } from '@telecine/contract/domain/conversion.ts';
import { leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { FILE_NAME_OPTIONS } from '@telecine/contract/domain/planned-names.ts';
import { CLI_RULES, type CliRule } from '../../allowlist/allowed-cli-options.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { type AvUse, type Catalogue, type CliFacts, usesOf } from '../../catalogue/catalogue.ts';
import { checkAvText } from '../../values/av-text-values.ts';
import { FLAG_VALUES, readFlag } from '../../values/boolean.ts';
import { checkCliValue } from '../../values/cli-value.ts';
import { readPlainNumber, suggestNumber } from '../../values/number.ts';
import { badValue, quoted, type ValueError } from '../../values/value-error.ts';
import { type OptionName, printOptionName } from './option-name.ts';

/** An error about one element of a list. */
export type ElementError = ValueError & { readonly index: number };

/**
 * The values that an option of the ffmpeg program has in the argv. A list has one error per wrong element. `values` is empty for a flag
 * that is on, and undefined for a flag that is off: ffmpeg would take the value of a flag in the argv for another output file.
 */
export function resolveCliValues(
  name: OptionName,
  value: OptionText,
  facts: Pick<CliFacts, 'argument'>,
  rule: CliRule,
  catalogue: Catalogue,
): { readonly values: readonly string[] | undefined } | ValueError | readonly ElementError[] {
  const key = printOptionName(name);
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

/** Matches values with which clients turn a flag off. */
const OFF = /^(?:no|n|off|0|none|disabled?)$/i;

function resolveFlag(key: string, value: OptionText): { readonly values: readonly string[] | undefined } | ValueError {
  const flag = readFlag(value);
  if (flag !== undefined) return { values: flag ? [] : undefined };
  return {
    code: 'TAKES_NO_VALUE',
    message: `"${key}" is a flag and takes no value.`,
    allowed: FLAG_VALUES,
    fix: OFF.test(value.toString()) ? leaveOut() : sendOption(key, ''),
  };
}

/** The value of an AVOption in the argv. Its range is checked later, when the encoders are known. */
export function resolveAvValue(
  name: OptionName,
  value: OptionText,
  uses: readonly AvUse[],
): { readonly value: string } | ValueError {
  const key = printOptionName(name);
  if (typeof value !== 'string') return notRepeatable(key);
  if (value === '') return emptyValue(key);
  if (FILE_NAME_OPTIONS.has(name.name)) return { value };
  if (uses.some((use) => isTextType(use.type))) return checkAvText(key, name.name, value) ?? { value };
  // Reject function calls: ffmpeg evaluates values of all other types as expressions, and `while(1,1)` does not even end on SIGTERM.
  if (value.includes('('))
    return {
      code: 'BAD_VALUE',
      message: `"${key}" takes a plain value, not an expression.`,
      fix: 'Send the number itself.',
    };
  return { value };
}

const notRepeatable = (key: string): ValueError => ({
  code: 'NOT_REPEATABLE',
  message: `"${key}" takes one string, not a list.`,
  fix: 'Send one string.',
});

const emptyValue = (key: string): ValueError => ({
  code: 'EMPTY_VALUE',
  message: `"${key}" needs a value.`,
  fix: orElse(leaveOut(), 'send its value as a string'),
});

/** Checks the value of an option that a fix suggests. Uses only facts that every catalogue has, not those of earlier requests. */
export function checkSuggestion(
  { name, specifier }: OptionName,
  value: OptionText,
  catalogue: Catalogue,
): ValueError | undefined {
  const rule = CLI_RULES.get(name);
  const key = printOptionName(specifier === undefined ? { name } : { name, specifier });
  if (name === 'y' || name === 'pass') return undefined;
  if (rule === undefined) {
    const uses = usesOf(catalogue, name);
    if (uses.length === 0) return emptyValue(key);
    const result = resolveAvValue({ name }, value, uses);
    return 'code' in result ? result : undefined;
  }
  if (name === 'b' && typeof value === 'string' && readPlainNumber(value) === undefined)
    return badValue(`"${key}" must be a number, not ${quoted(value)}.`, value, { fix: suggestNumber(value) });
  const facts = { argument: rule.value.takes !== 'boolean' };
  const result = resolveCliValues(
    { name, ...(specifier !== undefined && { specifier }) },
    value,
    facts,
    rule,
    catalogue,
  );
  // An array has the errors of a list.
  if ('length' in result) return result[0];
  return 'code' in result ? result : undefined;
}

import { documentedRange, type LibraryRule, type RangeRule } from '../allowlist/encoder-enums.ts';
import { type ParamRule, type ParamTable, VALUE } from '../allowlist/encoder-params/param-table.ts';
import type { ParamsOption } from '../allowlist/encoder-params/tables.ts';
import { readDictionary } from './dictionary.ts';
import { isInRange, outOfRange, outsideScale, readNumber } from './number.ts';
import { checkNumberRule } from './number-rule.ts';
import { badValue, ofPart, quoted, type ValueError } from './value-error.ts';

export function checkParamsString(key: string, text: string, option: ParamsOption): ValueError | undefined {
  const pairs = parseParamsString(text, option);
  // In `keyint60:ref=4`, the first parameter has no "=", so the parser takes `keyint60:ref` for a name.
  if (pairs === undefined || pairs.some(([name]) => name.includes(':')))
    return badValue(`"${key}" must be a list of "key=value" joined by ":"; a "=" or a value is missing.`, text, {
      shapes: ['ref=4:keyint=60'],
    });
  for (const [name, value] of pairs) {
    const error = checkPair(key, name, value, option.table);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** The names and values in a parameter string. undefined: a name, its "=" or its value is missing. */
export const parseParamsString = (
  text: string,
  { allowsBareNames }: ParamsOption,
): readonly (readonly [string, string])[] | undefined => (allowsBareNames ? splitPlain(text) : readDictionary(text));

/** Splits pairs `name[=value]` joined by ":", without quotes. A name alone gets the value 1. */
const splitPlain = (text: string): readonly (readonly [string, string])[] =>
  text.split(':').map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [part, '1'] : [part.slice(0, at), part.slice(at + 1)];
  });

function checkPair(key: string, sentName: string, value: string, table: ParamTable): ValueError | undefined {
  const name = table.allowsNegation ? sentName.replaceAll('_', '-') : sentName;
  // `no-cabac` and `nocabac` turn `cabac` off.
  const bare = name.replace(/^no-?/, '');
  const isNegated = table.allowsNegation && table.names.has(bare) && !table.rules.has(bare);
  if (table.names.has(name) || isNegated) {
    const error = checkParam(`${key}: ${sentName}`, value, table.rules.get(name));
    return error && ofPart(error, value);
  }
  if (table.rejected.has(name))
    return {
      code: 'OPTION_NOT_ALLOWED',
      message: `"${name}" in "${key}" is not allowed: ${table.rejected.get(name) ?? 'it names a file, or the service sets it itself'}.`,
    };
  return {
    code: 'UNKNOWN_KEY',
    message: `"${key}" has no parameter ${quoted(sentName)}.`,
    nearest: { given: sentName, names: [...table.names], is: 'word' },
  };
}

function checkParam(
  shown: string,
  value: string,
  rule: ParamRule = { pattern: VALUE, shape: 'a number or a word' },
): ValueError | undefined {
  if ('pattern' in rule)
    return rule.pattern.test(value)
      ? undefined
      : badValue(`"${shown}" must be ${rule.shape}, not ${quoted(value)}.`, value, { shapes: [rule.shape] });
  const { scale = rule } = rule;
  if (value === 'auto' && rule.scale === undefined) return undefined;
  // The libraries accept numbers without a unit only.
  const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : undefined;
  // As for the option of the same name, a message names the scale, and not what the library takes beyond it.
  const { min, max } = number !== undefined && isInRange(number, rule) ? rule : scale;
  const error = checkNumberRule(shown, value, number, { whole: rule.scale === undefined, min, max });
  return error && outsideScale(error, rule.scale);
}

/** Checks a value that ffmpeg passes to an encoder library without a complete check of its own. */
export function checkLibraryValue(
  key: string,
  value: string,
  encoder: string,
  rule: LibraryRule,
): ValueError | undefined {
  if (rule.takes === 'words') {
    if (rule.also?.test(value) === true) return undefined;
    const broken = rule.broken?.find((one) => one.words.test(value));
    if (broken !== undefined)
      return badValue(`"${key}" of ${encoder} cannot be ${quoted(value)}: ${broken.why}.`, value, {
        shapes: rule.words,
      });
    const parts = rule.joined === undefined ? [value] : value.split(rule.joined);
    const wrong = parts.find((part) => !rule.words.includes(part));
    if (wrong === undefined) return undefined;
    return ofPart(
      badValue(`"${key}" of ${encoder} does not accept ${quoted(wrong)}.`, wrong, { names: rule.words }),
      wrong,
    );
  }
  const number = readNumber(value);
  if (number === undefined || isInRange(number, rule)) return undefined;
  return outsideLibrary(key, value, encoder, rule);
}

/** The error for a number that is outside of what an encoder library documents. */
export const outsideLibrary = (key: string, value: string, encoder: string, rule: RangeRule): ValueError =>
  outOfRange(
    `"${key}" of ${encoder} must be ${rule.usual}, not ${quoted(value)}.`,
    readNumber(value) ?? rule.min,
    documentedRange(rule),
    [rule.usual],
  );

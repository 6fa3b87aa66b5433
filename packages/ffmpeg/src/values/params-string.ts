import { documentedRange, type LibraryRule, type RangeRule } from '../allowlist/encoder-enums.ts';
import type { ParamRule, ParamTable } from '../allowlist/encoder-params/param-rule.ts';
import type { ParamsOption } from '../allowlist/encoder-params/tables.ts';
import { readBoolean } from './boolean.ts';
import { readDictionary } from './dictionary.ts';
import { isInRange, outOfRange, outsideScale, readNumber, readPlainNumber } from './number.ts';
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
  const rule = table.params.get(name) ?? (table.allowsNegation ? negatedRule(name, table) : undefined);
  if (rule !== undefined) {
    const error = checkRule(`${key}: ${sentName}`, value, rule);
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
    nearest: { given: sentName, names: [...table.params.keys()], is: 'word' },
  };
}

/** The rule for a negated switch: `no-cabac` and `nocabac` turn `cabac` off. undefined: the parameter cannot be negated. */
function negatedRule(name: string, { params }: ParamTable): ParamRule | undefined {
  const bare = name.startsWith('no-') ? name.slice(3) : name.startsWith('no') ? name.slice(2) : undefined;
  const rule = bare === undefined ? undefined : params.get(bare);
  const hasSwitch = rule?.takes === 'switch' || (rule?.takes === 'number' && rule.words.includes('false'));
  return hasSwitch || bare === 'deblock' ? { takes: 'switch', words: [] } : undefined;
}

function checkRule(shown: string, value: string, rule: ParamRule): ValueError | undefined {
  switch (rule.takes) {
    case 'number':
      return rule.words.includes(value) ? undefined : checkNumber(shown, value, rule);
    case 'switch': {
      const on = readBoolean(value);
      if (rule.words.includes(value) || on === 0 || on === 1) return undefined;
      return badValue(`"${shown}" must be on or off, not ${quoted(value)}.`, value, {
        names: ['0', '1', ...rule.words],
      });
    }
    case 'word':
      if (rule.words.includes(value) || rule.also?.test(value) === true) return undefined;
      return badValue(`"${shown}" does not accept ${quoted(value)}.`, value, { names: rule.words });
    case 'shape':
      if (rule.pattern.test(value)) return undefined;
      return badValue(`"${shown}" must have a form such as ${rule.shape}, not ${quoted(value)}.`, value, {
        shapes: [rule.shape],
      });
  }
}

function checkNumber(shown: string, value: string, rule: ParamRule & { takes: 'number' }): ValueError | undefined {
  // The libraries accept numbers without a unit only.
  const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? readPlainNumber(value) : undefined;
  const { scale } = rule;
  // As for the option of the same name, a message names the scale, and not what the library takes beyond it.
  const isBeyond = scale !== undefined && number !== undefined && !isInRange(number, rule);
  const named = isBeyond ? { ...rule, min: scale.min, max: scale.max } : rule;
  const error = checkNumberRule(shown, value, number, named, rule.words);
  return error && outsideScale(error, scale);
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
  const documented = documentedRange(rule);
  const isIgnored = rule.hasGap === true && number !== undefined && number > rule.min && number < documented.min;
  if (number === undefined || (number >= rule.min && number <= rule.max && !isIgnored)) return undefined;
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

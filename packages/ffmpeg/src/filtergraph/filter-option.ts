import { foreignPath } from '@telecine/contract/domain/foreign-path.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { isTextType } from '../allowlist/av-text.ts';
import { FILTER_FILES, isFontPattern, isSystemFont } from '../allowlist/filter-files.ts';
import { UNLISTED_FILTER_OPTIONS, unlistedFlags } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption, Component } from '../catalogue/component.ts';
import { checkExpression } from '../expression/expression.ts';
import { checkAvValue } from '../values/av-value.ts';
import { checkSize } from '../values/size.ts';
import { badValue, ofPart, quoted, type ValueError } from '../values/value-error.ts';
import { checkFilterText, toValueError } from './check-text.ts';
import type { FilterContext } from './filter-context.ts';

/**
 * The options of a filter by name. Of two options with the same name, the first counts. Cached, because some filters have more than a
 * hundred options.
 */
const optionsOf = rememberEach(
  ({ options }: Component): ReadonlyMap<string, AvOption> =>
    new Map(options.toReversed().map((option) => [option.name, option])),
);

/** Returns the value of a filter option for the argv, or an error. */
export function readOption(
  component: Component,
  key: string,
  value: string,
  context: FilterContext,
): string | ValueError {
  const { name: filter } = component;
  const shown = `${filter}=${key}`;
  if (key === 'enable' && component.timeline === true)
    return passed(value, toValueError(shown, value, checkExpression(value)));
  const option = optionsOf(component).get(key);
  const flags = option === undefined ? unlistedFlags(filter, key) : undefined;
  if (flags !== undefined) return passed(value, checkUnlistedFlags(shown, value, flags));
  if (option === undefined && UNLISTED_FILTER_OPTIONS.get(filter)?.has(key) !== true)
    return unknownOption(component, key);
  const file = FILTER_FILES.get(filter)?.find(({ names }) => names.includes(key));
  if (file?.font === true && isSystemFont(value)) return value;
  if (file?.fontPattern === true && isFontPattern(value)) return value;
  if (file?.fontFolder === true) {
    const found = context.fontsIn(value);
    return typeof found === 'string' ? found : noFontIn(filter, value, found);
  }
  if (file !== undefined) return context.fileNamed(value, file.byContent === true) ?? notAnInput(filter, key, value);
  if (SCALERS.has(filter) && (key === 'size' || key === 's')) {
    const error = checkSize(shown, value);
    return passed(value, error && { ...error, message: `${error.message} "scale=1280:-2" keeps the aspect ratio.` });
  }
  if (option === undefined || option.list || isTextType(option.type))
    return passed(value, checkFilterText(filter, key, value, context.catalogue, option));
  if (option.readOnly) return unknownOption(component, key);
  return passed(value, checkTyped(shown, option, value, context.catalogue));
}

const passed = (value: string, error: ValueError | undefined): string | ValueError => error ?? value;

/** Matches arithmetic with plain numbers and functions, which filter values often have: `1/25`, `sqrt(2)`. */
const ARITHMETIC = /^[\w\s.+\-*/(),]+$/;

function checkUnlistedFlags(shown: string, value: string, names: readonly string[]): ValueError | undefined {
  const wrong = value.split(/[+-]/).find((name, at) => !names.includes(name) && !(at === 0 && name === ''));
  if (wrong === undefined) return undefined;
  return ofPart(badValue(`"${shown}" has no flag ${quoted(wrong)}.`, wrong, { names }), wrong);
}

function checkTyped(shown: string, option: AvOption, value: string, { lists }: Catalogue): ValueError | undefined {
  // The name of a constant can look like an expression: `bt601-6-625`.
  const isConstant = option.constants.some(({ name }) => name === value);
  const isExpression = !isConstant && /\d\s*[*/+\-(]|[a-z]\s*\(/i.test(value);
  if (NUMBERS.has(option.type) && ARITHMETIC.test(value) && isExpression)
    return toValueError(shown, value, checkExpression(value));
  return checkAvValue(shown, option, value, lists);
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'int64', 'uint', 'uint64', 'float', 'double']);

export const SCALERS: ReadonlySet<string> = new Set(['scale', 'scale2ref']);

function unknownOption({ name, options, timeline }: Component, key: string): ValueError {
  const names = [...options.map((option) => option.name), ...(timeline === true ? ['enable'] : [])];
  return {
    code: 'UNKNOWN_FILTER_OPTION',
    message: `The filter "${name}" has no option ${quoted(key)}.`,
    nearest: { given: key, names: names.filter((one) => one !== key), is: 'word' },
  };
}

const noFontIn = (filter: string, value: string, folders: readonly string[]): ValueError => ({
  code: 'NOT_AN_INPUT',
  message: `The filter "${filter}" reads fonts from ${quoted(value)}, but no input of the request is a font in that folder. Fonts come after the media in "inputs".`,
  nearest: { given: value, names: folders, is: 'word' },
});

const notAnInput = (filter: string, key: string, value: string): ValueError =>
  foreignPath(value) ?? {
    code: 'NOT_AN_INPUT',
    message: `The filter "${filter}" reads the file ${quoted(value)}, which is not an input of the request. ${key === 'fontfile' ? '"font" takes the name of an installed font; a file' : 'A file for a filter'} comes after the media in "inputs", by the same path.`,
  };

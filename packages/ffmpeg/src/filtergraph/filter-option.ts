import { namesOfWord, nearestName } from '@telecine/contract/domain/aliases.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import { meantPosition } from '@telecine/contract/domain/filter-values.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { lastPart } from '@telecine/contract/domain/media-path.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { isTextType } from '../allowlist/av-text.ts';
import { FILTER_FILES, familyOfForeignFont, isFontPattern, isSystemFont } from '../allowlist/filter-files.ts';
import { UNLISTED_FILTER_OPTIONS, unlistedFlags } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption, Component } from '../catalogue/component.ts';
import { checkExpression } from '../expression/expression.ts';
import { checkAvValue } from '../values/av-value.ts';
import { checkSize } from '../values/size.ts';
import { badValue, quoted, suggestedValue, type ValueError } from '../values/value-error.ts';
import { checkFilterText, toValueError } from './check-text.ts';
import type { FilterContext } from './filter-context.ts';
import type { GraphOption } from './option-list.ts';

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
  const position = meantPosition(filter, key, value);
  if (position !== undefined)
    return badValue(`"${shown}" must be a number or an expression, not ${quoted(value)}.`, value, { fix: position });
  if (key === 'enable' && component.timeline === true)
    return passed(value, toValueError(shown, value, checkExpression(value, undefined, ENABLE_NAMES)));
  const option = optionsOf(component).get(key);
  const flags = option === undefined ? unlistedFlags(filter, key) : undefined;
  if (flags !== undefined) return passed(value, checkUnlistedFlags(shown, value, flags));
  if (option === undefined && UNLISTED_FILTER_OPTIONS.get(filter)?.has(key) !== true)
    return unknownOption(component, key, (other) => typeof readOption(component, other, value, context) === 'string');
  const file = FILTER_FILES.get(filter)?.find(({ names }) => names.includes(key));
  if (file?.font === true && isSystemFont(value)) return value;
  if (file?.fontPattern === true && isFontPattern(value)) return value;
  if (file?.fontPattern === true && FONT_NAME.test(value)) return fontName(value);
  if (file?.fontFolder === true) {
    const found = context.fontsIn(value);
    return typeof found === 'string' ? found : noFontIn(filter, value, found);
  }
  if (file !== undefined && filter === 'subtitles' && /^(?:\d{1,2}|\d:s(?::\d{1,2})?)$/.test(value))
    return streamAsFile(value);
  if (file !== undefined) return context.fileNamed(value, file.byContent === true) ?? notAnInput(filter, key, value);
  if (SCALERS.has(filter) && (key === 'size' || key === 's')) return passed(value, checkScaled(shown, value));
  if (option === undefined || option.list || isTextType(option.type))
    return passed(value, checkFilterText(filter, key, value, context.catalogue, option));
  if (option.readOnly) return unknownOption(component, key, () => false);
  return passed(value, checkTyped(shown, option, value, context.catalogue));
}

/** The error for a stream (`0`, `0:s:1`) where `subtitles` takes the path of a file. */
const streamAsFile = (value: string): ValueError => ({
  code: 'BAD_VALUE',
  message: `The filter "subtitles" reads a file, but ${quoted(value)} names a stream.`,
  fix: `Send the path of the video, and the number of its subtitles as "si": subtitles=video.mp4:si=${/\d{1,2}$/.exec(value)?.[0] ?? '0'}.`,
});

const FONT_NAME = /^[a-z][\w -]*$/i;

/** The error for the name of an installed font in `fontfile`, which takes a file. */
const fontName = (value: string): ValueError => ({
  code: 'UNKNOWN_FILTER_OPTION',
  message: `The filter "drawtext" reads a file as "fontfile", but ${quoted(value)} is the name of an installed font.`,
  fix: sendValue('font'),
});

/** The names in an expression of `enable`: seconds, frames, bytes, width and height (avfilter.c, 5.1 to 9.0; `pos` up to 8). */
const ENABLE_NAMES: ReadonlySet<string> = new Set(['t', 'n', 'pos', 'w', 'h']);

function checkScaled(shown: string, value: string): ValueError | undefined {
  const error = checkSize(shown, value);
  return (
    error && { ...error, fix: error.fix ?? 'Send both: scale=1280x720, or scale=1280:-2 to keep the aspect ratio.' }
  );
}

const passed = (value: string, error: ValueError | undefined): string | ValueError => error ?? value;

/** Matches arithmetic with plain numbers and functions, which filter values often have: `1/25`, `sqrt(2)`. */
const ARITHMETIC = /^[\w\s.+\-*/(),]+$/;

function checkUnlistedFlags(shown: string, value: string, names: readonly string[]): ValueError | undefined {
  const wrong = value.split(/[+-]/).find((name, at) => !names.includes(name) && !(at === 0 && name === ''));
  if (wrong === undefined) return undefined;
  const error = badValue(`"${shown}" has no flag ${quoted(wrong)}.`, wrong, { names });
  const meant = suggestedValue(error);
  const parts = value.split(/([+-])/).map((part) => (part === wrong ? meant : part));
  return meant === undefined ? error : { ...error, fix: sendValue(parts.join('')) };
}

function checkTyped(shown: string, option: AvOption, value: string, { lists }: Catalogue): ValueError | undefined {
  // The name of a constant can look like an expression: `bt601-6-625`.
  const isConstant = option.constants.some(({ name }) => name === value);
  const isExpression = !isConstant && /\d\s*[*/+\-(]|[a-z]\s*\(/i.test(value);
  // With `NO_NAMES`, only numbers, constants and functions that end are valid.
  if (NUMBERS.has(option.type) && ARITHMETIC.test(value) && isExpression)
    return toValueError(shown, value, checkExpression(value, undefined, NO_NAMES), isPlainExpression);
  return checkAvValue(shown, option, value, lists);
}

const NO_NAMES: ReadonlySet<string> = new Set();

const isPlainExpression = (text: string): boolean => checkExpression(text, undefined, NO_NAMES) === undefined;

const NUMBERS: ReadonlySet<string> = new Set(['int', 'int64', 'uint', 'uint64', 'float', 'double']);

export const SCALERS: ReadonlySet<string> = new Set(['scale', 'scale2ref']);

/**
 * Corrects an option whose value is a file of another machine. The result has the font family of the file, or the file name alone, which an
 * input could have. undefined: another value.
 */
export function ownFile(key: string, value: string): GraphOption | undefined {
  const family = familyOfForeignFont(value);
  if (key === 'fontfile') return family === undefined ? undefined : { key: 'font', value: family };
  const name = lastPart(value);
  return name === '' || name === value || !/^(?:[a-z]:|~?\/)/i.test(value) ? undefined : { key, value: name };
}

/** @param isValid True if another option of the filter accepts the value. */
function unknownOption(
  { name, options, timeline }: Component,
  key: string,
  isValid: (option: string) => boolean,
): ValueError {
  const all = [...options.map((option) => option.name), ...(timeline === true ? ['enable'] : [])];
  const names = all.filter((one) => one !== key);
  const known = new Set(names);
  const near = [...namesOfWord(key).filter((one) => known.has(one)), ...[nearestName(key, names) ?? []].flat()].find(
    isValid,
  );
  return {
    code: 'UNKNOWN_FILTER_OPTION',
    message: `The filter "${name}" has no option ${quoted(key)}.`,
    ...(names.length <= 20 ? { allowed: names } : {}),
    fix:
      near === undefined
        ? hint`For its options: ${{ do: 'show-capability', kind: 'filters', name }}.`
        : sendValue(near),
  };
}

const noFontIn = (filter: string, value: string, folders: readonly string[]): ValueError => ({
  code: 'NOT_AN_INPUT',
  message: `The filter "${filter}" reads fonts from ${quoted(value)}, but no input of the request is a font in that folder.`,
  fix:
    folders[0] === undefined
      ? 'Add the font files to "inputs", after the media: {"inputs": ["in.mp4", "talk.srt", "fonts/Inter.ttf"]}. The filter finds them by their family.'
      : sendValue(folders[0]),
});

function notAnInput(filter: string, key: string, value: string): ValueError {
  const own = ownFile(key, value);
  const reads = `The filter "${filter}" reads the file ${quoted(value)}`;
  const why =
    own === undefined
      ? 'which is not an input of the request'
      : own.key === 'font'
        ? 'but the service has fonts of its own: "font" takes the closest one'
        : 'which is not an input of the request: upload it, and name it by its path in the media root';
  return {
    code: 'NOT_AN_INPUT',
    message: `${reads}, ${why}.`,
    ...(own?.key !== 'font' && { about: value }),
    fix:
      key === 'fontfile'
        ? 'Use an installed font ("font=DejaVu Sans", or its file below /usr/share/fonts), or add the font file to "inputs" by the same path, after the media.'
        : 'Add the file to "inputs" by the same path, after the media: {"inputs": ["in.mp4", "talk.srt"]} and "subtitles=talk.srt".',
  };
}

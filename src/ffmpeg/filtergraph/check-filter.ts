import { closestMatch } from '../../domain/closest-match.ts';
import { replacePart, sendValue } from '../../domain/edit.ts';
import { mayMeanOtherText, meantFilterText, meantPosition, withPlace } from '../../domain/filter-values.ts';
import { type HintAction, hint } from '../../domain/hint.ts';
import { lastPart } from '../../domain/media-path.ts';
import { hasEnough } from '../../domain/problem.ts';
import { FILTER_OPTION_ADVICE, meantFilterOptions } from '../../domain/synonyms/filter-option-words.ts';
import { isNormalizing, meantFilter } from '../../domain/synonyms/media-words.ts';
import { SILENCE_AT_START } from '../../domain/synonyms/option-meanings.ts';
import { bareWord, HEIGHT_ALONE, WIDTH_ALONE } from '../../domain/synonyms/value-words.ts';
import { deviceFilterRejection, isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTER_FILES, familyOfForeignFont, isFontPattern, isSystemFont } from '../allowlist/filter-files.ts';
import { FILTER_POSITIONS, UNLISTED_FILTER_OPTIONS, unlistedFlags } from '../allowlist/filter-text.ts';
import { FILTERS, REJECTED_FILTERS } from '../allowlist/filters.ts';
import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { AvOption, Component } from '../catalogue/component.ts';
import { checkExpression } from '../expression/expression.ts';
import { checkAvValue } from '../values/av-value.ts';
import { readPlainNumber } from '../values/number.ts';
import { checkSize } from '../values/size.ts';
import {
  atPlace,
  badValue,
  nearestName,
  ofPart,
  quoted,
  suggestedValue,
  type ValueError,
  withMeantValue,
} from '../values/value-error.ts';
import { checkFilterText, disableFileExpansion, disablesExpansion, toValueError } from './check-text.ts';
import { type GraphFilter, printFilter, printValue } from './graph.ts';
import type { FindPlaces } from './graph-places.ts';
import { type GraphOption, parseOptionList } from './option-list.ts';

/** The facts that the checks of a filter depend on. */
export interface FilterContext {
  readonly catalogue: Catalogue;
  /**
   * Returns the logical name of the input that a filter names as a file, or undefined if the request has no such input.
   * For `byContent`, see `FilterFile`.
   */
  fileNamed(path: string, byContent: boolean): string | undefined;
  /**
   * Returns the logical name of the folder of fonts, if the request has a font as an input with this path or in this
   * folder. Else returns the folders in which it has fonts.
   */
  fontsIn(path: string): string | readonly string[];
  /** Returns the logical name of the folder of fonts, or undefined if no input is a font. */
  allFonts(): string | undefined;
  /** Whether the graph is for sound alone. */
  readonly ofSound?: boolean;
  /** Finds the places of errors. Absent if the client did not send the text of the graph. */
  readonly placesOf?: FindPlaces | undefined;
}

/** The result of checking a filter. */
export interface CheckedFilter {
  /** The filter for the argv: every option has its name, and files have their logical names. */
  readonly checked: GraphFilter;
  /**
   * The filter as the client wrote it, but with each error corrected, or the filters that replace it. Absent if the
   * correction of an error is unknown.
   */
  readonly meant?: readonly GraphFilter[];
}

/** Checks a filter and all its options. Appends problems to `errors`. */
export function checkFilter(filter: GraphFilter, context: FilterContext, errors: ValueError[]): CheckedFilter {
  if (!isUsableFilter(filter.name, context.catalogue)) return unusableFilter(filter, context, errors);
  const component = componentOf(context.catalogue, 'filter', filter.name);
  if (component === undefined) throw new Error(`The catalogue has no facts about the filter ${filter.name}.`);
  const rewritten = rewrittenFilter(filter, context);
  if (rewritten !== undefined) {
    errors.push(atPlace(badOptions(filter), context.placesOf?.(filter)?.whole), ...rewritten.missing);
    return { checked: filter, meant: rewritten.meant };
  }
  const joined = withDrive(filter, component);
  if (joined !== undefined)
    return checkFilter(joined, { ...context, placesOf: withoutDrive(context.placesOf) }, errors);
  const keys = keysOf(filter, component);
  const keepsText =
    filter.name === 'drawtext' && disablesExpansion(filter.options.filter((_option, at) => keys[at] === 'expansion'));
  const meant: (GraphOption | undefined)[] = [];
  // An equals sign in a positional value would need two backslashes, so suggest the option's name instead.
  const named = filter.options.some(({ key, value }) => key === undefined && value.includes('='));
  const options = filter.options.map((option, at): GraphOption => {
    meant[at] = undefined;
    if (hasEnough(errors)) return option;
    const key = keys[at];
    const written = named && key !== undefined ? { ...option, key } : option;
    meant[at] = written;
    if (key === 'text' && keepsText) return { key, value: option.value };
    const read =
      key === undefined ? tooMany(component, option.value) : readOption(component, key, option.value, context);
    if (typeof read === 'string') return { key: key ?? '', value: read };
    errors.push(atPlace(ofOption(option, read), placeOf(filter, at, read, context)));
    meant[at] =
      read.code === 'NOT_AN_INPUT' && key !== 'fontsdir'
        ? ownFile(key ?? '', option.value)
        : meantOption(written, read);
    return option;
  });
  const chained = tempoChain(filter, keys);
  const isComplete = meant.every((option) => option !== undefined);
  const corrected =
    chained !== undefined ? { meant: chained } : isComplete ? { meant: [{ ...filter, options: meant }] } : {};
  if (filter.name !== 'drawtext')
    return { checked: { ...filter, options: withFonts(filter.name, options, context) }, ...corrected };
  const unexpanded = disableFileExpansion(options);
  if (!('error' in unexpanded)) return { checked: { ...filter, options: unexpanded }, ...corrected };
  const expanded = {
    code: 'BAD_EXPRESSION',
    message: `The filter "drawtext" ${unexpanded.error}.`,
    fix: unexpanded.fix,
  };
  errors.push(atPlace(expanded, context.placesOf?.(filter)?.whole));
  return { checked: filter };
}

/** The error for a filter that the build does not have or the service does not allow, and what is meant. */
function unusableFilter(filter: GraphFilter, context: FilterContext, errors: ValueError[]): CheckedFilter {
  const at = context.placesOf?.(filter)?.name;
  const spaced = withEqualsSign(filter, context);
  if (spaced !== undefined) {
    errors.push(atPlace(missingEqualsSign(filter, spaced), at));
    return { checked: filter, meant: [spaced] };
  }
  const opacity = transparent(filter);
  if (opacity !== undefined) {
    errors.push(atPlace(unknownFilter(filter.name), at));
    return { checked: filter, meant: opacity };
  }
  const timed = timedPictures(filter, context);
  if (timed !== undefined) {
    errors.push(atPlace(unknownFilter(filter.name), at));
    return { checked: filter, meant: [timed] };
  }
  const nameError = checkName(filter.name, context) ?? unknownFilter(filter.name);
  errors.push(atPlace(ofPart(nameError, filter.name), at));
  const name = suggestedValue(nameError);
  return { checked: filter, ...(name !== undefined && { meant: [renamed(filter, name)] }) };
}

/** The first option of a filter that sox gives its one value, where that of ffmpeg is another. */
const GAINS: ReadonlySet<string> = new Set(['bass', 'treble']);

/**
 * A filter with spaces before its options, as in sox: `highpass 200`, `scale 1280 720`, `hue s=0`. undefined if it is none, or
 * if no filter has the name.
 */
function withEqualsSign(filter: GraphFilter, context: FilterContext): GraphFilter | undefined {
  const [, word, rest = ''] = /^([a-z][a-z\d_]*)\s+(\S.*)$/.exec(filter.name) ?? [];
  if (word === undefined || isNormalizing(filter.name)) return undefined;
  const isUsable = (one: string): boolean => checkName(one, context) === undefined;
  const name = [word, meantFilter(word, context.ofSound)].find((one) => one !== undefined && isUsable(one));
  if (name === undefined) return undefined;
  const [first, ...others] = filter.options;
  if (first !== undefined)
    return first.key === undefined && /^\w+$/.test(rest)
      ? { ...filter, name, options: [{ key: rest, value: first.value }, ...others] }
      : undefined;
  const values = rest.trim().replace(SOX_FLAGS, '').split(/\s+/);
  if (!values.every((value) => /^[-+]?[\d.]+(?:dB|k|s|ms)?$/i.test(value))) return undefined;
  const options = values.map((value, at) => (at === 0 && GAINS.has(name) ? { key: 'g', value } : { value }));
  return renamed({ ...filter, name: word, options }, name);
}

const missingEqualsSign = (sent: GraphFilter, meant: GraphFilter): ValueError => ({
  code: 'UNKNOWN_FILTER',
  message: `"=" is missing in ${quoted(sent.name)}: it is between the name of a filter and its options.`,
  fix: replacePart(printUnlabelled(sent), printUnlabelled(meant)),
});

const printUnlabelled = (filter: GraphFilter): string => printFilter({ ...filter, inputs: [], outputs: [] });

/** Flags of an effect of sox before its value: `rate -v 44100`. */
const SOX_FLAGS = /^(?:-[a-z]\s+)+/i;

/** `fadeout=st=8:d=2` says the direction in its name, and a value alone is its length. undefined for other names. */
function directedFade(filter: GraphFilter, name: string): GraphFilter | undefined {
  const [, direction] = /^a?fade[-_ ]?(in|out)$/i.exec(filter.name) ?? [];
  if (direction === undefined || !/^a?fade$/.test(name)) return undefined;
  const isUnnamed = filter.options.every(({ key }) => key === undefined);
  const keys = filter.options.length === 1 ? ['d'] : ['st', 'd'];
  const options = filter.options.map((option, at) => {
    const key = isUnnamed ? keys[at] : undefined;
    return key === undefined ? option : { key, value: option.value };
  });
  return { ...filter, name, options: [{ key: 't', value: direction.toLowerCase() }, ...options] };
}

const unknownFilter = (name: string): ValueError => ({
  code: 'UNKNOWN_FILTER',
  message: `The installed ffmpeg has no filter ${quoted(name)}.`,
});

/** `opacity=0.5` makes a picture transparent: a format with transparency, and its factor. undefined for other filters. */
function transparent(filter: GraphFilter): readonly GraphFilter[] | undefined {
  const [{ value = '' } = {}, ...others] = filter.options;
  const factor = /^\d+(?:\.\d+)?%$/.test(value) ? Number.parseFloat(value) / 100 : Number(value);
  if (
    !/^(?:opacity|transparency|alpha)$/.test(filter.name) ||
    others.length > 0 ||
    !(factor >= 0 && factor <= 1) ||
    value === ''
  )
    return undefined;
  return [
    { ...filter, name: 'format', options: [{ value: 'rgba' }], outputs: [] },
    { ...filter, name: 'colorchannelmixer', options: [{ key: 'aa', value: String(factor) }], inputs: [] },
  ];
}

/** `speed=2` of pictures: the times of the frames, by the factor. undefined for other filters, and for sound, which has `atempo`. */
function timedPictures(filter: GraphFilter, { ofSound }: FilterContext): GraphFilter | undefined {
  const [{ value = '' } = {}, ...others] = filter.options;
  const [, factor, percent] = /^(\d{1,3}(?:\.\d{1,4})?)(?:x|(%))?$/.exec(value) ?? [];
  if (ofSound === true || !/^(?:speed|tempo)$/.test(filter.name) || others.length > 0 || !(Number(factor) > 0))
    return undefined;
  const by = percent === undefined ? Number(factor) : Number(factor) / 100;
  return { ...filter, name: 'setpts', options: [{ value: `PTS/${by}` }] };
}

/** Filters that are an option of another, by its name: `brightness=0.2` is `eq=brightness=0.2`. */
const OPTION_OF: ReadonlyMap<string, readonly [filter: string, option: string]> = new Map(
  Object.entries({
    brightness: ['eq', 'brightness'],
    contrast: ['eq', 'contrast'],
    saturation: ['eq', 'saturation'],
    gamma: ['eq', 'gamma'],
    sharpen: ['unsharp', 'luma_amount'],
    sharpness: ['unsharp', 'luma_amount'],
  }),
);

/** The options of "silenceremove" for `silence 1 0.1 1%` of sox. */
const cutAtStart = (duration: string, percent = '0'): readonly GraphOption[] => [
  { key: 'start_periods', value: '1' },
  { key: 'start_duration', value: duration },
  { key: 'start_threshold', value: String(Number(percent) / 100) },
];

/** The filter with its right name. `gain` of sox is in decibels, and with `-n` it normalizes; its `reverb` has other values. */
function renamed(filter: GraphFilter, name: string): GraphFilter {
  const fade = directedFade(filter, name);
  if (fade !== undefined) return fade;
  const [option, ...others] = filter.options;
  const value = option !== undefined && option.key === undefined && others.length === 0 ? option.value : '';
  const values = filter.options.map((one) => (one.key === undefined ? one.value : '')).join(' ');
  const [, duration, percent] = SILENCE_AT_START.exec(values) ?? [];
  if (name === 'silenceremove' && duration !== undefined)
    return { ...filter, name, options: cutAtStart(duration, percent) };
  if (isNormalizing(`${filter.name} ${values}`)) return { ...filter, name: 'loudnorm', options: [] };
  // Without options, it changes nothing.
  if (name === 'hue' && option === undefined) return { ...filter, name, options: [{ key: 's', value: '0' }] };
  if (filter.name === 'reverb') return { ...filter, name, options: [] };
  const [own, key] = OPTION_OF.get(filter.name.toLowerCase()) ?? [];
  if (own === name && key !== undefined && value !== '') return { ...filter, name, options: [{ key, value }] };
  const isGain = filter.name === 'gain' && name === 'volume' && /^[-+]\d+(?:\.\d+)?$/.test(value);
  const plain = isGain ? `${value}dB` : value.replace(SOX_FLAGS, '');
  return { ...filter, name, ...(plain !== value && { options: [{ value: plain }] }) };
}

/** The name of an option that a filter does not have, or else the value. */
function placeOf(filter: GraphFilter, index: number, { code }: ValueError, { placesOf }: FilterContext) {
  const option = placesOf?.(filter)?.options[index];
  const span = (code === 'UNKNOWN_FILTER_OPTION' ? option?.key : undefined) ?? option?.value;
  // Nothing can be underlined in a value that is empty.
  return span?.length === 0 ? option?.key : span;
}

/** The places of a filter whose first two options are one path. */
const withoutDrive =
  (placesOf: FindPlaces | undefined): FindPlaces =>
  (filter) => {
    const places = placesOf?.(filter);
    return places && { ...places, options: places.options.slice(1) };
  };

/** Gives the fonts among the inputs to a filter that finds fonts by their families, and names no folder of them. */
function withFonts(name: string, options: readonly GraphOption[], context: FilterContext): readonly GraphOption[] {
  const key = FILTER_FILES.get(name)?.find(({ fontFolder }) => fontFolder === true)?.names[0];
  if (key === undefined || options.some((option) => option.key === key)) return options;
  const folder = context.allFonts();
  return folder === undefined ? options : [...options, { key, value: folder }];
}

/** A path of Windows without a backslash before its colon, which separates two values: `subtitles=C:/talk.srt`. */
function withDrive(filter: GraphFilter, component: Component): GraphFilter | undefined {
  if (!FILTER_FILES.has(filter.name)) return undefined;
  const [drive, path, ...others] = filter.options;
  const key = positionsOf(component)[0];
  const isPath =
    drive?.key === undefined &&
    path?.key === undefined &&
    /^[a-z]$/i.test(drive?.value ?? '') &&
    /^[\\/]/.test(path?.value ?? '');
  if (!isPath || key === undefined || FILTER_FILES.get(filter.name)?.some(({ names }) => names.includes(key)) !== true)
    return undefined;
  return { ...filter, options: [{ key, value: `${drive?.value}:${path?.value}` }, ...others] };
}

/** The option for a file of another machine: the font by its family, or the name by which the file can be an input. */
function ownFile(key: string, value: string): GraphOption | undefined {
  const family = familyOfForeignFont(value);
  if (key === 'fontfile') return family === undefined ? undefined : { key: 'font', value: family };
  const name = lastPart(value);
  return name === '' || name === value || !/^(?:[a-z]:|~?\/)/i.test(value) ? undefined : { key, value: name };
}

/** Filters with options as ffmpeg takes them, and the errors about files that the request lacks. */
interface RewrittenFilter {
  readonly meant: readonly GraphFilter[];
  readonly missing: readonly ValueError[];
}

/** Filters with options as other tools take them, if the options that are meant are valid. */
function rewrittenFilter(filter: GraphFilter, context: FilterContext): RewrittenFilter | undefined {
  if (filter.name === 'transpose' && /^(?:dir=)?-?180(?:°|deg)?$/.test(plainOptions(filter)))
    return {
      meant: [
        { ...filter, name: 'hflip', options: [], outputs: [] },
        { ...filter, name: 'vflip', options: [], inputs: [] },
      ],
      missing: [],
    };
  const placed = withPlace(filter.name, filter.options);
  if (placed !== undefined) return checkedRewrite({ ...filter, options: placed }, context);
  if (!mayMeanOtherText(filter.name) || filter.options.some(isQuoted)) return undefined;
  const sent = plainOptions(filter);
  const text = meantFilterText(filter.name, sent);
  const options = text === undefined || text === sent ? undefined : parseOptionList(text);
  if (options === undefined || 'error' in options) return undefined;
  return checkedRewrite({ ...filter, options }, context);
}

/** A filter in place of another one. undefined if it has errors that no input can end. */
function checkedRewrite(meant: GraphFilter, context: FilterContext): RewrittenFilter | undefined {
  const found: ValueError[] = [];
  checkFilter(meant, context, found);
  return found.every(({ code }) => code === 'NOT_AN_INPUT') ? { meant: [meant], missing: found } : undefined;
}

/** Whether a value has marks that would separate or escape options if it were joined to others. */
const isQuoted = ({ key, value }: GraphOption): boolean =>
  /[:']/.test(value) || (key === 'text' && value.includes('\\'));

/** The options of a filter joined by colons, without quotes and backslashes. */
const plainOptions = ({ options }: GraphFilter): string =>
  options.map(({ key, value }) => (key === undefined ? value : `${key}=${value}`)).join(':');

const badOptions = (filter: GraphFilter): ValueError => ({
  code: 'BAD_VALUE',
  message: `The filter "${filter.name}" does not accept ${quoted(plainOptions(filter))}.${withPlace(filter.name, filter.options) === undefined ? '' : ' "x" and "y" place it.'}`,
  fix: 'Send the options as the documentation of the filter lists them.',
});

const TEMPO = { min: 0.5, max: 100 };

/** One `atempo` only halves the speed at most. Several of them, one after the other, reach any speed. */
function tempoChain(filter: GraphFilter, keys: readonly (string | undefined)[]): readonly GraphFilter[] | undefined {
  if (filter.name !== 'atempo') return undefined;
  const [option, ...others] = filter.options;
  const tempo = option === undefined || keys[0] !== 'tempo' ? undefined : readPlainNumber(option.value);
  if (others.length > 0 || tempo === undefined || tempo < 0.01 || tempo > 10_000) return undefined;
  const factors: number[] = [];
  let rest = tempo;
  for (; rest < TEMPO.min; rest /= TEMPO.min) factors.push(TEMPO.min);
  for (; rest > TEMPO.max; rest /= TEMPO.max) factors.push(TEMPO.max);
  factors.push(Number(rest.toPrecision(6)));
  const last = factors.length - 1;
  return factors.map((factor, at) => ({
    ...filter,
    options: [{ ...option, value: String(factor) }],
    inputs: at === 0 ? filter.inputs : [],
    outputs: at === last ? filter.outputs : [],
  }));
}

/** The error about an option of a filter: its fix replaces the name or the value of the option in the graph. */
function ofOption({ key, value }: GraphOption, error: ValueError): ValueError {
  if (error.code === 'UNKNOWN_FILTER_OPTION') return ofPart(error, key ?? value);
  const meant = suggestedValue(error);
  return meant === undefined ? error : { ...error, fix: replacePart(printValue(value), printValue(meant)) };
}

/** Returns the option with the correction that its error suggests, or undefined if the error suggests none. */
function meantOption(option: GraphOption, error: ValueError): GraphOption | undefined {
  const meant = suggestedValue(error);
  if (meant === undefined) return undefined;
  return error.code === 'UNKNOWN_FILTER_OPTION' ? { ...option, key: meant } : { ...option, value: meant };
}

/** Returns the name of each option. It is undefined for a positional value if no option is left for it. */
function keysOf({ name, options }: GraphFilter, component: Component): readonly (string | undefined)[] {
  const keys = options.map(({ key }, at) => key ?? positionsOf(component)[at]);
  if (!SCALERS.has(name)) return keys;
  const isHeight = (key: string | undefined): boolean =>
    key === 'h' || key === 'height' || component.options.every((option) => option.name !== key);
  if (keys.some(isHeight)) return keys;
  // ffmpeg reads a width without a height as a size: `scale=1280x720`.
  return keys.map((key) => (key === 'w' || key === 'width' ? 'size' : key));
}

const SCALERS: ReadonlySet<string> = new Set(['scale', 'scale2ref']);

const positionsOf = ({ name, positions = [] }: Component): readonly string[] => FILTER_POSITIONS.get(name) ?? positions;

const LIST_FILTERS: HintAction = { do: 'list-capabilities', kind: 'filters' };

const isUsableFilter = (name: string, { lists, devices }: Catalogue): boolean =>
  lists.filters.has(name) && (FILTERS.has(name) || isUsableDeviceFilter(name, devices));

function checkName(name: string, { catalogue, ofSound }: FilterContext): ValueError | undefined {
  if (isUsableFilter(name, catalogue)) return undefined;
  const { lists } = catalogue;
  const known = lists.filters.has(name);
  const onDevice = known ? deviceFilterRejection(name) : undefined;
  const reason = REJECTED_FILTERS.get(name) ?? onDevice;
  if (reason !== undefined)
    return {
      code: onDevice === undefined ? 'FILTER_NOT_ALLOWED' : 'NEEDS_DEVICE',
      message: `The filter "${name}" is not allowed: it ${reason.why}.`,
      fix: reason.fix,
    };
  if (known)
    return {
      code: 'FILTER_NOT_ALLOWED',
      message: `The filter "${name}" is not allowed.`,
      fix: hint`Use another filter. For a list: ${LIST_FILTERS}.`,
    };
  const isUsable = (one: string): boolean => FILTERS.has(one) && lists.filters.has(one);
  const near =
    [meantFilter(name, ofSound) ?? '', name.toLowerCase()].find(isUsable) ??
    closestMatch(name, [...lists.filters.keys()].filter(isUsable));
  return {
    code: 'UNKNOWN_FILTER',
    message: `The installed ffmpeg has no filter ${quoted(name)}.`,
    fix:
      near !== undefined
        ? sendValue(near)
        : /\w\s+\w+/.test(name) || TASK.test(name)
          ? hint`Send filters with their options, such as "scale=1280:-2,hue=s=0". For a task in words, find a recipe: ${{ do: 'find-recipe' }}. For a list of filters: ${LIST_FILTERS}.`
          : hint`For a list of filters: ${LIST_FILTERS}.`,
  };
}

const optionsByName = new WeakMap<Component, ReadonlyMap<string, AvOption>>();

/** The option of a filter with this name. Some have more than a hundred options. */
function optionOf(component: Component, name: string): AvOption | undefined {
  let options = optionsByName.get(component);
  if (options === undefined) {
    // The first of several stays.
    options = new Map(component.options.toReversed().map((option) => [option.name, option]));
    optionsByName.set(component, options);
  }
  return options.get(name);
}

/** Returns the value for the argv, or an error. */
function readOption(component: Component, key: string, value: string, context: FilterContext): string | ValueError {
  const { name: filter } = component;
  const shown = `${filter}=${key}`;
  const position = meantPosition(filter, key, value);
  if (position !== undefined)
    return badValue(`"${shown}" must be a number or an expression, not ${quoted(value)}.`, value, { fix: position });
  if (key === 'enable' && component.timeline === true)
    return passed(value, toValueError(shown, value, checkExpression(value, undefined, ENABLE_NAMES)));
  const option = optionOf(component, key);
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
  if (option === undefined || option.list || TEXTS.has(option.type))
    return passed(value, checkFilterText(filter, key, value, context.catalogue, option));
  if (option.readOnly) return unknownOption(component, key, () => false);
  return passed(value, checkTyped(shown, option, value, context.catalogue));
}

/** A number or a stream in place of the file that has the subtitles. */
const streamAsFile = (value: string): ValueError => ({
  code: 'BAD_VALUE',
  message: `The filter "subtitles" reads a file, and ${quoted(value)} names a stream.`,
  fix: `Send the path of the film, and the number of its subtitles as "si": subtitles=film.mp4:si=${/\d{1,2}$/.exec(value)?.[0] ?? '0'}.`,
});

const FONT_NAME = /^[a-z][\w -]*$/i;

/** A name without properties is more likely meant as a font file that is not an input, so the fix mentions both. */
const fontName = (value: string): ValueError => ({
  code: 'UNKNOWN_FILTER_OPTION',
  message: `The filter "drawtext" reads a file as "fontfile"; ${quoted(value)} is the name of an installed font.`,
  fix: sendValue('font'),
});

/**
 * The names that the option `enable` of any filter can use (avfilter.c, 5.1 to 9.0; `pos` only up to 8): seconds,
 * frames, bytes, width, height.
 */
const ENABLE_NAMES: ReadonlySet<string> = new Set(['t', 'n', 'pos', 'w', 'h']);

/** Words for what is to be done, and not for a filter. */
const TASK = /^(?:louder|quieter|faster|slower|brighter|darker|smaller|bigger|slow-?mo|cartoon|vintage|cinematic)$/i;

function checkScaled(shown: string, value: string): ValueError | undefined {
  const error = checkSize(shown, value);
  const [width, height] = [WIDTH_ALONE.exec(value)?.[1], HEIGHT_ALONE.exec(value)?.[1]];
  if (error !== undefined && (width !== undefined || height !== undefined))
    return {
      ...error,
      fix: `Send scale=${width === undefined ? `-2:${height}` : `${width}:-2`}, which keeps the aspect ratio.`,
    };
  return (
    error && { ...error, fix: error.fix ?? 'Send both: scale=1280x720, or scale=1280:-2 to keep the aspect ratio.' }
  );
}

const passed = (value: string, error: ValueError | undefined): string | ValueError => error ?? value;

/** Arithmetic with plain numbers and functions, which is common in filters: `1/25`, `sqrt(2)`. */
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
  // Names of constants can look like an expression: `bt601-6-625`.
  const isConstant = option.constants.some(({ name }) => name === value);
  const isExpression = !isConstant && /\d\s*[*/+\-(]|[a-z]\s*\(/i.test(value);
  // Without names of its own, the expression consists of numbers, constants and functions that terminate.
  if (NUMBERS.has(option.type) && ARITHMETIC.test(value) && isExpression)
    return toValueError(shown, value, checkExpression(value, undefined, NO_NAMES), isPlainExpression);
  const check = (one: string): ValueError | undefined => checkAvValue(shown, option, one, lists);
  const error = check(value);
  return error && withMeantValue([shown], value, error, check);
}

const NO_NAMES: ReadonlySet<string> = new Set();

const isPlainExpression = (text: string): boolean => checkExpression(text, undefined, NO_NAMES) === undefined;

const TEXTS: ReadonlySet<string> = new Set(['string', 'binary', 'dictionary']);

const NUMBERS: ReadonlySet<string> = new Set(['int', 'int64', 'uint', 'uint64', 'float', 'double']);

const tooMany = (component: Component, value: string): ValueError => ({
  code: 'TOO_MANY_VALUES',
  message: `The filter "${component.name}" has too many values: no option is left for ${quoted(value)}.`,
  fix: 'Name the options: name=value.',
});

/** @param isValid Whether another option of the filter accepts the value. */
function unknownOption(
  { name, options, timeline }: Component,
  key: string,
  isValid: (option: string) => boolean,
): ValueError {
  const all = [...options.map((option) => option.name), ...(timeline === true ? ['enable'] : [])];
  const names = all.filter((one) => one !== key);
  const known = new Set(names);
  const near = [
    ...meantFilterOptions(key).filter((one) => known.has(one)),
    ...[nearestName(key, names) ?? []].flat(),
  ].find(isValid);
  const advice = FILTER_OPTION_ADVICE.get(`${name}=${bareWord(key)}`);
  return {
    code: 'UNKNOWN_FILTER_OPTION',
    message: `The filter "${name}" has no option ${quoted(key)}.`,
    ...(names.length <= 20 ? { allowed: names } : {}),
    fix:
      advice ??
      (near === undefined
        ? hint`For its options: ${{ do: 'show-capability', kind: 'filters', name }}.`
        : sendValue(near)),
  };
}

const noFontIn = (filter: string, value: string, folders: readonly string[]): ValueError => ({
  code: 'NOT_AN_INPUT',
  message: `The filter "${filter}" takes fonts from ${quoted(value)}, and no input of the request is a font there.`,
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

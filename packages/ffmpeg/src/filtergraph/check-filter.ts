import { replacePart } from '@telecine/contract/domain/edit.ts';
import { mayMeanOtherText, meantFilterText, withPlace } from '@telecine/contract/domain/filter-values.ts';
import { hasEnough } from '@telecine/contract/domain/problem.ts';
import { FILTER_FILES } from '../allowlist/filter-files.ts';
import { FILTER_POSITIONS } from '../allowlist/filter-text.ts';
import { componentOf } from '../catalogue/catalogue.ts';
import type { Component } from '../catalogue/component.ts';
import { readPlainNumber } from '../values/number.ts';
import { atPlace, ofPart, quoted, suggestedValue, type ValueError } from '../values/value-error.ts';
import { disableFileExpansion, disablesExpansion } from './check-text.ts';
import type { CheckedFilter, FilterContext } from './filter-context.ts';
import { ownFile, readOption, SCALERS } from './filter-option.ts';
import { type GraphFilter, printValue } from './graph.ts';
import type { FindPlaces } from './graph-places.ts';
import { type GraphOption, parseOptionList } from './option-list.ts';
import { isUsableFilter, unusableFilter } from './unusable-filter.ts';

/** Checks a filter and its options. Appends the errors to `errors`. */
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
  // The fix names the option if a value has an equals sign, which would need two backslashes in a positional value.
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
  };
  errors.push(atPlace(expanded, context.placesOf?.(filter)?.whole));
  return { checked: filter };
}

/** The position of an unknown option name, or else of the value of the option. */
function placeOf(filter: GraphFilter, index: number, { code }: ValueError, { placesOf }: FilterContext) {
  const option = placesOf?.(filter)?.options[index];
  const span = (code === 'UNKNOWN_FILTER_OPTION' ? option?.key : undefined) ?? option?.value;
  // An empty value has no visible position, so the name counts.
  return span?.length === 0 ? option?.key : span;
}

/** Finds the positions for a filter whose first two values are joined to one path; see `withDrive`. */
const withoutDrive =
  (placesOf: FindPlaces | undefined): FindPlaces =>
  (filter) => {
    const places = placesOf?.(filter);
    return places && { ...places, options: places.options.slice(1) };
  };

/** Adds the font folder to a filter that finds fonts by family, unless the client has named a folder. */
function withFonts(name: string, options: readonly GraphOption[], context: FilterContext): readonly GraphOption[] {
  const key = FILTER_FILES.get(name)?.find(({ fontFolder }) => fontFolder === true)?.names[0];
  if (key === undefined || options.some((option) => option.key === key)) return options;
  const folder = context.allFonts();
  return folder === undefined ? options : [...options, { key, value: folder }];
}

/** Joins a Windows path without a backslash before its colon: `subtitles=C:/talk.srt` has two values. undefined: no such path. */
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

/** The filters that replace a wrong filter, and the errors about files that they need and the request does not have. */
interface RewrittenFilter {
  readonly meant: readonly GraphFilter[];
  readonly missing: readonly ValueError[];
}

/** Rewrites options in the syntax of another tool to that of ffmpeg. undefined: they cannot be rewritten. */
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

/**
 * Checks a filter whose options were rewritten. `missing`: the errors for files that are not inputs of the request. undefined: the filter
 * has other errors.
 */
function checkedRewrite(meant: GraphFilter, context: FilterContext): RewrittenFilter | undefined {
  const found: ValueError[] = [];
  checkFilter(meant, context, found);
  return found.every(({ code }) => code === 'NOT_AN_INPUT') ? { meant: [meant], missing: found } : undefined;
}

/** True if a value has characters that separate or escape options, so that `plainOptions` would change its meaning. */
const isQuoted = ({ key, value }: GraphOption): boolean =>
  /[:']/.test(value) || (key === 'text' && value.includes('\\'));

/** The options of a filter joined by colons, without quotes and backslashes. */
const plainOptions = ({ options }: GraphFilter): string =>
  options.map(({ key, value }) => (key === undefined ? value : `${key}=${value}`)).join(':');

const badOptions = (filter: GraphFilter): ValueError => ({
  code: 'BAD_VALUE',
  message: `The filter "${filter.name}" does not accept ${quoted(plainOptions(filter))}.${withPlace(filter.name, filter.options) === undefined ? '' : ' Place it with "x" and "y".'}`,
  fix: 'Send the options as the documentation of the filter lists them.',
});

const TEMPO = { min: 0.5, max: 100 };

/** Returns several `atempo` filters for a speed below 0.5, the minimum of one `atempo`. undefined: another filter. */
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

/** The error with a fix that replaces the name or the value of the option in the graph. */
function ofOption({ key, value }: GraphOption, error: ValueError): ValueError {
  if (error.code === 'UNKNOWN_FILTER_OPTION') return ofPart(error, key ?? value);
  const meant = suggestedValue(error);
  return meant === undefined ? error : { ...error, fix: replacePart(printValue(value), printValue(meant)) };
}

/** The option with the correction that the error suggests. undefined: it suggests nothing. */
function meantOption(option: GraphOption, error: ValueError): GraphOption | undefined {
  const meant = suggestedValue(error);
  if (meant === undefined) return undefined;
  return error.code === 'UNKNOWN_FILTER_OPTION' ? { ...option, key: meant } : { ...option, value: meant };
}

/** Returns the name of each option of a filter. undefined in the list: the filter has no option at this position. */
function keysOf({ name, options }: GraphFilter, component: Component): readonly (string | undefined)[] {
  const keys = options.map(({ key }, at) => key ?? positionsOf(component)[at]);
  if (!SCALERS.has(name)) return keys;
  const isHeight = (key: string | undefined): boolean =>
    key === 'h' || key === 'height' || component.options.every((option) => option.name !== key);
  if (keys.some(isHeight)) return keys;
  // If `scale` has a width but no height, ffmpeg reads the width as a size: `scale=1280x720`.
  return keys.map((key) => (key === 'w' || key === 'width' ? 'size' : key));
}

const positionsOf = ({ name, positions = [] }: Component): readonly string[] => FILTER_POSITIONS.get(name) ?? positions;

const tooMany = (component: Component, value: string): ValueError => ({
  code: 'TOO_MANY_VALUES',
  message: `The filter "${component.name}" has too many values: no option is left for ${quoted(value)}.`,
  fix: 'Name the options: name=value.',
});

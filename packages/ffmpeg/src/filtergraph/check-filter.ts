import { hasEnough } from '@telecine/contract/domain/problem.ts';
import { FILTER_FILES } from '../allowlist/filter-files.ts';
import { FILTER_POSITIONS } from '../allowlist/filter-text.ts';
import type { Component } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import { atPlace, ofPart, quoted, type ValueError } from '../values/value-error.ts';
import { disableFileExpansion, disablesExpansion } from './check-text.ts';
import type { FilterContext } from './filter-context.ts';
import { readOption, SCALERS } from './filter-option.ts';
import type { GraphFilter } from './graph.ts';
import type { GraphOption } from './option-list.ts';
import { isUsableFilter, unusableFilter } from './unusable-filter.ts';

/**
 * Checks a filter and its options. Appends the errors to `errors`. Returns the filter for the argv: every option has its name, and files have
 * logical names.
 */
export function checkFilter(filter: GraphFilter, context: FilterContext, errors: ValueError[]): GraphFilter {
  const places = () => context.placesOf?.(filter);
  if (!isUsableFilter(filter.name, context.catalogue)) {
    errors.push(atPlace(unusableFilter(filter, context.catalogue), places()?.name));
    return filter;
  }
  const component = componentOf(context.catalogue, 'filter', filter.name);
  if (component === undefined) throw new Error(`The catalogue has no facts about the filter ${filter.name}.`);
  const keys = keysOf(filter, component);
  const keepsText =
    filter.name === 'drawtext' && disablesExpansion(filter.options.filter((_option, at) => keys[at] === 'expansion'));
  const options = filter.options.map((option, at): GraphOption => {
    if (hasEnough(errors)) return option;
    const { value } = option;
    const key = keys[at];
    if (key === 'text' && keepsText) return { key, value };
    const read = key === undefined ? tooMany(component, value) : readOption(component, key, value, context);
    if (typeof read === 'string') return { key: key ?? '', value: read };
    errors.push(atPlace(ofPart(read, value), placeOf(filter, at, read, context)));
    return option;
  });
  if (filter.name !== 'drawtext') return { ...filter, options: withFonts(filter.name, options, context) };
  const unexpanded = disableFileExpansion(options);
  if (!('error' in unexpanded)) return { ...filter, options: unexpanded };
  const expanded = { code: 'BAD_EXPRESSION', message: `The filter "drawtext" ${unexpanded.error}.` };
  errors.push(atPlace(expanded, places()?.whole));
  return filter;
}

/** The position of an unknown option name, or else of the value of the option. */
function placeOf(filter: GraphFilter, index: number, { code }: ValueError, { placesOf }: FilterContext) {
  const option = placesOf?.(filter)?.options[index];
  const span = (code === 'UNKNOWN_FILTER_OPTION' ? option?.key : undefined) ?? option?.value;
  // An empty value has no visible position, so the name counts.
  return span?.length === 0 ? option?.key : span;
}

/** Adds the font folder to a filter that finds fonts by family, unless the client has named a folder. */
function withFonts(name: string, options: readonly GraphOption[], context: FilterContext): readonly GraphOption[] {
  const key = FILTER_FILES.get(name)?.find(({ fontFolder }) => fontFolder === true)?.names[0];
  if (key === undefined || options.some((option) => option.key === key)) return options;
  const folder = context.allFonts();
  return folder === undefined ? options : [...options, { key, value: folder }];
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
});

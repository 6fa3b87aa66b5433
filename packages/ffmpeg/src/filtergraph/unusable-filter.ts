import { namesOfWord } from '@telecine/contract/domain/aliases.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import { type HintAction, hint } from '@telecine/contract/domain/hint.ts';
import { deviceFilterRejection, isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTERS, REJECTED_FILTERS } from '../allowlist/filters.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { atPlace, ofPart, quoted, suggestedValue, type ValueError } from '../values/value-error.ts';
import type { CheckedFilter, FilterContext } from './filter-context.ts';
import type { GraphFilter } from './graph.ts';

/** Appends the error for a filter that the build lacks or that is not allowed. Returns the filters that the client probably means. */
export function unusableFilter(filter: GraphFilter, context: FilterContext, errors: ValueError[]): CheckedFilter {
  const at = context.placesOf?.(filter)?.name;
  const nameError = checkName(filter.name, context) ?? unknownFilter(filter.name);
  errors.push(atPlace(ofPart(nameError, filter.name), at));
  const name = suggestedValue(nameError);
  return { checked: filter, ...(name !== undefined && { meant: [{ ...filter, name }] }) };
}

const unknownFilter = (name: string): ValueError => ({
  code: 'UNKNOWN_FILTER',
  message: `The installed ffmpeg has no filter ${quoted(name)}.`,
});

const LIST_FILTERS: HintAction = { do: 'list-capabilities', kind: 'filters' };

export const isUsableFilter = (name: string, { lists, devices }: Catalogue): boolean =>
  lists.filters.has(name) && (FILTERS.has(name) || isUsableDeviceFilter(name, devices));

function checkName(name: string, { catalogue }: FilterContext): ValueError | undefined {
  if (isUsableFilter(name, catalogue)) return undefined;
  const { lists } = catalogue;
  const known = lists.filters.has(name);
  const onDevice = known ? deviceFilterRejection(name) : undefined;
  const reason = REJECTED_FILTERS.get(name) ?? onDevice;
  if (reason !== undefined)
    return {
      code: onDevice === undefined ? 'FILTER_NOT_ALLOWED' : 'NEEDS_DEVICE',
      message: `The filter "${name}" is not allowed: it ${reason}.`,
    };
  if (known)
    return {
      code: 'FILTER_NOT_ALLOWED',
      message: `The filter "${name}" is not allowed.`,
      fix: hint`Use another filter. For a list: ${LIST_FILTERS}.`,
    };
  const isUsable = (one: string): boolean => FILTERS.has(one) && lists.filters.has(one);
  const near =
    [name.toLowerCase(), ...namesOfWord(name)].find(isUsable) ??
    closestMatch(name, [...lists.filters.keys()].filter(isUsable));
  return {
    ...unknownFilter(name),
    fix:
      near !== undefined
        ? sendValue(near)
        : hint`Send filters with their options, such as "scale=1280:-2,hue=s=0". For a list of filters: ${LIST_FILTERS}.`,
  };
}

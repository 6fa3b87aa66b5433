import { deviceFilterRejection, isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTERS, REJECTED_FILTERS } from '../allowlist/filters.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { quoted, type ValueError } from '../values/value-error.ts';
import type { GraphFilter } from './graph.ts';

export const isUsableFilter = (name: string, { lists, devices }: Catalogue): boolean =>
  lists.filters.has(name) && (FILTERS.has(name) || isUsableDeviceFilter(name, devices));

/** The error for a filter that the build lacks or that is not allowed. */
export function unusableFilter({ name, at }: GraphFilter, { lists }: Catalogue): ValueError {
  const isKnown = lists.filters.has(name);
  const onDevice = isKnown ? deviceFilterRejection(name) : undefined;
  const reason = REJECTED_FILTERS.get(name) ?? onDevice;
  if (reason !== undefined)
    return {
      code: onDevice === undefined ? 'FILTER_NOT_ALLOWED' : 'NEEDS_DEVICE',
      message: `The filter "${name}" is not allowed: it ${reason}.`,
    };
  if (isKnown) return { code: 'FILTER_NOT_ALLOWED', message: `The filter "${name}" is not allowed.` };
  return {
    code: 'UNKNOWN_FILTER',
    // Behind another filter, most unknown names are the rest of a value.
    message: `The installed ffmpeg has no filter ${quoted(name)}.${at === 0 ? '' : ' "," separates filters, and ":" the values of a filter; within a value, "," is written "\\,".'}`,
    // A number is a value, and no name is near.
    ...(!/^\d/.test(name) && {
      nearest: { given: name, names: [...lists.filters.keys()].filter((one) => FILTERS.has(one)), is: 'word' },
    }),
  };
}

import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { replacePart, sendValue } from '@telecine/contract/domain/edit.ts';
import { type HintAction, hint } from '@telecine/contract/domain/hint.ts';
import { isNormalizing, meantFilter } from '@telecine/contract/domain/synonyms/media-words.ts';
import { SILENCE_AT_START } from '@telecine/contract/domain/synonyms/option-meanings.ts';
import { deviceFilterRejection, isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTERS, REJECTED_FILTERS } from '../allowlist/filters.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { atPlace, ofPart, quoted, suggestedValue, type ValueError } from '../values/value-error.ts';
import type { CheckedFilter, FilterContext } from './filter-context.ts';
import { type GraphFilter, printFilter } from './graph.ts';
import type { GraphOption } from './option-list.ts';

/** Appends the error for a filter that the build lacks or that is not allowed. Returns the filters that the client probably means. */
export function unusableFilter(filter: GraphFilter, context: FilterContext, errors: ValueError[]): CheckedFilter {
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
  const timed = videoSpeed(filter, context);
  if (timed !== undefined) {
    errors.push(atPlace(unknownFilter(filter.name), at));
    return { checked: filter, meant: [timed] };
  }
  const nameError = checkName(filter.name, context) ?? unknownFilter(filter.name);
  errors.push(atPlace(ofPart(nameError, filter.name), at));
  const name = suggestedValue(nameError);
  return { checked: filter, ...(name !== undefined && { meant: [renamed(filter, name)] }) };
}

/** Filters whose first value is the gain in sox, but another option in ffmpeg. */
const GAINS: ReadonlySet<string> = new Set(['bass', 'treble']);

/**
 * Corrects a filter with spaces before its options, as sox has them: `highpass 200`, `scale 1280 720`, `hue s=0`. undefined: another form.
 */
function withEqualsSign(filter: GraphFilter, context: FilterContext): GraphFilter | undefined {
  const [, word, rest = ''] = /^([a-z][a-z\d_]*)\s+(\S.*)$/.exec(filter.name) ?? [];
  if (word === undefined || isNormalizing(filter.name)) return undefined;
  const isUsable = (one: string): boolean => checkName(one, context) === undefined;
  const name = [word, meantFilter(word, context.isAudio)].find((one) => one !== undefined && isUsable(one));
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

/** Matches the flags of a sox effect before its value: `rate -v 44100`. */
const SOX_FLAGS = /^(?:-[a-z]\s+)+/i;

/**
 * Corrects a fade with its direction in the name: `fadeout=st=8:d=2`. A single value is the length of the fade. undefined: another name.
 */
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

/** Replaces `opacity=0.5` by a pixel format with transparency, and a filter that applies the factor. undefined: another filter. */
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

/** Replaces `speed=2` for video by `setpts`. undefined: another filter, or audio, for which there is `atempo`. */
function videoSpeed(filter: GraphFilter, { isAudio }: FilterContext): GraphFilter | undefined {
  const [{ value = '' } = {}, ...others] = filter.options;
  const [, factor, percent] = /^(\d{1,3}(?:\.\d{1,4})?)(?:x|(%))?$/.exec(value) ?? [];
  if (isAudio === true || !/^(?:speed|tempo)$/.test(filter.name) || others.length > 0 || !(Number(factor) > 0))
    return undefined;
  const by = percent === undefined ? Number(factor) : Number(factor) / 100;
  return { ...filter, name: 'setpts', options: [{ value: `PTS/${by}` }] };
}

/** Filter options that clients send as if they were filters: `brightness=0.2` instead of `eq=brightness=0.2`. */
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

/** Converts the sox effect `silence 1 0.1 1%` to options of `silenceremove`. */
const cutAtStart = (duration: string, percent = '0'): readonly GraphOption[] => [
  { key: 'start_periods', value: '1' },
  { key: 'start_duration', value: duration },
  { key: 'start_threshold', value: String(Number(percent) / 100) },
];

/**
 * The filter under its correct name. Some sox effects need other options too: `gain` is in decibels, `gain -n` normalizes, and `reverb` has
 * other values.
 */
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
  // `hue` without options changes nothing.
  if (name === 'hue' && option === undefined) return { ...filter, name, options: [{ key: 's', value: '0' }] };
  if (filter.name === 'reverb') return { ...filter, name, options: [] };
  const [own, key] = OPTION_OF.get(filter.name.toLowerCase()) ?? [];
  if (own === name && key !== undefined && value !== '') return { ...filter, name, options: [{ key, value }] };
  const isGain = filter.name === 'gain' && name === 'volume' && /^[-+]\d+(?:\.\d+)?$/.test(value);
  const plain = isGain ? `${value}dB` : value.replace(SOX_FLAGS, '');
  return { ...filter, name, ...(plain !== value && { options: [{ value: plain }] }) };
}

const LIST_FILTERS: HintAction = { do: 'list-capabilities', kind: 'filters' };

export const isUsableFilter = (name: string, { lists, devices }: Catalogue): boolean =>
  lists.filters.has(name) && (FILTERS.has(name) || isUsableDeviceFilter(name, devices));

function checkName(name: string, { catalogue, isAudio }: FilterContext): ValueError | undefined {
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
    [meantFilter(name, isAudio) ?? '', name.toLowerCase()].find(isUsable) ??
    closestMatch(name, [...lists.filters.keys()].filter(isUsable));
  return {
    ...unknownFilter(name),
    fix:
      near !== undefined
        ? sendValue(near)
        : /\w\s+\w+/.test(name) || TASK.test(name)
          ? hint`Send filters with their options, such as "scale=1280:-2,hue=s=0". For a task in words, find a recipe: ${{ do: 'find-recipe' }}. For a list of filters: ${LIST_FILTERS}.`
          : hint`For a list of filters: ${LIST_FILTERS}.`,
  };
}

/** Words for tasks, which are not names of filters. */
const TASK = /^(?:louder|quieter|faster|slower|brighter|darker|smaller|bigger|slow-?mo|cartoon|vintage|cinematic)$/i;

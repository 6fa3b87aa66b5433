import { sendOption } from '@telecine/contract/domain/edit.ts';
import { type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import { noEffect, outOfSync, type Rules, unusualValue } from '../contexts.ts';
import { optionValue } from '../facts/media-facts.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';

/** The value of `vol` that keeps the volume. */
const UNCHANGED = 256;
/** Up to this number, a `vol` is probably a percentage, unless it is one of the `FRACTIONS` of 256. */
const MAX_PERCENTAGE = 200;
const FRACTIONS: ReadonlySet<number> = new Set([0, 32, 64, 96, 128, 192]);

/** In milliseconds. Nobody hears a shorter delay of all channels, so the client means seconds. One video frame lasts 40 ms. */
const UNHEARD_MS = 10;

const DELAY = /^\d{1,2}(?:\.\d+)?$/;
/** Matches `0.5s`. ffmpeg understands the unit "s" only after a whole number. */
const FRACTION = /^\d{0,5}\.\d+s$/;

/** Returns the warning about an `adelay` of some milliseconds, and the options that are probably meant. */
function shortDelay(filter: GraphFilter) {
  if (filter.name !== 'adelay') return undefined;
  const delays = optionValue(filter, 'delays')?.split('|') ?? [];
  const others = filter.options.filter(({ key }) => key !== 'delays');
  const fraction = delays.find((one) => FRACTION.test(one));
  if (fraction !== undefined) {
    const meant = delays.map((one) => (FRACTION.test(one) ? milliseconds(one) : one));
    return {
      message: `The filter "adelay" reads "${fraction}" as ${Number.parseFloat(fraction)} milliseconds: only whole numbers can have "s".`,
      options: [{ value: meant.join('|') }, ...others],
    };
  }
  const [first = ''] = delays;
  if (!DELAY.test(first) || Number(first) <= 0 || Number(first) > UNHEARD_MS) return undefined;
  // If short delays differ between channels, they are an effect that widens stereo.
  if (delays.some((one) => one !== first)) return undefined;
  return {
    message: `The filter "adelay" reads milliseconds: ${first} delays the audio by ${Number(first) / 1000} s.`,
    options: [
      { value: first.includes('.') ? milliseconds(first) : `${first}s` },
      ...others.filter(({ key }) => key !== 'all'),
      { key: 'all', value: '1' },
    ],
  };
}

const milliseconds = (seconds: string): string => String(Math.round(Number.parseFloat(seconds) * 1000));

/** True if a `silenceremove` does nothing, because both numbers of periods are 0, the default. */
const isIdle = (filter: GraphFilter): boolean =>
  filter.name === 'silenceremove' &&
  ['start_periods', 'stop_periods'].every((wanted) => readPlainNumber(optionValue(filter, wanted) ?? '0') === 0);

/** Removes every silence of at least one second. -50 dB is a usual level below speech. */
const EVERYWHERE: readonly GraphOption[] = [
  { key: 'stop_periods', value: '-1' },
  { key: 'stop_duration', value: '1' },
  { key: 'stop_threshold', value: '-50dB' },
];

export const AUDIO_FILTER_RULES: Rules = {
  'vol-percentages': {
    finds: '`vol` as a percentage, although 256 is the original volume',
    about: ['vol'],
    option: () => (option) => {
      const value = Number(option.values[0]);
      if (!(value <= MAX_PERCENTAGE) || FRACTIONS.has(value)) return [];
      return unusualValue(
        `"${sentName(option)}" is not a percentage: ${UNCHANGED} is the original volume, and ${value} is ${Math.round((100 * value) / UNCHANGED)} %.`,
        sendOption('vol', String(Math.round((UNCHANGED * value) / 100))),
      );
    },
  },

  'short-delays': {
    finds: '`adelay` of a few milliseconds, where seconds are probably meant',
    about: ['adelay'],
    writtenGraph(graph) {
      const [short] = walkOf(graph.checked).filters.flatMap((filter) => shortDelay(filter) ?? []);
      if (short === undefined) return [];
      const meant = withFilters(graph, (filter, named) => ({
        ...filter,
        options: shortDelay(named)?.options ?? filter.options,
      }));
      return { code: 'UNUSUAL_VALUE', message: short.message, fix: sendGraph(graph, meant) };
    },
  },

  'idle-silenceremove': {
    finds: 'the filter `silenceremove` without periods, which removes nothing',
    about: ['silenceremove'],
    writtenGraph(graph) {
      if (!walkOf(graph.checked).filters.some(isIdle)) return [];
      const meant = withFilters(graph, (filter, named) => {
        if (!isIdle(named)) return filter;
        const kept = named.options.filter(({ key }) => key !== 'start_periods' && key !== 'stop_periods');
        const missing = EVERYWHERE.filter(({ key }) => !kept.some((one) => one.key === key));
        return { ...filter, options: [...kept, ...missing] };
      });
      return noEffect(
        'The filter "silenceremove" removes nothing without "start_periods" (1: at the beginning) or "stop_periods" (-1: everywhere).',
        sendGraph(graph, meant),
      );
    },
  },

  'shorter-audio': {
    finds: '`silenceremove` on the audio beside a video, which becomes out of sync',
    about: ['silenceremove'],
    filter: ({ facts }) =>
      facts.usedOf('video').length === 0
        ? undefined
        : outOfSync(
            'The filter silenceremove makes only the audio shorter, so it no longer fits the video.',
            'Send "vn": "" as well if only the audio is meant, or leave the filter out to keep the video.',
          ),
  },
};

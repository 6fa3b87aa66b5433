import { RATES, TIMES } from './filter-effects.ts';
import { type ArgvGraph, type MediaFacts, optionValue, secondsIn, sourceOf } from './media-facts.ts';

/** Options that count frames or samples. */
export const COUNT_OPTIONS = ['start_frame', 's', 'start_sample', 'ss', 'nb_frames', 'n', 'nb_samples', 'ns'] as const;
/** Options that are times. */
const START = ['start_time', 'st'] as const;
const DURATION = ['duration', 'd'] as const;

/** Filters after which the samples of a sound have another rate. */
const SAMPLE_RATES = new RegExp(`${TIMES.source}|^(?:aresample|aformat|loudnorm)$`);
const FRAME_RATES = new RegExp(`${TIMES.source}|${RATES.source}`);

/** When a fade starts and how long it lasts, in seconds. */
export interface FadeTimes {
  readonly start: number;
  readonly duration: number;
}

/**
 * The times of a filter `fade` or `afade`. Counts of frames and samples become times by the rate of what the filter gets.
 * undefined if a time is an expression, if a rate is not known, or if the filter has both a time and a count.
 */
export function fadeTimes(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: ArgvGraph['filters'][number],
): FadeTimes | undefined {
  const isPicture = filter.name === 'fade';
  const altering = isPicture ? FRAME_RATES : SAMPLE_RATES;
  const value = (names: readonly string[], counts: readonly string[], fallback: string): number | undefined => {
    const [time, count] = [optionValue(filter, ...names), optionValue(filter, ...counts)];
    if (count === undefined) return secondsIn(time ?? fallback);
    const stream = sourceOf(facts, graph, filter, 0, altering)?.stream;
    const rate = isPicture ? stream?.fps : stream?.sampleRate;
    return time !== undefined || rate === undefined || !/^\d+$/.test(count) ? undefined : Number(count) / rate;
  };
  const start = value(START, isPicture ? ['start_frame', 's'] : ['start_sample', 'ss'], '0');
  const duration = value(DURATION, isPicture ? ['nb_frames', 'n'] : ['nb_samples', 'ns'], '1');
  return start === undefined || duration === undefined ? undefined : { start, duration };
}

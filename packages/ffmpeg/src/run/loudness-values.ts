import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { GraphFilter } from '../filtergraph/graph.ts';
import {
  type LoudnessFact,
  type LoudnessValues,
  loudnessTarget,
  optionOf,
  PROBE_GAIN_DB,
} from '../filtergraph/loudness-passes.ts';
import { printChanged, sendFilter } from '../rules/facts/graph-fixes.ts';

/** What the first pass measured for a `loudnorm`: LUFS, LU, and the true peak as a factor of full scale. */
export type LoudnessFacts = Readonly<Partial<Record<LoudnessFact, number>>>;

/** `ebur128` reports this loudness for silence, and for less than 0.4 seconds. */
export const SILENCE = -70;

export const hasLoudness = ({ input_i: loudness = SILENCE }: LoudnessFacts): boolean => loudness > SILENCE;

/** The highest `offset` of `loudnorm` (af_loudnorm.c, 5.1 to 8). */
const MAX_OFFSET = 99;

/** The largest error by which `ebur128` rounds a true peak. */
const PEAK_ERROR = 0.0005;

/** The gated loudness is less than 10 LU above the threshold of its gate (EBU Tech 3341). */
const GATE = 10;

const peakLevelOf = (peak: number): number => 20 * Math.log10(peak + PEAK_ERROR);

/** The smallest miss of the loudness that is worth a warning, in LU. */
const NOTICEABLE = 0.5;

/** The largest gain into a limiter, in dB. More would be audible. */
const MAX_LIMITED_GAIN_DB = 6;

/** Whether the true peak may keep a `loudnorm` from its loudness: one gain would exceed the highest peak. */
export function isLimitedByPeak(loudnorm: GraphFilter, facts: LoudnessFacts): boolean {
  const { input_i: loudness, input_tp: peak, output_i: result } = facts;
  if (loudness === undefined || peak === undefined || result === undefined || !hasLoudness(facts)) return false;
  const { target, ceiling } = loudnessTarget(loudnorm);
  return target - result > NOTICEABLE && peakLevelOf(peak) + target - loudness > ceiling;
}

/** The warning that the true peak kept the audio too soft. undefined if it did not. `reached`: LUFS. */
export function missedLoudness(
  loudnorm: GraphFilter,
  { input_i: before = 0 }: LoudnessFacts,
  reached: number | undefined,
): Omit<Warning, 'field'> | undefined {
  const { target, ceiling } = loudnessTarget(loudnorm);
  if (reached === undefined || reached <= SILENCE || !(target - reached > NOTICEABLE)) return undefined;
  const meant = Math.floor(reached);
  return {
    code: 'LOUDNESS_MISSED',
    message: `The audio has ${reached.toFixed(1)} LUFS (${before.toFixed(1)} before) instead of ${target}: its peaks are limited to ${ceiling} dBTP.`,
    fix: sendFilter(printChanged(loudnorm, { I: meant }, ['i'])),
    numbers: [{ sent: target, meant }],
  };
}

/**
 * Decides how the second pass reaches the loudness. One gain is exact, and possible if neither the peak nor the range
 * exceeds its limit. Else `loudnorm` changes the gain all the time, as in the first pass, and the second pass corrects the
 * miss: by `offset` before the limiter of `loudnorm` if the audio was too soft, by a gain after it if it was too loud. If
 * the true peak made it too soft, that limiter would undo an offset, so a gain and a faster limiter follow. Without
 * measured values in these cases, because they would change what `loudnorm` does.
 */
export function loudnessValues(loudnorm: GraphFilter, facts: LoudnessFacts): Omit<LoudnessValues, 'sampleRate'> {
  const { input_i: loudness, input_lra: range, input_tp: peak, output_i: result } = facts;
  const unchanged = { options: [], gain: 0 };
  if (loudness === undefined || range === undefined || peak === undefined || !hasLoudness(facts)) return unchanged;
  const { target, ceiling, range: most } = loudnessTarget(loudnorm);
  const peakLevel = peakLevelOf(peak);
  const isLinear = !/^(?:0|false|no?|off|disabled?)$/i.test(optionOf(loudnorm, 'linear') ?? '');
  // 0 means "not measured" to the filter.
  const isMeasured = loudness < 0 && range > 0;
  if (isLinear && isMeasured && peakLevel + target - loudness <= ceiling && range <= most)
    return {
      options: Object.entries({
        measured_I: loudness,
        measured_LRA: range,
        measured_TP: peakLevel,
        measured_thresh: Math.max(-69, loudness - GATE),
      }).map(([key, value]) => ({ key, value: value.toFixed(2) })),
      gain: 0,
    };
  const missed = target - (result ?? target);
  if (!Number.isFinite(missed) || Math.abs(missed) < 0.05) return unchanged;
  if (missed < 0) return { options: [], gain: Number(missed.toFixed(2)) };
  const slope = ((facts.limited_i ?? -Infinity) - (result ?? target)) / PROBE_GAIN_DB;
  if (isLimitedByPeak(loudnorm, facts) && missed <= slope * MAX_LIMITED_GAIN_DB)
    return { options: [], gain: Number((missed / slope).toFixed(2)), limit: ceiling };
  // The first pass had the offset of the client.
  const sent = Number(optionOf(loudnorm, 'offset') ?? 0);
  const offset = Math.min(MAX_OFFSET, missed + (Number.isFinite(sent) ? sent : 0));
  return { options: [{ key: 'offset', value: offset.toFixed(2) }], gain: 0 };
}

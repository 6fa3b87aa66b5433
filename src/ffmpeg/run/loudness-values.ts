import type { Warning } from '../../domain/plan.ts';
import type { GraphFilter } from '../filtergraph/graph.ts';
import {
  type LoudnessFact,
  type LoudnessValues,
  loudnessTarget,
  optionOf,
  PROBE_GAIN_DB,
} from '../filtergraph/loudness-passes.ts';
import { printChanged, sendFilter } from '../rules/facts/graph-fixes.ts';

/** What the first pass found out about one `loudnorm`: LUFS and LU, and the true peak as a factor of full scale. */
export type LoudnessFacts = Readonly<Partial<Record<LoudnessFact, number>>>;

/** The loudness that `ebur128` reports for silence, and for less than 0.4 seconds. */
const SILENCE = -70;

/** Whether a sound has a loudness. */
export const hasLoudness = ({ input_i: loudness = SILENCE }: LoudnessFacts): boolean => loudness > SILENCE;

/** The highest `offset` of `loudnorm` (af_loudnorm.c, 5.1 to 8). */
const MAX_OFFSET = 99;

/** The most that `ebur128` rounds a true peak. */
const PEAK_ERROR = 0.0005;

/** How far the gated loudness is above the threshold of its gate, in LU: less than 10 (EBU Tech 3341). */
const GATE = 10;

const peakLevelOf = (peak: number): number => 20 * Math.log10(peak + PEAK_ERROR);

/** By how much the second pass has to miss the loudness to be worth a warning, in LU. */
const NOTICEABLE = 0.5;

/** The most that the sound is amplified into a limiter, in dB. More would be heard. */
const MAX_LIMITED_GAIN_DB = 6;

/** Whether the true peak may keep a `loudnorm` from its loudness: one gain would bring the peak above what is allowed. */
export function isLimitedByPeak(loudnorm: GraphFilter, facts: LoudnessFacts): boolean {
  const { input_i: loudness, input_tp: peak, output_i: result } = facts;
  if (loudness === undefined || peak === undefined || result === undefined || !hasLoudness(facts)) return false;
  const { target, ceiling } = loudnessTarget(loudnorm);
  return target - result > NOTICEABLE && peakLevelOf(peak) + target - loudness > ceiling;
}

/** Warns that the true peak kept the sound softer than asked for. undefined if it did not. `reached`: LUFS. */
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
    message: `The sound has ${reached.toFixed(1)} LUFS (${before.toFixed(1)} before) instead of ${target}: its peaks are limited to ${ceiling} dBTP.`,
    fix: sendFilter(printChanged(loudnorm, { I: meant }, ['i'])),
    numbers: [{ sent: target, meant }],
  };
}

/**
 * Decides how the second pass reaches the loudness. One gain is exact, and possible if it brings neither the peak nor the
 * range above what the filter allows. Else `loudnorm` changes the gain all the time, as in the first pass, and what it missed
 * there is corrected: by its `offset` before its limiter if the sound was too soft, by a gain after it if it was too loud. If the
 * true peak made it too soft, an offset is lost in that limiter, which turns all down for a peak: a faster limiter follows, if that
 * reaches the loudness.
 * Measured values would change what it does, so they are left out then.
 */
export function loudnessValues(loudnorm: GraphFilter, facts: LoudnessFacts): Omit<LoudnessValues, 'sampleRate'> {
  const { input_i: loudness, input_lra: range, input_tp: peak, output_i: result } = facts;
  const unchanged = { options: [], gain: 0 };
  if (loudness === undefined || range === undefined || peak === undefined || !hasLoudness(facts)) return unchanged;
  const { target, ceiling, range: most } = loudnessTarget(loudnorm);
  const peakLevel = peakLevelOf(peak);
  const isLinear = !/^(?:0|false|no?|off|disabled?)$/i.test(optionOf(loudnorm, 'linear') ?? '');
  // The filter takes 0 for "not measured".
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

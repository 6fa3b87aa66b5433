import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type GraphFilter, printFilter } from '../filtergraph/graph.ts';
import {
  type LoudnessFact,
  type LoudnessValues,
  loudnessTarget,
  optionOf,
  PROBE_GAIN_DB,
} from '../filtergraph/loudness-passes.ts';

/** What the first pass measured for a `loudnorm`: loudness in LUFS, range in LU, and the true peak, where 1 is full scale. */
export type LoudnessFacts = Readonly<Partial<Record<LoudnessFact, number>>> & {
  /** When the last tenth of a second of the input begins, in seconds. */
  readonly lastSeconds?: number;
};

/** The loudness that `ebur128` reports for silence and for audio shorter than 0.4 s, in LUFS. */
export const SILENCE = -70;

export const hasLoudness = ({ input_i: loudness = SILENCE }: LoudnessFacts): boolean => loudness > SILENCE;

/** The maximum `offset` of `loudnorm` (af_loudnorm.c, 5.1 to 8). */
const MAX_OFFSET = 99;

/** The maximum rounding error of a true peak that `ebur128` prints. */
const PEAK_ERROR = 0.0005;

/** A measured loudness is less than so many LU above the threshold of its gate (EBU Tech 3341). */
const GATE = 10;

const peakLevelOf = (peak: number): number => 20 * Math.log10(peak + PEAK_ERROR);

/** The smallest difference from the target that is worth a warning, in LU. */
const NOTICEABLE = 0.5;

/** The largest gain before the limiter, in dB. With a larger gain, one would hear the limiter. */
const MAX_LIMITED_GAIN_DB = 6;

/** For less than 3 s, `loudnorm` ignores its `offset` and makes audio quieter that it should make louder (af_loudnorm.c, 5.1 to 8). */
const isTooShort = ({ lastSeconds = Infinity }: LoudnessFacts): boolean => lastSeconds < 2.95;

/** True if `loudnorm` may miss its target because of the true peak: a constant gain up to the target would exceed the maximum peak. */
export function isLimitedByPeak(loudnorm: GraphFilter, facts: LoudnessFacts): boolean {
  const { input_i: loudness, input_tp: peak, output_i: result } = facts;
  if (loudness === undefined || peak === undefined || result === undefined || !hasLoudness(facts)) return false;
  const { target, ceiling } = loudnessTarget(loudnorm);
  const misses = isTooShort(facts) || target - result > NOTICEABLE;
  return misses && peakLevelOf(peak) + target - loudness > ceiling;
}

const withTarget = (loudnorm: GraphFilter, lufs: number): string => {
  const others = loudnorm.options.filter(({ key }) => key?.toLowerCase() !== 'i');
  return printFilter({ ...loudnorm, inputs: [], options: [...others, { key: 'I', value: String(lufs) }], outputs: [] });
};

/** Warns that the true peak kept the audio below the target. undefined: it did not. `reached`: the output's loudness in LUFS. */
export function missedLoudness(
  loudnorm: GraphFilter,
  { input_i: before = 0 }: LoudnessFacts,
  reached: number | undefined,
): Omit<Warning, 'field'> | undefined {
  const { target, ceiling } = loudnessTarget(loudnorm);
  if (reached === undefined || reached <= SILENCE || !(target - reached > NOTICEABLE)) return undefined;
  return {
    ...{ code: 'LOUDNESS_MISSED', lost: 'loudness', expected: target, actual: Number(reached.toFixed(1)) },
    message: `The audio has ${reached.toFixed(1)} LUFS (${before.toFixed(1)} before) instead of ${target}: its peaks are limited to ${ceiling} dBTP.`,
    fix: `Send the filter as ${JSON.stringify(withTarget(loudnorm, Math.floor(reached)))}.`,
  };
}

/**
 * Decides how the second pass reaches the target loudness. If neither peak nor range exceeds its limit, `loudnorm` gets the measured values
 * and applies a constant gain, which is exact.
 *
 * Otherwise `loudnorm` changes the gain all the time, as in the first pass. It gets no measured values, because with them, it would behave
 * differently from the first pass. The second pass then corrects the difference by which the first pass missed the target:
 *
 * If it was too loud, a negative gain follows `loudnorm`. If it was too soft, `loudnorm` gets an `offset`, which it applies before its
 * limiter. If it was too soft because of the true peak, this limiter would cancel an `offset`, so a gain and a faster limiter follow.
 *
 * Audio of less than 3 s only gets a gain and a limiter.
 */
export function loudnessValues(loudnorm: GraphFilter, facts: LoudnessFacts): Omit<LoudnessValues, 'sampleRate'> {
  const { input_i: loudness, input_lra: range, input_tp: peak, output_i: result } = facts;
  const unchanged = { options: [], gain: 0 };
  if (loudness === undefined || range === undefined || peak === undefined) return unchanged;
  if (!hasLoudness(facts)) return isTooShort(facts) ? { ...unchanged, isConstant: true } : unchanged;
  const { target, ceiling, range: most } = loudnessTarget(loudnorm);
  const peakLevel = peakLevelOf(peak);
  if (isTooShort(facts)) {
    const gain = Math.min(target - loudness, ceiling - peakLevel + MAX_LIMITED_GAIN_DB);
    const isLimited = peakLevel + gain > ceiling;
    return { options: [], isConstant: true, gain: Number(gain.toFixed(2)), ...(isLimited && { limit: ceiling }) };
  }
  const isLinear = !/^(?:0|false|no?|off|disabled?)$/i.test(optionOf(loudnorm, 'linear') ?? '');
  // `loudnorm` reads the value 0 as "not measured".
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
  // The first pass was measured with the `offset` of the client, so the correction is added to it.
  const sent = Number(optionOf(loudnorm, 'offset') ?? 0);
  const offset = Math.min(MAX_OFFSET, missed + (Number.isFinite(sent) ? sent : 0));
  return { options: [{ key: 'offset', value: offset.toFixed(2) }], gain: 0 };
}

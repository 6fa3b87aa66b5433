import type { Failure } from '@telecine/contract/domain/failure.ts';
import { METRIC_NAMES, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { type ChosenValue, nextQuality, type QualitySearch, qualitySamples, triedPoints } from '../choosers/quality.ts';
import { roundedScore } from '../choosers/scales.ts';
import { kilobits } from '../choosers/sizes.ts';
import { fillArgv, timesOf } from '../fill-argv.ts';
import { runStep, stopped } from './run-step.ts';
import { readSource, type SampledSource, SampleRuns } from './samples.ts';

/** A finished search: the value for the full video, and what was tried. */
export interface FoundQuality {
  readonly ok: true;
  readonly chosen: ChosenValue;
  readonly result: OutputQuality;
  readonly source: SampledSource;
}

/** How many times the samples are usually encoded, with those that were tried first. */
const USUAL_ROUNDS = 1.5;

/** Finds the value of the encoder's quality option by encoding samples of the inputs. */
export async function searchQuality(
  c: PreparedRun,
  quality: PlannedQuality,
  state: RunState,
): Promise<FoundQuality | Failed> {
  const { samples: planned, target } = quality;
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const limit = await highestBits(c, quality, source, state);
  if (typeof limit === 'object') return limit;
  const search: QualitySearch = { ...planned, target, maxBitsPerSecond: limit, bitsPerPixel: source.bitsPerPixel };
  const samples = qualitySamples(source.parts);
  const whole = samples.length === 1 ? samples[0] : { start: source.start, seconds: source.seconds, weight: 1 };
  const expected = Math.round(USUAL_ROUNDS * samples.length);
  const runs = new SampleRuns(c, planned, { samples }, state, { choose: 'quality', expected });
  const { metric, scale } = planned;
  const tried = () => triedPoints(search, runs.tries).map((point) => ({ ...point, score: roundedScore(point.score) }));
  for (;;) {
    const next = nextQuality(search, runs.samples, runs.tries, runs.rounds);
    if ('value' in next) {
      const result = { metric, target, option: scale.option, value: next.value, tried: tried() };
      return { ok: true, chosen: next, result, source };
    }
    const failure = await runs.run(next.candidates, next.samples, whole);
    if (failure !== undefined) return failure;
    for (const { value, score, bitsPerSecond } of tried().filter((one) =>
      next.candidates.some(({ value }) => value === one.value),
    ))
      state.log.note(
        `Quality, try ${runs.rounds}: ${scale.option} ${value} has ${METRIC_NAMES[metric]} ${score} at ${kilobits(bitsPerSecond)} kb/s`,
      );
  }
}

/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
export const AIM = 0.95;

/** The bit rate that is assumed of audio that cannot be measured alone, and the share of `maxSize` that it may take at most. */
const USUAL_AUDIO = { bitsPerSecond: 128_000, most: 0.5 };

/** The bytes of a file's header, which matter if the file is short. */
const HEADER_BYTES = 2000;

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. undefined: there is no limit. */
async function highestBits(
  c: PreparedRun,
  { maxBitrate, maxSize, audio }: PlannedQuality,
  source: SampledSource,
  state: RunState,
): Promise<number | undefined | Failed> {
  const byBitrate = maxBitrate && maxBitrate * AIM;
  if (maxSize === undefined) return byBitrate;
  if (!source.isKnown) return { ok: false, failure: UNKNOWN_LENGTH, raw: '' };
  const hasNone = audio === undefined || (source.audioBytes === 0 && c.plan.inputs.length === 1);
  // No table knows the bit rate of every encoder, so the audio is encoded alone.
  const step = hasNone ? undefined : await runStep(c, fillArgv(audio, timesOf(source)), state);
  const end = stopped(state);
  if (end !== undefined) return end;
  const measured = step?.ok === true ? step.pass.runComplaints.found.written?.audio : undefined;
  const usable = maxSize * AIM - HEADER_BYTES;
  const assumed = Math.min((USUAL_AUDIO.bitsPerSecond / 8) * source.seconds, USUAL_AUDIO.most * usable);
  const bytes = usable - (step === undefined ? 0 : (measured ?? assumed));
  if (bytes <= 0) return { ok: false, failure: tooSmall(usable - bytes), raw: '' };
  return Math.max(1, Math.min((bytes * 8) / source.seconds, byBitrate ?? Number.POSITIVE_INFINITY));
}

const UNKNOWN_LENGTH: Failure = {
  code: 'INPUT_INVALID',
  message: 'The length of the input is not known, so "maxSize" cannot be turned into a bit rate.',
  fix: 'Send "t", the length of the output in seconds, or leave "maxSize" out.',
};

const tooSmall = (audioBytes: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `"maxSize" leaves nothing for the video: the audio alone needs about ${Math.ceil(audioBytes)} bytes.`,
  fix: 'Send a higher "maxSize", or a lower bit rate for the audio, such as "b:a": "64k".',
});

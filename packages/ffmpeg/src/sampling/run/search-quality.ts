import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { type ChosenValue, chooseQuality, nextQuality, qualitySamples, triedPoints } from '../choosers/quality.ts';
import { roundedScore } from '../choosers/scales.ts';
import { noteChosen } from './note-chosen.ts';
import { runStep, stopped } from './run-step.ts';
import { type Chooser, readSource, type SampledSource, trySamples } from './try-samples.ts';

/** A finished search: the value for the full video, and what was tried. */
export interface FoundQuality {
  readonly ok: true;
  readonly chosen: ChosenValue;
  readonly result: OutputQuality;
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
  const { metric, scale } = planned;
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const limit = await highestBits(c, quality, source, state);
  if (typeof limit === 'object') return limit;
  const search = { ...planned, target, maxBitsPerSecond: limit, bitsPerPixel: source.bitsPerPixel };
  const chooser: Chooser = {
    ...{ choose: 'quality', samples: qualitySamples(source.parts), usualRounds: USUAL_ROUNDS },
    next: (...found) => nextQuality(search, ...found),
  };
  const tries = await trySamples(c, planned, chooser, source, state);
  if ('ok' in tries) return tries;
  const chosen = chooseQuality(search, tries);
  const tried = triedPoints(search, tries).map((point) => ({ ...point, score: roundedScore(point.score) }));
  const result = { metric, target, option: scale.option, value: chosen.value, tried };
  noteChosen({ quality: result }, state);
  return { ok: true, chosen, result };
}

/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
export const AIM = 0.95;

/** The bytes of a file's header, which matter if the file is short. */
const HEADER_BYTES = 2000;

/** The bits per second of audio that cannot be measured. */
const ASSUMED_AUDIO = 128_000;

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. undefined: there is no limit. */
async function highestBits(
  c: PreparedRun,
  { maxBitrate, maxSize }: PlannedQuality,
  { seconds, isKnown, pass: { report } }: SampledSource,
  state: RunState,
): Promise<number | undefined | Failed> {
  const byBitrate = maxBitrate === undefined ? undefined : maxBitrate * AIM;
  if (maxSize === undefined) return byBitrate;
  if (!isKnown) return { ok: false, failure: UNKNOWN_LENGTH, raw: '' };
  // No table knows the bit rate of every encoder, so the audio is encoded alone, into nothing.
  const pass = c.plan.passes.at(-1) ?? [];
  const alone = ['-vn', '-sn', '-dn', '-t', seconds.toFixed(6), '-y', 'file:/dev/null'];
  const step = await runStep(c, [...pass.slice(0, -1), ...alone], state);
  const end = stopped(state);
  if (end !== undefined) return end;
  // Without audio, ffmpeg has nothing to write, and fails.
  const hasAudio =
    c.plan.outputs.some(({ encoders }) => encoders.audio !== undefined) &&
    report.inputs.some(({ streams }) => streams.some(({ type }) => type === 'audio'));
  const assumed = hasAudio ? Math.min((ASSUMED_AUDIO * seconds) / 8, maxSize / 2) : 0;
  const audio = (step.ok ? step.pass.runComplaints.found.written?.audio : undefined) ?? assumed;
  const bytes = maxSize * AIM - HEADER_BYTES - audio;
  if (bytes <= 0) return { ok: false, failure: tooSmall(audio), raw: '' };
  return Math.max(1, Math.min((bytes * 8) / seconds, byBitrate ?? Number.POSITIVE_INFINITY));
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

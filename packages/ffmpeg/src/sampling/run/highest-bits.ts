import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { SampledSource } from '../choosers/samples.ts';
import { runStep, stopped } from './run-step.ts';

/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
const AIM = 0.95;

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. undefined: there is no limit. */
export async function highestBits(
  c: PreparedRun,
  { maxBitrate = Number.POSITIVE_INFINITY, maxSize }: PlannedQuality,
  { seconds, isKnown }: SampledSource,
  state: RunState,
): Promise<number | Failed> {
  if (maxSize === undefined) return maxBitrate * AIM;
  if (!isKnown) return { ok: false, failure: UNKNOWN_LENGTH, raw: '' };
  // No table knows the bit rate of every encoder, so the audio is encoded alone, into nothing.
  const pass = c.plan.passes.at(-1) ?? [];
  const alone = ['-vn', '-sn', '-dn', '-t', seconds.toFixed(6), '-y', 'file:/dev/null'];
  const step = await runStep(c, [...pass.slice(0, -1), ...alone], state);
  const end = stopped(state);
  if (end !== undefined) return end;
  // Without audio, ffmpeg has nothing to write, and fails.
  const audio = (step.ok ? step.pass.runComplaints.found.written?.audio : undefined) ?? 0;
  const bytes = maxSize * AIM - audio;
  if (bytes <= 0) return { ok: false, failure: tooSmall(audio), raw: '' };
  return Math.max(1, Math.min((bytes * 8) / seconds, maxBitrate * AIM));
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

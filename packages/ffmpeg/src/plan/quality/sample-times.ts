import { type ArgvOption, serviceFlags, serviceOption } from '../request/argv-option.ts';

/** Keeps the times of the inputs, so that filters that look at times, such as `fade`, work in a sample as in the full video. */
export const KEEPS_TIMES = serviceFlags(['copyts', 'start_at_zero']);

/**
 * The options with which an encoded sample begins at 0, although its encoder gets the times of the full video. A filter such as
 * `setpts=PTS-STARTPTS` could move the times before the encoder, but with ffmpeg 7.1 its output has no frame rate: encoders then take the time
 * base for it, and a constant frame rate becomes 25.
 */
export const BEGINS_AT_ZERO: readonly ArgvOption[] = [serviceOption('avoid_negative_ts', ['make_zero'])];

/** A register of ffmpeg's expressions that hardly any client uses. It holds the time of the first frame of a sample. */
const FIRST_TIME = 9;

/** Counts the times in the expressions of `force_key_frames` from the first frame: `n_forced` counts only the key frames of the sample. */
export const withKeyFramesOfSample = (options: readonly ArgvOption[]): readonly ArgvOption[] =>
  options.map((option) =>
    option.name.name === 'force_key_frames' ? { ...option, values: option.values.map(fromFirstFrame) } : option,
  );

function fromFirstFrame(value: string): string {
  const [, expression] = /^expr:(.*)$/s.exec(value) ?? [];
  if (expression === undefined) return value;
  const counted = expression.replace(/\b(?:prev_forced_)?t\b/g, `($&-ld(${FIRST_TIME}))`);
  return `expr:st(${FIRST_TIME},if(n,ld(${FIRST_TIME}),t));${counted}`;
}

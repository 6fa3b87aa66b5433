import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { type ArgvOption, serviceFlags, serviceOption } from '../request/argv-option.ts';

/** Keeps the times of the inputs, so that filters that look at times, such as `fade`, work in a sample as in the full video. */
export const KEEPS_TIMES = serviceFlags(['copyts', 'start_at_zero']);

/**
 * The options with which an encoded sample begins at 0, although its encoder gets the times of the full video. A filter such as
 * `setpts=PTS-STARTPTS` could move the times before the encoder, but with ffmpeg 7.1 its output has no frame rate: encoders then take the time
 * base for it, and a constant frame rate becomes 25.
 */
export const BEGINS_AT_ZERO: readonly ArgvOption[] = [serviceOption('avoid_negative_ts', ['make_zero'])];

/** Values of `force_key_frames` without times. `t` of an expression counts from the first frame of the encoder, and listed times do not. */
const NOT_LISTED = /^(?:expr:|source|scd_metadata)/;

/**
 * The options with which a sample has key frames at the listed times. The list counts on the timeline of the output, and the encoder of a sample
 * gets the times of the input. Filters that change the speed are not taken into account.
 *
 * @param start The time of the input at which the timeline of the output begins.
 */
export const withKeyFramesOfSample = (options: readonly ArgvOption[], start: number): readonly ArgvOption[] =>
  options.map((option) =>
    option.name.name === 'force_key_frames'
      ? { ...option, values: option.values.map((value) => onTimelineOfInput(value, start)) }
      : option,
  );

function onTimelineOfInput(value: string, start: number): string {
  if (NOT_LISTED.test(value)) return value;
  const moved = (time: string): string => {
    const seconds = parseDuration(time);
    return seconds === undefined || start === 0 ? time : String(Number((seconds + start).toFixed(6)));
  };
  return `${QUALITY_PLACEHOLDERS.keyFrames}${value.split(',').map(moved).join(',')}`;
}

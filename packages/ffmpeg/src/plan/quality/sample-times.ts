import { type ArgvOption, serviceOption } from '../request/argv-option.ts';

const flags = (keys: readonly string[]): readonly ArgvOption[] => keys.map((key) => serviceOption(key, []));

/** Keeps the times of the inputs, so that filters that look at times, such as `fade`, work in a sample as in the full video. */
export const KEEPS_TIMES = flags(['copyts', 'start_at_zero']);

/**
 * The options with which an encoded sample begins at 0, although its encoder gets the times of the full video. A filter such as
 * `setpts=PTS-STARTPTS` could move the times before the encoder, but with ffmpeg 7.1 its output has no frame rate: encoders then take the time
 * base for it, and a constant frame rate becomes 25.
 */
export const BEGINS_AT_ZERO: readonly ArgvOption[] = [serviceOption('avoid_negative_ts', ['make_zero'])];

const MODES: ReadonlySet<string> = new Set(['fps_mode', 'vsync']);
const CONSTANT: ReadonlySet<string> = new Set(['cfr', '1']);

/** True for an option of the frame rate mode. */
export const isRateMode = ({ name: { name } }: ArgvOption): boolean => MODES.has(name);

/** True if the client sets a constant frame rate. `fps_mode` overrides `vsync`. */
export function hasConstantRate(options: readonly ArgvOption[]): boolean {
  const sent = (wanted: string) => options.findLast(({ name }) => name.name === wanted)?.values.at(-1);
  return CONSTANT.has(sent('fps_mode') ?? sent('vsync') ?? '');
}

/**
 * The arguments that write a sample at a constant frame rate, which begins with its first frame. `fps_mode cfr` would repeat this frame for all
 * the time before it. The muxer `segment`, whose only segment is the sample, has such a rate by default; `strftime` allows a name without a counter.
 */
export const constantRateContainer = (muxer: string): readonly string[] => [
  ...['-f', 'segment', '-segment_time', '1000000000', '-strftime', '1', '-segment_format', muxer],
];

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

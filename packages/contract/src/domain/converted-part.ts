import { isFlagSet, type OptionValue, type Parameters } from './conversion.ts';
import { parseDuration } from './duration.ts';
import { rounded } from './quantity.ts';

/** What chooses the part of an input that a conversion converts. */
export interface PartChoice {
  /** The options of the input. */
  readonly input?: Parameters | undefined;
  /** The options of the request and of its output. Those that ffmpeg takes only for inputs, such as `sseof`, apply to each input. */
  readonly output?: Parameters | undefined;
  /** The length of the input in seconds. undefined: unknown. */
  readonly duration?: number | undefined;
}

/** A part of an input. All times are in seconds from the start of the input. */
export interface ConvertedPart {
  readonly start: number;
  /** undefined: the part lasts until the end of an input whose length is not known. */
  readonly end: number | undefined;
  /** The time of the input at which the times of the filters are 0. Subtitles that a filter draws count from there. */
  readonly filterStart: number;
}

/** The options that choose where a part starts. */
export const SEEK_OPTIONS = ['ss', 'sseof'] as const;

/** The options that decide `filterStart`: those of the input, and those of the request and of its output. */
export const FILTER_START_OPTIONS = { input: SEEK_OPTIONS, output: ['sseof', 'copyts'] } as const;

/** The options that decide `start`, whether they are of the input or of the output. */
export const START_OPTIONS: ReadonlySet<string> = new Set([
  ...FILTER_START_OPTIONS.input,
  ...FILTER_START_OPTIONS.output,
]);

/**
 * The part of an input that `ss`, `sseof`, `to` and `t` choose, as ffmpeg reads them: first those of the input, then those of the output, which
 * count from the start of the first cut. With `copyts`, the filters and the cut of the output have the times of the input. `end` can be before
 * `start`: the conversion then writes nothing. Assumes that the times in the file begin at 0. Other options that change the times, such as
 * `itsoffset` and `stream_loop`, are not taken into account.
 */
export function convertedPart({ input = {}, output = {}, duration }: PartChoice): ConvertedPart {
  const inputStart = startOfInput(input['ss'], input['sseof'] ?? output['sseof'], duration);
  const filterStart = isFlagSet(output['copyts']) ? 0 : inputStart;
  const outputStart = filterStart + (seconds(output['ss']) ?? 0);
  const ends = [endOf(inputStart, input), endOf(outputStart, output), duration].filter((end) => end !== undefined);
  return {
    start: rounded(Math.max(inputStart, outputStart), 6),
    end: ends.length === 0 ? undefined : rounded(Math.min(...ends), 6),
    filterStart,
  };
}

/** ffmpeg ignores `sseof` without the length of the input, before the start of the input, and beside `ss`. */
function startOfInput(
  ss: OptionValue | undefined,
  sseof: OptionValue | undefined,
  duration: number | undefined,
): number {
  if (ss !== undefined) return seconds(ss) ?? 0;
  const beforeEnd = seconds(sseof) ?? 0;
  return duration === undefined || beforeEnd >= 0 ? 0 : Math.max(0, rounded(duration + beforeEnd, 6));
}

/** ffmpeg ignores `to` beside `t`, and subtracts only `ss` from it: beside `sseof`, it is a length. */
function endOf(start: number, { ss, t, to }: Parameters): number | undefined {
  const length = seconds(t);
  if (length !== undefined) return start + length;
  const end = seconds(to);
  return end === undefined ? undefined : start + end - (seconds(ss) ?? 0);
}

const seconds = (value: OptionValue | undefined): number | undefined =>
  typeof value === 'string' ? parseDuration(value) : undefined;

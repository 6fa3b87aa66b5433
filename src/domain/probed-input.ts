import type { Interval } from './analysis.ts';
import type { MediaInfo } from './media-info.ts';

/** What ffprobe found in an input that is joined with others. */
export interface ProbedInput extends Pick<MediaInfo, 'format' | 'streams'> {
  /** Whether the job has made sure of the length: it is exact, or missing because nothing tells it. */
  readonly hasExactLength?: true;
  /**
   * The time of the first packet of the picture if reading begins at the `ss` of the input, or at its start: that of a key
   * frame at or before it. In seconds of the file's own timestamps, which may begin before 0. Absent if it is not known.
   */
  readonly keySeconds?: number;
  /** The same for each part of a cut that is copied, in their order. */
  readonly keys?: readonly (number | undefined)[];
  /** What was measured for a cut. Absent before. */
  readonly measured?: readonly Interval[];
  /**
   * Hashes of what decoders of the streams get before the first packet, by the index of the stream. Absent if they are not
   * known.
   */
  readonly headers?: ReadonlyMap<number, string>;
}

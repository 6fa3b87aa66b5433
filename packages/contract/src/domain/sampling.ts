import type { QualityMetric, QualityScale } from './quality.ts';

/** The size of a frame, in pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Compares encoded videos with their source, whose frames pass through the filters of the client. */
export interface Comparison {
  /** Up to the filters of the video. */
  readonly start: readonly string[];
  /** The filters of the source. They end in the label `quality-reference`. */
  readonly source: string;
  /** The filters of one encoded video. The run repeats them, with the number of each video. */
  readonly each: string;
  readonly end: readonly string[];
}

/** How a run encodes samples of its video with values of the encoder, and compares them with their source. */
export interface PlannedSamples {
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
  /** The part of the input that becomes the output, in seconds. Absent `seconds`: up to the end. */
  readonly range: { readonly start: number; readonly seconds?: number };
  /** Lists the packets of the input in `PACKETS_FILE`. Absent: the input is not a file. */
  readonly packets?: readonly string[];
  /** Decodes the first frame that the encoder gets. ffmpeg logs its size. Present if samples have sizes of their own, and a constant frame rate. */
  readonly inspect?: readonly string[];
  /** Encodes a sample. The run repeats `each` for each value, with its number. */
  readonly encode: { readonly start: readonly string[]; readonly each: readonly string[] };
  readonly compare: Comparison;
}

/** The scratch file that lists the packets of the input. */
export const PACKETS_FILE = 'pass/packets.txt';

/** The scratch files of an encoded sample and of the score of each frame, by the number of the try. */
export const sampleFile = (number: number | string, suffix = '.nut'): string => `pass/sample-${number}${suffix}`;
export const scoresFile = (number: number | string): string => `pass/scores-${number}.log`;

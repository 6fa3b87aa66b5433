import type { OutputFrameSize } from './frame-size.ts';
import type { LadderTarget } from './ladder.ts';
import type { OutputQuality, QualityMetric, QualityScale, QualityTarget } from './quality.ts';

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

/** How a plan finds the value of the encoder's quality option. The argvs contain `QUALITY_PLACEHOLDERS`. */
export interface PlannedQuality extends Pick<QualityTarget, 'target' | 'maxBitrate' | 'maxSize'> {
  readonly samples: PlannedSamples;
  /** Encodes or copies the audio of the full video alone, into nothing, to learn its bytes. Absent without `maxSize` or audio. */
  readonly audio?: readonly string[];
  /** Compares the output of the run with its source. */
  readonly result: Comparison;
  /** By how many seconds the times of the output are later than those of the frames that the encoder got. Absent: 0. */
  readonly resultShift?: number;
}

/** The parts of the argv that writes the ladder. */
export interface LadderPass {
  /** Up to the options of the output. */
  readonly start: readonly string[];
  /** Once for each rung. */
  readonly rung: readonly string[];
  /** Only if the output has audio. */
  readonly audio: readonly string[];
  readonly end: readonly string[];
}

/** How a plan finds the rungs of a ladder. The argvs contain `QUALITY_PLACEHOLDERS`. */
export interface PlannedLadder extends Required<Pick<LadderTarget, 'target' | 'maxRungs'>> {
  /** In bits per second of video. */
  readonly maxBitrate?: number;
  readonly samples: PlannedSamples;
  /** The length of a segment, as the request asks for it. */
  readonly segmentSeconds: number;
  /** Present if the segments of a rung are parts of one file. */
  readonly isSingleFile?: true;
  readonly pass: LadderPass;
  /** Whether the output has audio. `found`: if the first input has some. */
  readonly audio: 'always' | 'found' | 'never';
}

/** How a plan chooses the frame size of its output for a bit rate. The argvs of the plan have placeholders of the size. */
export interface PlannedFrameSize {
  /** The average bit rate of the video. */
  readonly bitsPerSecond: number;
  /** Decodes the first frame that the encoder would get without this choice. ffmpeg logs its size. */
  readonly inspect: readonly string[];
  /** How the run encodes samples in several sizes, or why it does not: a sentence. */
  readonly samples: PlannedSamples | { readonly none: string };
}

/** The quality and the bit rate that the full video is expected to have with a value at a size. */
export interface SizedPoint extends FrameSize {
  readonly value: number;
  /** Compared with the source, after scaling up to its size. */
  readonly score: number;
  readonly bitsPerSecond: number;
}

/** The rungs of a ladder, the best first, and what was tried. */
export interface ChosenLadder {
  readonly rungs: readonly SizedPoint[];
  readonly tried: readonly SizedPoint[];
}

/** What samples let choose for an output. */
export interface ChosenBySamples {
  readonly ladder?: ChosenLadder;
  readonly frameSize?: OutputFrameSize;
  readonly quality?: OutputQuality;
}

import type { OutputFrameSize } from './frame-size.ts';
import type { LadderTarget, OutputLadder } from './ladder.ts';
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
  /** The filters of the source. They end in `SOURCE_LABEL`. */
  readonly source: string;
}

export const SOURCE_LABEL = 'quality-source';

/** How a run encodes samples of its video with values of the encoder, and compares them with their source. */
export interface PlannedSamples {
  readonly metric: QualityMetric;
  readonly scale: QualityScale;
  /** The part of the input that becomes the output, in seconds. Absent `seconds`: up to the end. */
  readonly range: { readonly start: number; readonly seconds?: number };
  /** Lists the packets of the input in `PACKETS_FILE`. Absent: the input is not a file. */
  readonly packets?: readonly string[];
  /** Decodes the first frame that the encoder gets. ffmpeg logs its size. */
  readonly inspect: readonly string[];
  /** Encodes a sample. The run repeats `each` for each value, and adds the value, the size and the file. */
  readonly encode: { readonly start: readonly string[]; readonly each: readonly string[] };
  readonly compare: Comparison;
  /** Compares the output of the run with its source. */
  readonly result: Comparison;
}

/** The scratch file that lists the packets of the input. */
export const PACKETS_FILE = 'pass/packets.txt';

/** What a plan decides by samples. Its argvs have placeholders for these values. */
export type PlannedSearch = PlannedQuality | PlannedLadder | PlannedFrameSize;

/** How a plan finds the value of the encoder's quality option. */
export interface PlannedQuality extends Pick<QualityTarget, 'target' | 'maxBitrate' | 'maxSize'> {
  readonly choose: 'quality';
  readonly samples: PlannedSamples;
}

/** The arguments that each rung of a ladder repeats. They replace `QUALITY_PLACEHOLDERS.rungs`, because only samples tell how many rungs there are. */
export interface LadderRung {
  readonly args: readonly string[];
  /** The option for the quality of its video. */
  readonly option: string;
  /** The length of a segment, as the request asks for it. */
  readonly segmentSeconds: number;
}

/** How a plan finds the rungs of a ladder. */
export interface PlannedLadder extends Required<Pick<LadderTarget, 'target' | 'maxRungs'>> {
  readonly choose: 'ladder';
  /** In bits per second of video. */
  readonly maxBitrate?: number;
  readonly samples: PlannedSamples;
  /** Present if the segments of a rung are parts of one file. */
  readonly isSingleFile?: true;
  /** The value of `map` for the audio. It ends with `?` if the input may lack it. Absent: none. */
  readonly audio?: string;
  /** Writes the ladder. The plan shows it with one rung. */
  readonly argv: readonly string[];
  readonly rung: LadderRung;
}

/** How a plan chooses the frame size of its output for a bit rate. */
export interface PlannedFrameSize {
  readonly choose: 'frameSize';
  /** The average bit rate of the video. */
  readonly bitsPerSecond: number;
  readonly samples: PlannedSamples;
  /** Why the run encodes no samples: the start of a sentence. Absent: it does. */
  readonly none?: string;
}

/** Whether a search encodes samples. */
export const triesSamples = (search: PlannedSearch | undefined): boolean =>
  search !== undefined && !(search.choose === 'frameSize' && search.none !== undefined);

/** The quality and the bit rate that the full video is expected to have with a value at a size. */
export interface SizedPoint extends FrameSize {
  readonly value: number;
  /** Compared with the source, after scaling up to its size. */
  readonly score: number;
  readonly bitsPerSecond: number;
}

/** A ladder before it is encoded: its rungs do not have their true bit rates yet. */
export interface ChosenLadder extends Omit<OutputLadder, 'rungs'> {
  /** The best first. */
  readonly rungs: readonly SizedPoint[];
  readonly hasAudio: boolean;
}

/** What samples let choose for an output. */
export interface ChosenBySamples {
  readonly ladder?: ChosenLadder;
  readonly frameSize?: OutputFrameSize;
  readonly quality?: OutputQuality;
  /** Present if the value of `quality` is worse than the target needs, because of `maxBitrate` or `maxSize`. */
  readonly isLimited?: true;
}

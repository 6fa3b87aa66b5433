import type { ladderTarget, outputLadder } from '../wire/ladder.ts';
import type { Shape } from '../wire/shape.ts';
import type { QualityMetric, QualityScale } from './quality.ts';

/** How many rungs a ladder can have. */
export const LADDER_RUNGS = { min: 2, max: 8 } as const;

/** The ladder that a request asks for. */
export type LadderTarget = Shape<typeof ladderTarget>;

/** The ladder that an output has, and what was tried to find it. */
export type OutputLadder = Shape<typeof outputLadder>;

/** The words in the argvs of a `PlannedLadder` that the run replaces, besides `QUALITY_PLACEHOLDERS`. */
export const LADDER_PLACEHOLDERS = {
  /** The number of a rung, from 0. The end of an option's name: `-crf:v:RUNG`. */
  rung: 'RUNG',
  /** The frame size of a rung or of a sample. Parts of a filtergraph. */
  width: 'TELECINE_WIDTH',
  height: 'TELECINE_HEIGHT',
  /** The frame size of the source. Parts of a filtergraph. */
  sourceWidth: 'TELECINE_SOURCE_WIDTH',
  sourceHeight: 'TELECINE_SOURCE_HEIGHT',
  /** The limits of a rung's bit rate. Separate arguments. */
  maxrate: 'TELECINE_MAXRATE',
  bufsize: 'TELECINE_BUFSIZE',
  /** The value of `var_stream_map`. A separate argument. */
  variants: 'TELECINE_VARIANTS',
} as const;

/** The scratch file of an encoded sample, and that of its scores. `number`: the number of the try. */
export const ladderSampleFile = (number: number): string => `pass/ladder${number}.nut`;
export const ladderScoresFile = (number: number): string => `pass/ladder${number}.log`;

/** The name of the audio in `var_stream_map`. */
export const LADDER_AUDIO = 'audio';

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

/** How samples of a video are encoded in several sizes. The argvs contain `QUALITY_PLACEHOLDERS` and `LADDER_PLACEHOLDERS`. */
export interface SizedSamples {
  readonly metric: QualityMetric;
  readonly encoder: string;
  readonly scale: QualityScale;
  /** The part of the input that becomes the output, in seconds. Absent `seconds`: up to the end. */
  readonly range: { readonly start: number; readonly seconds?: number };
  /** Lists the packets of the input in `PACKETS_FILE`. Absent: the input is not a file. */
  readonly packets?: readonly string[];
  /** Encodes a sample several times, each in a size and with a value of its own. */
  readonly encode: readonly string[];
  /** Compares the encoded samples with their source, after scaling up. */
  readonly compare: readonly string[];
}

/** How a plan finds the rungs of a ladder. The argvs contain `QUALITY_PLACEHOLDERS` and `LADDER_PLACEHOLDERS`. */
export interface PlannedLadder extends SizedSamples {
  readonly target: number;
  readonly maxRungs: number;
  /** In bits per second of video. */
  readonly maxBitrate?: number;
  /** The length of a segment, as the request asks for it. */
  readonly segmentSeconds: number;
  /** Present if the segments of a rung are parts of one file. */
  readonly isSingleFile?: true;
  /** Decodes the first frame that the encoder gets. ffmpeg logs its size. */
  readonly inspect: readonly string[];
  readonly pass: LadderPass;
  /** Whether the output has audio. `found`: if the first input has some. */
  readonly audio: 'always' | 'found' | 'never';
}

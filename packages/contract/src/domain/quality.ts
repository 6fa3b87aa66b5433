import type { outputQuality, qualityTarget } from '../wire/quality.ts';
import type { Shape } from '../wire/shape.ts';

/** The metrics that compare an encoded video with the frames that the encoder got. */
export const QUALITY_METRICS = ['ssim', 'xpsnr', 'vmaf'] as const;

export type QualityMetric = (typeof QUALITY_METRICS)[number];

/** The targets that each metric allows. Targets up to 1 can only be SSIM. Of the other two, `auto` takes XPSNR up to 60, and VMAF above. */
export const METRIC_SCALES: Readonly<Record<QualityMetric, { readonly min: number; readonly max: number }>> = {
  ssim: { min: 0.5, max: 0.999 },
  xpsnr: { min: 20, max: 60 },
  vmaf: { min: 20, max: 100 },
};

/** The score of a video that looks like its source, by metric. Messages propose it. */
export const USUAL_TARGETS: Readonly<Record<QualityMetric, number>> = { ssim: 0.98, xpsnr: 42, vmaf: 95 };

export const METRIC_NAMES: Readonly<Record<QualityMetric, string>> = { ssim: 'SSIM', xpsnr: 'XPSNR', vmaf: 'VMAF' };

export const isOnScale = (metric: QualityMetric, target: number): boolean =>
  target >= METRIC_SCALES[metric].min && target <= METRIC_SCALES[metric].max;

/** The quality that a request asks for. */
export type QualityTarget = Shape<typeof qualityTarget>;

/** The quality that an output has, and what was tried to reach the target. */
export type OutputQuality = Shape<typeof outputQuality>;

/** A value that was tried, and what the full video had or was expected to have with it. */
export type TriedQuality = OutputQuality['tried'][number];

/** The option by which an encoder sets a constant quality. Higher values are worse. */
export const QUALITY_OPTIONS = ['crf', 'cq', 'qp'] as const;

/** The values of an encoder's quality option that a search tries. */
export interface QualityScale {
  readonly option: (typeof QUALITY_OPTIONS)[number];
  /** The best value. */
  readonly min: number;
  /** The worst value. */
  readonly max: number;
  /** The smallest difference between two values: 0.1 if the encoder takes fractions, else 1. */
  readonly step: number;
  /** Options that the value needs besides it: `{ 'b:v': '0' }`. */
  readonly needs?: Readonly<Record<string, string>>;
}

/** The words in the argvs of a `PlannedQuality` that the run replaces. */
export const QUALITY_PLACEHOLDERS = {
  /** The value of the encoder's option. A separate argument. */
  value: 'QUALITY',
  /** The start and the length of the sample in the inputs. Separate arguments. */
  start: 'TELECINE_SAMPLE_START',
  seconds: 'TELECINE_SAMPLE_SECONDS',
  /**
   * The start of a value of `force_key_frames`. After it are times on the timeline of the inputs, of which a sample gets those from its start on.
   */
  keyFrames: 'TELECINE_KEY_FRAMES:',
  /** The times of the frames that are compared, as expressions of `setpts`. Parts of a filtergraph. */
  referenceTime: 'TELECINE_REFERENCE_TIME',
  encodedTime: 'TELECINE_ENCODED_TIME',
  /** How many frames of the source the encoder got. A part of a filtergraph. */
  sourceFrames: 'TELECINE_SOURCE_FRAMES',
  /** Frames per second. A part of a filtergraph. */
  frameRate: 'TELECINE_FRAME_RATE',
} as const;

/** The scratch file with the score of each frame. */
export const SCORES_FILE = 'pass/quality.log';

/** The scratch file that lists the packets of the input. */
export const PACKETS_FILE = 'pass/packets.txt';

/** The quality that a run should reach, and how it is measured. The argv contains `QUALITY_PLACEHOLDERS`. */
export interface MeasuredTarget {
  readonly metric: QualityMetric;
  readonly target: number;
  readonly encoder: string;
  readonly scale: QualityScale;
  /** In bits per second of video. */
  readonly maxBitrate?: number;
  /** In bytes of the whole output. */
  readonly maxSize?: number;
  /** Compares the whole output of the run with its source. */
  readonly result: readonly string[];
  /** By how many seconds the times of the output are later than those of the frames that the encoder got. Absent: 0. */
  readonly resultShift?: number;
}

/** How a plan finds the value of the encoder's quality option. The argvs contain `QUALITY_PLACEHOLDERS`. */
export interface PlannedQuality extends MeasuredTarget {
  /** Encodes or copies the audio of the full video alone, into nothing, to learn its bytes. Absent without `maxSize` or audio. */
  readonly audio?: readonly string[];
  /** The part of the input that becomes the output, in seconds. Absent `seconds`: up to the end. */
  readonly range: { readonly start: number; readonly seconds?: number };
  /** Lists the packets of the input in `PACKETS_FILE`. Absent: the input is not a file. */
  readonly packets?: readonly string[];
  /** The scratch file of an encoded sample. */
  readonly sampleFile: string;
  /** Encodes a sample with a value, exactly as the output is encoded. */
  readonly encode: readonly string[];
  /** Compares an encoded sample with its source. */
  readonly compare: readonly string[];
}

/** The value that the samples of a video let choose, and what was tried. Plain JSON. */
export interface FoundValue {
  readonly value: number;
  readonly tried: readonly TriedQuality[];
  /** Present if no value of the encoder is expected to reach the target. */
  readonly limit?: 'scale';
}

/** How the quality of one chunk of a video is measured. The target holds for the whole video. */
export interface ChunkTarget extends MeasuredTarget {
  /** The value with which the chunk is encoded. */
  readonly value: number;
  /** The length of the chunk. */
  readonly seconds: number;
}

/** What the chunks of a video have together, and what limits it. */
export interface JoinedQuality extends Pick<MeasuredTarget, 'metric' | 'target' | 'scale'> {
  readonly result: OutputQuality;
  readonly limit?: 'scale';
}

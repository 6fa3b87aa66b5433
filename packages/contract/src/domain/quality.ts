import type { outputQuality, qualityTarget } from '../wire/quality.ts';
import type { Shape } from '../wire/shape.ts';

/** The metrics that compare an encoded video with the frames that the encoder got. */
export const QUALITY_METRICS = ['ssim', 'xpsnr', 'vmaf'] as const;

export type QualityMetric = (typeof QUALITY_METRICS)[number];

/**
 * The targets that each metric allows, and the score of a video that looks like its source, which messages propose. Targets up to 1 can only be SSIM.
 * Of the other two, `auto` takes XPSNR up to 60, and VMAF above.
 */
export const METRIC_SCALES = {
  ssim: { min: 0.5, max: 0.999, usual: 0.98 },
  xpsnr: { min: 20, max: 60, usual: 42 },
  vmaf: { min: 20, max: 100, usual: 95 },
} as const satisfies Record<QualityMetric, unknown>;

export const METRIC_NAMES: Readonly<Record<QualityMetric, string>> = { ssim: 'SSIM', xpsnr: 'XPSNR', vmaf: 'VMAF' };

/** The quality that a request asks for. */
export type QualityTarget = Shape<typeof qualityTarget>;

/** The quality that an output has, and what was tried to reach the target. */
export type OutputQuality = Shape<typeof outputQuality>;

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
  /** The value with which an ordinary video looks like its source. */
  readonly usual: number;
  /** How many steps of x264's `crf` a step of 1 is worth. */
  readonly pace: number;
  /** How much worse still frames are in a sample than in the full video, where earlier frames refine them: a power of their motion. */
  readonly excess: number;
}

/** The words in argvs that the run replaces by what samples let choose. */
export const QUALITY_PLACEHOLDERS = {
  /** The value of the encoder's option. */
  value: 'QUALITY',
  /** The frame size of the output. */
  width: 'TELECINE_WIDTH',
  height: 'TELECINE_HEIGHT',
  /** The start and the length of a sample in the inputs. */
  start: 'TELECINE_SAMPLE_START',
  seconds: 'TELECINE_SAMPLE_SECONDS',
  /** The arguments of all rungs of a ladder. No value of a client begins with a dash. */
  rungs: '-RUNGS',
  /** The number of a rung in its arguments. */
  rung: '{RUNG}',
} as const;

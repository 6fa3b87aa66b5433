/** How the quality of an encoded video is measured against what the encoder got. */
export const QUALITY_METRICS = ['ssim', 'xpsnr', 'vmaf'] as const;

export type QualityMetric = (typeof QUALITY_METRICS)[number];

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

import type { OutputQuality, QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import { clamp, rounded } from '@telecine/contract/domain/quantity.ts';

// 0 is lossless for some encoders: another profile, which many players cannot decode.
const X264: QualityScale = { option: 'crf', min: 1, max: 51, step: 0.1, usual: 22, pace: 1, excess: 0.1 };
const AV1: QualityScale = { option: 'crf', min: 1, max: 63, step: 1, usual: 30, pace: 0.45, excess: 0.05 };
const CQ: QualityScale = { ...X264, option: 'cq', step: 1, needs: { 'b:v': '0' } };
const QP: QualityScale = { ...X264, option: 'qp', step: 1 };
const LARGE_QP: QualityScale = { ...QP, max: 255, usual: 110, pace: 0.2, excess: 0 };

/** The values that a search tries, by encoder. Measured with the sources of `bench:quality`, except for libaom-av1 and hardware encoders. */
export const QUALITY_SCALES: Readonly<Record<string, QualityScale>> = {
  libx264: X264,
  libx265: { ...X264, pace: 0.95, excess: 0 },
  libsvtav1: { ...AV1, usual: 35 },
  'libaom-av1': { ...AV1, needs: { 'b:v': '0' } },
  'libvpx-vp9': { ...AV1, needs: { 'b:v': '0' } },
  h264_nvenc: CQ,
  hevc_nvenc: CQ,
  av1_nvenc: CQ,
  h264_vaapi: QP,
  hevc_vaapi: QP,
  av1_vaapi: LARGE_QP,
  vp9_vaapi: LARGE_QP,
};

/** Converts a metric to a loss, which grows almost linearly with the value. */
interface LossScale {
  readonly lossOf: (score: number) => number;
  readonly scoreOf: (loss: number) => number;
  /** The usual growth of the loss for one step of x264's `crf`. */
  readonly growth: number;
  /** The score at `QualityScale.usual`. */
  readonly usualScore: number;
  /** How far a result may be from the target. */
  readonly tolerance: number;
}

/** Keeps the logarithm finite for a perfect score. */
const LEAST_LOSS = 1e-6;

const negative = { lossOf: (score: number) => -score, scoreOf: (loss: number) => -loss };

export const LOSS_SCALES: Readonly<Record<QualityMetric, LossScale>> = {
  ssim: {
    lossOf: (score) => Math.log(Math.max(0, 1 - score) + LEAST_LOSS),
    scoreOf: (loss) => 1 - Math.max(0, Math.exp(loss) - LEAST_LOSS),
    ...{ growth: 0.125, usualScore: 0.98, tolerance: 0.002 },
  },
  xpsnr: { ...negative, growth: 0.6, usualScore: 41, tolerance: 0.3 },
  vmaf: { ...negative, growth: 1.3, usualScore: 95, tolerance: 1 },
};

type Target = Pick<OutputQuality, 'metric' | 'target'>;

/** How far the usual value of a target may be from `QualityScale.usual`, in steps of x264's `crf`. */
const FARTHEST = { min: -10, max: 10 } as const;

/** The value that usually has a target. */
export function usualValue({ scale, metric, target }: Target & { readonly scale: QualityScale }): number {
  const { lossOf, growth, usualScore } = LOSS_SCALES[metric];
  return scale.usual + clamp((lossOf(target) - lossOf(usualScore)) / growth, FARTHEST) / scale.pace;
}

/** True if a video has the target, but for the tolerance. */
export const isReached = ({ metric, target }: Target, score: number): boolean =>
  score >= target - LOSS_SCALES[metric].tolerance;

/** The number of digits after the point of a score in reports. */
const DIGITS = 4;

export const roundedScore = (score: number): number => rounded(score, DIGITS);

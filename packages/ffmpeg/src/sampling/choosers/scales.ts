import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';

const crf = (max: number, step: number, needs?: Readonly<Record<string, string>>): QualityScale => ({
  option: 'crf',
  // 0 is lossless for some encoders: another profile, which many players cannot decode.
  min: 1,
  max,
  step,
  ...(needs && { needs }),
});
const CQ: QualityScale = { option: 'cq', min: 1, max: 51, step: 1, needs: { 'b:v': '0' } };
const qp = (max: number): QualityScale => ({ option: 'qp', min: 1, max, step: 1 });

/** The values that a search tries, by encoder. */
export const QUALITY_SCALES: Readonly<Record<string, QualityScale>> = {
  libx264: crf(51, 0.1),
  libx265: crf(51, 0.1),
  libsvtav1: crf(63, 1),
  'libaom-av1': crf(63, 1, { 'b:v': '0' }),
  'libvpx-vp9': crf(63, 1, { 'b:v': '0' }),
  h264_nvenc: CQ,
  hevc_nvenc: CQ,
  av1_nvenc: CQ,
  h264_vaapi: qp(51),
  hevc_vaapi: qp(51),
  av1_vaapi: qp(255),
  vp9_vaapi: qp(255),
};

/** The usual effect of a scale, until tries show that of the video. */
export interface UsualEffect {
  /** The value that has the quality `LossScale.usualScore` with an ordinary video. */
  readonly value: number;
  /** How many steps of x264's `crf` a step of 1 is worth. */
  readonly pace: number;
  /**
   * The distortion of a sample divided by that of the same frames in the full video, by motion: the less moves, the more do earlier frames
   * refine the later ones of the full video. Ascending; between two entries, the logarithms form a straight line.
   */
  readonly excess: readonly (readonly [motion: number, factor: number])[];
}

const EVEN: UsualEffect['excess'] = [[1, 1]];
const AV1_EXCESS: UsualEffect['excess'] = [
  [0.002, 1.4],
  [0.03, 1],
];
const H264_LIKE: UsualEffect = {
  ...{ value: 22, pace: 1 },
  excess: [
    [0.002, 1.85],
    [0.03, 1.14],
    [0.1, 1.32],
    [0.25, 1.16],
    [0.8, 0.98],
  ],
};
const AV1_LIKE: UsualEffect = { value: 30, pace: 0.45, excess: AV1_EXCESS };
const LARGE_QP: UsualEffect = { value: 110, pace: 0.2, excess: EVEN };

/** Measured with the sources of `bench:quality`, except for libaom-av1 and hardware encoders. */
const EFFECTS: Readonly<Record<string, UsualEffect>> = {
  libx264: H264_LIKE,
  libx265: {
    ...{ value: 22, pace: 0.95 },
    excess: [
      [0.002, 1],
      [0.03, 0.95],
    ],
  },
  libsvtav1: { ...AV1_LIKE, value: 35 },
  'libaom-av1': AV1_LIKE,
  'libvpx-vp9': AV1_LIKE,
  av1_vaapi: LARGE_QP,
  vp9_vaapi: LARGE_QP,
};

/** The motion of an ordinary video. */
const USUAL_MOTION = 0.25;

/** The logarithm of the excess of a sample. `motion`: see `SourcePart.motion`. */
export function excessOf({ excess }: UsualEffect, motion = USUAL_MOTION): number {
  const points = excess.map(([at, factor]) => [Math.log(at), Math.log(factor)] as const);
  const at = Math.log(Math.max(1e-6, motion));
  const right = points.findIndex(([x]) => x >= at);
  const [a, b] = [points[right - 1], points[right]];
  if (a === undefined || b === undefined) return (right === 0 ? b : points.at(-1))?.[1] ?? 0;
  return a[1] + ((at - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
}

export const usualEffect = (encoder: string): UsualEffect => EFFECTS[encoder] ?? H264_LIKE;

/** Converts a metric to a loss, which grows almost linearly with the value. */
export interface LossScale {
  readonly lossOf: (score: number) => number;
  readonly scoreOf: (loss: number) => number;
  /** The usual growth of the loss for one step of x264's `crf`. */
  readonly growth: number;
  /** The score at `UsualEffect.value`. */
  readonly usualScore: number;
}

/** Keeps the logarithm finite for a perfect score. */
const LEAST_LOSS = 1e-6;

const negative: Pick<LossScale, 'lossOf' | 'scoreOf'> = { lossOf: (score) => -score, scoreOf: (loss) => -loss };

export const LOSS_SCALES: Readonly<Record<QualityMetric, LossScale>> = {
  ssim: {
    lossOf: (score) => Math.log(Math.max(0, 1 - score) + LEAST_LOSS),
    scoreOf: (loss) => 1 - Math.max(0, Math.exp(loss) - LEAST_LOSS),
    growth: 0.125,
    usualScore: 0.98,
  },
  xpsnr: { ...negative, growth: 0.6, usualScore: 41 },
  vmaf: { ...negative, growth: 1.3, usualScore: 95 },
};

/** The value that usually has a target. `farthest`: how far it may be from `UsualEffect.value`, in steps of x264's `crf`. */
export function usualValue(
  { encoder, metric, target }: { readonly encoder: string; readonly metric: QualityMetric; readonly target: number },
  farthest: number,
): number {
  const { value, pace } = usualEffect(encoder);
  const { lossOf, growth, usualScore } = LOSS_SCALES[metric];
  const steps = (lossOf(target) - lossOf(usualScore)) / growth;
  return value + Math.min(farthest, Math.max(-farthest, steps)) / pace;
}

/** How far a result may be from the target. */
export const TOLERANCES: Readonly<Record<QualityMetric, number>> = { ssim: 0.002, xpsnr: 0.3, vmaf: 1 };

/** True if a video has the target, but for the tolerance. */
export const isReached = (
  { metric, target }: { readonly metric: QualityMetric; readonly target: number },
  score: number,
): boolean => score >= target - TOLERANCES[metric];

/** The number of digits after the point of a score in reports. */
const DIGITS = 4;

export const roundedScore = (score: number): number => rounded(score, DIGITS);

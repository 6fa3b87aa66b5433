import type { Job } from '@telecine/client';
import { METRIC_NAMES } from '../../packages/contract/src/domain/quality.ts';

export type Quality = NonNullable<NonNullable<Job['outputs']>[number]['quality']>;

/** A point of the plot, in its own units. */
interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** Whether the full video was encoded with this value, or only samples. */
  readonly isWhole: boolean;
}

interface QualityPlot {
  /** By quality, from the lowest. */
  readonly points: readonly PlotPoint[];
  /** The points of the samples as a line: `x,y x,y`. */
  readonly line: string;
  readonly targetX: number;
  readonly highestBits: number;
  readonly lowest: AxisLabel;
  readonly highest: AxisLabel;
}

/** A score below the axis of the quality. */
export interface AxisLabel {
  readonly score: number;
  readonly x: number;
}

/** The area of the plot inside its labels. */
export const PLOT = { left: 58, right: 304, top: 12, bottom: 132, width: 320, height: 160 } as const;

/** The free room at both ends of the axis of the quality, as a share of its range. */
const ROOM = 0.08;
/** The range of the axis if all values have the same quality. */
const LEAST_RANGE = 1e-4;

/** Places what was tried in a plot of size over quality. */
export function plotQuality({ tried, target }: Pick<Quality, 'tried' | 'target'>): QualityPlot {
  const highestBits = Math.max(1, ...tried.map(({ bitsPerSecond }) => bitsPerSecond));
  const { x, y, ...labels } = axesOf([target, ...tried.map(({ score }) => score)], highestBits);
  const points = tried
    .map(({ value, score, bitsPerSecond, isWhole = false }) => ({
      ...{ x: x(score), y: y(bitsPerSecond) },
      ...{ value, isWhole },
    }))
    .toSorted((a, b) => a.x - b.x);
  return {
    points,
    line: points
      .filter(({ isWhole }) => !isWhole)
      .map((point) => `${point.x},${point.y}`)
      .join(' '),
    targetX: x(target),
    highestBits,
    ...labels,
  };
}

/** The places on both axes of a plot: of scores, and of values up to `highestValue`. */
export function axesOf(scores: readonly number[], highestValue: number) {
  const [lowestScore, highestScore] = [Math.min(...scores), Math.max(...scores)];
  const range = Math.max(LEAST_RANGE, highestScore - lowestScore) * (1 + 2 * ROOM);
  const from = (lowestScore + highestScore - range) / 2;
  const x = (score: number): number => round(PLOT.left + ((PLOT.right - PLOT.left) * (score - from)) / range);
  const y = (value: number): number => round(PLOT.bottom - ((PLOT.bottom - PLOT.top) * value) / highestValue);
  const labelOf = (score: number): AxisLabel => ({ score, x: x(score) });
  return { x, y, lowest: labelOf(lowestScore), highest: labelOf(highestScore) };
}

const round = (place: number): number => Math.round(place * 10) / 10;

/** Formats a bit rate: `850 kb/s`, `1.4 Mb/s`. */
export const bitRateText = (bits: number): string =>
  bits < 999_500 ? `${Math.round(bits / 1000)} kb/s` : `${Number((bits / 1e6).toFixed(1))} Mb/s`;

/** Says what the output has: `SSIM 0.9806 with crf 26.4. The target 0.98 is reached.` */
export function qualityText({ metric, reached, isReached, target, option, value }: Quality): string {
  const name = METRIC_NAMES[metric];
  if (reached === undefined)
    return `The output has ${option} ${value}. Its ${name} was not measured; the target is ${target}.`;
  return `${name} ${reached} with ${option} ${value}. The target ${target} is ${isReached ? 'reached' : 'missed'}.`;
}

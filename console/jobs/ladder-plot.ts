import type { Job } from '@telecine/client';
import { axesOf } from './quality-plot.ts';

export type Ladder = NonNullable<NonNullable<Job['outputs']>[number]['ladder']>;

/** A rung, or what was tried on samples to find the rungs. Many rungs lie between two values that were tried. */
export interface LadderPoint {
  /** `854 × 480, crf 27`. */
  readonly text: string;
  readonly score: number;
  readonly bitsPerSecond: number;
  readonly isRung: boolean;
}

/** The rungs, the best first, then what was tried. A rung has the bit rate of its sound too. */
export function ladderPoints({ rungs, tried, option }: Pick<Ladder, 'rungs' | 'tried' | 'option'>) {
  const textOf = ({ width, height, value }: Pick<Ladder['tried'][number], 'width' | 'height' | 'value'>): string =>
    `${width} × ${height}, ${option} ${value}`;
  return [
    ...rungs.map(
      (one): LadderPoint => ({
        ...{ text: textOf(one), score: one.score, bitsPerSecond: one.averageBandwidth, isRung: true },
      }),
    ),
    ...tried.map(
      (one): LadderPoint => ({
        ...{ text: textOf(one), score: one.score, bitsPerSecond: one.bitsPerSecond, isRung: false },
      }),
    ),
  ];
}

/** Places the rungs and what was tried in a plot of the bit rate over quality. The line joins the rungs. */
export function plotLadder(ladder: Pick<Ladder, 'rungs' | 'tried' | 'option' | 'target'>) {
  const all = ladderPoints(ladder);
  const highestBits = Math.max(1, ...all.map(({ bitsPerSecond }) => bitsPerSecond));
  const { x, y, ...labels } = axesOf([ladder.target, ...all.map(({ score }) => score)], highestBits);
  const points = all
    .map(({ text, score, bitsPerSecond, isRung }) => ({ x: x(score), y: y(bitsPerSecond), text, isRung }))
    // Draw the rungs over what was tried.
    .toSorted((a, b) => Number(a.isRung) - Number(b.isRung) || a.x - b.x);
  const line = points
    .filter((point) => point.isRung)
    .map((point) => `${point.x},${point.y}`)
    .join(' ');
  return { points, line, targetX: x(ladder.target), highestBits, ...labels };
}

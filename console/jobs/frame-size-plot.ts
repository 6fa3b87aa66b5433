import type { Job } from '@telecine/client';
import { axesOf } from './quality-plot.ts';

export type ChosenSize = NonNullable<NonNullable<Job['outputs']>[number]['frameSize']>;
export type ComparedSize = NonNullable<ChosenSize['compared']>[number];

export const sizeText = ({ width, height }: Pick<ComparedSize, 'width' | 'height'>): string => `${width} × ${height}`;

/** True for the size that the output has. */
export const isChosen = ({ width, height }: ChosenSize, one: Pick<ComparedSize, 'width' | 'height'>): boolean =>
  one.width === width && one.height === height;

/** Places the compared sizes in a plot of the height of the frame over quality. */
export function plotSizes(chosen: ChosenSize, compared: readonly ComparedSize[]) {
  const highestSize = Math.max(1, ...compared.map(({ height }) => height));
  const { x, y, ...labels } = axesOf(
    compared.map(({ score }) => score),
    highestSize,
  );
  const points = compared
    .map((one) => ({ x: x(one.score), y: y(one.height), size: sizeText(one), isChosen: isChosen(chosen, one) }))
    .toSorted((a, b) => a.y - b.y);
  return { points, line: points.map((point) => `${point.x},${point.y}`).join(' '), highestSize, ...labels };
}

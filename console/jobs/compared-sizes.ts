import type { Job } from '@telecine/client';

type ChosenSize = NonNullable<NonNullable<Job['outputs']>[number]['frameSize']>;
type ComparedSize = NonNullable<ChosenSize['compared']>[number];

export const sizeText = ({ width, height }: Pick<ComparedSize, 'width' | 'height'>): string => `${width} × ${height}`;

/** The rows of the sizes that a job compared, the largest first, with how far each is behind the chosen one. */
export function comparedRows(chosen: ChosenSize, compared: readonly ComparedSize[]) {
  const isChosen = (one: ComparedSize): boolean => one.width === chosen.width && one.height === chosen.height;
  const best = compared.find(isChosen)?.score;
  return compared
    .toSorted((a, b) => b.width * b.height - a.width * a.height)
    .map((one) => ({
      size: sizeText(one),
      isChosen: isChosen(one),
      score: one.score.toFixed(4),
      note: isChosen(one) ? 'chosen' : best === undefined ? '' : behindText(best - one.score),
    }));
}

const behindText = (difference: number): string => (difference < 0.00005 ? 'the same' : `−${difference.toFixed(4)}`);

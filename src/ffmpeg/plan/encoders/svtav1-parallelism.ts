import type { Build } from '../../catalogue/build.ts';

/** The fewest processors for which SVT-AV1 2.3 to 4.2 take each of their levels by themselves, from level 1 on. */
const FEWEST = [1, 2, 3, 6, 12, 24];

/** What its parameter `lp` counts: processors, and since SVT-AV1 2.3 levels. The nearest that a build tells is its release. */
export const usesSvtLevels = ({ release }: Build): boolean =>
  release === undefined || release[0] > 7 || (release[0] === 7 && release[1] >= 1);

/** The level for so many processors. */
export const svtLevelOf = (cores: number): number => Math.max(1, FEWEST.filter((fewest) => fewest <= cores).length);

/** The processors that a level is meant for, at least; above the last it is the last. */
export const coresOfSvtLevel = (level: number): number => FEWEST[Math.min(Math.ceil(level), FEWEST.length) - 1] ?? 1;

import type { VideoWork } from './work-kinds.ts';

/**
 * The prefix of the need of a long job. Every worker meets this need, but slow workers leave the job to faster ones for a
 * while.
 */
const SPEED = 'speed:';

/** The entry in the `needs` of a long job whose video has this encoder. */
export const speedNeed = (work: VideoWork): string => `${SPEED}${work}`;

/** The encoder of a long job. undefined: the need is another one. */
export const longWorkOf = (need: string): VideoWork | undefined =>
  need.startsWith(SPEED) ? (need.slice(SPEED.length) as VideoWork) : undefined;

/** The needs that not every worker meets. */
export const strictNeeds = (needs: readonly string[]): readonly string[] =>
  needs.filter((need) => longWorkOf(need) === undefined);

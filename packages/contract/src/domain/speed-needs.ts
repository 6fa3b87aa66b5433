const SPEED = 'speed:';

/** The need of a long job. Every worker meets it, but small workers leave the job to larger ones for a while. */
export const LONG_NEED = `${SPEED}long`;

export const isLongNeed = (need: string): boolean => need.startsWith(SPEED);

/** The needs that not every worker meets. */
export const strictNeeds = (needs: readonly string[]): readonly string[] => needs.filter((need) => !isLongNeed(need));

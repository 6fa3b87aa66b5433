const SPEED = 'speed:';

/** The need of a long job. Every worker meets it, but small workers leave the job to larger ones for a while. */
export const LONG_NEED = `${SPEED}long`;

export const isLongNeed = (need: string): boolean => need.startsWith(SPEED);

/** The need of a job with a recipe. Workers of versions that cannot apply a recipe do not meet it. */
export const RECIPE_NEED = 'recipe:definition';

/** Whether every worker of this version meets a need. */
export const isMetByAll = (need: string): boolean => isLongNeed(need) || need === RECIPE_NEED;

/** The needs that not every worker meets. */
export const strictNeeds = (needs: readonly string[]): readonly string[] => needs.filter((need) => !isMetByAll(need));

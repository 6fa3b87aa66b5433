/** In a wide window, the results have a column of their own. */
export const NARROW = '(width < 64rem)';

/** The id of the started jobs. */
export const STARTED_JOBS = 'started-jobs';

/**
 * How many attempts a job gets in all. After the last one it fails: with WORKER_LOST if its worker was lost each time.
 */
export const MAX_ATTEMPTS = 3;

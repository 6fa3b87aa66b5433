/** The maximum number of attempts of a job. A job whose worker crashed in the last attempt fails with WORKER_LOST. */
export const MAX_ATTEMPTS = 3;

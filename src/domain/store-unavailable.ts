import { Problem } from './problem.ts';

const RETRY_SECONDS = 5;

/** The database cannot be reached now, or it does not accept writes. The cause is for the log. */
export class StoreUnavailable extends Problem {
  constructor(cause: unknown) {
    super('UNAVAILABLE', `The service cannot reach its database now. Retry in ${RETRY_SECONDS} s.`, {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    });
  }
}

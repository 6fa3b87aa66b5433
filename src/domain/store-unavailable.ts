import { Problem } from './problem.ts';

const RETRY_SECONDS = 5;

/**
 * The database cannot be reached now, or it does not accept writes. It has no cause, because the service logs an outage
 * once, and not with every request.
 */
export class StoreUnavailable extends Problem {
  constructor() {
    super('UNAVAILABLE', `The service cannot reach its database now. Retry in ${RETRY_SECONDS} s.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

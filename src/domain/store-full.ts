import { Problem } from './problem.ts';

const RETRY_SECONDS = 30;

/**
 * The disk of the database has no room for `what`. It has no cause, because the service logs a full disk once, and not
 * with every request.
 */
export class StoreFull extends Problem {
  constructor(what: string) {
    super(
      'UNAVAILABLE',
      `The disk of the service's database has too little free space for ${what}. Retry in ${RETRY_SECONDS} s, or ask the operator to free space.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

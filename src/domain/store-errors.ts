import { Problem } from './problem.ts';

const OUTAGE_RETRY_SECONDS = 5;

/**
 * The database cannot be reached now, or it does not accept writes. It has no cause, because the service logs an outage
 * once, and not with every request.
 */
export class StoreUnavailable extends Problem {
  constructor() {
    super('UNAVAILABLE', `The service cannot reach its database now. Retry in ${OUTAGE_RETRY_SECONDS} s.`, {
      retryAfterSeconds: OUTAGE_RETRY_SECONDS,
    });
  }
}

const FULL_RETRY_SECONDS = 30;

/**
 * The disk of the database has no room for `what`. It has no cause, because the service logs a full disk once, and not
 * with every request.
 */
export class StoreFull extends Problem {
  constructor(what: string) {
    super(
      'UNAVAILABLE',
      `The disk of the service's database has too little free space for ${what}. Retry in ${FULL_RETRY_SECONDS} s, or ask the operator to free space.`,
      { retryAfterSeconds: FULL_RETRY_SECONDS },
    );
  }
}

/**
 * Whether the database is lost or its disk is full. The service logs either once, when it begins, so that whoever meets it
 * later does not log it again.
 */
export const isStoreOutage = (error: unknown): boolean =>
  error instanceof StoreFull || error instanceof StoreUnavailable;

import { Problem } from './problem.ts';

const OUTAGE_RETRY_SECONDS = 5;

/** The database is unreachable or does not accept writes. The error has no cause, because the service logs an outage only once. */
export class StoreUnavailable extends Problem {
  constructor() {
    super('UNAVAILABLE', `The service cannot reach its database now. Retry in ${OUTAGE_RETRY_SECONDS} s.`, {
      retryAfterSeconds: OUTAGE_RETRY_SECONDS,
    });
  }
}

const FULL_RETRY_SECONDS = 30;

/** The disk of the database has no room for `what`. The error has no cause, because the service logs a full disk only once. */
export class StoreFull extends Problem {
  constructor(what: string) {
    super(
      'UNAVAILABLE',
      `The disk of the service's database has too little free space for ${what}. Retry in ${FULL_RETRY_SECONDS} s, or ask the operator to free space.`,
      { retryAfterSeconds: FULL_RETRY_SECONDS },
    );
  }
}

/** Whether the database is unreachable or its disk is full. The service logs only the beginning of such an outage. */
export const isStoreOutage = (error: unknown): boolean =>
  error instanceof StoreFull || error instanceof StoreUnavailable;

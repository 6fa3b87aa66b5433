import { DatabaseError } from 'pg';
import { StoreFull } from '../../domain/store-full.ts';
import { StoreUnavailable } from '../../domain/store-unavailable.ts';

/**
 * SQLSTATE classes and codes that end with time: lost connections (08), too few resources (53), a server that starts,
 * stops or ends its sessions (57P), a lock or a statement that took too long (55P03, 57014, 25P03), and a standby that is
 * not writable yet (25006). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(?:08|53|57P|55P03$|57014$|25P03$|25006$)/;

const DISK_FULL = '53100';

/** Serialization failure and deadlock: PostgreSQL asks to run the transaction again. */
const RUN_AGAIN: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Whether PostgreSQL rolled a transaction back that may succeed if it runs again. */
export const mustRunAgain = (error: unknown): boolean => error instanceof DatabaseError && RUN_AGAIN.has(error.code);

/** Whether the connection may be unusable after `error`. An error that is not of the server is one of the connection. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || (error.code !== undefined && PASSING.test(error.code));

/** Returns the problem UNAVAILABLE for an error that ends with time, and any other error unchanged. */
export function explainPostgresError(error: unknown): unknown {
  if (error instanceof DatabaseError && error.code === DISK_FULL) return new StoreFull('this request');
  return endsConnection(error) ? new StoreUnavailable() : error;
}

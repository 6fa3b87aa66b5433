import { StoreFull, StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { DatabaseError } from 'pg';

/**
 * The SQLSTATE codes of outages: a lost connection (08), exhausted resources (53), a server that starts or stops (57P),
 * and a standby (25006). See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const OUTAGE = /^(?:08|53|57P|25006$)/;

/** The SQLSTATE codes of a single statement that took too long: lock timeout, statement timeout, idle transaction. */
const TOO_SLOW: ReadonlySet<unknown> = new Set(['55P03', '57014', '25P03']);

/**
 * Messages of `pg` and `pg-pool` about a connection that cannot be opened, is lost, or does not answer. These errors
 * have no code.
 */
const CONNECTION_MESSAGE =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/;

const NETWORK_CODE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/;

const DISK_FULL = '53100';

const READ_ONLY_TRANSACTION = '25006';

/** The SQLSTATE codes of a serialization failure and a deadlock, after which a transaction should run again. */
const RUN_AGAIN: ReadonlySet<unknown> = new Set(['40001', '40P01']);

const IN_FAILED_TRANSACTION = '25P02';

/** Returns whether a statement was rejected only because an earlier statement of its transaction had failed. */
export const isInFailedTransaction = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === IN_FAILED_TRANSACTION;

/** Returns whether PostgreSQL rolled back a transaction that may succeed if it runs again. */
export const mustRunAgain = (error: unknown): boolean => error instanceof DatabaseError && RUN_AGAIN.has(error.code);

/**
 * Returns whether an error means that the server accepts no writes: it is a standby, such as the old primary after a
 * failover, or it was made read-only.
 */
export const isReadOnly = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === READ_ONLY_TRANSACTION;

/** Returns whether an error means that the whole database cannot be used, not that only this statement failed. */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseError) return OUTAGE.test(error.code ?? '') && error.code !== DISK_FULL;
  const { code, message, errors } = (error ?? {}) as { code?: unknown; message?: unknown; errors?: unknown };
  // For a host with several addresses, there is one error for each address. It is an outage only if all of them are.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isOutage);
  return NETWORK_CODE.test(String(code)) || CONNECTION_MESSAGE.test(String(message));
}

/** Converts a temporary error of the database to the problem UNAVAILABLE. Returns any other error unchanged. */
export function explainPostgresError(error: unknown): unknown {
  if (error instanceof DatabaseError && error.code === DISK_FULL) return new StoreFull('this request');
  if (error instanceof DatabaseError && TOO_SLOW.has(error.code)) return new StoreUnavailable();
  return isOutage(error) ? new StoreUnavailable() : error;
}

/**
 * Returns the reason of an outage, for the log. Leaves out the error itself, which may contain the key with which
 * anyone can cancel queries of the connection.
 */
export const outageReason = (error: unknown): { readonly code: unknown; readonly message: string } => {
  const { code, message, errors } = (error ?? {}) as { code?: unknown; message?: unknown; errors?: unknown };
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return first === undefined ? { code, message: String(message) } : outageReason(first);
};

/**
 * Detects outages. Calls `onChange` with the reason when an outage begins, and with undefined when it ends. Ignores
 * connections that were opened before an outage last began or ended: their sessions may survive the outage, or their
 * loss may be noticed only later.
 */
export function outageWatch(onChange: (reason: ReturnType<typeof outageReason> | undefined) => void) {
  let hasOutage = false;
  let refusesWrites = false;
  let count = 0;
  const end = (): void => {
    hasOutage = false;
    refusesWrites = false;
    count += 1;
    onChange(undefined);
  };
  return {
    /**
     * Returns how many times an outage has begun or ended. A connection remembers this number when it begins to
     * connect.
     */
    count: (): number => count,
    /**
     * Call this if a connection or its query has failed. `begun`: the value of `count` when the connection began to
     * connect.
     */
    failed(begun: number, error: unknown): void {
      if (hasOutage || begun !== count || !isOutage(error)) return;
      hasOutage = true;
      refusesWrites = isReadOnly(error);
      count += 1;
      onChange(outageReason(error));
    },
    /** Call this if a query has succeeded. `begun`: see `failed`. */
    succeeded(begun: number): void {
      if (hasOutage && !refusesWrites && begun === count) end();
    },
    /**
     * true: the outage is only that the server accepts no writes. A query that succeeds does not end it, because the
     * query may only have read.
     */
    isReadOnly: (): boolean => refusesWrites,
    /** Call this when the server accepts writes again. */
    writable(): void {
      if (refusesWrites) end();
    },
  };
}

import { isOutage, isReadOnly, outageReason } from './errors.ts';

/** Notices when outages of the database begin and end. */
export interface OutageWatch {
  /** Counts the beginnings and the ends of outages. A connection notes the count when it begins to connect. */
  count(): number;
  /** A connection that noted `begun`, or its query, has failed. */
  failed(begun: number, error: unknown): void;
  /** A query on a connection that noted `begun` has succeeded. */
  succeeded(begun: number): void;
  /** Whether the server only accepts no writes. Then a query that succeeds says nothing: it may have read. */
  isReadOnly(): boolean;
  /** The server accepts writes again. */
  writable(): void;
}

/**
 * Calls `onChange` once with the reason when an outage begins, and once with undefined when it ends. A connection that
 * began before the last change says nothing about the database now: its session may outlive others for a moment when the
 * server ends, and its loss may be noticed after the server is back.
 */
export function outageWatch(onChange: (reason: ReturnType<typeof outageReason> | undefined) => void): OutageWatch {
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
    count: () => count,
    failed(begun, error) {
      if (hasOutage || begun !== count || !isOutage(error)) return;
      hasOutage = true;
      refusesWrites = isReadOnly(error);
      count += 1;
      onChange(outageReason(error));
    },
    succeeded(begun) {
      if (hasOutage && !refusesWrites && begun === count) end();
    },
    isReadOnly: () => refusesWrites,
    writable() {
      if (refusesWrites) end();
    },
  };
}

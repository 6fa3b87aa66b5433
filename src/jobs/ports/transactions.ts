import type { MaybePromise } from '../../domain/maybe-promise.ts';

declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` can use its contents. */
export interface Tx {
  readonly [transaction]: true;
}

/** Runs atomic transactions. */
export interface Transactions {
  /**
   * Runs `unit` as one transaction and resolves once it is on disk. A unit accesses the database only through its `tx`.
   * If it throws, its writes, and only those, are rolled back. Units may run one after the other, so a slow unit delays
   * all others, and a unit that calls `run` may never end. A unit may be rolled back and run again, so it must change
   * nothing but the database. If `durable` is false, `run` resolves without waiting for the disk: a crash may undo the
   * writes. If `isOneStatement` is true, the unit runs one statement at most, which an engine may run as a transaction of its own.
   */
  run<T>(
    unit: (tx: Tx) => Promise<T>,
    options?: { readonly durable?: boolean; readonly isOneStatement?: boolean },
  ): Promise<T>;
}

/** The free space on the disk of the store, compared with the reserve that running jobs need to record their end. */
export interface StoreSpace {
  /** Whether less than the reserve is free. Then no job is accepted, and no queued job starts. */
  isLow(): MaybePromise<boolean>;
  /** Whether less than half of the reserve is free. Then no refresh tokens are stored either. */
  isBelowHalf(): Promise<boolean>;
}

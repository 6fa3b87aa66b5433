import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';

declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` can use its contents. */
export interface Tx {
  readonly [transaction]: true;
}

export interface Transactions {
  /**
   * Runs `unit` as one transaction and resolves once it is on disk. A unit accesses the database only through its `tx`,
   * must not call `run`, and changes nothing else, because it may be rolled back and run again. If it throws, only its
   * writes are rolled back. Units may run one after the other. `durable` false: resolves without waiting for the disk,
   * so that a crash may undo the writes. `isOneStatement`: the unit has one statement at most, which may run as its own
   * transaction.
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

import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';

declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` can use its contents. */
export interface Tx {
  readonly [transaction]: true;
}

export interface Transactions {
  /**
   * Runs `unit` as one transaction. Resolves when the transaction is on disk. The unit must access the database only
   * through its `tx`, and must not call `run`. It must change nothing else, because it may be rolled back and run
   * again. If it throws, only its own writes are rolled back. Several units may run one after the other. `durable`
   * false: resolves without waiting for the disk, so a crash may undo the writes. `isOneStatement`: the unit has at
   * most one statement, which may run as its own transaction.
   */
  run<T>(
    unit: (tx: Tx) => Promise<T>,
    options?: { readonly durable?: boolean; readonly isOneStatement?: boolean },
  ): Promise<T>;
}

/** Compares the free space on the disk of the store with the reserve. Running jobs need the reserve to store how they ended. */
export interface StoreSpace {
  /** Returns whether less space than the reserve is free. In this case, no job is accepted and no queued job starts. */
  isLow(): MaybePromise<boolean>;
  /** Returns whether less than half of the reserve is free. In this case, no refresh tokens are stored either. */
  isBelowHalf(): Promise<boolean>;
}

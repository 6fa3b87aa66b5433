declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` can use its contents. */
export interface Tx {
  readonly [transaction]: true;
}

export interface Transactions {
  /**
   * Runs `unit` as one transaction. Resolves when the transaction is on disk. The unit must access the database only
   * through its `tx`, must not call `run`, and must change nothing outside the database, because it may be rolled back
   * and run again. If it throws, only its own writes are rolled back, although several units may share one commit.
   * `durable` false: resolves without waiting for the disk, so a crash may undo the writes. `isOneStatement`: the unit
   * has at most one statement, which may then run without begin and commit.
   */
  run<T>(
    unit: (tx: Tx) => Promise<T>,
    options?: { readonly durable?: boolean; readonly isOneStatement?: boolean },
  ): Promise<T>;
}

/**
 * Tells whether the disk of the store is almost full. A reserve of its space is kept for running jobs, which store how
 * they ended.
 */
export interface StoreSpace {
  /** Returns whether less space is free than the reserve. Then no job is accepted and no queued job starts. */
  isLow(): Promise<boolean>;
  /** Returns whether less space is free than half of the reserve. Then no refresh tokens are stored either. */
  isBelowHalf(): Promise<boolean>;
}

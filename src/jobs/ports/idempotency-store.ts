import type { Tx } from './transactions.ts';

/** The first use of an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly jobId: string;
}

export interface IdempotencyStore {
  /**
   * Records the first use of a key, in the transaction that stores the job. If the key was already used at or after
   * `notBefore`, changes nothing and returns that use.
   */
  insert(
    tx: Tx,
    use: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** Returns the use of a key, if it was used at or after `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

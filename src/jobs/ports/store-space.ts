import type { MaybePromise } from '../../domain/maybe-promise.ts';

/** The free space on the disk of the store, compared with the reserve that running jobs need to record their end. */
export interface StoreSpace {
  /** Whether less than the reserve is free. Then no job is accepted, and no queued job starts. */
  isLow(): MaybePromise<boolean>;
  /** Whether less than half of the reserve is free. Then no refresh tokens are stored either. */
  isBelowHalf(): Promise<boolean>;
}

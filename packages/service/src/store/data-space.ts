import { statfs } from 'node:fs/promises';
import { type MaybePromise, whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
import type { StoreSpace } from '../jobs/ports/transactions.ts';

export interface DataSpaceOptions {
  readonly dir: string;
  /** The free bytes to keep on its disk. */
  readonly reserveBytes: number;
  /** Called when the disk falls below the reserve, and when it has room again. */
  readonly onChange: (state: DataSpaceState) => void;
}

export interface DataSpaceState {
  readonly isLow: boolean;
  readonly freeBytes: number;
  /** The free bytes that end, or begin, the shortage. */
  readonly requiredBytes: number;
}

export interface DataSpace extends StoreSpace {
  state(): Promise<DataSpaceState>;
}

/** How long a measurement is used. Every submission needs one. */
const MAX_AGE_MS = 500;

/** SQLite needs some room for its log, whatever the operator sets. */
const MIN_RESERVE_BYTES = 2 ** 20;

/** A shortage ends only with this much more than the reserve, so that the state does not alternate. */
const RECOVERY = 1.1;

/** Measures the free space on the disk of the data folder, when it is queried. */
export function createDataSpace({ dir, reserveBytes, onChange }: DataSpaceOptions): DataSpace {
  const reserve = Math.max(reserveBytes, MIN_RESERVE_BYTES);
  let isLow = false;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let latest: MaybePromise<DataSpaceState> | undefined;

  async function measure(): Promise<DataSpaceState> {
    const { bavail, bsize } = await statfs(dir);
    const freeBytes = bavail * bsize;
    const requiredBytes = isLow ? Math.ceil(reserve * RECOVERY) : reserve;
    const state = { isLow: freeBytes < requiredBytes, freeBytes, requiredBytes };
    if (state.isLow !== isLow) onChange(state);
    isLow = state.isLow;
    latest = state;
    return state;
  }

  const state = (): MaybePromise<DataSpaceState> => {
    const now = performance.now();
    if (latest === undefined || now - measuredAt >= MAX_AGE_MS) {
      measuredAt = now;
      latest = measure();
    }
    return latest;
  };

  return {
    state: async () => state(),
    isLow: () => whenKnown(state(), (measured) => measured.isLow),
    isBelowHalf: async () => (await state()).freeBytes < reserve / 2,
  };
}

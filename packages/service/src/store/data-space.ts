import { statfs } from 'node:fs/promises';
import type { StoreSpace } from '../jobs/ports/transactions.ts';

interface DataSpaceOptions {
  readonly dir: string;
  /** How many bytes must stay free on the disk of the data folder. */
  readonly reserveBytes: number;
  /** Called when less than the reserve is free, and when there is enough space again. */
  readonly onChange: (state: DataSpaceState) => void;
}

interface DataSpaceState {
  readonly isLow: boolean;
  readonly freeBytes: number;
  /** The number of bytes that must be free before `isLow` becomes false. */
  readonly requiredBytes: number;
}

export interface DataSpace extends StoreSpace {
  state(): Promise<DataSpaceState>;
}

/** How long a measurement is cached, because every submission needs one. */
const MAX_AGE_MS = 500;

/** The minimum reserve, even if the operator sets less: SQLite needs some room for its log. */
const MIN_RESERVE_BYTES = 2 ** 20;

/** A shortage ends when this multiple of the reserve is free, so that the state does not change all the time. */
const RECOVERY = 1.1;

/** Measures the free space on the disk of the data folder when a caller asks for it. */
export function createDataSpace({ dir, reserveBytes, onChange }: DataSpaceOptions): DataSpace {
  const reserve = Math.max(reserveBytes, MIN_RESERVE_BYTES);
  let isLow = false;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<DataSpaceState> | undefined;

  async function measure(): Promise<DataSpaceState> {
    const { bavail, bsize } = await statfs(dir);
    const freeBytes = bavail * bsize;
    const requiredBytes = isLow ? Math.ceil(reserve * RECOVERY) : reserve;
    const state = { isLow: freeBytes < requiredBytes, freeBytes, requiredBytes };
    if (state.isLow !== isLow) onChange(state);
    isLow = state.isLow;
    return state;
  }

  const state = (): Promise<DataSpaceState> => {
    const now = performance.now();
    if (latest === undefined || now - measuredAt >= MAX_AGE_MS) {
      measuredAt = now;
      latest = measure();
    }
    return latest;
  };

  return {
    state,
    isLow: async () => (await state()).isLow,
    isBelowHalf: async () => (await state()).freeBytes < reserve / 2,
  };
}

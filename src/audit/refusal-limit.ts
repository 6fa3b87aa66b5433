/** The most refusals that are recorded in a minute: of one address, and in all. */
const PER_ADDRESS = 10;
const IN_ALL = 200;

const WINDOW_MS = 60_000;

/** Bounds the records of refused requests, which anyone can cause. */
export interface RefusalLimit {
  /** Whether to record a refusal. */
  admit(address: string): boolean;
  /** The refusals of finished windows that were not recorded, since the last call. */
  takeUnrecorded(): number;
}

/** `now`: milliseconds of a monotonic clock. */
export function refusalLimit(now: () => number): RefusalLimit {
  let startedAt = Number.NEGATIVE_INFINITY;
  let admitted = 0;
  let rejected = 0;
  let finished = 0;
  const byAddress = new Map<string, number>();

  const beginWindow = (): void => {
    if (now() - startedAt < WINDOW_MS) return;
    startedAt = now();
    finished += rejected;
    admitted = 0;
    rejected = 0;
    byAddress.clear();
  };

  return {
    admit(address) {
      beginWindow();
      const ofAddress = byAddress.get(address) ?? 0;
      if (ofAddress >= PER_ADDRESS || admitted >= IN_ALL) {
        rejected += 1;
        return false;
      }
      byAddress.set(address, ofAddress + 1);
      admitted += 1;
      return true;
    },
    takeUnrecorded() {
      beginWindow();
      const count = finished;
      finished = 0;
      return count;
    },
  };
}

import { tally } from './tally.ts';

/**
 * The bytes of bodies and replies in memory. One caller may hold half of the limit, so that it cannot keep out others. A single
 * one of any size fits: otherwise, what is larger than the limit could never be read.
 */
export interface BytesInFlight {
  /** Returns false if there is no room. */
  hold(caller: string, bytes: number): boolean;
  /** Counts bytes that are in memory already, whether there is room or not. */
  force(caller: string, bytes: number): void;
  release(caller: string, bytes: number): void;
}

export function bytesInFlight(limit: number): BytesInFlight {
  let all = 0;
  const perCaller = tally();
  const force = (caller: string, bytes: number): void => {
    all += bytes;
    perCaller.add(caller, bytes);
  };
  return {
    hold: (caller, bytes) => {
      const held = perCaller.of(caller);
      if (all >= limit || (held > 0 && held + bytes > limit / 2)) return false;
      force(caller, bytes);
      return true;
    },
    force,
    release: (caller, bytes) => {
      all -= bytes;
      perCaller.remove(caller, bytes);
    },
  };
}

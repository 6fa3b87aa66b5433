import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Bytes of randomness that an id takes, and how much is fetched at once: a call for each would cost 2 µs. */
const PER_ID = 16;
const pool = new Uint8Array(PER_ID * 256);
let used = pool.length;

let milliseconds = 0;
let sequence = 0;
/** Of the 32 bits that an id has for it. */
const MAX_SEQUENCE = 2 ** 32 - 1;

/** Ids made from now on sort after this one, also where the clock was set back since it was made. */
export function continueJobIdsAfter(jobId: string): void {
  milliseconds = Math.max(milliseconds, Number.parseInt(jobId.replaceAll('-', '').slice(0, 12), 16) + 1);
}

/**
 * A UUID version 7: the ids of one process sort in the order in which they were made, also within a millisecond
 * and when the clock is set back; with `beginAfter`, after those of earlier processes too. Lists and the line rely on it.
 */
export function newJobId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + PER_ID);
  used += PER_ID;
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    // Half of the 32 bits, so that there is room to count up.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else if (sequence < MAX_SEQUENCE) sequence += 1;
  else {
    milliseconds += 1;
    sequence = 0;
  }
  return v7({ random, msecs: milliseconds, seq: sequence });
}

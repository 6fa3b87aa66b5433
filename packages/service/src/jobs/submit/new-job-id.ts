import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * The number of random bytes per id. Bytes for 256 ids are generated together, because a call for each id would cost 2
 * µs.
 */
const PER_ID = 16;
const pool = new Uint8Array(PER_ID * 256);
let used = pool.length;

let milliseconds = 0;
let sequence = 0;
/** The sequence in an id has 32 bits. */
const MAX_SEQUENCE = 2 ** 32 - 1;

export const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Makes all later ids sort after `jobId`, even if the clock was set back. */
export function continueJobIdsAfter(jobId: string): void {
  milliseconds = Math.max(milliseconds, Number.parseInt(jobId.replaceAll('-', '').slice(0, 12), 16) + 1);
}

/**
 * Returns a UUID version 7 that sorts after all earlier ids of this process, even if the clock is set back. After a
 * call of `continueJobIdsAfter`, it also sorts after the ids of earlier processes. Lists and the queue rely on this
 * order.
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
    // Start the sequence in the lower half of its range, so that it can count up.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else if (sequence < MAX_SEQUENCE) sequence += 1;
  else {
    milliseconds += 1;
    sequence = 0;
  }
  return v7({ random, msecs: milliseconds, seq: sequence });
}

import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes per id. They are generated for 256 ids at a time, because a call for each id would cost 2 µs. */
const PER_ID = 16;
const pool = new Uint8Array(PER_ID * 256);
let used = pool.length;

let milliseconds = 0;
let sequence = 0;
/** An id has 32 bits for the sequence. */
const MAX_SEQUENCE = 2 ** 32 - 1;

export const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Makes all later ids sort after `jobId`, even if the clock was set back since. */
export function continueJobIdsAfter(jobId: string): void {
  milliseconds = Math.max(milliseconds, Number.parseInt(jobId.replaceAll('-', '').slice(0, 12), 16) + 1);
}

/**
 * A UUID version 7 that sorts after all earlier ids of this process, even if the clock is set back; with
 * `continueJobIdsAfter` also after ids of earlier processes. Lists and the queue rely on the order.
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
    // Start in the lower half of the range, so that the sequence can count up.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else if (sequence < MAX_SEQUENCE) sequence += 1;
  else {
    milliseconds += 1;
    sequence = 0;
  }
  return v7({ random, msecs: milliseconds, seq: sequence });
}

import pLimit from 'p-limit';
import type { JobChange } from '../job-changes.ts';

/**
 * How much later each worker looks for a new job than the worker before it in the order. A hint (the notice of the job)
 * takes 10 ms in each direction, and a claim takes some milliseconds.
 */
const STEP_MS = 50;

/** The maximum delay. After this time, all workers that still wait look for the job. */
const MAX_WAIT_MS = 1000;

/**
 * The maximum number of new jobs for which a worker delays its look into the queue at the same time. One look finds all
 * jobs, so more delays are not needed.
 */
const MAX_WAITS = 100;

interface WakeTurnsDeps {
  readonly workerId: string;
  /** The other workers that are notified of new jobs. */
  readonly peers: () => readonly string[];
  readonly wake: () => void;
}

/**
 * When a job is queued, lets one worker look for it, and the others only if no worker claims the job. Otherwise, a job
 * would cost more with each additional worker. Each worker computes its place in the order from a hash of job and
 * worker. If a hint is lost, or workers compute different orders, a job waits longer or a worker looks in vain, but no
 * job is lost.
 */
export function wakeTurns({ workerId, peers, wake }: WakeTurnsDeps) {
  const waits = new Map<string, NodeJS.Timeout>();
  const end = (jobId: string): void => {
    clearTimeout(waits.get(jobId));
    waits.delete(jobId);
  };
  return {
    hear({ kind, jobId }: JobChange): void {
      if (kind === 'progress') return;
      end(jobId);
      if (kind !== 'created' && kind !== 'released' && kind !== 'requeued') return;
      const before = workersBefore(jobId, workerId, peers());
      if (before === 0) wake();
      if (before === 0 || waits.size >= MAX_WAITS) return;
      const look = (): void => {
        waits.delete(jobId);
        wake();
      };
      waits.set(jobId, setTimeout(look, Math.min(before * STEP_MS, MAX_WAIT_MS)));
    },
    close(): void {
      for (const timer of waits.values()) clearTimeout(timer);
      waits.clear();
    },
  };
}

/** Returns how many workers come before this worker in the order for a job. */
export function workersBefore(jobId: string, workerId: string, peers: readonly string[]): number {
  const job = hash(jobId);
  const own = mix(job ^ hash(workerId));
  return peers.filter((peer) => peer !== workerId && mix(job ^ hash(peer)) < own).length;
}

/** The hash function FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** The last step of MurmurHash3. Each bit of the input affects each bit of the result. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * The maximum duration of a turn on the processors. A short conversion ends within its turn. A longer conversion delays
 * the next one only by this time.
 */
export const TURN_MS = 300;

/**
 * Lets `limit` conversions start. Each further conversion starts when a turn ends: when its conversion has ended, or
 * after `turnMs`. More conversions than processors would compete for the caches and would not finish sooner.
 *
 * @returns A function that resolves when a conversion may start, in the order of the calls. If `ended` settles first,
 * it resolves at once.
 */
export function processorTurns(limit: number, turnMs = TURN_MS): (ended: Promise<unknown>) => Promise<void> {
  const inTurn = pLimit(limit);
  const turnOf = (ended: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, turnMs);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      ended.then(end, end);
    });
  return (ended) =>
    new Promise((resolve) => {
      const start = (): void => resolve();
      ended.then(start, start);
      void inTurn(() => {
        start();
        return turnOf(ended);
      });
    });
}

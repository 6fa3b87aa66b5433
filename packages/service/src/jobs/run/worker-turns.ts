import pLimit from 'p-limit';
import type { JobChange } from '../job-changes.ts';

/** The delay of each worker after the previous one in the order: a hint takes 10 ms each way, a claim some milliseconds. */
const STEP_MS = 50;

/** The longest wait. After that, all workers that still wait look for the job. */
const MAX_WAIT_MS = 1000;

/** The most jobs that a worker waits for at a time. It looks for any of them together. */
const MAX_WAITS = 100;

interface WakeTurnsDeps {
  readonly workerId: string;
  /** The known workers that are notified of new jobs too. */
  readonly peers: () => readonly string[];
  readonly wake: () => void;
}

/**
 * Lets one worker look for a new job, and the others only if nobody claims it. Each worker computes the order alone, by
 * a hash of job and worker, so a job costs the same for two workers and for a hundred. A lost hint or a different order
 * costs a wait or a vain look, never a job.
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

/** How many of the workers come before this one for a job. */
export function workersBefore(jobId: string, workerId: string, peers: readonly string[]): number {
  const job = hash(jobId);
  const own = mix(job ^ hash(workerId));
  return peers.filter((peer) => peer !== workerId && mix(job ^ hash(peer)) < own).length;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** The finalizer of MurmurHash3: each bit of the input changes each bit of the result. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The longest turn. A short conversion ends within it. A longer one delays the next conversion by no more than this. */
export const TURN_MS = 300;

/**
 * Lets `limit` conversions start, and each further one when the turn of another ends: at its end, or after `turnMs`.
 * More conversions than processors compete for the caches and finish nothing sooner.
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

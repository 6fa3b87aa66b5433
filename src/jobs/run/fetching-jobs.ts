import type { Delivery, FetchRoom } from '../ports/job-queue.ts';

/** The slot of one job. */
export interface JobSlot {
  /** Resolves when the conversion may start. Rejects with the reason of `signal`. */
  take(signal: AbortSignal): Promise<void>;
  /** Resolves when a prepared ffmpeg may start. `ended` settles when that ffmpeg has ended. */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  /** Frees the slot, if the job has it. */
  release(): void;
}

/** The running jobs of the lane `fetch` without a slot: they fetch their inputs, or have them and queue for a slot. */
export interface FetchingJobs<Job> {
  add(job: Job): void;
  /** Removes a job. Returns false if it was not there. */
  remove(job: Job): boolean;
  has(job: Job): boolean;
  /** Queues a job for a slot, and resolves when `giveSlot` was called for it. Rejects with the reason of `signal`. */
  waitForSlot(job: Job, signal: AbortSignal): Promise<void>;
  /** The job that has queued for the longest time. */
  next(): Job | undefined;
  /** Removes a queued job, and lets it go on. */
  giveSlot(job: Job): void;
  /** The room for further jobs. */
  room(): FetchRoom;
}

export interface FetchLimits {
  /** The most jobs that fetch or queue at a time. Each may open several connections, and keeps its inputs on the disk. */
  readonly jobs: number;
  /** The most of them that are one client's, so that its servers do not keep others from fetching. */
  readonly perClient: number;
}

export function fetchingJobs<Job extends { readonly delivery: Pick<Delivery, 'clientId'> }>({
  jobs: maxJobs,
  perClient,
}: FetchLimits): FetchingJobs<Job> {
  const jobs = new Set<Job>();
  /** In the order in which their inputs were complete. */
  const queued = new Map<Job, () => void>();

  const remove = (job: Job): boolean => {
    queued.delete(job);
    return jobs.delete(job);
  };

  return {
    remove,
    add: (job) => void jobs.add(job),
    has: (job) => jobs.has(job),
    waitForSlot: async (job, signal) => {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        queued.delete(job);
        reject(signal.reason);
      };
      queued.set(job, resolve);
      signal.addEventListener('abort', onAbort, { once: true });
      await promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
    next: () => queued.keys().next().value,
    giveSlot: (job) => {
      const resolve = queued.get(job);
      remove(job);
      resolve?.();
    },
    room: () => {
      const ofClients = new Map<string, number>();
      for (const { delivery } of jobs) ofClients.set(delivery.clientId, (ofClients.get(delivery.clientId) ?? 0) + 1);
      return { free: Math.max(0, maxJobs - jobs.size), perClient, ofClients };
    },
  };
}

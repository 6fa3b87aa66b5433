import type { Claim, Delivery } from '../ports.ts';
import { claimJobs } from './claim-jobs.ts';
import type { StopCause } from './heartbeat.ts';
import { type RunJobDeps, runJob } from './run-job.ts';
import { createSpaceWatch } from './space-watch.ts';

export interface WorkerDeps extends Omit<RunJobDeps, 'draining' | 'space'> {
  /** Conversions at once. */
  readonly slots: number;
}

/** Takes jobs from the line and runs them, so many at once. */
export interface Worker {
  /** There may be something to take. */
  ring(): void;
  /** Ends the job if it runs here. */
  cancel(jobId: string): void;
  /**
   * Takes nothing more, gives what runs `seconds` to end, then puts the rest back into the line with its try
   * given back. Resolves when nothing runs.
   */
  drain(seconds: number): Promise<void>;
}

interface Running {
  readonly delivery: Delivery;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** How often the line is looked at when no bell rang: for tries put off, and jobs of other processes. */
const LOOK_EVERY_MS = 1000;

/** Well below the queue's lease. */
const LEASES_SURE_MS = 5000;

export function startWorker(deps: WorkerDeps): Worker {
  // Not keyed by job: one that lost its lease here may be taken again while its first run is still being ended.
  const running = new Set<Running>();
  let looking: Promise<void> | undefined;
  let rung = false;
  let draining = false;
  let taken = deps.now().getTime();

  /**
   * A take hands out again whatever lease has ended. Where the last one is long ago (the machine slept, its clock was
   * set, the disk hung) those of the jobs that run here may have, which would cost each a try: they are renewed first.
   */
  const keepLeases = async (): Promise<void> => {
    if (Math.abs(deps.now().getTime() - taken) < LEASES_SURE_MS) return;
    await Promise.all(
      [...running].map(async ({ delivery, stop }) => {
        if (!(await deps.queue.renewLease(delivery))) stop.abort('lost' satisfies StopCause);
      }),
    );
  };

  const space = createSpaceWatch(deps.media, deps.minFreeBytes);
  const start = (claim: Claim, delivery: Delivery): void => {
    const stop = new AbortController();
    const done = runJob({ ...deps, space, draining: () => draining }, claim, delivery, stop).then(() => {
      running.delete(entry);
      ring();
    });
    const entry = { delivery, stop, done };
    running.add(entry);
  };

  const look = async (): Promise<void> => {
    try {
      do {
        rung = false;
        const slots = deps.slots - running.size;
        if (slots <= 0) return;
        await keepLeases();
        taken = deps.now().getTime();
        const { taken: jobs, more } = await claimJobs(deps, slots, deps.slots);
        if (more) rung = true;
        for (const { claim, delivery } of jobs) start(claim, delivery);
      } while (rung && !draining);
    } catch (error) {
      deps.onFault('', error);
    }
  };

  const ring = (): void => {
    rung = true;
    if (draining) return;
    looking ??= look().finally(() => {
      looking = undefined;
      if (rung) ring();
    });
  };

  const timer = setInterval(ring, LOOK_EVERY_MS);
  ring();

  const stopAll = (cause: StopCause): void => {
    for (const { stop } of running) stop.abort(cause);
  };

  return {
    ring,
    cancel: (jobId) => {
      for (const entry of running) if (entry.delivery.jobId === jobId) entry.stop.abort('cancel' satisfies StopCause);
    },
    drain: async (seconds) => {
      draining = true;
      clearInterval(timer);
      await looking;
      const grace = setTimeout(() => stopAll('drain'), seconds * 1000);
      await Promise.all([...running].map(({ done }) => done));
      clearTimeout(grace);
    },
  };
}

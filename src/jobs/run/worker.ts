import type { Lane } from '../../domain/lane.ts';
import type { JobChangeSource } from '../job-changes.ts';
import type { Delivery, TakeRequest } from '../ports/job-queue.ts';
import type { StoreSpace } from '../ports/store-space.ts';
import { type ClaimedJob, claimJobs } from './claim-jobs.ts';
import type { StopCause } from './heartbeat.ts';
import { type RunJobDeps, runJob } from './run-job.ts';
import { type FreeSlots, freeSlots } from './slots.ts';
import { createSpaceWatch } from './space-watch.ts';

export interface WorkerDeps extends Omit<RunJobDeps, 'draining' | 'drainLimit' | 'space'> {
  /** Conversions that run at the same time. A light job may run besides. */
  readonly slots: number;
  /** Whether this worker has what a job needs: one of its `needs`. */
  readonly has: (need: string) => boolean;
  readonly workerId: string;
  /** Whether operators let this worker take jobs: they can pause the queue and drain a worker. */
  readonly mayClaim: () => Promise<boolean>;
  readonly storeSpace: Pick<StoreSpace, 'isLow'>;
  readonly changes: RunJobDeps['changes'] & JobChangeSource;
}

/** Claims queued jobs and runs them, several at a time. */
export interface Worker {
  /** The number of jobs that run now, including those that are being published. */
  running(): number;
  /**
   * Claims no more jobs and gives running jobs `seconds` to end. Then sends the remaining ones back to the queue
   * without counting their attempt. Resolves when no job runs.
   */
  drain(seconds: number): Promise<void>;
}

interface RunningJob {
  readonly delivery: Delivery;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

const lanesOf = (jobs: ReadonlySet<RunningJob>): readonly Lane[] => [...jobs].map(({ delivery }) => delivery.lane);

/** The reserved slot first: a light job that occupies it leaves the others for full ones. */
const takeRequests = (free: FreeSlots, has: TakeRequest['has']): readonly TakeRequest[] => [
  { slots: free.light, lanes: ['light'], perClient: Number.POSITIVE_INFINITY, has },
  { slots: free.any, lanes: ['full', 'light'], perClient: Number.POSITIVE_INFINITY, has },
];

/** How often the queue is polled if no job changes. Needed for delayed attempts and for jobs of other processes. */
const POLL_INTERVAL_MS = 1000;

/** How long after a claim the leases need no extra renewal. Well below the duration of a lease. */
const LEASE_SAFE_MS = 5000;

export function startWorker(deps: WorkerDeps): Worker {
  // A set rather than a map by job id: a job whose lease was lost may be claimed again before its first run has ended.
  const running = new Set<RunningJob>();
  /** The running jobs that occupy a slot. The others are being published, or their scratch folder is being removed. */
  const converting = new Set<RunningJob>();
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let draining = false;
  /** Aborts when a drain has given running jobs their time. */
  const drainLimit = new AbortController();
  let lastClaimAt = deps.now().getTime();

  /**
   * Renews the leases of running jobs if the last claim was long ago: the machine slept, its clock was set, the disk hung
   * or the database was down. Otherwise the next claim would hand out tickets of running jobs again, which would cost
   * these jobs an attempt.
   */
  const renewOldLeases = async (): Promise<void> => {
    if (Math.abs(deps.now().getTime() - lastClaimAt) < LEASE_SAFE_MS) return;
    await Promise.all(
      [...running].map(async ({ delivery, stop }) => {
        if (!(await deps.queue.renewLease(delivery))) stop.abort('lost' satisfies StopCause);
      }),
    );
  };

  const space = createSpaceWatch(deps.media, deps.minFreeBytes);
  const startJob = (claimedJob: ClaimedJob): void => {
    const { jobId, clientId } = claimedJob.delivery;
    const stop = new AbortController();
    deps.changes.publish({ kind: 'phase', jobId, clientId, phase: 'STAGING' });
    const releaseSlot = (): void => {
      if (converting.delete(entry)) requestClaim();
    };
    const done = runJob(
      { ...deps, space, draining: () => draining, drainLimit: drainLimit.signal },
      claimedJob,
      stop,
      releaseSlot,
    ).then(() => {
      running.delete(entry);
      requestClaim();
    });
    const entry = { delivery: claimedJob.delivery, stop, done };
    running.add(entry);
    converting.add(entry);
  };

  const claimUntilFull = async (): Promise<void> => {
    try {
      do {
        claimAgain = false;
        const free = freeSlots(deps.slots, lanesOf(converting), lanesOf(running));
        if (free.any + free.light === 0) return;
        // Keep the rest of the disk for the ends and logs of running jobs. The next poll looks again.
        if (await deps.storeSpace.isLow()) return;
        if (!(await deps.mayClaim())) return;
        await renewOldLeases();
        const claimAt = deps.now().getTime();
        const { claimed, more } = await claimJobs(deps, takeRequests(free, deps.has), LEASE_SAFE_MS);
        // Only now: while the database is down, claims fail and leases age.
        lastClaimAt = claimAt;
        if (more) claimAgain = true;
        for (const claimedJob of claimed) startJob(claimedJob);
      } while (claimAgain && !draining);
    } catch (error) {
      deps.onInternalError('', error);
    }
  };

  const requestClaim = (): void => {
    claimAgain = true;
    if (draining) return;
    claiming ??= claimUntilFull().finally(() => {
      claiming = undefined;
      if (claimAgain) requestClaim();
    });
  };

  const timer = setInterval(requestClaim, POLL_INTERVAL_MS);
  const unsubscribe = deps.changes.subscribe('all', ({ kind, jobId }) => {
    if (kind === 'created') requestClaim();
    if (kind === 'cancelRequested')
      for (const job of running) if (job.delivery.jobId === jobId) job.stop.abort('cancel' satisfies StopCause);
  });
  requestClaim();

  const stopAll = (cause: StopCause): void => {
    for (const { stop } of running) stop.abort(cause);
  };

  return {
    running: () => running.size,
    drain: async (seconds) => {
      draining = true;
      clearInterval(timer);
      await claiming;
      const grace = setTimeout(() => {
        drainLimit.abort();
        stopAll('drain');
      }, seconds * 1000);
      await Promise.all([...running].map(({ done }) => done));
      clearTimeout(grace);
      unsubscribe();
    },
  };
}

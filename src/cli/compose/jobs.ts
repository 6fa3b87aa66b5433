import type { Config } from '../../config/config.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { StoreFull } from '../../domain/store-full.ts';
import { StoreUnavailable } from '../../domain/store-unavailable.ts';
import { createJobChanges, type JobChange } from '../../jobs/job-changes.ts';
import { jobOperations } from '../../jobs/job-operations.ts';
import type { JobOperations } from '../../jobs/operations.ts';
import { recoverJobs } from '../../jobs/run/recover.ts';
import { restoreTickets } from '../../jobs/run/restore-tickets.ts';
import { startWorker, type Worker } from '../../jobs/run/worker.ts';
import { continueJobIdsAfter } from '../../jobs/submit/new-job-id.ts';
import { IDEMPOTENCY_HOURS } from '../../jobs/submit/submit.ts';
import type { Log } from '../logger.ts';
import { startScratchReaper } from '../process/start-reaper.ts';
import { logAttemptStarts, logAttempts } from './attempt-log.ts';
import type { Auth } from './auth.ts';
import { converter, planners } from './conversions.ts';
import { everyHour } from './every-hour.ts';
import type { Storage } from './storage.ts';
import type { Toolchain } from './toolchain.ts';

/** How often a wait reads its job again, because another service may have changed it. */
const POLL_WAITS_MS = 1000;

export interface Jobs {
  readonly operations: JobOperations;
  /**
   * Recovers the unfinished attempts of the last process, then runs jobs. Call it once, in a service that runs jobs.
   */
  startWorker(): Promise<void>;
  draining(): boolean;
  /** Claims no more jobs. Running jobs have `seconds` to finish. */
  drain(seconds: number): Promise<void>;
  /** Ends the requests that wait for a job, so that the server can close. */
  endWaits(): void;
}

/** Builds the job use cases over storage and ffmpeg. Deletes old idempotency keys and old finished jobs every hour. */
export async function openJobs(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    readonly tools: Promise<Toolchain>;
    readonly clientContextOf: Auth['clientContextOf'];
    readonly failpoint: (reached: NonNullable<Config['failpoint']>) => void;
  },
): Promise<Jobs> {
  const { tools, clientContextOf } = deps;
  const { store, queue, media, dataSpace, scratchRoot, connectChanges, isShared } = deps.storage;
  for (const { jobId } of await store.jobs.list({ limit: 1 })) continueJobIdsAfter(jobId);
  const { planner, submissionPlanner } = planners(tools);
  const ownChanges = createJobChanges((err) => log.error({ component: 'job changes', err }, 'internal error'));
  const notifyPeers = connectChanges(ownChanges.publish);
  const changes = {
    subscribe: ownChanges.subscribe,
    publish: (change: JobChange) => {
      ownChanges.publish(change);
      notifyPeers(change);
    },
  };
  const shared = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    media,
    planner,
    clientContextOf,
    storeSpace: dataSpace,
    changes,
    now: () => new Date(),
  };
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let starting: Promise<void> | undefined;
  let draining = false;
  const operations = jobOperations({
    ...shared,
    submissionPlanner,
    idempotency: store.idempotency,
    pendingLimits: config.limits.requests,
    stopping: stopping.signal,
    ...(isShared && { pollWaitsMs: POLL_WAITS_MS }),
  });
  const forgetKeys = () =>
    store.idempotency.deleteBefore(new Date(Date.now() - IDEMPOTENCY_HOURS * HOUR_MS).toISOString());
  closers.use(everyHour(forgetKeys, log));
  if (config.jobRetentionDays > 0) {
    const newestToRemove = () => new Date(Date.now() - config.jobRetentionDays * DAY_MS).toISOString();
    closers.use(everyHour(() => store.jobs.removeFinishedBefore(newestToRemove()), log));
  }
  const workerClosers = closers.use(new AsyncDisposableStack());

  const start = async (): Promise<void> => {
    if (draining) return;
    const jobs = await recoverJobs(shared);
    if (jobs > 0) log.warn({ jobs }, 'jobs of a crashed service start again');
    workerClosers.defer(await startScratchReaper(scratchRoot, log));
    // At once too, because tickets get lost while no service runs, for example when a backup is restored. The start
    // does not wait for it. Each service that runs jobs does it: electing one is more code than an insert of tickets
    // that exist already costs, and the hours of services start at different times.
    workerClosers.use(everyHour(() => restoreTickets(shared), log, { startsNow: true }));
    // Tries again to remove what could not be removed when its job ended.
    workerClosers.use(everyHour(() => media.sweep(() => store.jobs.liveScratch(false)), log));
    if (draining) return;
    worker = startWorker({
      ...shared,
      convert: converter(tools, media, config),
      slots: config.concurrency,
      minFreeBytes: config.minFreeBytes,
      failpoint: deps.failpoint,
      onAttemptStarted: logAttemptStarts(log),
      onAttemptEnded: logAttempts(log),
      onInternalError: (jobId, err) => {
        // Heartbeats report a full data disk or a lost database every second; they are logged once elsewhere.
        if (!(err instanceof StoreFull || err instanceof StoreUnavailable))
          log.error({ component: 'worker', jobId, err }, 'internal error');
      },
    });
  };

  return {
    operations,
    startWorker: () => {
      starting = start();
      return starting;
    },
    draining: () => draining,
    drain: async (seconds) => {
      draining = true;
      // Wait until the start is over: the worker must not use the store after it is closed.
      await starting?.catch(() => {});
      await worker?.drain(seconds);
    },
    endWaits: () => stopping.abort(),
  };
}

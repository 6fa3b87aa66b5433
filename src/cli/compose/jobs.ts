import type { Config } from '../../config/config.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { StoreFull } from '../../domain/store-full.ts';
import { createJobChanges } from '../../jobs/job-changes.ts';
import { jobOperations } from '../../jobs/job-operations.ts';
import type { JobOperations } from '../../jobs/operations.ts';
import { recoverJobs } from '../../jobs/run/recover.ts';
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
  const { store, queue, media, dataSpace, scratchRoot } = deps.storage;
  for (const { jobId } of await store.jobs.list({ limit: 1 })) continueJobIdsAfter(jobId);
  const { planner, submissionPlanner } = planners(tools);
  const shared = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    media,
    planner,
    clientContextOf,
    storeSpace: dataSpace,
    changes: createJobChanges((err) => log.error({ component: 'job changes', err }, 'internal error')),
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
    // Tries again to remove what could not be removed when its job ended.
    workerClosers.use(everyHour(async () => media.sweep(new Set(await store.jobs.liveScratch(false))), log));
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
        // Heartbeats report a full data disk every second; `dataSpace` logs it once.
        if (!(err instanceof StoreFull)) log.error({ component: 'worker', jobId, err }, 'internal error');
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

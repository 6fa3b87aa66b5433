import { join } from 'node:path';
import { dayOf, mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { isFirstAttempt } from '@telecine/contract/domain/job.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import { isLongNeed } from '@telecine/contract/domain/speed-needs.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { sessionsByType } from '@telecine/ffmpeg/devices/devices.ts';
import { observedSpeed } from '@telecine/ffmpeg/estimate/machine-time.ts';
import { buildNeed } from '@telecine/ffmpeg/plan/plan-step.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import type { Failpoint } from '../config/failpoint.ts';
import { dependencyEndWrite, failDependents } from '../jobs/dependents.ts';
import { expireOutputs } from '../jobs/expire-outputs.ts';
import { converter, findNeedsElsewhere, planners, runOf, runPlanner } from '../jobs/ffmpeg/conversions.ts';
import { largePlans } from '../jobs/ffmpeg/large-plans.ts';
import { clipProber, type Probes, probeTasks } from '../jobs/ffmpeg/probes.ts';
import { trialSpace } from '../jobs/ffmpeg/trial-space.ts';
import { commandTrial, trialsHere, trialTask } from '../jobs/ffmpeg/trials.ts';
import { createJobChanges, createWatchChanges, type JobChange, type WatchChanges } from '../jobs/job-changes.ts';
import { historyReader, historyRecorder, type ReadHistory, recordChange } from '../jobs/job-history.ts';
import { type JobOperations, jobOperations } from '../jobs/job-operations.ts';
import type { MeasuredConversion } from '../jobs/ports/ffmpeg.ts';
import { recoverJobs, restoreTickets, unmetNeeds } from '../jobs/queue-upkeep.ts';
import { secondsToLeave } from '../jobs/run/placement.ts';
import type { RunningJobs } from '../jobs/run/running-jobs.ts';
import { Worker } from '../jobs/run/worker.ts';
import { clientSlots } from '../jobs/run/worker-room.ts';
import { findWorkerNeeds } from '../jobs/submit/long-jobs.ts';
import { continueJobIdsAfter } from '../jobs/submit/new-job-id.ts';
import type { ProbeForClient } from '../jobs/submit/probed-plans.ts';
import { scratchUsage } from '../media/scratch/scratch-folders.ts';
import { previewTask } from '../previews/preview-makers.ts';
import { previewSpace } from '../previews/preview-staging.ts';
import type { ApplyPreset } from '../recipes/apply-preset.ts';
import { logAttemptStarts, logAttempts } from '../telemetry/attempt-log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Traces } from '../telemetry/traces.ts';
import { watchEndWrite } from '../watches/after-job.ts';
import { type Builds, meetsNeedHere } from '../workers/builds.ts';
import { LIVE_SECONDS, type WorkerRecord } from '../workers/ports/worker-store.ts';
import { startTaskRunner, type TaskRunner } from '../workers/task-runner.ts';
import { slotsOf, takesJobs, workersOfBuild, workersOfLargestBuild } from '../workers/worker-operations.ts';
import type { Registration } from '../workers/worker-registration.ts';
import type { Auth } from './auth.ts';
import { every, everyHour, internalErrors } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { MachineChecks } from './machine-checks.ts';
import { startScratchReaper } from './process/start-reaper.ts';
import { startRetention } from './retention.ts';
import type { Storage } from './storage.ts';
import type { Webhooks } from './webhooks.ts';

/** How often a waiting request reads its job again. Another service may have changed the job. */
const POLL_WAITS_MS = 1000;

/** How often the counts of accepted, started and finished jobs are stored. A crash loses counts since then. */
const HISTORY_MS = 5000;

/** How often a worker reads which other workers live, and how fast they are. */
const WORKERS_MS = 15_000;

/** How often the service looks for queued jobs of revoked clients, and for jobs that still wait for a finished job. */
const SETTLE_MS = 60_000;

/**
 * How often the texts of jobs that have changed are stored, by which searches find them, and for how long at most. A
 * search stores them too, so this only makes searches fast.
 */
const INDEX_MS = 5000;
const MAX_INDEX_MS = 1000;

/** One service at a time sweeps receipts, at most this often. */
const SWEEP_SECONDS = 1800;

/** How often expired outputs are removed. */
const EXPIRE_MS = 60_000;

/** How often the service checks that queued jobs have a suitable worker. It checks more often if `workerWaitSeconds` is very short. */
const MAX_NEEDS_CHECK_MS = 30_000;

export interface Jobs {
  readonly operations: JobOperations;
  readonly history: ReadHistory;
  readonly watchChanges: WatchChanges;
  /** Recovers the unfinished attempts of the previous process, then runs jobs. Call this once, in a service that runs jobs. */
  startWorker(): Promise<void>;
  /** Calls `listener` with the client of each job that ends. Returns a function that unsubscribes. */
  onEnded(listener: (clientId: string) => void): () => void;
  draining(): boolean;
  /** The number of running jobs. */
  running(): number;
  /** The slots in use in each lane. A conversion uses slots according to its weight. */
  usedSlots: RunningJobs['usedSlots'];
  /** Stops claiming jobs. Running jobs have `seconds` to finish. */
  drain(seconds: number): Promise<void>;
  /** Ends the requests that wait for a job. The server can then close. */
  endWaits(): void;
}

/** Builds the job use cases on top of storage and ffmpeg. Deletes old jobs and expired outputs at intervals. */
export async function openJobs(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    readonly machine: MachineChecks;
    readonly tools: Promise<Toolchain>;
    readonly builds: Builds;
    readonly registration: Registration;
    readonly clientContextOf: Auth['clientContextOf'];
    readonly metrics: Pick<Metrics, 'countAcceptedJob' | 'countStart' | 'countAttempt'>;
    readonly traces: Pick<Traces, 'recordAttempt'> | undefined;
    readonly webhooks: Pick<Webhooks, 'endWrite' | 'checkCallback' | 'wakeAfter'>;
    readonly applyPreset: ApplyPreset;
    readonly probes: Probes;
    /** Probes an input before a job is accepted. Absent if a probe is expensive; then commands are not tried out either. */
    readonly probe?: ProbeForClient;
    /** Whether jobs run on this machine. If false, workers run them. */
    readonly convertsHere: boolean;
    readonly failpoint: (reached: Failpoint) => void;
  },
): Promise<Jobs> {
  const { machine, tools, builds, registration, clientContextOf, metrics, traces, webhooks } = deps;
  const { store, queue, media, files, dataSpace, connectChanges, isShared } = deps.storage;
  const { workerId } = registration;
  for (const { jobId } of await store.jobs.list({ limit: 1 })) continueJobIdsAfter(jobId);
  const large = largePlans();
  const onPlanFault = internalErrors(log, { component: 'plans' });
  const { planner, submissionPlanner } = planners(builds.find, large, onPlanFault);
  const ownChanges = createJobChanges((err) => log.error({ component: 'job changes', err }, 'internal error'));
  const watchChanges = createWatchChanges((change) => peers.onWatch(change));
  const peers = connectChanges({ onJob: ownChanges.publish, onWatch: watchChanges.receive });
  const recorder = historyRecorder({ history: store.jobHistory, now: () => new Date() });
  const changes = {
    subscribe: ownChanges.subscribe,
    publish: (change: JobChange) => {
      ownChanges.publish(change);
      peers.onJob(change);
      if (change.kind === 'created') metrics.countAcceptedJob();
      recordChange(recorder, change);
    },
  };
  const shared = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    media,
    clientContextOf,
    stored: store.storedFiles,
    withRoom: deps.storage.withRoom,
    walk: files.walk,
    storeSpace: dataSpace,
    changes,
    now: () => new Date(),
    endWrites: {
      watches: watchEndWrite(store.watchLedger),
      dependents: dependencyEndWrite({ ...store, queue }, changes, (parentId) => failures.releaseRest(parentId)),
      usage: store.usage.settle,
      events: webhooks.endWrite,
    },
    dependencies: store.dependencies,
  };
  // The end of a job is stored together with its event. Deliver the event now and not at the next poll.
  ownChanges.subscribe('all', ({ kind, jobId }) => {
    if (kind === 'ended') webhooks.wakeAfter(jobId);
  });
  const defaultLimits = mergeClientLimits({}, config.clientLimits);
  const limitsOf = async (clientId: string) => {
    const client = await store.clients.get(clientId);
    return client && mergeClientLimits(defaultLimits, client.limits);
  };
  const stopping = new AbortController();
  const stoppingTrials = new AbortController();
  const onTrialFault = internalErrors(log, { component: 'trials' });
  const { dataDir, minFreeDataBytes } = config;
  const usageOf = (dir: string) => scratchUsage({ isLocal: false, pathOf: (name) => join(dir, name) });
  const space = trialSpace({ dataDir, minFreeDataBytes, reserve: previewSpace(config), usageOf });
  const tryHere = trialsHere(closers, {
    ...{ media, tools, space, onFault: onTrialFault },
    planner: runPlanner(tools, { ofJob: large.ofRequest }, onPlanFault),
  });
  const tryCommand = commandTrial(deps.convertsHere ? { tryHere } : store, {
    findBuilds: builds.find,
    mayRun: async ({ clientId, policy: { jobs } }) => {
      if ((await store.queueControl.pausedAt()) !== undefined) return false;
      return jobs === undefined || (await store.usage.ofDay(clientId, dayOf(new Date().toISOString()))).jobs < jobs;
    },
    stopping: stoppingTrials.signal,
    onError: onTrialFault,
  });
  const indexTexts = lazily(async () => (await import('../jobs/search-texts.ts')).textIndex(store));
  let worker: Worker | undefined;
  let tasks: TaskRunner | undefined;
  let starting: Promise<void> | undefined;
  let draining = false;
  const operations = jobOperations({
    ...shared,
    planner,
    submissionPlanner,
    checkCallback: webhooks.checkCallback,
    applyPreset: deps.applyPreset,
    isMet: builds.isMet,
    estimate: lazily(async () => {
      const [{ estimator }, { serviceLoad }] = await Promise.all([
        import('../jobs/ffmpeg/estimates.ts'),
        import('../jobs/ffmpeg/service-load.ts'),
      ]);
      const load = serviceLoad({ ...store, ...(deps.convertsHere && { ownCores: CORES }) });
      return estimator(deps.probes, load, store.measuredKinds, onPlanFault);
    }),
    ...(deps.probe && { probe: deps.probe, tryCommand }),
    sharingWorkers: (live) => (isShared ? workersOfLargestBuild(live) : [{ concurrency: config.concurrency }]),
    idempotency: store.idempotency,
    usage: store.usage,
    defaultLimits,
    limitsOf,
    slotsInAll: async () => slotsOf(await store.workers.seenWithin(LIVE_SECONDS)),
    batches: store.batches,
    pendingInAll: config.serviceLimits['pending-in-all'],
    expiries: store.outputExpiries,
    queuePausedAt: () => store.queueControl.pausedAt(),
    stopping: stopping.signal,
    changeLog: store.changeLog,
    indexTexts,
    watchChanges,
    watchedFileOf: store.watchLedger.fileOf,
    onError: internalErrors(log, { component: 'events' }),
    ...(isShared && { isShared, findWorkerNeeds, pollWaitsMs: POLL_WAITS_MS }),
  });
  const failures = closers.use(
    failDependents({
      ...shared,
      onError: internalErrors(log, { component: 'dependencies' }),
    }),
  );
  closers.use(every(SETTLE_MS, 'dependencies', () => failures.settle(), log, { startsNow: true }));
  const endRevoked = async (): Promise<void> => {
    for (const { clientId } of await store.clients.list('revokedWithQueue')) await operations.cancelQueuedOf(clientId);
  };
  closers.use(every(SETTLE_MS, 'revoked clients', endRevoked, log, { startsNow: true }));
  const flushHistory = () =>
    recorder.flush().catch((error: unknown) => {
      if (!isStoreOutage(error)) throw error;
    });
  closers.defer(flushHistory);
  closers.use(every(HISTORY_MS, 'history of jobs', flushHistory, log));
  startRetention(closers, config, log, store);
  closers.use(every(INDEX_MS, 'search of jobs', () => indexTexts(MAX_INDEX_MS), log));
  const expire = () =>
    expireOutputs({
      ...shared,
      expiries: store.outputExpiries,
      ...(isShared && { leases: store.leases }),
      onFailure: (jobId, err) => {
        if (!isStoreOutage(err)) log.warn({ jobId, err }, 'expired outputs not removed');
      },
      stopping: stopping.signal,
      onRemoved: () => deps.failpoint('after-expired-removal'),
    });
  closers.use(every(EXPIRE_MS, 'expired outputs', expire, log, { startsNow: true }));
  if (isShared) {
    const { workerWaitSeconds } = config;
    const check = unmetNeeds({
      ...shared,
      isMet: builds.isMet,
      limitSeconds: workerWaitSeconds,
      uptimeSeconds: () => performance.now() / 1000,
    });
    const intervalMs = Math.min(MAX_NEEDS_CHECK_MS, (workerWaitSeconds * 1000) / 4);
    closers.use(every(intervalMs, 'needs', check, log));
  }
  const workerClosers = closers.use(new AsyncDisposableStack());

  const start = async (): Promise<void> => {
    if (draining) return;
    const jobs = await recoverJobs(shared);
    if (jobs > 0) log.warn({ jobs }, 'jobs of a crashed service start again');
    workerClosers.defer(await startScratchReaper(deps.storage, log));
    // Queue tickets can be missing, for example after a backup was restored. Restore them at the start too, but do not wait for it. Each
    // service that runs jobs does this: electing one service is more complex, and inserting existing tickets is cheap. The services start
    // at different times, so their hourly runs are spread.
    workerClosers.use(everyHour(() => restoreTickets(shared), log, { startsNow: true }));
    // Retry removing files that could not be removed when their jobs finished.
    workerClosers.use(everyHour(() => media.sweep(() => store.jobs.liveScratch(false)), log));
    const sweepReceipts = async (): Promise<void> => {
      const lease = { name: 'old receipts', holder: workerId };
      if (!isShared || (await store.leases.take(lease, SWEEP_SECONDS))) await deps.storage.receipts.sweep();
    };
    workerClosers.use(everyHour(sweepReceipts, log));
    if (draining) return;
    const opened = await tools;
    const { catalogue } = opened;
    await registration.start(opened, () => worker?.jobs.load());
    if (draining) return;
    let live: readonly WorkerRecord[] = [];
    let readAt = 0;
    const hasPeers = (): boolean => live.some((one) => one.workerId !== workerId);
    const isReady = async (): Promise<boolean> => (await machine.failed()).length === 0;
    const logStart = logAttemptStarts(log);
    const logEnd = logAttempts(log);
    if (isShared)
      tasks = startTaskRunner({
        tasks: store.tasks,
        workerId: registration.workerId,
        mayTake: async () => !hasPeers() || (await isReady()),
        kinds:
          opened.ffprobePath === undefined
            ? []
            : [
                ...probeTasks(deps.probes, clientContextOf),
                previewTask(media, tools, config, clientContextOf),
                ...(deps.probe ? [trialTask(tryHere, clientContextOf, stoppingTrials.signal)] : []),
              ],
        onInternalError: (err) => log.error({ component: 'tasks', err }, 'internal error'),
      });
    if (isShared) {
      const findWorkers = async (): Promise<void> => {
        live = (await store.workers.seenWithin(LIVE_SECONDS)).filter(takesJobs);
        readAt = performance.now();
      };
      workerClosers.use(every(WORKERS_MS, 'workers', findWorkers, log, { startsNow: true }));
    }
    const own = { workerId, buildKey: catalogue.build.key, processors: CORES };
    const leaveFor = (need: string): number =>
      isLongNeed(need) ? secondsToLeave(own, live, (performance.now() - readAt) / 1000) : 0;
    const has = (need: string): boolean => meetsNeedHere(catalogue, need);
    const { chunkFiles } = deps.storage;
    const { ffprobePath } = opened;
    if (chunkFiles !== undefined) {
      const removeChunks = async () => {
        const { removeOldChunks } = await import('../jobs/run/chunks/remove-chunks.ts');
        await removeOldChunks({ ...shared, chunks: store.chunks, chunkFiles });
      };
      workerClosers.use(everyHour(removeChunks, log));
    }
    workerClosers.use(everyHour(() => store.measuredKinds.removeOld(), log));
    const noteMeasured = ({ work, sizes, seconds, busyCores }: MeasuredConversion): void => {
      const observations = [observedSpeed(work, seconds, CORES, busyCores), ...sizes];
      store.measuredKinds.add(observations).catch(internalErrors(log, { component: 'worker' }));
    };
    worker = new Worker({
      ...shared,
      receipts: deps.storage.receipts,
      usage: store.usage,
      planner: runPlanner(tools, large, onPlanFault),
      needsElsewhere: findNeedsElsewhere(builds.find, large, has),
      convert: converter(tools, media, config),
      ...(opened.ffprobePath !== undefined && { probeClip: clipProber(media, deps.probes.cache, opened, config) }),
      ...(chunkFiles !== undefined &&
        ffprobePath !== undefined && {
          chunked: {
            chunks: store.chunks,
            chunkFiles,
            chunkMaker: async () =>
              (await import('../jobs/run/chunks/chunk-maker.ts')).chunkMaker({
                tools: { ...opened, ffprobePath },
                files: media,
                runOf: (task) => runOf(opened, media, config, task),
              }),
            // All services on a database that is not shared have the same ffmpeg.
            needs: isShared ? [buildNeed(catalogue)] : [],
            sharingWorkers: async () =>
              isShared
                ? workersOfBuild(await store.workers.seenWithin(LIVE_SECONDS), catalogue.build.key)
                : [{ concurrency: config.concurrency }],
          },
        }),
      slots: config.concurrency,
      processors: CORES,
      deviceSessions: sessionsByType(opened.devices.list),
      clientSlots: clientSlots(defaultLimits.running, () => store.clients.list('limited')),
      has,
      workerId,
      ...(config.databaseListenUrl !== undefined && { listeners: () => live.map((one) => one.workerId) }),
      acceptsAllJobs: !isShared,
      ...(isShared && { leaveFor }),
      mayClaim: async () => (await isReady()) && store.queueControl.mayClaim(workerId),
      machineFailure: machine.failureNow,
      hasPeers,
      minFreeBytes: config.minFreeBytes,
      storageWaitSeconds: config.storageWaitSeconds,
      failpoint: deps.failpoint,
      onAttemptStarted: (job, takenFrom) => {
        logStart(job);
        if (takenFrom !== undefined) log.warn({ jobId: job.jobId, takenFrom }, 'job taken from a lost worker');
        const queuedMs = isFirstAttempt(job) ? Date.now() - Date.parse(job.createdAt) : undefined;
        metrics.countStart(queuedMs === undefined ? undefined : queuedMs / 1000);
        if (queuedMs !== undefined) recorder.count({ event: 'STARTED', waitedMs: queuedMs });
      },
      onAttemptEnded: (report) => {
        logEnd(report);
        metrics.countAttempt(report);
        if (report.measured !== undefined) noteMeasured(report.measured);
        traces?.recordAttempt(report);
      },
      onInternalError: (jobId, error) => internalErrors(log, { component: 'worker', jobId })(error),
    });
  };

  return {
    operations,
    watchChanges,
    history: historyReader({ history: store.jobHistory, flush: flushHistory, now: () => new Date() }),
    startWorker: () => {
      starting = start();
      return starting;
    },
    onEnded: (listener) =>
      ownChanges.subscribe('all', ({ kind, clientId }) => {
        if (kind === 'ended') listener(clientId);
      }),
    draining: () => draining,
    running: () => worker?.jobs.size ?? 0,
    usedSlots: () => worker?.jobs.usedSlots() ?? { full: 0, light: 0, fetch: 0 },
    drain: async (seconds) => {
      draining = true;
      stoppingTrials.abort();
      // Wait for the start to finish. Otherwise the worker could use the store after it is closed.
      await starting?.catch(() => {});
      await registration.drain();
      await Promise.all([worker?.drain(seconds), tasks?.drain()]);
    },
    endWaits: () => {
      stopping.abort();
      stoppingTrials.abort();
    },
  };
}

import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type Job, type JobOutput, outputCountOf } from '@telecine/contract/domain/job.ts';
import {
  MEASURED_LISTS,
  type MeasuredEntries,
  type MeasuredList,
  measuredList,
} from '@telecine/contract/domain/measured-lists.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import type { StoredFiles, WalkFiles } from '@telecine/contract/domain/stored-files.ts';
import { authorizeBatch, cancelBatch, listBatchPage, readBatch } from './batches.ts';
import { readUsage } from './daily-quotas.ts';
import { CLIENT_REVOKED } from './end-job.ts';
import { jobFollowing } from './events/follow-jobs.ts';
import {
  cancelJob,
  dryRunRetry,
  jobKey,
  openRetry,
  type RetriedJob,
  removeJob,
  retryJob,
  type WatchedFileOf,
} from './job-actions.ts';
import type { JobChangeSink, JobChangeSource, WatchChanges } from './job-changes.ts';
import {
  authorizeFinishedJob,
  authorizeJob,
  type JobListQuery,
  listJobPage,
  markPaused,
  type QueuePausedAt,
  readSteps,
  replyTurns,
} from './job-reads.ts';
import { type ChangeDeps, changeJobs, endQueuedOf, selectJobs } from './job-selections.ts';
import { type JobWaitOptions, jobWaits } from './job-waits.ts';
import { largestFilesReader } from './largest-files.ts';
import type {
  ClientContext,
  CommandTrial,
  Estimator,
  Planner,
  SubmissionPlanner,
  SubmittedPlan,
} from './ports/ffmpeg.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { BatchStore, ChangeLog, IdempotencyStore, OutputExpiries, UsageStore } from './ports/job-records.ts';
import type { JobStore } from './ports/job-store.ts';
import type { MediaStore } from './ports/media-store.ts';
import type { StoreSpace } from './ports/transactions.ts';
import type { IndexTexts } from './search-texts.ts';
import { type DryRun, dryRunRequest, type SharingWorkersOf } from './submit/dry-run.ts';
import {
  type IdempotencyKey,
  type InsertBatcherDeps,
  type InsertDependentsDeps,
  type JobInsertion,
  jobInsertion,
} from './submit/insert-jobs.ts';
import { type Admission, pendingQuota, runAdmitted } from './submit/pending-quota.ts';
import { type ProbeForClient, probingPlanner } from './submit/probed-plans.ts';
import { type Accepted, type SubmitDeps, type SubmitOptions, submitJob } from './submit/submit.ts';
import { dryRunBatch, repeatBatch, submitBatch } from './submit/submit-batch.ts';
import { submitWatched } from './submit/submit-watched.ts';
import { readUsageOfAll } from './usage-of-all.ts';

interface JobOperationsDeps
  extends Omit<SubmitDeps, keyof JobInsertion | 'planner' | 'usage'>,
    Omit<InsertBatcherDeps, 'usage'>,
    Omit<InsertDependentsDeps, 'usage'> {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly idempotency: IdempotencyStore;
  readonly batches: BatchStore;
  readonly expiries: Pick<OutputExpiries, 'expire'>;
  readonly media: MediaStore;
  readonly planner: Planner<Plan & SubmittedPlan>;
  /** Probes inputs of dry runs, and of submissions that reject jobs which would fail. Absent: their content is assumed. */
  readonly probe?: ProbeForClient;
  /** Absent: dry runs have no estimate. */
  readonly estimate?: Estimator;
  /** Absent: dry runs do not run ffmpeg. */
  readonly tryCommand?: CommandTrial;
  /** Returns those of the live workers that would share a job. Absent: dry runs do not say what `"chunks": "auto"` does. */
  readonly sharingWorkers?: SharingWorkersOf | undefined;
  readonly submissionPlanner: SubmissionPlanner;
  readonly usage: UsageStore;
  readonly stored: Pick<StoredFiles, 'used' | 'records' | 'add'>;
  readonly walk: WalkFiles;
  readonly defaultLimits: ClientLimits;
  readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
  readonly slotsInAll: () => Promise<number>;
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly changes: JobChangeSource & JobChangeSink;
  readonly stopping: AbortSignal;
  readonly storeSpace: Pick<StoreSpace, 'isLow'>;
  readonly pendingInAll: number | undefined;
  readonly queuePausedAt: QueuePausedAt;
  readonly isShared?: boolean;
  /**
   * How often a wait reads its job again, because another process may have changed it. Absent if `changes` delivers the
   * changes of all processes.
   */
  readonly pollWaitsMs?: number;
  readonly changeLog: ChangeLog;
  readonly indexTexts: IndexTexts;
  readonly watchChanges?: Pick<WatchChanges, 'subscribe'> | undefined;
  /** See `openRetry`. */
  readonly watchedFileOf?: WatchedFileOf | undefined;
  /** Called with errors of the store that occur in event streams, and while the jobs of a revoked client end. */
  readonly onError: (error: unknown) => void;
}

/**
 * The operations on jobs that HTTP and MCP offer. Each method throws `Problem`. For a job of another client, the code
 * is JOB_NOT_FOUND.
 */
export type JobOperations = ReturnType<typeof jobOperations>;

/** Returns the use case without its first parameter, `deps`. */
const bind =
  <D, A extends readonly unknown[], R>(useCase: (deps: D, ...args: A) => R, deps: D) =>
  (...args: A): R =>
    useCase(deps, ...args);

export function jobOperations(deps: JobOperationsDeps) {
  const { jobs, storeSpace } = deps;
  const reserve = pendingQuota(deps, deps.pendingInAll);
  const mark = async (job: Job): Promise<Job> => (await markPaused(deps.queuePausedAt, [job]))[0] ?? job;
  const inSteps = { ...deps, step: readSteps(), turn: replyTurns() };
  const { step } = inSteps;
  const { wait, waitForAll } = jobWaits(inSteps);
  const submitDeps = { ...deps, step, planner: deps.submissionPlanner, ...jobInsertion(deps) };
  const submitForWatch = bind(submitWatched, submitDeps);
  const dryRunDeps = { ...deps, planner: probingPlanner(deps.planner, deps.probe) };
  const { estimate: _, tryCommand: __, ...withoutFiles } = dryRunDeps;
  /**
   * Reserves room in the queue for `count` jobs, before the request body is read. `batchSize`: the number of jobs in
   * the whole batch. Throws TOO_MANY_PENDING, INVALID_REQUEST.
   */
  const admit = async (caller: Caller, count?: number, batchSize?: number): Promise<Admission> => {
    if (await storeSpace.isLow()) throw new StoreFull('new jobs');
    return reserve(caller, count, batchSize);
  };
  const retryAgain: ChangeDeps['retry'] = async (caller, { jobId, lastRetry = '' }) => {
    const retried = await openRetry(deps, caller, jobId);
    // By the key, a request that is sent twice queues one job. The key is another one after a retry that was cancelled.
    const idempotency = { key: `retry ${jobId} ${lastRetry}`.trimEnd(), bodyHash: jobId };
    const retry = () => retryJob(submitDeps, retried, undefined, { idempotency });
    return (await runAdmitted(await admit(retried.owner), retry)).jobId;
  };
  return {
    admit,
    /** Submits a job. */
    submit: (
      caller: Caller,
      request: ConversionRequest,
      idempotency?: IdempotencyKey,
      { rejectsFailing = false, ...options }: SubmitOptions = {},
    ): Promise<Accepted> =>
      submitJob(submitDeps, caller, request, {
        ...options,
        idempotency,
        foresight: rejectsFailing ? dryRunDeps : undefined,
      }),
    /**
     * Checks a request without queuing a job. `hangUp`: aborted when the caller disconnects; the abort ends the probes of
     * inputs. `onlyPlans`: makes no estimate, does not run ffmpeg and asks no server of an input. `unstored`: a recipe that
     * is not stored, but counts for this request.
     */
    dryRun: (
      caller: Caller,
      request: ConversionRequest,
      hangUp?: AbortSignal,
      { onlyPlans = false, unstored }: { readonly onlyPlans?: boolean; readonly unstored?: Recipe | undefined } = {},
    ): Promise<DryRun> => dryRunRequest(onlyPlans ? withoutFiles : dryRunDeps, caller, request, hangUp, { unstored }),
    submitWatched: async (...args: Parameters<typeof submitForWatch>): Promise<void> =>
      runAdmitted(await admit(args[0], 1, 1), () => submitForWatch(...args)),
    submitBatch: bind(submitBatch, submitDeps),
    dryRunBatch: bind(dryRunBatch, dryRunDeps),
    repeatBatch: bind(repeatBatch, submitDeps),
    findBatch: bind(authorizeBatch, deps.batches),
    getBatch: bind(readBatch, inSteps),
    listBatches: bind(listBatchPage, deps.batches),
    cancelBatch: bind(cancelBatch, inSteps),
    get: async (caller: Caller, jobId: string): Promise<Job> => mark(await authorizeJob(jobs, caller, jobId)),
    /**
     * Waits until a job changes or ends, or until the time is over, and returns the job. Returns undefined at once if
     * the client already has too many waits.
     */
    wait: async (caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job | undefined> => {
      const job = await wait(caller, jobId, options);
      return job && mark(job);
    },
    waitForAll,
    follow: jobFollowing(inSteps),
    list: async (
      caller: Caller,
      query: JobListQuery,
    ): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }> => {
      const found: Job[] = [];
      const page = await listJobPage(inSteps, caller, query, { write: (read) => found.push(...read) });
      return { ...page, jobs: found };
    },
    /** Like `list`, but passes the jobs to `write` in small groups, so that a long page is never whole in memory. */
    listInSteps: bind(listJobPage, inSteps),
    /**
     * Returns up to `limit` outputs of a finished job, starting at index `first`, and the total number of outputs.
     * Throws JOB_NOT_FINISHED.
     */
    outputs: async (
      caller: Caller,
      jobId: string,
      { first, limit }: ListPart,
    ): Promise<{ readonly outputs: readonly JobOutput[]; readonly count: number }> => {
      const job = await authorizeFinishedJob(jobs, caller, jobId, OUTPUTS_AT_THE_END);
      const outputs = await step(caller.clientId, NEVER, () => jobs.outputs(jobId, first, limit));
      return { outputs, count: outputCountOf(job) };
    },
    /**
     * Returns up to `limit` entries of a list that an analysis has measured, such as scene changes, starting at index
     * `first`. Throws JOB_NOT_FINISHED, NOT_FOUND.
     */
    measured: async (
      caller: Caller,
      jobId: string,
      { list, first, limit }: ListPart & { readonly list: MeasuredList },
    ): Promise<MeasuredEntries> => {
      const { measurements = {} } = await authorizeFinishedJob(jobs, caller, jobId, MEASURED_AT_THE_END);
      const found = measuredList(measurements, list);
      if (found === undefined) throw new Problem('NOT_FOUND', notMeasured(jobId, list, measurements));
      const entries = await step(caller.clientId, NEVER, () => jobs.measured(jobId, list, first, limit));
      return { count: found.count, entries };
    },
    /** Returns the lines of the ffmpeg log that a client may read. Returns '' if there are none yet. */
    log: async (caller: Caller, jobId: string): Promise<string> => {
      await authorizeJob(jobs, caller, jobId);
      return (await jobs.log(jobId)) ?? '';
    },
    key: bind(jobKey, jobs),
    cancel: bind(cancelJob, deps),
    openRetry: bind(openRetry, deps),
    retry: bind(retryJob, submitDeps),
    select: bind(selectJobs, inSteps),
    change: bind(changeJobs, { ...inSteps, retry: retryAgain }),
    /** Ends the queued jobs of a revoked client now. A task does it each minute, also after a revocation elsewhere. */
    cancelQueuedOf: (clientId: string): Promise<void> =>
      endQueuedOf(inSteps, clientId, CLIENT_REVOKED).catch(deps.onError),
    /** Checks a retry without queuing a job. `onlyPlans`: as for `dryRun`. */
    dryRunRetry: (
      retried: RetriedJob,
      request: ConversionRequest | undefined,
      hangUp?: AbortSignal,
      { onlyPlans = false }: { readonly onlyPlans?: boolean } = {},
    ): Promise<DryRun> => dryRunRetry(onlyPlans ? withoutFiles : dryRunDeps, retried, request, hangUp),
    usage: bind(readUsage, deps),
    usageOfAll: bind(readUsageOfAll, deps),
    largestFiles: largestFilesReader(deps),
    remove: bind(removeJob, deps),
  };
}

interface ListPart {
  readonly first: number;
  readonly limit: number;
}

const MEASURED_AT_THE_END = 'It has measurements once it is COMPLETED.';

function notMeasured(jobId: string, list: MeasuredList, measurements: Measurements): string {
  const lists = MEASURED_LISTS.filter((one) => measuredList(measurements, one) !== undefined);
  const others = lists.length === 0 ? 'It has no lists.' : `It has: ${lists.join(', ')}.`;
  return `The measurements of job ${jobId} have no list "${list}". ${others}`;
}

const OUTPUTS_AT_THE_END = 'It has outputs once it is COMPLETED.';

import type { Measurements } from '../domain/analysis.ts';
import type { ClientLimits } from '../domain/client-limits.ts';
import { type Job, outputCountOf } from '../domain/job.ts';
import { whenKnown } from '../domain/maybe-promise.ts';
import { MEASURED_LISTS, type MeasuredList, measuredList } from '../domain/measured-lists.ts';
import { Problem } from '../domain/problem.ts';
import { StoreFull } from '../domain/store-errors.ts';
import type { RecountFiles, StoredFiles } from '../domain/stored-files.ts';
import { authorizeFinishedJob, authorizeJob } from './authorize-job.ts';
import { authorizeBatch, cancelBatch, listBatchPage, readBatch } from './batches.ts';
import { cancelJob } from './cancel.ts';
import { jobFollowing } from './events/follow-jobs.ts';
import type { JobChangeSink, JobChangeSource } from './job-changes.ts';
import { jobKey } from './job-key.ts';
import { jobWaits } from './job-waits.ts';
import { listJobPage } from './list.ts';
import type { JobOperations } from './operations.ts';
import type { BatchStore } from './ports/batch-store.ts';
import type { ChangeLog } from './ports/change-log.ts';
import type { CommandTrial } from './ports/command-trial.ts';
import type { Estimator } from './ports/estimator.ts';
import type { IdempotencyStore } from './ports/idempotency-store.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { JobStore } from './ports/job-store.ts';
import type { MediaStore } from './ports/media-store.ts';
import type { ClientContext, Planner, SubmissionPlanner } from './ports/planner.ts';
import type { StoreSpace } from './ports/store-space.ts';
import type { UsageStore } from './ports/usage-store.ts';
import { markPaused, type QueuePausedAt } from './queue-pause.ts';
import { NEVER, readSteps, replyTurns } from './read-steps.ts';
import { removeJob } from './remove.ts';
import { retryJob } from './retry.ts';
import { dryRunRequest } from './submit/dry-run.ts';
import type { InsertBatcherDeps } from './submit/insert-batcher.ts';
import type { InsertDependentsDeps } from './submit/insert-dependents.ts';
import { type JobInsertion, jobInsertion } from './submit/insert-job.ts';
import { type PendingLimits, pendingQuota } from './submit/pending-quota.ts';
import { type SubmitDeps, submitJob } from './submit/submit.ts';
import { dryRunBatch, repeatBatch, submitBatch } from './submit/submit-batch.ts';
import { usageReader } from './usage.ts';

export interface JobOperationsDeps
  extends Omit<SubmitDeps, keyof JobInsertion | 'planner' | 'usage'>,
    Omit<InsertBatcherDeps, 'usage'>,
    Omit<InsertDependentsDeps, 'usage'> {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly idempotency: IdempotencyStore;
  readonly batches: BatchStore;
  readonly media: MediaStore;
  readonly planner: Planner;
  /** Absent if dry runs estimate nothing. */
  readonly estimate?: Estimator;
  /** Absent if dry runs try no command. */
  readonly tryCommand?: CommandTrial;
  readonly submissionPlanner: SubmissionPlanner;
  readonly usage: UsageStore;
  readonly stored: Pick<StoredFiles, 'used'>;
  readonly recount: RecountFiles;
  /** The limits of a client. Undefined if there is no such client. */
  readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
  /** The slots of all workers. */
  readonly slotsInAll: () => Promise<number>;
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly changes: JobChangeSource & JobChangeSink;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly storeSpace: Pick<StoreSpace, 'isLow'>;
  readonly pendingLimits: PendingLimits | undefined;
  readonly queuePausedAt: QueuePausedAt;
  /** Whether other processes store jobs too. */
  readonly isShared?: boolean;
  /** How often a wait reads its job again. Absent if `changes` has the changes of all processes. */
  readonly pollWaitsMs?: number;
  readonly changeLog: ChangeLog;
  /** The most concurrent event streams of a client. */
  readonly maxStreams: number;
  /** Receives errors of the store while jobs are followed. */
  readonly onError: (error: unknown) => void;
}

const MEASURED_AT_THE_END = 'It has measurements once it is COMPLETED.';

function notMeasured(jobId: string, list: MeasuredList, measurements: Measurements): string {
  const lists = MEASURED_LISTS.filter((one) => measuredList(measurements, one) !== undefined);
  const others = lists.length === 0 ? 'It has no lists.' : `It has: ${lists.join(', ')}.`;
  return `Job ${jobId} has measured no list "${list}". ${others}`;
}

const OUTPUTS_AT_THE_END = 'It has outputs once it is COMPLETED.';

/** Composes the use cases of this folder for HTTP and MCP. */
export function jobOperations(deps: JobOperationsDeps): JobOperations {
  const reserve = pendingQuota(deps, deps.pendingLimits);
  const mark = async (job: Job): Promise<Job> => (await markPaused(deps.queuePausedAt, [job]))[0] ?? job;
  const [step, turn] = [readSteps(), replyTurns()];
  const { wait, waitForAll } = jobWaits({ ...deps, step });
  const follow = jobFollowing({ ...deps, step });
  const submitDeps = { ...deps, step, planner: deps.submissionPlanner, ...jobInsertion(deps) };
  const listInSteps: JobOperations['listInSteps'] = (caller, query, options) =>
    listJobPage({ ...deps, step, turn }, caller, query, options);
  return {
    admit: (caller, jobs, batchSize) =>
      whenKnown(deps.storeSpace.isLow(), (isLow) => {
        if (isLow) throw new StoreFull('new jobs');
        return reserve(caller, jobs, batchSize);
      }),
    submit: (caller, request, idempotency, hangUp, { rejectsFailing = false, completeWarnings } = {}) => {
      const foresight = rejectsFailing ? deps : undefined;
      return submitJob(submitDeps, caller, request, { idempotency, hangUp, foresight, completeWarnings });
    },
    dryRun: (caller, request, hangUp, { onlyPlans = false } = {}) => {
      const { estimate: _, tryCommand: _t, ...withoutFiles } = deps;
      return dryRunRequest(onlyPlans ? withoutFiles : deps, caller, request, hangUp);
    },
    submitBatch: (caller, batch, idempotency, hangUp) => submitBatch(submitDeps, caller, batch, idempotency, hangUp),
    dryRunBatch: (caller, batch, hangUp) => dryRunBatch(deps, caller, batch, hangUp),
    repeatBatch: (caller, idempotency) => repeatBatch(submitDeps, caller, idempotency),
    findBatch: (caller, batchId) => authorizeBatch(deps.batches, caller, batchId),
    getBatch: (caller, batchId) => readBatch({ ...deps, step, turn }, caller, batchId),
    listBatches: (caller, query) => listBatchPage(deps.batches, caller, query),
    cancelBatch: (caller, batchId) => cancelBatch({ ...deps, step, turn }, caller, batchId),
    get: async (caller, jobId) => mark(await authorizeJob(deps.jobs, caller, jobId)),
    wait: async (caller, jobId, options) => {
      const job = await wait(caller, jobId, options);
      return job && mark(job);
    },
    waitForAll,
    follow,
    list: async (caller, query) => {
      const jobs: Job[] = [];
      const page = await listInSteps(caller, query, { write: (read) => jobs.push(...read) });
      return { ...page, jobs };
    },
    outputs: async (caller, jobId, { first, limit }) => {
      const job = await authorizeFinishedJob(deps.jobs, caller, jobId, OUTPUTS_AT_THE_END);
      const outputs = await step(caller.clientId, NEVER, () => deps.jobs.outputs(jobId, first, limit));
      return { outputs, count: outputCountOf(job) };
    },
    measured: async (caller, jobId, { list, first, limit }) => {
      const { measurements = {} } = await authorizeFinishedJob(deps.jobs, caller, jobId, MEASURED_AT_THE_END);
      const found = measuredList(measurements, list);
      if (found === undefined) throw new Problem('NOT_FOUND', notMeasured(jobId, list, measurements));
      const entries = await step(caller.clientId, NEVER, () => deps.jobs.measured(jobId, list, first, limit));
      return { count: found.count, entries };
    },
    listInSteps,
    log: async (caller, jobId) => {
      await authorizeJob(deps.jobs, caller, jobId);
      return (await deps.jobs.log(jobId)) ?? '';
    },
    key: (caller, jobId) => jobKey(deps.jobs, caller, jobId),
    cancel: (caller, jobId) => cancelJob(deps, caller, jobId),
    retry: (caller, jobId) => retryJob(submitDeps, caller, jobId),
    usage: usageReader(deps),
    remove: (caller, jobId, outputs) => removeJob(deps, caller, jobId, outputs),
  };
}

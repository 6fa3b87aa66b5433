import type { ReadOutputs, ReadOutputsNear } from '@telecine/contract/domain/all-outputs.ts';
import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest, Metadata } from '@telecine/contract/domain/conversion.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Job, JobOutput, PhaseStart, Progress } from '@telecine/contract/domain/job.ts';
import type { Lane, Requirements } from '@telecine/contract/domain/lane.ts';
import type { MeasuredEntry, MeasuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { JobPhase, JobStatus } from '@telecine/contract/domain/states.ts';
import type { Ticket } from './job-queue.ts';
import type { PublishIntent } from './media-store.ts';
import type { Tx } from './transactions.ts';

/**
 * The right of a worker to write to one job. `fence`: rises with each claim of the job. Writes with an earlier claim
 * change nothing.
 */
export interface Claim {
  readonly job: Job;
  readonly fence: number;
  /** The publish intent that an earlier attempt stored before its worker crashed. */
  readonly intent?: PublishIntent;
  /**
   * true: the job has no attempts left. It is then only completed from its intent. Without an intent, it fails with
   * WORKER_LOST.
   */
  readonly exhausted: boolean;
  /** The worker that ran the job before, and no longer renews its lease. Absent: the job was queued. */
  readonly takenFrom?: string;
  /** When an attempt first found that the storage is down. Absent if no attempt found that. */
  readonly storageDownSince?: string;
}

/** Why and how a job goes back to the queue. */
export interface RequeueOptions {
  /** false: the attempt does not count towards the limit of attempts. */
  readonly keepAttempt: boolean;
  /** Why the job gets another attempt. The job shows this until the next attempt starts. */
  readonly reason?: Failure;
  /** See `Claim.storageDownSince`. Absent: the stored value does not change. */
  readonly storageDownSince?: string;
}

/** The result of a job. A conversion has outputs, and an analysis has measurements. */
interface JobResult {
  readonly outputs: readonly JobOutput[];
  readonly measurements?: Measurements;
}

/**
 * The outcome of a job. `warnings`: the warnings of the run. `lifetimeSeconds`: how long the outputs are kept. Absent:
 * for ever. `phases`: the phases of the last attempt. `request`: what ran, with what the client sent. Absent: what is stored.
 */
export type JobOutcome = (
  | ({ readonly status: 'COMPLETED'; readonly lifetimeSeconds?: number } & JobResult)
  | { readonly status: 'FAILED' | 'CANCELLED'; readonly error: Failure }
) & {
  readonly warnings?: readonly Warning[];
  readonly phases?: readonly PhaseStart[];
  readonly request?: ConversionRequest;
};

export interface ProgressUpdate {
  readonly phase: JobPhase;
  /** The phases of the attempt so far. Absent if they are already stored. */
  readonly phases?: readonly PhaseStart[];
  readonly progress?: Progress;
  /** The whole log so far. Absent if it is the same as at the last update. */
  readonly log?: string;
}

/** The quotas of a client that limit the outputs of a job. */
type PublishQuotas = Pick<ClientLimits, 'storage' | 'media'>;

/**
 * The writes of a worker to a job that it has claimed. A claim is valid while the job is PROCESSING and no later claim
 * has raised its fence. If a method resolves to false or undefined, the claim is no longer valid.
 */
export interface JobClaims {
  /**
   * Claims a job: starts a PENDING job, or takes over a PROCESSING job whose lease is lost. Concurrent claims get
   * different fences, and only the highest one is valid. Returns undefined if the job is finished or deleted.
   * `workerId`: shown to operators.
   */
  claim(tx: Tx, jobId: string, at: string, workerId?: string): Promise<Claim | undefined>;
  /**
   * Stores the progress of a job. A crash may undo this write. Returns whether a cancel was requested, or undefined if
   * the claim is lost.
   */
  progress(claim: Claim, update: ProgressUpdate): Promise<{ readonly cancelRequested: boolean } | undefined>;
  /**
   * Returns the status of a claimed job. PROCESSING: the claim is valid. undefined: a later claim exists, or the job is
   * deleted.
   */
  statusOf(claim: Claim): Promise<JobStatus | undefined>;
  /**
   * Stores the publish intent and sets the phase PUBLISHING. Counts the outputs for the quota `storage` under the
   * version `intent.scratch`, unless the intent is abandoned. If the client has a quota `media`, the job reserves the
   * length of its outputs. Throws QUOTA_EXCEEDED, and stores nothing, if a quota is exceeded. After any other error,
   * the intent may be stored and some of the outputs may be counted.
   */
  recordIntent(claim: Claim, intent: PublishIntent, quotas?: PublishQuotas): Promise<boolean>;
  end(tx: Tx, claim: Claim, outcome: JobOutcome, at: string, log: string): Promise<boolean>;
  /** Sets a PROCESSING job back to PENDING. Deletes phases, progress and intent. */
  requeue(tx: Tx, claim: Claim, options: RequeueOptions): Promise<boolean>;
  /**
   * Stores that the attempt of a PROCESSING job does not count. Call this if published files cannot be removed because
   * the storage is down: until they are removed, the job cannot be requeued.
   */
  uncountAttempt(claim: Claim, storageDownSince: string): Promise<boolean>;
  /** Stores the needs of a PROCESSING job, which then goes back to the queue for a worker that meets them. */
  setNeeds(tx: Tx, claim: Claim, needs: Requirements['needs']): Promise<boolean>;
}

export interface NewJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** The ConversionRequest as JSON. */
  readonly request: string;
  readonly retryOf?: string | undefined;
  /** The client that has submitted the job for its client. Absent: the client of the job itself. */
  readonly submittedBy?: string | undefined;
  /** The warnings about the request, as JSON. Absent if there are none. */
  readonly warnings?: string | undefined;
  /** The metadata of the request. `search` finds jobs by it. */
  readonly metadata?: Metadata | undefined;
  /** The batch of the job, and the name of the job in this batch. */
  readonly batch?: { readonly batchId: string; readonly name?: string };
  readonly watchId?: string | undefined;
  /** See `Job.traceParent`. */
  readonly traceParent?: string | undefined;
  /** The jobs that this job waits for. While it waits, it has no ticket. Absent if it waits for none. */
  readonly waitingFor?: readonly string[];
  /**
   * The seconds that the job reserves of the daily quota `media` of its client: the maximum that it can publish.
   * Default: 0.
   */
  readonly reservedMediaSeconds?: number;
  /** Default: 0. */
  readonly priority?: number;
  readonly createdAt: string;
}

export interface JobQuery {
  /** Default: the jobs of all clients. */
  readonly clientId?: string;
  readonly status?: JobStatus;
  /** Lists only jobs of this watch. */
  readonly watchId?: string;
  readonly limit: number;
  /** Lists only jobs that are older than the job with this id. */
  readonly before?: string;
}

/** A search selects jobs that have all these values and all these words. It has at least one of them. */
export interface JobSearch extends JobQuery {
  readonly metadata?: Metadata;
  /** See `searchWords`. Only jobs whose text is stored are found: see `JobTexts`. */
  readonly words?: readonly string[];
}

/** A job and its stored size in bytes. Reading jobs of 1 MB together blocks the event loop for about 10 ms. */
export interface JobSize {
  readonly jobId: string;
  readonly bytes: number;
}

/**
 * `code`: the error code of the job. `lastRetry`: the newest retry. `isRetried`: a retry that was not cancelled exists. `isExpired`: the
 * outputs are removed, or their removal is due.
 */
export interface JobHead extends JobSize, Pick<Job, 'clientId' | 'status'> {
  readonly code?: string;
  readonly lastRetry?: string;
  readonly isRetried: boolean;
  readonly isExpired: boolean;
}

/** A queued or running job. `request`: JSON of its ConversionRequest. */
export type UnfinishedJob = Pick<Job, 'jobId' | 'status'> & { readonly request: string };

/** The queued jobs of one lane. */
export interface QueueDepth {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of these jobs has been queued. */
  readonly oldestSeconds: number;
}

interface ClientQueueDepth extends QueueDepth {
  readonly clientId: string;
}

/** The jobs table, which is the authoritative record of all jobs. */
export interface JobStore extends JobClaims {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  get(jobId: string): Promise<Job | undefined>;
  /** Returns the jobs with these ids that exist, in any order. */
  getMany(jobIds: readonly string[]): Promise<readonly Job[]>;
  readonly outputs: ReadOutputs;
  readonly outputsNear: ReadOutputsNear;
  /**
   * Reads up to `count` entries of a measured list, starting at index `first`. Empty if the job or the list does not
   * exist.
   */
  measured(jobId: string, list: MeasuredList, first: number, count: number): Promise<readonly MeasuredEntry[]>;
  /** Returns the ticket of a queued job. For a job that has left the queue, returns the ticket that the job had. */
  ticketOf(jobId: string): Promise<Ticket | undefined>;
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Lists what a selection of jobs needs of each, newest first. */
  heads(query: JobQuery): Promise<readonly JobHead[]>;
  /** Lists the sizes of jobs, newest first, so that a long list can be read in steps. */
  sizes(query: JobQuery): Promise<readonly JobSize[]>;
  /**
   * Searches a limited number of jobs, newest first. `searchedTo`: to continue the search, pass this as `before`.
   */
  search(query: JobSearch): Promise<{ readonly jobs: readonly JobSize[]; readonly searchedTo?: string }>;
  /**
   * Counts the queued jobs of one client, or of all clients if `clientId` is undefined. Returns `limit` if there are
   * more.
   */
  countPending(clientId: string | undefined, limit: number): Promise<number>;
  /**
   * Ends the jobs of `jobIds` that are PENDING as CANCELLED or FAILED, in one statement. Returns a ticket for each ended
   * job. A job that waited for other jobs has no ticket in the queue, but is returned too.
   */
  endPending(
    tx: Tx,
    jobIds: readonly string[],
    status: 'CANCELLED' | 'FAILED',
    error: Failure,
    at: string,
  ): Promise<readonly Ticket[]>;
  /** Lists the needs of PENDING jobs. Each combination of needs appears once. */
  pendingNeeds(): Promise<readonly Requirements['needs'][]>;
  /** Lists up to `limit` PENDING jobs that have exactly these needs and were accepted before `before`. */
  pendingWith(
    needs: Requirements['needs'],
    before: string,
    limit: number,
  ): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]>;
  /** Reads the unfinished jobs of a client, the oldest first, few in each turn of the event loop. */
  unfinished(clientId: string): AsyncIterable<UnfinishedJob>;
  /** Requests the cancel of the jobs that are PROCESSING, and returns them. A second call changes nothing. */
  requestCancel(tx: Tx, jobIds: readonly string[], at: string): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]>;
  /** Counts the queued jobs of each lane. Leaves out lanes without queued jobs. */
  queueDepths(): Promise<readonly QueueDepth[]>;
  /** Counts the queued jobs of each client by lane. Leaves out clients without queued jobs. */
  queueDepthsOfClients(): Promise<readonly ClientQueueDepth[]>;
  /** Deletes a finished job and its log. Resolves to false if there is no finished job with this id. */
  remove(tx: Tx, jobId: string): Promise<boolean>;
  /**
   * Deletes jobs that ended before `before`, in small transactions. Does not delete their outputs. Resolves to the
   * number of deleted jobs.
   */
  removeFinishedBefore(before: string): Promise<number>;
  /** Lists the tickets that queued and running jobs should have, ordered by job id, starting after `afterJobId`. */
  ticketsOf(afterJobId: string, limit: number): Promise<readonly Ticket[]>;
  /** Returns the log of a job. undefined: the job has no log yet. */
  log(jobId: string): Promise<string | undefined>;
  /**
   * Returns the names of the scratch folders that must be kept: those of stored intents and of running jobs.
   * `workersGone`: no worker runs, so only the folders of intents are kept.
   */
  liveScratch(workersGone: boolean): Promise<readonly string[]>;
}

/** The end of a job, for writes in the same transaction. The row of the job already has this status. */
export interface JobEnd {
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobOutcome['status'];
  readonly at: string;
  /** Why it failed or was cancelled. */
  readonly error?: Failure;
  /** What it has published. Absent for jobs that are not complete. */
  readonly outputs?: readonly JobOutput[];
}

/**
 * A write of another module in the transaction that ends jobs. If it throws, the jobs do not end. It must await only
 * calls with `tx`, because all other transactions may have to wait for this one. It may run again after a rollback.
 */
export type JobEndWrite = (tx: Tx, ends: readonly JobEnd[]) => Promise<unknown>;

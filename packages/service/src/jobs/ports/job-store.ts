import type { ReadOutputs } from '@telecine/contract/domain/all-outputs.ts';
import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Metadata } from '@telecine/contract/domain/conversion.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Job, JobOutput, PhaseStart, Progress } from '@telecine/contract/domain/job.ts';
import type { Lane, Requirements } from '@telecine/contract/domain/lane.ts';
import type { MeasuredEntry, MeasuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { JobPhase, JobStatus } from '@telecine/contract/domain/states.ts';
import type { Ticket } from './job-queue.ts';
import type { PublishIntent } from './media-store.ts';
import type { Tx } from './transactions.ts';

/** A worker's right to one job. A write with this claim changes nothing once a later claim has raised the fence. */
export interface Claim {
  readonly job: Job;
  readonly fence: number;
  /** The publish intent of an earlier attempt whose worker crashed. */
  readonly intent?: PublishIntent;
  /** Whether no attempts are left. The job is then completed from its intent, or fails with WORKER_LOST. */
  readonly exhausted: boolean;
  /** When an attempt first met a storage that was down. Absent if none did. */
  readonly storageDownSince?: string;
}

/** Why and how a job goes back to the queue. */
export interface RequeueOptions {
  /** Whether the attempt counts. */
  readonly keepAttempt: boolean;
  /** The reason for another attempt. The job shows it until that attempt starts. */
  readonly reason?: Failure;
  /** See `Claim`. Stays as it was if absent. */
  readonly storageDownSince?: string;
}

/** The result of a job: outputs, or the measurements of an analysis. */
interface JobResult {
  readonly outputs: readonly JobOutput[];
  readonly measurements?: Measurements;
}

/** `warnings`: of the run. `lifetimeSeconds`: how long the outputs exist; absent: for ever. `phases`: of the last attempt. */
export type JobOutcome = (
  | ({ readonly status: 'COMPLETED'; readonly lifetimeSeconds?: number } & JobResult)
  | { readonly status: 'FAILED' | 'CANCELLED'; readonly error: Failure }
) & { readonly warnings?: readonly Warning[]; readonly phases?: readonly PhaseStart[] };

export interface ProgressUpdate {
  readonly phase: JobPhase;
  /** The phases of the attempt so far. Absent if they are stored already. */
  readonly phases?: readonly PhaseStart[];
  readonly progress?: Progress;
  /** The whole log so far. Absent if it has not grown since the last update. */
  readonly log?: string;
}

/** The quotas of a client that the outputs of a job must fit into. */
type PublishQuotas = Pick<ClientLimits, 'storage' | 'media'>;

/**
 * The writes of a worker, valid only while the job is PROCESSING with the claim's fence. False or undefined: the claim
 * is lost.
 */
export interface JobClaims {
  /**
   * Starts a PENDING job, or takes over a PROCESSING job whose lease is lost. Concurrent claims get different fences,
   * and only the highest is valid. Returns undefined if the job is finished or deleted. `workerId`: for operators.
   */
  claim(tx: Tx, jobId: string, at: string, workerId?: string): Promise<Claim | undefined>;
  /** Stores progress; a crash may undo it. Returns whether a cancel was requested; undefined if the claim is lost. */
  progress(claim: Claim, update: ProgressUpdate): Promise<{ readonly cancelRequested: boolean } | undefined>;
  /** Returns the status of a claimed job; undefined after a later claim or deletion. The claim is valid if it is PROCESSING. */
  statusOf(claim: Claim): Promise<JobStatus | undefined>;
  /**
   * Stores the publish intent, sets the phase PUBLISHING, and counts the outputs with `intent.scratch` as their
   * version, unless the intent is abandoned. Throws QUOTA_EXCEEDED, and stores nothing, if that exceeds a quota of the
   * client. With a quota of media, the job then reserves what it publishes. After another error, the intent may be
   * stored and some outputs counted.
   */
  recordIntent(claim: Claim, intent: PublishIntent, quotas?: PublishQuotas): Promise<boolean>;
  end(tx: Tx, claim: Claim, outcome: JobOutcome, at: string, log: string): Promise<boolean>;
  /** Sets a PROCESSING job back to PENDING. Deletes phases, progress and intent. */
  requeue(tx: Tx, claim: Claim, options: RequeueOptions): Promise<boolean>;
  /** Does not count the attempt of a PROCESSING job whose files cannot be unpublished because the storage is down. */
  uncountAttempt(claim: Claim, storageDownSince: string): Promise<boolean>;
  /** Stores the needs of a PROCESSING job before it is requeued for another worker. */
  setNeeds(tx: Tx, claim: Claim, needs: Requirements['needs']): Promise<boolean>;
}

export interface NewJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** JSON of its ConversionRequest. */
  readonly request: string;
  readonly retryOf?: string | undefined;
  /** JSON of the warnings about the request. Absent if there are none. */
  readonly warnings?: string | undefined;
  /** The metadata of the request, which `search` finds. */
  readonly metadata?: Metadata | undefined;
  /** The batch that it belongs to, and its name there. */
  readonly batch?: { readonly batchId: string; readonly name?: string };
  /** See `Job.traceParent`. */
  readonly traceParent?: string | undefined;
  /** The jobs that it waits for, which give it no ticket. Absent if there are none. */
  readonly waitingFor?: readonly string[];
  /** Its reservation of the client's daily media: the most that it publishes, as far as its request says. Default: 0. */
  readonly reservedMediaSeconds?: number;
  /** The turn of its client. With the priority, it gives `Ticket.queuePosition`. */
  readonly fairnessRank: number;
  /** Default: 0. */
  readonly priority?: number;
  readonly createdAt: string;
}

export interface JobQuery {
  /** Default: the jobs of all clients. */
  readonly clientId?: string;
  readonly status?: JobStatus;
  readonly limit: number;
  /** Lists only jobs that are older than the job with this id. */
  readonly before?: string;
}

interface JobSearch extends JobQuery {
  readonly metadata: Metadata;
}

/** A job, and how much is stored of it. Reading a megabyte of jobs takes some 10 ms of the event loop. */
export interface JobSize {
  readonly jobId: string;
  readonly bytes: number;
}

/** The queued jobs of one lane. */
export interface QueueDepth {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of them is queued. */
  readonly oldestSeconds: number;
}

interface ClientQueueDepth extends QueueDepth {
  readonly clientId: string;
}

/** The jobs table, the authoritative record of jobs. */
export interface JobStore extends JobClaims {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  /**
   * Returns the rank of the client's next job: one more than the highest rank of all started jobs (`RANKS_APART` more
   * if that job is the client's), or `RANKS_APART` more than the client's highest queued rank, whichever is higher.
   * Waiting jobs do not count. Other transactions wait here until this one ends, so that ranks of a client are unique.
   */
  nextFairnessRank(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** Returns the existing jobs among these, in any order. */
  getMany(jobIds: readonly string[]): Promise<readonly Job[]>;
  readonly outputs: ReadOutputs;
  /** Reads up to `count` entries of a measured list from index `first` on. Empty if there is no such job or list. */
  measured(jobId: string, list: MeasuredList, first: number, count: number): Promise<readonly MeasuredEntry[]>;
  /** Returns the ticket that a job has, or had while it was queued. */
  ticketOf(jobId: string): Promise<Ticket | undefined>;
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Lists the sizes of jobs, newest first, so that a long list can be read in steps. */
  sizes(query: JobQuery): Promise<readonly JobSize[]>;
  /** Searches a limited number of jobs by metadata, newest first. `searchedTo`: continue with it as `before`. */
  search(query: JobSearch): Promise<{ readonly jobs: readonly JobSize[]; readonly searchedTo?: string }>;
  /** Counts the queued jobs of one client, or of all, up to `limit`. */
  countPending(clientId: string | undefined, limit: number): Promise<number>;
  /** Sets a PENDING job to CANCELLED or FAILED. Resolves to false if the job is not PENDING. */
  endPending(tx: Tx, jobId: string, status: 'CANCELLED' | 'FAILED', error: Failure, at: string): Promise<boolean>;
  /** Lists the needs of PENDING jobs, each combination once. */
  pendingNeeds(): Promise<readonly Requirements['needs'][]>;
  /** Lists PENDING jobs that need exactly this and were accepted before `before`, up to `limit`. */
  pendingWith(
    needs: Requirements['needs'],
    before: string,
    limit: number,
  ): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]>;
  /** Marks a PROCESSING job as to be cancelled. A second call changes nothing. False if the job is not PROCESSING. */
  requestCancel(tx: Tx, jobId: string, at: string): Promise<boolean>;
  /** Counts the queued jobs of each lane that has any. */
  queueDepths(): Promise<readonly QueueDepth[]>;
  /** Counts the queued jobs of each client that has any, by lane. */
  queueDepthsOfClients(): Promise<readonly ClientQueueDepth[]>;
  /** Deletes a finished job with its log. Resolves to false if no finished job has the id. */
  remove(tx: Tx, jobId: string): Promise<boolean>;
  /** Deletes jobs that ended before `before`, in small transactions. Outputs stay. Resolves to the number of jobs. */
  removeFinishedBefore(before: string): Promise<number>;
  /** Lists the tickets that jobs which have not ended must have, in the order of their ids, after `afterJobId`. */
  ticketsOf(afterJobId: string, limit: number): Promise<readonly Ticket[]>;
  /** Returns the log of a job, or undefined if it has none yet. */
  log(jobId: string): Promise<string | undefined>;
  /** Returns the names of scratch folders to keep: of intents and, unless `workersGone`, of running jobs. */
  liveScratch(workersGone: boolean): Promise<readonly string[]>;
}

/** A job that ends in an open transaction. Its row in the jobs table already has this status. */
export interface JobEnd {
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobOutcome['status'];
  readonly at: string;
}

/**
 * Writes of another module in the transaction that ends a job. If it throws, the job does not end. It awaits only calls
 * with `tx`, because all other transactions may wait. It may run again after a rollback.
 */
export type JobEndWrite = (tx: Tx, end: JobEnd) => Promise<unknown>;

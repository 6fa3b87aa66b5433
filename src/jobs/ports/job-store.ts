import type { ReadOutputs } from '../../domain/all-outputs.ts';
import type { Metadata } from '../../domain/conversion.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { Lane, Requirements } from '../../domain/lane.ts';
import type { MeasuredEntry, MeasuredList } from '../../domain/measured-lists.ts';
import type { JobStatus } from '../../domain/states.ts';
import type { JobClaims } from './job-claims.ts';
import type { Ticket } from './job-queue.ts';
import type { Tx } from './transactions.ts';

/** A job to be stored as PENDING. */
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
  /** What it reserves of the daily media of its client: the most that it publishes, as far as its request says. Default: 0. */
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

/** A query for jobs whose metadata has all these values. */
export interface JobSearch extends JobQuery {
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

/** The queued jobs of one client in one lane. */
export interface ClientQueueDepth extends QueueDepth {
  readonly clientId: string;
}

/** The jobs table, the authoritative record of jobs. */
export interface JobStore extends JobClaims {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  /**
   * Returns the rank of the client's next job: one more than the highest rank of all jobs that ever started, or
   * `RANKS_APART` more than that if the job is the client's own, or than the highest rank of the client's queued jobs,
   * whichever is highest. Queued jobs that wait for others do not count. Other transactions wait here until this one ends,
   * so that no two jobs of a client get the same rank.
   */
  nextFairnessRank(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** Returns those of the jobs that exist, in any order. */
  getMany(jobIds: readonly string[]): Promise<readonly Job[]>;
  readonly outputs: ReadOutputs;
  /** Reads up to `count` entries of a measured list, from the one at place `first` on. Empty if there is no such job or list. */
  measured(jobId: string, list: MeasuredList, first: number, count: number): Promise<readonly MeasuredEntry[]>;
  /** Returns the ticket that a job has, or had while it was queued. */
  ticketOf(jobId: string): Promise<Ticket | undefined>;
  /** Lists jobs, newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Lists the sizes of jobs, newest first, so that a long list can be read in steps. */
  sizes(query: JobQuery): Promise<readonly JobSize[]>;
  /**
   * Searches jobs by their metadata, newest first. A search looks at a limited number of jobs. `searchedTo`: the last job
   * that it looked at, if there may be older ones; they are found with it as `before`.
   */
  search(query: JobSearch): Promise<{ readonly jobs: readonly JobSize[]; readonly searchedTo?: string }>;
  /** Counts the queued jobs of one client, or of all, up to `limit`. */
  countPending(clientId: string | undefined, limit: number): Promise<number>;
  /** Sets a PENDING job to CANCELLED or FAILED. Resolves to false if the job is not PENDING. */
  endPending(tx: Tx, jobId: string, status: 'CANCELLED' | 'FAILED', error: Failure, at: string): Promise<boolean>;
  /** Lists what PENDING jobs need of their workers, each combination once. Jobs without needs are left out. */
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
  /**
   * Deletes the jobs that ended before `before`, with their logs, in small transactions. Resolves to their number.
   * Outputs stay.
   */
  removeFinishedBefore(before: string): Promise<number>;
  /** Lists the tickets that jobs which have not ended must have, in the order of their ids, after `afterJobId`. */
  ticketsOf(afterJobId: string, limit: number): Promise<readonly Ticket[]>;
  /** Returns the log of a job, or undefined if it has none yet. */
  log(jobId: string): Promise<string | undefined>;
  /**
   * Returns the names (`<jobId>.<fence>`) of the scratch folders that must not be removed: those that an intent needs
   * and, unless `workersGone`, those of running jobs.
   */
  liveScratch(workersGone: boolean): Promise<readonly string[]>;
}

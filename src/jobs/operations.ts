import type { Batch, BatchCounts } from '../domain/batch.ts';
import type { Caller } from '../domain/client.ts';
import type { ConversionRequest, Metadata, Parameters } from '../domain/conversion.ts';
import type { ConversionEstimate } from '../domain/estimate.ts';
import type { Job, JobOutput } from '../domain/job.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { MeasuredEntries, MeasuredList } from '../domain/measured-lists.ts';
import type { MediaInfo, ProbeRequest } from '../domain/media-info.ts';
import type { PlannedOutput, Warning } from '../domain/plan.ts';
import type { PlannedName } from '../domain/planned-names.ts';
import type { Preset } from '../domain/recipe.ts';
import type { JobStatus } from '../domain/states.ts';
import type { LiveEventWriter } from './events/live-event.ts';
import type { BatchJobState } from './ports/job-records.ts';
import type { JobSize } from './ports/job-store.ts';
import type { LongReadOptions } from './read-steps.ts';
import type { ClientUsage } from './usage.ts';

/** The answer to a submission. The job is already on disk. */
export interface Accepted {
  readonly jobId: string;
  readonly status: 'PENDING';
  /** The jobs that it waits for. Absent if there are none. */
  readonly waitingFor?: readonly string[];
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** What the job probably produces. Absent if nobody looked into its inputs before it was queued. */
  readonly estimate?: ConversionEstimate;
}

export interface DryRun {
  /** One argv per pass, with the program's name first and logical file names. */
  readonly argv: readonly (readonly string[])[];
  readonly plan: {
    /** `name`: the logical name of the file at `path`, as in the argv. `isFetched`: it is at a URL, and fetched when the job runs. */
    readonly inputs: readonly { readonly name: string; readonly path: string; readonly isFetched?: true }[];
    readonly outputs: readonly {
      readonly name: string;
      readonly path: string;
      readonly muxer: string;
      readonly replace: boolean;
      /** The paths of all files of the output that the job can publish. */
      readonly files: readonly PlannedName[];
      readonly encoders: PlannedOutput['encoders'];
    }[];
    readonly passes: number;
  };
  /** The applied recipe: its version, all its arguments, and the names of the options that it set. */
  readonly preset?: Preset;
  readonly parameters?: Parameters;
  /** What the conversion probably produces. Absent for requests of a batch. */
  readonly estimate?: ConversionEstimate;
  readonly warnings: readonly Warning[];
}

/** One request of a batch. Its `after` is not in `request`, because it may have names. */
export interface BatchRequest {
  readonly name?: string;
  /** Names of other requests of the batch, and ids of jobs. */
  readonly after?: readonly string[];
  readonly request: ConversionRequest;
  /** The place in the body of the request with `each` that it comes from, or of itself. Default: its place in the list. */
  readonly index?: number;
  /** The file of `each` that it is for. */
  readonly file?: string;
}

/** What a client submits as a batch. */
export interface BatchSubmission {
  readonly requests: readonly BatchRequest[];
  /** Where the end of the batch is reported. */
  readonly callbackUrl?: string;
}

/** The answer to a batch, with its jobs in the order of the requests. Fields of warnings begin with `/requests/INDEX`. */
export interface AcceptedBatch {
  readonly batchId: string;
  readonly jobs: readonly (Accepted & { readonly name?: string })[];
}

export interface BatchDryRun {
  readonly jobs: readonly (DryRun & { readonly name?: string })[];
}

/** Options of a submission. */
export interface SubmitOptions {
  /** Whether a job that would certainly fail is rejected instead of accepted with warnings. Throws INVALID_REQUEST then. Default: false. */
  readonly rejectsFailing?: boolean;
  /** Completes the warnings for the reply, as with the names of near files. It runs while the job is stored. */
  readonly completeWarnings?: (warnings: readonly Warning[]) => Promise<readonly Warning[]>;
}

/** A reservation in the queue, while the body of a submission is read. */
export interface Admission {
  /** Call this once, when the request has been handled. `accepted`: whether the request became a job. */
  release(accepted: boolean): void;
}

export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of the request, in hex. */
  readonly bodyHash: string;
}

/** Probing of media files. Throws `Problem`. */
export interface ProbeOperations {
  /**
   * Throws INVALID_REQUEST, INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, UNSUPPORTED, TIMEOUT, RATE_LIMITED, UNAVAILABLE, or the
   * reason of an abort.
   */
  probe(caller: Caller, request: ProbeRequest, signal: AbortSignal): Promise<MediaInfo>;
}

/** Options of a wait for a job. */
export interface JobWaitOptions {
  /** The longest wait. */
  readonly seconds: number;
  /** Aborted when the caller disconnects. This ends the wait. */
  readonly signal: AbortSignal;
  /** `change`: the first change of any kind ends the wait. `end`: only the end of the job does. */
  readonly until: 'change' | 'end';
  /** Receives the job at the start and after each change. */
  readonly onChange?: ((job: Job) => Promise<void>) | undefined;
}

/** The jobs of a wait for several: those with these ids, those of a batch, or those whose metadata has all these values. */
export type JobSelection =
  | { readonly jobIds: readonly string[] }
  | { readonly batchId: string }
  | { readonly metadata: Metadata };

/** Options of a wait for the end of several jobs. */
export interface WaitForAllOptions<Kept> extends Pick<JobWaitOptions, 'seconds' | 'signal'> {
  /** Returns what the wait returns of a job. */
  readonly keep: (job: Job) => Kept;
  /** Receives how many of all jobs have ended: at the start, and after the end of some. */
  readonly onEnd?: ((ended: number, all: number) => Promise<void>) | undefined;
}

/** The jobs at the end of a wait for several, without those that were deleted meanwhile. */
export interface WaitedJobs<Kept> {
  readonly jobs: readonly Kept[];
  /** How many of them have not ended. */
  readonly running: number;
  /** Whether older jobs may have the metadata too. */
  readonly hasMore: boolean;
}

/** Options of a stream of events. */
export interface JobEventOptions {
  /** Follows only this job. By default all jobs that the caller can see. */
  readonly jobId?: string;
  /** Follows only the jobs of this batch, and its state. */
  readonly batchId?: string;
  /** The number of the last event that the caller has. The stream continues after it. */
  readonly lastEventId?: number;
  /** Aborted when the caller disconnects. This ends the stream. */
  readonly signal: AbortSignal;
  /** Called once when the caller may follow the jobs, and there is something to write. `follow` ends what it returns. */
  readonly start: () => LiveEventWriter;
}

/** A query for one page of jobs. */
export interface JobListQuery {
  readonly status?: JobStatus;
  /** Only jobs of this client. Throws INSUFFICIENT_SCOPE if the caller may not see them. */
  readonly clientId?: string;
  /** Only jobs whose metadata has all these values. */
  readonly metadata?: Metadata;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string;
}

/** What a page is made of: `write` gets the jobs of each step, so that they need not be in memory together. */
export type ListOptions = LongReadOptions & { readonly write: (jobs: readonly Job[]) => void };

/**
 * The operations on jobs, for HTTP and MCP. Each method throws `Problem`: JOB_NOT_FOUND for a job of another client.
 */
/** A batch whose jobs are read when they are needed: together, they can have a hundred megabytes. */
export interface BatchToRead {
  readonly batch: Batch;
  readonly states: readonly (BatchJobState & JobSize)[];
  /** What is stored of its jobs. */
  readonly bytes: number;
  /** Reads the jobs in the order of the requests, in steps. Those that are deleted meanwhile are left out. */
  jobs(): AsyncIterable<Job>;
  /** Reads all of them, for a reply that is made in one piece. */
  allJobs(options?: LongReadOptions): Promise<readonly Job[]>;
}

export interface JobOperations {
  /**
   * Reserves room in the queue for each of `jobs` (default: 1) before the body is read. `batchSize`: the jobs of their
   * batch, if some have reservations already. Throws TOO_MANY_PENDING; INVALID_REQUEST if the batch can never have so many.
   */
  admit(caller: Caller, jobs?: number, batchSize?: number): MaybePromise<Admission>;
  /** `hangUp`, also of the next ones: aborted when the caller disconnects, which ends probes of inputs for recipes. */
  submit(
    caller: Caller,
    request: ConversionRequest,
    idempotency?: IdempotencyKey,
    hangUp?: AbortSignal,
    options?: SubmitOptions,
  ): Promise<Accepted>;
  /** With `onlyPlans`, nothing is estimated and no command is tried. */
  dryRun(
    caller: Caller,
    request: ConversionRequest,
    hangUp?: AbortSignal,
    options?: { readonly onlyPlans?: boolean },
  ): Promise<DryRun>;
  /** Stores all requests as jobs, or none. */
  submitBatch(
    caller: Caller,
    batch: BatchSubmission,
    idempotency?: IdempotencyKey,
    hangUp?: AbortSignal,
  ): Promise<AcceptedBatch>;
  dryRunBatch(caller: Caller, batch: BatchSubmission, hangUp?: AbortSignal): Promise<BatchDryRun>;
  /** Returns the batch that was submitted with the same key, if there is one. Throws IDEMPOTENCY_CONFLICT. */
  repeatBatch(caller: Caller, idempotency: IdempotencyKey): Promise<AcceptedBatch | undefined>;
  /** Throws BATCH_NOT_FOUND, also for a batch of another client. */
  getBatch(caller: Caller, batchId: string): Promise<BatchToRead>;
  /** Returns a batch without its jobs, which can be large. Throws BATCH_NOT_FOUND. */
  findBatch(caller: Caller, batchId: string): Promise<Batch>;
  listBatches(
    caller: Caller,
    query: { readonly limit: number; readonly cursor?: string },
  ): Promise<{
    readonly batches: readonly (Batch & { readonly counts: BatchCounts })[];
    readonly nextCursor?: string;
  }>;
  /** Cancels all jobs that have not ended. Throws BATCH_NOT_FOUND, BATCH_FINISHED. */
  cancelBatch(caller: Caller, batchId: string): Promise<BatchToRead>;
  get(caller: Caller, jobId: string): Promise<Job>;
  /**
   * Waits for a job to change or to end and returns it. Returns it unchanged when the time is over, the signal is
   * aborted or the service stops. Returns undefined at once if this client has too many concurrent waits.
   */
  wait(caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job | undefined>;
  /**
   * Waits for several jobs to end, at most `MAX_JOBS_PER_WAIT`, as `wait` does for one. Throws JOB_NOT_FOUND, BATCH_NOT_FOUND.
   */
  waitForAll<Kept>(
    caller: Caller,
    selection: JobSelection,
    options: WaitForAllOptions<Kept>,
  ): Promise<WaitedJobs<Kept> | undefined>;
  /**
   * Writes the state of jobs and then their changes. Resolves when the stream is over: the one job has ended or is
   * deleted, all jobs of the batch have, the signal is aborted or the service stops. Without a call of `start`, the caller
   * knows the end already. Throws TOO_MANY_STREAMS, BATCH_NOT_FOUND.
   */
  follow(caller: Caller, options: JobEventOptions): Promise<void>;
  list(caller: Caller, query: JobListQuery): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }>;
  /**
   * Returns up to `limit` outputs of a finished job, from place `first` on, and the number of all. A job that has failed has
   * none. Throws JOB_NOT_FINISHED.
   */
  outputs(
    caller: Caller,
    jobId: string,
    page: { readonly first: number; readonly limit: number },
  ): Promise<{ readonly outputs: readonly JobOutput[]; readonly count: number }>;
  /**
   * Returns up to `limit` entries of a list that a job has measured, from the one at place `first` on, and the number of all. Throws
   * JOB_NOT_FINISHED, NOT_FOUND.
   */
  measured(
    caller: Caller,
    jobId: string,
    page: { readonly list: MeasuredList; readonly first: number; readonly limit: number },
  ): Promise<MeasuredEntries>;
  /** Lists jobs as `list` does. Gives them to `write` in small groups, so that no long page is in memory as a whole. */
  listInSteps(caller: Caller, query: JobListQuery, options: ListOptions): Promise<{ readonly nextCursor?: string }>;
  /** Returns the lines of ffmpeg's log that a client may read; '' if there are none yet. */
  log(caller: Caller, jobId: string): Promise<string>;
  /** Returns the key with which a job encrypts HLS, in hex. Throws NOT_FOUND if it encrypts nothing. */
  key(caller: Caller, jobId: string): Promise<string>;
  /** Ends a PENDING job at once, and asks the worker of a PROCESSING job to end it. Throws JOB_FINISHED. */
  cancel(caller: Caller, jobId: string): Promise<Job>;
  /** Stores a new job with the same request and `retryOf`. Throws JOB_NOT_FINISHED. */
  retry(caller: Caller, jobId: string): Promise<Accepted>;
  /** Returns what a client uses of its quotas. Default: the caller. Throws INSUFFICIENT_SCOPE, NOT_FOUND. */
  usage(caller: Caller, clientId?: string): Promise<ClientUsage>;
  /** Deletes a finished job, and its outputs in the media root if `outputs` is true. Throws JOB_NOT_FINISHED. */
  remove(caller: Caller, jobId: string, outputs: boolean): Promise<void>;
}

import type { ClientLimits } from '../domain/client-limits.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job, JobOutput, Progress } from '../domain/job.ts';
import type { Lane, Requirements } from '../domain/lane.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { Mount, Plan, PlannedInput, PlannedOutput, Warning } from '../domain/plan.ts';
import type { FieldError } from '../domain/problem.ts';
import type { JobPhase, JobStatus } from '../domain/states.ts';
import type { ProbePlan } from '../ffmpeg/probe/plan-probe.ts';
import type { ProbeOutcome } from '../ffmpeg/probe/probe.ts';

declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` can use its contents. */
export interface Tx {
  readonly [transaction]: true;
}

/** Runs atomic transactions. */
export interface Transactions {
  /**
   * Runs `unit` as one transaction and resolves once it is on disk. A unit accesses the database only through its `tx`.
   * If it throws, its writes, and only those, are rolled back. Units may run one after the other, so a slow unit delays
   * all others, and a unit that calls `run` may never end. A unit may be rolled back and run again, so it must change
   * nothing but the database. If `durable` is false, `run` resolves without waiting for the disk: a crash may undo the
   * writes.
   */
  run<T>(unit: (tx: Tx) => Promise<T>, options?: { readonly durable?: boolean }): Promise<T>;
}

/** The free space on the disk of the store, compared with the reserve that running jobs need to record their end. */
export interface StoreSpace {
  /** Whether less than the reserve is free. Then no job is accepted, and no queued job starts. */
  isLow(): Promise<boolean>;
  /** Whether less than half of the reserve is free. Then no refresh tokens are stored either. */
  isBelowHalf(): Promise<boolean>;
}

/** A job to be stored as PENDING. */
export interface NewJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** JSON of its ConversionRequest. */
  readonly request: string;
  readonly retryOf?: string;
  /** JSON of the warnings about the request. Absent if there are none. */
  readonly warnings?: string;
  /** Orders queued jobs; see `Ticket.fairnessRank`. */
  readonly fairnessRank: number;
  readonly createdAt: string;
}

/** A worker's right to one job. A write with this claim changes nothing once a later claim has raised the fence. */
export interface Claim {
  readonly job: Job;
  readonly fence: number;
  /** The publish intent of an earlier attempt whose worker crashed. */
  readonly intent?: PublishIntent;
  /** Whether no attempts are left. The job is then completed from its intent, or fails with WORKER_LOST. */
  readonly exhausted: boolean;
}

/** The outcome of a job. `warnings`: those of its run, which the job shows after those of its request. */
export type JobOutcome = (
  | { readonly status: 'COMPLETED'; readonly outputs: readonly JobOutput[] }
  | { readonly status: 'FAILED'; readonly error: Failure }
  | { readonly status: 'CANCELLED'; readonly error: Failure }
) & { readonly warnings?: readonly Warning[] };

export interface JobQuery {
  /** Default: the jobs of all clients. */
  readonly clientId?: string;
  readonly status?: JobStatus;
  readonly limit: number;
  /** Lists only jobs that are older than the job with this id. */
  readonly before?: string;
}

/**
 * The jobs table, the authoritative record of jobs. A method with a `Claim` writes only while the job is PROCESSING
 * with the claim's fence. It returns false or undefined if the claim is lost.
 */
export interface JobStore {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  /**
   * Returns the rank of the client's next job: one more than the highest rank of all jobs that ever started, or
   * `RANKS_APART` more than the rank of the client's newest queued job, whichever is higher. Other transactions wait
   * here until this one ends, so that no two jobs of a client get the same rank.
   */
  nextFairnessRank(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** Returns the ticket that a job has, or had while it was queued. */
  ticketOf(jobId: string): Promise<Ticket | undefined>;
  /** Lists jobs, newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Counts the queued jobs of one client, or of all, up to `limit`. */
  countPending(clientId: string | undefined, limit: number): Promise<number>;
  /**
   * Starts a PENDING job, or takes a PROCESSING job over from a worker that lost its lease. Concurrent claims of one
   * job get different fences, and only the highest is valid. Returns undefined if the job is finished or deleted.
   * `workerId`: the worker that will run it, for operators.
   */
  claim(tx: Tx, jobId: string, at: string, workerId?: string): Promise<Claim | undefined>;
  /**
   * Stores progress; a crash may undo it. Returns whether a cancel was requested, or undefined if the claim is lost.
   */
  progress(claim: Claim, update: ProgressUpdate): Promise<{ readonly cancelRequested: boolean } | undefined>;
  /**
   * Returns the status of a job that was claimed. Undefined if a later claim has raised the fence, or if the job is
   * deleted. So the claim is valid if this is PROCESSING.
   */
  statusOf(claim: Claim): Promise<JobStatus | undefined>;
  /** Stores the publish intent, and sets the phase PUBLISHING. */
  recordIntent(claim: Claim, intent: PublishIntent): Promise<boolean>;
  end(tx: Tx, claim: Claim, outcome: JobOutcome, at: string, log: string): Promise<boolean>;
  /**
   * Sets a PROCESSING job back to PENDING. Deletes phase, progress and intent. If `keepAttempt` is false, as in a
   * drain, the attempt does not count. `error`: the reason for another attempt; the job shows it until that attempt
   * starts.
   */
  requeue(tx: Tx, claim: Claim, keepAttempt: boolean, error?: Failure): Promise<boolean>;
  /** Stores what a PROCESSING job needs of its worker, before it is requeued for another one. */
  setNeeds(tx: Tx, claim: Claim, needs: Requirements['needs']): Promise<boolean>;
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

export interface ProgressUpdate {
  readonly phase: JobPhase;
  readonly progress?: Progress;
  /** The whole log so far. Absent if it has not grown since the last update. */
  readonly log?: string;
}

/** The first use of an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly jobId: string;
}

export interface IdempotencyStore {
  /**
   * Records the first use of a key, in the transaction that stores the job. If the key was already used at or after
   * `notBefore`, changes nothing and returns that use.
   */
  insert(
    tx: Tx,
    use: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** Returns the use of a key, if it was used at or after `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

/** The queued jobs of one lane. */
export interface QueueDepth {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of them is queued. */
  readonly oldestSeconds: number;
}

/** A queued job, as the queue knows it. */
export interface Ticket extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** The ticket with the lowest rank is next. Of equal ranks, the lower jobId (the older job) is next. */
  readonly fairnessRank: number;
}

/**
 * One hand-over of a ticket to a worker. Calls to the queue with an older receipt change nothing, just as writes with
 * an older fence do not change the job's row.
 */
export interface Delivery extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

/** What a worker asks the queue for. */
export interface TakeRequest {
  /** The most tickets to hand out. */
  readonly slots: number;
  /** The most deliveries that a client may have at a time, earlier ones included. */
  readonly perClient: number;
  readonly lanes: readonly Lane[];
  /** Whether the worker has what a ticket needs: one of its `needs`. */
  readonly has: (need: string) => boolean;
}

/**
 * Decides which job is next. The state of a job is in the jobs table only. In a transaction, write to the queue first,
 * then to the job. A delivery has a lease, measured by the engine's clock. If a method resolves to false, the lease is
 * lost: roll the transaction back.
 */
export interface JobQueue {
  /** Adds tickets. Call this in the transaction that inserts the jobs. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /**
   * Hands out tickets that a worker can run, in the transaction that claims the jobs. Hands a ticket out again if its
   * lease has expired. Of all tickets that the worker can run, whatever their lanes and needs, the next one is first.
   * Concurrent calls never hand out the same ticket, but together they may exceed `perClient`.
   */
  take(tx: Tx, request: TakeRequest): Promise<readonly Delivery[]>;
  /** Renews a lease, even an expired one, unless the ticket was handed out again. A crash may undo it. */
  renewLease(delivery: Delivery): Promise<boolean>;
  /** Removes the ticket of a job that has ended. */
  remove(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** Makes the ticket available for another attempt after `delaySeconds`. */
  requeue(tx: Tx, delivery: Delivery, delaySeconds: number): Promise<boolean>;
  /**
   * Removes the ticket of a queued job, unless a worker has it. An engine without this method hands the ticket out
   * later, and the worker removes it.
   */
  withdraw?(tx: Tx, ticket: Ticket): Promise<void>;
  /**
   * Adds those of the tickets that are missing, which only a fault of the engine or an operator can have removed. Absent
   * if the engine loses none.
   */
  restore?(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** Ends all leases. Resolves to their number. Only for an engine whose workers all end with this process. */
  releaseAll?(): Promise<number>;
}

/** The kind of file at a path in a media root. */
export type PathStat =
  | { readonly kind: 'missing' }
  /** All names of one file have the same `fileId`. Use it only for comparison. */
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'directory' }
  /** A symlink in the path leaves the media root, or the path is reserved. */
  | { readonly kind: 'outside' }
  /** A device, pipe or socket, or a loop of symlinks. */
  | { readonly kind: 'special' };

export interface PathStats {
  /**
   * Stats paths and returns the results in the order of `paths`. Must be fast, as every submission calls it. Never
   * throws.
   */
  statPaths(root: MediaRoot, paths: readonly MediaPath[]): readonly PathStat[] | Promise<readonly PathStat[]>;
}

/**
 * The private scratch folder of one attempt. Use cases know only its name. `ConverterFiles` maps it to a local path.
 */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
}

/** The disk space and the number of files that an attempt has used so far. */
export interface ScratchUsage {
  /** The disk space in use. A sparse file uses less than its size. */
  readonly bytes: number;
  /** The number of files and folders. */
  readonly files: number;
}

export interface ScratchSpace {
  /** Creates the empty scratch folder of an attempt. */
  openScratch(jobId: string, fence: number): Promise<Scratch>;
  /** Measures a scratch folder, without the staged inputs. Throws LIMIT_EXCEEDED for too many files to measure. */
  scratchUsage(scratch: Scratch): Promise<ScratchUsage>;
  /** Returns the free bytes on the fullest of the disks that conversions write to. */
  freeBytes(): Promise<number>;
  /** Removes a scratch folder and its contents. Does nothing if there is none. */
  discard(scratch: Scratch): Promise<void>;
  /**
   * Removes the scratch folders of earlier attempts of a job, which a crashed or lost worker left. Keeps `kept`, and those
   * that this process still uses.
   */
  discardEarlier(jobId: string, fence: number, kept: string | undefined): Promise<void>;
  /** Ends the use of a scratch folder that `openScratch` created, without removing it. Does nothing if it has ended. */
  release(scratch: Scratch): Promise<void>;
  /**
   * Ends processes of an earlier run, and removes every scratch folder whose name is not live. Calls `readLive` after it
   * has listed the folders.
   */
  sweep(readLive: () => Promise<readonly string[]>): Promise<void>;
}

declare const stagedInput: unique symbol;

/** An input that the converter can read. Only the engine knows its location. `ConverterFiles` maps it to a mount. */
export interface StagedInput {
  readonly [stagedInput]: true;
  /** The size of the file, or of all frames if the input is a sequence. */
  readonly sizeBytes: number;
  /** Present if a sequence ended at a missing number, although files with later numbers exist. */
  readonly gap?: SequenceGap;
}

/** Where a sequence ended before its last file. */
export interface SequenceGap {
  readonly frames: number;
  /** The name of the file that is missing. */
  readonly missing: string;
  /** How many files with later numbers were not read. */
  readonly unread: number;
}

/** How inputs are staged by an engine that copies them. Others ignore it. */
export interface StagingOptions {
  /** Ends the copies. `stage` then rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Called before anything is copied. Throws if the inputs together are too large. */
  readonly checkSizes?: (inputs: readonly Pick<StagedInput, 'sizeBytes'>[]) => void;
  /** Called often with the part of the bytes that is copied, in percent. */
  readonly onProgress?: (percent: number) => void;
}

export interface InputStaging {
  /**
   * Stages one file, outside any scratch folder. Call `removeInput` when it is no longer used. Throws INPUT_NOT_FOUND,
   * INPUT_INVALID, NO_SPACE, STORAGE_FAULT, and the reason of an abort.
   */
  stageFile(root: MediaRoot, path: MediaPath, logical: string, signal?: AbortSignal): Promise<StagedInput>;
  /** Removes the copy that `stageFile` made, if any. Never throws. */
  removeInput(input: StagedInput): Promise<void>;
  /**
   * Stages the inputs of a job, and rejects an output that could not be published later; `output` is undefined if another
   * engine publishes it. Writes nothing to the media root. Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT.
   */
  stage(
    root: MediaRoot,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    output: PlannedOutput | undefined,
    options?: StagingOptions,
  ): Promise<readonly StagedInput[]>;
}

/** Local paths for the code that runs ffmpeg, which reads and writes local files whatever the engine. */
export interface ConverterFiles {
  /** Returns the absolute path of a scratch folder on this machine. ffmpeg writes to `out/` and `pass/` in it. */
  scratchFolder(scratch: Scratch): string;
  /** Returns the local paths of staged inputs. */
  mounts(inputs: readonly StagedInput[]): readonly Mount[];
}

/**
 * The files that an engine is about to publish. It is stored with the job as JSON before the first file appears, so
 * that publishing can be finished after a crash at any instruction.
 */
export interface PublishIntent {
  /** The name of the scratch folder that contains the finished files. */
  readonly scratch: string;
  /** The outputs of the job, as shown once all are published. The one that the client named comes first. */
  readonly outputs: readonly JobOutput[];
  /** The warnings of the run, for the attempt that finishes publishing after a crash. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** Whether the files are to be removed, because not all could be published. Then no attempt may publish them. */
  readonly abandoned?: true;
  /** The name of the engine that created the intent. `version`: the version of its `data`. */
  readonly engine: string;
  readonly version: number;
  /** JSON that only the engine reads. */
  readonly data: unknown;
}

export interface Publishing {
  /**
   * Makes the files in `out/` durable and ready to be published. `main`: the converter's report about the main output.
   * Throws FFMPEG_FAILED if the main output is missing or empty or if a file is not in the plan, OUTPUT_EXISTS if another file of the conversion would
   * replace an existing file that `"y"` does not allow it to replace, and INPUT_INVALID if it would replace an input.
   * `signal`: ends an upload of the files, if the engine uploads them; `prepare` then rejects with the reason.
   */
  prepare(
    root: MediaRoot,
    scratch: Scratch,
    output: PlannedOutput,
    main: Omit<JobOutput, 'path' | 'sizeBytes'>,
    inputs: readonly StagedInput[],
    signal?: AbortSignal,
  ): Promise<PublishIntent>;
  /**
   * Makes all files appear. Idempotent: a second call completes the first. Resolves to false if a finished file is gone,
   * so that not all can be published. Throws OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT. If it does not resolve
   * to true, some files may have appeared, and the caller unpublishes them if its claim is still valid.
   */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Removes the files that an intent published, unless they were replaced since. Idempotent. */
  unpublish(intent: PublishIntent): Promise<void>;
  /** Deletes outputs from a media root, unless they were replaced or changed since they were published. */
  removeOutputs(root: MediaRoot, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<void>;
}

/** A multipart upload of an output to an object store. */
export interface RecordedUpload {
  readonly bucket: string;
  readonly key: string;
  /** Absent until the object store has replied to the request that begins the upload. */
  readonly uploadId?: string;
  /** When the upload was recorded. */
  readonly at: string;
}

/**
 * The uploads of attempts to an object store, and the keys that they publish to. `scratch`: the name of the attempt's
 * scratch folder. An upload is recorded before it begins, so that it is found after any crash. Of all attempts, only one
 * at a time has a key reserved: object stores do not all check that a key is free when an upload is completed.
 */
export interface OutputUploads {
  /** Records uploads that are about to begin. */
  begin(scratch: string, bucket: string, keys: readonly string[]): Promise<void>;
  /** Records the ids of uploads, by key. */
  recordIds(scratch: string, bucket: string, ids: ReadonlyMap<string, string>): Promise<void>;
  find(scratch: string): Promise<{ readonly uploads: readonly RecordedUpload[]; readonly hasReserved: boolean }>;
  /** The recorded uploads of all attempts to a key. */
  recordedFor(bucket: string, key: string): Promise<readonly Pick<RecordedUpload, 'uploadId'>[]>;
  /** Forgets uploads that are complete or aborted. */
  forgetUploads(scratch: string): Promise<void>;
  /**
   * Reserves all the keys, or none. Resolves to a key that a running job has reserved; to undefined if all are reserved.
   * Earlier attempts of the same job, and jobs that do not run, lose theirs.
   */
  reserve(scratch: string, bucket: string, keys: readonly string[]): Promise<string | undefined>;
  /** The scratch folder of the running job that has a key reserved. */
  reservedBy(bucket: string, key: string): Promise<string | undefined>;
  /** Forgets the uploads and the reservations of an attempt. */
  forget(scratch: string): Promise<void>;
  /** The attempts that have uploads or reservations. */
  scratchNames(): Promise<readonly string[]>;
}

/** A media engine. Each caller depends only on the parts that it uses. Every method throws `JobFailed`. */
export interface MediaStore extends PathStats, ScratchSpace, InputStaging, ConverterFiles, Publishing {}

/** The data of a client that its plans depend on. */
export interface ClientContext {
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** Whether the client was revoked. Its jobs do not run. */
  readonly isRevoked?: boolean;
}

/** A plan, or the errors in the request. */
export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Plans a request. First queries ffmpeg for facts that the catalogue lacks. */
export type Planner = (request: ConversionRequest, context: ClientContext) => Promise<PlanResult>;

/** The parts of a plan that a submission and a dry run check against the files. */
export interface PlanOfPaths {
  readonly output: Pick<PlannedOutput, 'path' | 'replace'>;
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'sequence'>[];
  readonly warnings: readonly Warning[];
}

/** The parts of a plan that a submission needs. */
export interface SubmittedPlan extends PlanOfPaths {
  readonly requirements: Requirements;
}

/** Checks a request like `Planner`, but returns only a part of its plan. Fast if a similar request was planned before. */
export type SubmissionPlanner = (
  request: ConversionRequest,
  context: ClientContext,
) => Promise<PlanResult<SubmittedPlan>>;

/** A conversion whose inputs are staged. */
export interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** Aborting the signal ends ffmpeg: first with SIGTERM, then with SIGKILL. */
  readonly signal: AbortSignal;
  /**
   * Called before ffmpeg starts. `deletedBytes` returns the disk space of deleted files that ffmpeg still holds open,
   * which are not in the scratch folder. It throws a `JobFailed` if they cannot be counted.
   */
  onCountable(deletedBytes: () => Promise<number>): void;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
  /** Called with an error of the service that does not change the outcome, for the operator's log. */
  onFault(error: unknown): void;
}

/**
 * The result of a conversion. `log` contains only allowed lines. `raw` contains the last lines as ffmpeg wrote them,
 * for the operator only. After an abort, the failure is CANCELLED, whatever the reason of the abort.
 */
export type ConversionOutcome =
  | {
      readonly ok: true;
      readonly main: Omit<JobOutput, 'path' | 'sizeBytes'>;
      readonly log: string;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly failure: Failure; readonly log: string; readonly raw?: string };

/** A staged file to probe. */
export interface ProbeTask {
  readonly plan: ProbePlan;
  readonly input: StagedInput;
  readonly signal: AbortSignal;
}

/**
 * Runs ffprobe on a file. Resolves when its process has ended. Throws the reason of an abort, and NOT_IMPLEMENTED if
 * ffprobe is not installed.
 */
export type Prober = (task: ProbeTask) => Promise<ProbeOutcome>;

/** Runs a conversion. Resolves when all its ffmpeg processes have ended. */
export type Converter = (task: ConversionTask) => Promise<ConversionOutcome>;

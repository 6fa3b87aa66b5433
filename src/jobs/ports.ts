import type { ClientLimits } from '../domain/client-limits.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job, JobOutput, Progress } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { Mount, Plan, PlannedInput, PlannedOutput } from '../domain/plan.ts';
import type { FieldError } from '../domain/problem.ts';
import type { JobPhase, JobStatus } from '../domain/states.ts';
import type { ProbePlan } from '../ffmpeg/probe/plan-probe.ts';
import type { ProbeOutcome } from '../ffmpeg/probe/probe.ts';

declare const transaction: unique symbol;

/** An open transaction. Only the engines in `store/` and `queue/` know what is inside. */
export interface Tx {
  readonly [transaction]: true;
}

/** Runs transactions, each all or nothing. */
export interface Transactions {
  /**
   * Runs `unit` as one transaction and resolves once it is on disk. A unit accesses the database only through its `tx`.
   * If it throws, its writes, and only those, are rolled back. Units may run one after the other, so a slow unit delays
   * all, and a unit that calls `run` may never end. A unit may be rolled back and run again, so it must change nothing but
   * the database. `durable` false: resolves without waiting for the disk, for writes that a crash may undo.
   */
  run<T>(unit: (tx: Tx) => Promise<T>, options?: { readonly durable?: boolean }): Promise<T>;
}

/** A job to be stored as PENDING. */
export interface NewJob {
  readonly jobId: string;
  readonly clientId: string;
  /** JSON of its ConversionRequest. */
  readonly request: string;
  readonly retryOf?: string;
  /** Orders queued jobs; see `Ticket.fairnessRank`. */
  readonly fairnessRank: number;
  readonly createdAt: string;
}

/** A worker's right to one job. Writes under it change nothing once another claim has raised the fence. */
export interface Claim {
  readonly job: Job;
  readonly fence: number;
  /** The publish intent of an earlier attempt whose worker crashed. */
  readonly intent?: PublishIntent;
  /** No attempts are left: the job may only be completed from its intent, or fail as WORKER_LOST. */
  readonly exhausted: boolean;
}

/** How a job ends. */
export type JobOutcome =
  | { readonly status: 'COMPLETED'; readonly outputs: readonly JobOutput[] }
  | { readonly status: 'FAILED'; readonly error: Failure }
  | { readonly status: 'CANCELLED'; readonly error: Failure };

export interface JobQuery {
  /** Absent: the jobs of all clients. */
  readonly clientId?: string;
  readonly status?: JobStatus;
  readonly limit: number;
  /** The cursor, a jobId: only older jobs. */
  readonly before?: string;
}

/**
 * The jobs table, which is the truth about jobs. A method with a `Claim` writes only while the job is PROCESSING under the
 * claim's fence. It returns false or undefined if the claim is lost.
 */
export interface JobStore {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  /**
   * The rank of the client's next job: one more than the highest rank of all jobs that ever started, or `RANKS_APART` more
   * than that of the client's newest queued job, whichever is higher.
   */
  nextFairnessRank(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** The rank that a job was stored with. */
  fairnessRank(jobId: string): Promise<number | undefined>;
  /** Newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Counts the queued jobs of one client, or of all, up to `limit`. */
  countPending(clientId: string | undefined, limit: number): Promise<number>;
  /**
   * Starts a PENDING job, or takes a PROCESSING job over from a worker that lost its lease. Concurrent claims of one job get
   * different fences, and only the highest counts. undefined: the job is finished or deleted.
   */
  claim(tx: Tx, jobId: string, at: string): Promise<Claim | undefined>;
  /** Stores progress; a crash may undo it. Returns whether a cancel was requested, or undefined if the claim is lost. */
  progress(claim: Claim, update: ProgressUpdate): Promise<{ readonly cancelRequested: boolean } | undefined>;
  /** Stores the publish intent, and sets the phase PUBLISHING. */
  recordIntent(claim: Claim, intent: PublishIntent): Promise<boolean>;
  end(tx: Tx, claim: Claim, outcome: JobOutcome, at: string, log: string): Promise<boolean>;
  /**
   * PROCESSING → PENDING. Deletes phase, progress and intent. `keepAttempt` false: the attempt does not count (a drain).
   * `error`: why there is another attempt; the job shows it until that attempt starts.
   */
  requeue(tx: Tx, claim: Claim, keepAttempt: boolean, error?: Failure): Promise<boolean>;
  /** PENDING → CANCELLED. False if the job is not PENDING. */
  cancelPending(tx: Tx, jobId: string, error: Failure, at: string): Promise<boolean>;
  /** Marks a PROCESSING job to be cancelled; a second call keeps the first time. False if the job is not PROCESSING. */
  requestCancel(tx: Tx, jobId: string, at: string): Promise<boolean>;
  /** Deletes a finished job with its log. False if there is no such job. */
  remove(tx: Tx, jobId: string): Promise<boolean>;
  /** undefined: the job has no log yet. */
  log(jobId: string): Promise<string | undefined>;
  /**
   * Names (`<jobId>.<fence>`) of scratch folders that an intent needs and, unless `workersGone`, of those in use.
   */
  liveScratch(workersGone: boolean): Promise<readonly string[]>;
}

export interface ProgressUpdate {
  readonly phase: JobPhase;
  readonly progress?: Progress;
  /** The whole log so far, if it has grown since the last update. */
  readonly log?: string;
}

/** The first use of an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly jobId: string;
}

export interface IdempotencyStore {
  /**
   * Records the first use of a key, in the transaction that stores the job. If the key was used since `notBefore`, changes
   * nothing and returns that use.
   */
  insert(
    tx: Tx,
    use: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** The use of a key since `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

/** A queued job, as the queue knows it. */
export interface Ticket {
  readonly jobId: string;
  readonly clientId: string;
  /** Lowest first. Of equal ranks, the lower jobId (the older job) first. */
  readonly fairnessRank: number;
}

/** One hand-over of a ticket to a worker. The receipt fences calls to the queue, as a claim's fence fences the job's row. */
export interface Delivery {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

/**
 * Says which job is next; the jobs table says what is true. Write the queue first, then the job. A delivery has a lease,
 * which the engine measures by its own clock. False means that the lease was lost: roll back.
 */
export interface JobQueue {
  /** In the transaction that inserts the jobs. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /**
   * Hands out up to `slots` tickets, in the transaction that claims the jobs; tickets whose lease has ended are handed out
   * again. A client gets at most `perClient` deliveries at a time, those it has included. Concurrent takers never get the
   * same ticket, but may together exceed `perClient`.
   */
  take(tx: Tx, slots: number, perClient: number): Promise<readonly Delivery[]>;
  renewLease(delivery: Delivery): Promise<boolean>;
  /** The job has ended. */
  remove(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** The job will be attempted again, no sooner than in `delaySeconds`. */
  requeue(tx: Tx, delivery: Delivery, delaySeconds: number): Promise<boolean>;
  /**
   * Removes the ticket of a queued job, unless a worker has it. An engine without this method hands the ticket out later,
   * and the worker removes it.
   */
  withdraw?(tx: Tx, ticket: Ticket): Promise<void>;
  /** Ends all leases. Only for an engine whose workers all end with this process. */
  releaseAll?(): Promise<void>;
}

/** What is at a path of a media root. */
export type PathStat =
  | { readonly kind: 'missing' }
  /** `fileId` is equal for all names of one file. Compare it; it has no other meaning. */
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'directory' }
  /** A symlink in the path leaves the media root, or the path is reserved. */
  | { readonly kind: 'outside' }
  /** A device, pipe or socket, or a loop of symlinks. */
  | { readonly kind: 'special' };

export interface PathStats {
  /** The answers come in the order of `paths`. Runs at each submission, so it must be cheap. Never throws. */
  statPaths(root: MediaRoot, paths: readonly MediaPath[]): readonly PathStat[] | Promise<readonly PathStat[]>;
}

/** The private scratch folder of one attempt. Jobs know its name only; see `ConverterFiles`. */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
}

/** What an attempt has written so far. */
export interface ScratchUsage {
  /** Disk space. A sparse file takes less than its size. */
  readonly bytes: number;
  /** Folders count too. */
  readonly files: number;
}

export interface ScratchSpace {
  /** Creates the empty scratch folder of an attempt. */
  openScratch(jobId: string, fence: number): Promise<Scratch>;
  /** Inputs do not count. */
  scratchUsage(scratch: Scratch): Promise<ScratchUsage>;
  /** Free bytes on the fullest disk that conversions write to. */
  freeBytes(): Promise<number>;
  /** Removes a scratch folder and all that it holds. Does nothing where there is none. */
  discard(scratch: Scratch): Promise<void>;
  /** Ends processes of an earlier run, and removes every scratch folder whose name is not in `live`. */
  sweep(live: ReadonlySet<string>): Promise<void>;
}

declare const stagedInput: unique symbol;

/** An input that the converter can read. Only the engine knows where it is; see `ConverterFiles`. */
export interface StagedInput {
  readonly [stagedInput]: true;
  /** The sum of all frames where the input is a sequence. */
  readonly sizeBytes: number;
}

export interface InputStaging {
  /** Stages one file. Throws INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT. */
  stageFile(root: MediaRoot, path: MediaPath, logical: string): Promise<StagedInput>;
  /**
   * Stages the inputs of a job, and rejects an output that could not be published later. Writes nothing to the media
   * root. Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT.
   */
  stage(
    root: MediaRoot,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    output: PlannedOutput,
  ): Promise<readonly StagedInput[]>;
}

/** For the code that runs ffmpeg: ffmpeg works on local files, whatever the engine. */
export interface ConverterFiles {
  /** The absolute path of a scratch folder on this machine. ffmpeg writes to `out/` and `pass/` in it. */
  scratchFolder(scratch: Scratch): string;
  /** Where staged inputs are on this machine. */
  mounts(inputs: readonly StagedInput[]): readonly Mount[];
}

/**
 * What an engine is about to publish. Jobs store it as JSON before the first file appears, so that a crash at any
 * instruction can be finished, and hand it back to the engine.
 */
export interface PublishIntent {
  /** The name of the scratch folder that holds the finished files. */
  readonly scratch: string;
  /** The outputs of the job, as shown once all are published. The one that the client named comes first. */
  readonly outputs: readonly JobOutput[];
  /** The engine that made the intent, and the version of its `data`. */
  readonly engine: string;
  readonly version: number;
  /** JSON that only the engine reads. */
  readonly data: unknown;
}

export interface Publishing {
  /**
   * Makes the files in `out/` durable and ready to be published. `main`: what the converter reports of the output.
   * Throws FFMPEG_FAILED where the output is missing or empty; OUTPUT_EXISTS or INPUT_INVALID where another file of the
   * conversion would replace an existing file that `"y"` does not cover, or an input.
   */
  prepare(
    root: MediaRoot,
    scratch: Scratch,
    output: PlannedOutput,
    main: Omit<JobOutput, 'path' | 'sizeBytes'>,
    inputs: readonly StagedInput[],
  ): Promise<PublishIntent>;
  /**
   * Makes all files appear, or none. Idempotent: a second call finishes what the first began. Resolves to false where a
   * finished file is gone, so that nothing can be published. Throws OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT.
   */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Removes the files that an intent published, unless they were replaced since. Idempotent. */
  unpublish(intent: PublishIntent): Promise<void>;
  /** Deletes outputs from a media root, unless they were replaced or changed since they were published. */
  removeOutputs(root: MediaRoot, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<void>;
}

/** A media engine. Each caller takes only the part that it uses. Errors are `JobFailed`. */
export interface MediaStore extends PathStats, ScratchSpace, InputStaging, ConverterFiles, Publishing {}

/** What a plan depends on of its client. */
export interface ClientContext {
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
}

/** A plan, or what is wrong with the request. */
export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Plans a request. First queries ffmpeg for facts that the catalogue lacks. */
export type Planner = (request: ConversionRequest, context: ClientContext) => Promise<PlanResult>;

/** The paths of a plan. */
export interface PlannedPaths {
  readonly output: Pick<PlannedOutput, 'path'>;
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field'>[];
}

/** Checks a request as `Planner` does, and returns its paths only. Costs little if a similar request was planned before. */
export type PathPlanner = (request: ConversionRequest, context: ClientContext) => Promise<PlanResult<PlannedPaths>>;

/** A conversion whose inputs are staged. */
export interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** Ends ffmpeg, gracefully first. */
  readonly signal: AbortSignal;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
}

/**
 * The result of a conversion. `log` contains only allowed lines. `raw` contains the last lines as ffmpeg wrote them, for
 * the operator only. After an abort, the failure is CANCELLED, whatever the reason of the abort.
 */
export type ConversionOutcome =
  | { readonly ok: true; readonly main: Omit<JobOutput, 'path' | 'sizeBytes'>; readonly log: string }
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

/** Runs ffmpeg. Resolves when its processes have ended. */
export type Converter = (task: ConversionTask) => Promise<ConversionOutcome>;

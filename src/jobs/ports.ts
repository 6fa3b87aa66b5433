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
  /** Its place among the clients' turns; see `Ticket.rank`. */
  readonly fairnessRank: number;
  readonly createdAt: string;
}

/** A worker's right to one job. Every write under it is refused once another claim raised the fence. */
export interface Claim {
  readonly job: Job;
  readonly fence: number;
  /** What an earlier try meant to publish when its worker was lost. */
  readonly intent?: PublishIntent;
  /** All tries are used up: the job may only be recovered from its intent, or fail as WORKER_LOST. */
  readonly exhausted: boolean;
}

/** How a job ends. */
export type JobOutcome =
  | { readonly status: 'COMPLETED'; readonly outputs: readonly JobOutput[] }
  | { readonly status: 'FAILED'; readonly error: Failure }
  | { readonly status: 'CANCELLED'; readonly error: Failure };

export interface JobQuery {
  /** Left out: the jobs of all clients. */
  readonly clientId?: string;
  readonly status?: JobStatus;
  readonly limit: number;
  /** Only jobs made before this one (its jobId): the cursor. */
  readonly before?: string;
}

/**
 * The jobs table: the truth. A method that takes a `Claim` writes only `WHERE job_id = ? AND fence = ? AND
 * status = 'PROCESSING'` and says by `false` or `undefined` that the claim is lost.
 */
export interface JobStore {
  insert(tx: Tx, jobs: readonly NewJob[]): Promise<void>;
  /**
   * One past the last turn that any client's job was started with; for a client with jobs waiting, `TURNS_APART` past
   * the last of them where that is later. The last is told by its id: by as much as the clocks of several services
   * differ, turns may stand still.
   */
  nextFairnessRank(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** The turn that a job was stored with. */
  fairnessRank(jobId: string): Promise<number | undefined>;
  /** Newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Waiting jobs of one client, or of all; counts no further than `upTo`. */
  countPending(clientId: string | undefined, upTo: number): Promise<number>;
  /**
   * PENDING → PROCESSING, or over from a lost worker (which goes through PENDING). undefined: there is
   * nothing to do (finished, or deleted), and the delivery is to be finished.
   */
  claim(tx: Tx, jobId: string, at: string): Promise<Claim | undefined>;
  /** Also says whether a cancel was asked for. undefined: the claim is lost. */
  progress(claim: Claim, update: ProgressUpdate): Promise<{ readonly cancelRequested: boolean } | undefined>;
  recordIntent(claim: Claim, intent: PublishIntent): Promise<boolean>;
  end(tx: Tx, claim: Claim, ending: JobOutcome, at: string, log: string): Promise<boolean>;
  /**
   * PROCESSING → PENDING; `keepAttempt` false gives the attempt back (a drain). Forgets phase, progress and intent.
   * `error`, why there is to be another try, stays with the job until that begins.
   */
  requeue(tx: Tx, claim: Claim, keepAttempt: boolean, error?: Failure): Promise<boolean>;
  /** PENDING → CANCELLED; false when the job is not PENDING. */
  cancelPending(tx: Tx, jobId: string, error: Failure, at: string): Promise<boolean>;
  /** Marks a PROCESSING job; false when it is not PROCESSING. A second call keeps the first time. */
  requestCancel(tx: Tx, jobId: string, at: string): Promise<boolean>;
  /** Deletes a finished job with its log; false when it is not finished or not there. */
  remove(tx: Tx, jobId: string): Promise<boolean>;
  /** The job's log; undefined where the job has none (yet). */
  log(jobId: string): Promise<string | undefined>;
  /**
   * Scratch names (`<jobId>.<fence>`) that may be needed to recover an intent and, unless `workersGone`, those in use.
   */
  liveScratch(workersGone: boolean): Promise<readonly string[]>;
}

export interface ProgressUpdate {
  readonly phase: JobPhase;
  readonly progress?: Progress;
  /** The whole log so far, when it has grown since the last update. */
  readonly log?: string;
}

/** What an Idempotency-Key stood for when it was first seen. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly jobId: string;
}

export interface IdempotencyStore {
  /**
   * Records the key in the submit's own transaction. Returns the earlier record where the key was used
   * since `notBefore`, and then writes nothing.
   */
  insert(
    tx: Tx,
    entry: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** The record of a key used since `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

/**
 * What waits in line. rank: higher first, of equal ones the job made earlier; turns between clients come from it:
 * priority band − turn, see `JobStore.nextTurn`.
 */
export interface Ticket {
  readonly jobId: string;
  readonly clientId: string;
  readonly fairnessRank: number;
}

/** One hand-over. The receipt fences calls to the queue, as the fence of a claim fences the jobs row. */
export interface Delivery {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

/** A doorbell, not the truth. Always the queue's row first, then the job's. */
export interface JobQueue {
  /** With the insert of the rows. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** With the claim of the rows; at most `perClient` of one client at a time, those already out included. */
  take(tx: Tx, slots: number, perClient: number): Promise<readonly Delivery[]>;
  /** Renews the lease. false: it is lost, abort. */
  renewLease(delivery: Delivery): Promise<boolean>;
  /** false: lost, roll back. */
  remove(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** An automatic try, or a drain. false: lost, roll back. */
  requeue(tx: Tx, delivery: Delivery, notBefore?: Date): Promise<boolean>;
  /**
   * Takes a ticket out of the line that is with no worker; whoever calls has to know that the job is waiting. An
   * engine without it leaves the ticket, which is finished when it is taken.
   */
  withdraw?(tx: Tx, ticket: Ticket): Promise<void>;
  /** Hints only; absent: poll. Resolves to what ends the listening. */
  listen?(onHint: (jobId: string) => void): Promise<() => Promise<void>>;
  /** Ends every lease at once; only an engine whose workers all died with the last process has it. */
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

/** What a plan goes by of the client whose it is. */
export interface ClientContext {
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
}

/** Turns a request into a plan, or says field by field why not. Waits only for facts not yet asked of ffmpeg. */
export type Planner = (request: ConversionRequest, terms: ClientContext) => PlanResult | Promise<PlanResult>;

export type PlanResult = Planned<Plan>;

/** The files of a plan. */
export interface PlannedPaths {
  readonly output: Pick<PlannedOutput, 'path'>;
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field'>[];
}

/** The same of the files alone, which costs little for a request such as was planned before. */
export type PathPlanner = (
  request: ConversionRequest,
  terms: ClientContext,
) => Planned<PlannedPaths> | Promise<Planned<PlannedPaths>>;

export type Planned<P> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** One conversion, staged. */
export interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** Ends ffmpeg; gracefully first. */
  readonly signal: AbortSignal;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
}

/**
 * What became of it; the log holds known lines only, `raw` the last ones as they came, for the operator alone. After
 * an abort: CANCELLED, whatever the reason was.
 */
export type ConversionOutcome =
  | { readonly ok: true; readonly main: Omit<JobOutput, 'path' | 'sizeBytes'>; readonly log: string }
  | { readonly ok: false; readonly failure: Failure; readonly log: string; readonly raw?: string };

/** One file, found, and what it is to be asked. */
export interface ProbeTask {
  readonly plan: ProbePlan;
  readonly input: StagedInput;
  readonly signal: AbortSignal;
}

/**
 * Asks ffprobe about a file; resolves once nothing of it is left running. Throws the reason of an abort, and
 * NOT_IMPLEMENTED where there is no ffprobe.
 */
export type Prober = (probing: ProbeTask) => Promise<ProbeOutcome>;

/** Runs ffmpeg; resolves once nothing of it is left running. */
export type Converter = (conversion: ConversionTask) => Promise<ConversionOutcome>;

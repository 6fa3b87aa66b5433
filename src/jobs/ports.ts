import type { ConversionRequest } from '../domain/conversion.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job, JobOutput, Progress } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { Mount, Plan, PlannedInput, PlannedOutput } from '../domain/plan.ts';
import type { Policy } from '../domain/policy.ts';
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
  readonly turn: number;
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
  nextTurn(tx: Tx, clientId: string): Promise<number>;
  get(jobId: string): Promise<Job | undefined>;
  /** The turn that a job was stored with. */
  turn(jobId: string): Promise<number | undefined>;
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
  intend(claim: Claim, intent: PublishIntent): Promise<boolean>;
  end(tx: Tx, claim: Claim, ending: JobOutcome, at: string, log: string): Promise<boolean>;
  /**
   * PROCESSING → PENDING; `keepAttempt` false gives the attempt back (a drain). Forgets phase, progress and intent.
   * `error`, why there is to be another try, stays with the job until that begins.
   */
  putBack(tx: Tx, claim: Claim, keepAttempt: boolean, error?: Failure): Promise<boolean>;
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
  remember(
    tx: Tx,
    entry: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** The record of a key used since `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  forget(before: string): Promise<void>;
}

/**
 * What waits in line. rank: higher first, of equal ones the job made earlier; turns between clients come from it:
 * priority band − turn, see `JobStore.nextTurn`.
 */
export interface Ticket {
  readonly jobId: string;
  readonly clientId: string;
  readonly rank: number;
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
  touch(delivery: Delivery): Promise<boolean>;
  /** false: lost, roll back. */
  finish(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** An automatic try, or a drain. false: lost, roll back. */
  putBack(tx: Tx, delivery: Delivery, notBefore?: Date): Promise<boolean>;
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

/** What stands at a path of a media root. */
export type Look =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly identity: string }
  | { readonly kind: 'directory' }
  /** A symlink on the way leads out of the root. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'special' };

/** The private folder of one try. */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
  /** Absolute; ffmpeg's working folder. Holds `in/` and `out/`. */
  readonly dir: string;
}

/** What a try has written. */
export interface Used {
  /** Of disk, as the files take it: a sparse one less than its size. */
  readonly bytes: number;
  /** Folders included. */
  readonly files: number;
}

/** One file that is to appear in the media root. */
export interface IntendedFile {
  /** Absolute path of the finished temporary. */
  readonly temporary: string;
  /** Absolute path it is to have. */
  readonly target: string;
  /** Relative to the client's media root. */
  readonly path: string;
  /** Device and inode of the temporary, `dev:ino`. */
  readonly identity: string;
  /** See `JobOutput`. */
  readonly fingerprint: string;
  readonly sizeBytes: number;
}

/** Written down, fenced, before the first file appears, so that a crash at any instruction can be finished. */
export interface PublishIntent {
  readonly scratch: string;
  readonly replace: boolean;
  /** In the order of publishing; the output that the client named comes last. */
  readonly files: readonly IntendedFile[];
  /** The job's outputs as they will be shown once all is published. */
  readonly outputs: readonly JobOutput[];
}

/** Where media lies. `root` is a client's absolute media root. Faults throw `JobFailed`. */
export interface MediaStore {
  /** Looks without following links out of the root. Cheap: runs at each submission. */
  look(root: string, paths: readonly MediaPath[]): readonly Look[] | Promise<readonly Look[]>;
  openScratch(root: string, jobId: string, fence: number): Promise<Scratch>;
  /** Finds one file that is to be read. Throws INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT. */
  find(root: string, path: MediaPath, logical: string): Promise<Mount>;
  /** Makes the inputs available. Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, NO_SPACE, STORAGE_FAULT. */
  stage(
    root: string,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    output: PlannedOutput,
  ): Promise<readonly Mount[]>;
  /**
   * What ffmpeg left in `out/`, made durable and ready to be published. Throws when the main output is not there, and
   * OUTPUT_EXISTS or INPUT_INVALID where a file beside it would replace what `"y"` does not speak of, or an input.
   */
  prepare(
    root: string,
    scratch: Scratch,
    output: PlannedOutput,
    main: Omit<JobOutput, 'path' | 'sizeBytes'>,
    inputs: readonly Mount[],
  ): Promise<PublishIntent>;
  /** Idempotent: finishes what an earlier call began. Throws OUTPUT_EXISTS; RECOVERY is impossible → false. */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Takes back what an intent published, where it still is the same file. */
  withdraw(intent: PublishIntent): Promise<void>;
  discard(scratch: Pick<Scratch, 'dir'>): Promise<void>;
  /** Removes scratch folders, and temporaries beside targets, of no live name; ends processes left in them. */
  sweep(live: ReadonlySet<string>): Promise<void>;
  /** Bytes free where conversions write: on the fullest of those disks. */
  freeBytes(): Promise<number>;
  /** What a try takes for what it writes. */
  used(scratch: Pick<Scratch, 'dir'>): Promise<Used>;
  /** Deletes outputs from a client's media root, those that are still the files that were published. */
  remove(root: string, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<void>;
}

/** What a plan goes by of the client whose it is. */
export interface Terms {
  /** Absolute media root. */
  readonly root: string;
  readonly policy: Policy;
}

/** Turns a request into a plan, or says field by field why not. Waits only for facts not yet asked of ffmpeg. */
export type Planner = (request: ConversionRequest, terms: Terms) => PlanResult | Promise<PlanResult>;

export type PlanResult = Planned<Plan>;

/** The files of a plan. */
export interface PlannedPaths {
  readonly output: Pick<PlannedOutput, 'path'>;
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field'>[];
}

/** The same of the files alone, which costs little for a request such as was planned before. */
export type PathPlanner = (
  request: ConversionRequest,
  terms: Terms,
) => Planned<PlannedPaths> | Promise<Planned<PlannedPaths>>;

export type Planned<P> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** One conversion, staged. */
export interface Conversion {
  readonly plan: Plan;
  readonly policy: Policy;
  readonly scratch: Scratch;
  readonly mounts: readonly Mount[];
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
export interface Probing {
  readonly plan: ProbePlan;
  readonly mount: Mount;
  readonly signal: AbortSignal;
}

/**
 * Asks ffprobe about a file; resolves once nothing of it is left running. Throws the reason of an abort, and
 * NOT_IMPLEMENTED where there is no ffprobe.
 */
export type Prober = (probing: Probing) => Promise<ProbeOutcome>;

/** Runs ffmpeg; resolves once nothing of it is left running. */
export type Converter = (conversion: Conversion) => Promise<ConversionOutcome>;

import type { Measurements } from '../../domain/analysis.ts';
import type { ClientLimits } from '../../domain/client-limits.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Job, JobOutput, PhaseStart, Progress } from '../../domain/job.ts';
import type { Requirements } from '../../domain/lane.ts';
import type { Warning } from '../../domain/plan.ts';
import type { JobPhase, JobStatus } from '../../domain/states.ts';
import type { PublishIntent } from './publishing.ts';
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

/** What a job has made: outputs, or the results of an analysis. */
interface JobResult {
  readonly outputs: readonly JobOutput[];
  readonly measurements?: Measurements;
}

/**
 * The outcome of a job. `warnings`: those of its run, which the job shows after those of its request. `lifetimeSeconds`: how
 * long its outputs are kept; absent if for ever. `phases`: those of the attempt that ended it.
 */
export type JobOutcome = (
  | ({ readonly status: 'COMPLETED'; readonly lifetimeSeconds?: number } & JobResult)
  | { readonly status: 'FAILED'; readonly error: Failure }
  | { readonly status: 'CANCELLED'; readonly error: Failure }
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
export type PublishQuotas = Pick<ClientLimits, 'storage' | 'media'>;

/**
 * The part of the jobs table that a worker writes. A method with a `Claim` writes only while the job is PROCESSING with
 * the claim's fence. It returns false or undefined if the claim is lost.
 */
export interface JobClaims {
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
  /**
   * Stores the publish intent, sets the phase PUBLISHING, and counts the outputs, unless the intent is abandoned, with
   * `intent.scratch` as their version. Throws QUOTA_EXCEEDED, and stores nothing, if the client would have more than its
   * quota of storage, or of media on the day of the job. With a quota of media, the job then reserves what it publishes. After
   * another error, the intent may be stored and some of the outputs counted.
   */
  recordIntent(claim: Claim, intent: PublishIntent, quotas?: PublishQuotas): Promise<boolean>;
  end(tx: Tx, claim: Claim, outcome: JobOutcome, at: string, log: string): Promise<boolean>;
  /** Sets a PROCESSING job back to PENDING. Deletes phases, progress and intent. */
  requeue(tx: Tx, claim: Claim, options: RequeueOptions): Promise<boolean>;
  /**
   * Lets the attempt not count, of a job that stays PROCESSING until its lease expires: its files could not be unpublished because
   * the storage is down.
   */
  uncountAttempt(claim: Claim, storageDownSince: string): Promise<boolean>;
  /** Stores what a PROCESSING job needs of its worker, before it is requeued for another one. */
  setNeeds(tx: Tx, claim: Claim, needs: Requirements['needs']): Promise<boolean>;
}

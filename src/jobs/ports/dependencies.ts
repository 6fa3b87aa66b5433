import type { Requirements } from '../../domain/lane.ts';
import type { JobStatus } from '../../domain/states.ts';
import type { Tx } from './transactions.ts';

/** A job, and one that waits for it: its parent. */
export interface Dependency {
  readonly jobId: string;
  readonly parentId: string;
}

/** A PENDING job, with what its ticket needs. */
export interface ReleasedJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly priority: number;
}

/**
 * Which jobs wait for which. A job that waits is PENDING, without a ticket. In a transaction, write to the rows of jobs
 * first.
 */
export interface DependencyStore {
  /**
   * Returns those of the jobs that exist. None of them can end until the transaction does, so that no end is missed
   * between the check of a parent and the insert of the job that waits for it.
   */
  lockParents(
    tx: Tx,
    jobIds: readonly string[],
  ): Promise<readonly { readonly jobId: string; readonly clientId: string; readonly status: JobStatus }[]>;
  /** Counts the jobs that wait for each of these jobs. Those that none waits for are left out. */
  countDependents(tx: Tx, parentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  add(tx: Tx, dependencies: readonly Dependency[]): Promise<void>;
  /**
   * Records that a parent is complete, for up to `limit` jobs that wait for it. Returns those of them that wait for nothing else
   * now, the oldest first. `isMore`: whether others still wait for it. Their parent counts as complete, also if it is deleted.
   */
  removeParent(
    tx: Tx,
    parentId: string,
    limit: number,
  ): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }>;
  /** Stores that a job waits no more, and the rank of its ticket. */
  release(tx: Tx, jobId: string, fairnessRank: number, at: string): Promise<void>;
  /** Forgets what a job waited for. */
  removeJob(tx: Tx, jobId: string): Promise<void>;
  /** Counts the jobs that wait for others, up to `limit`. */
  countWaiting(limit: number): Promise<number>;
  /** Returns jobs that wait for a job, up to `limit`. */
  dependentsOf(
    parentId: string,
    limit: number,
  ): Promise<readonly { readonly jobId: string; readonly clientId: string }[]>;
  /**
   * Returns the jobs that others wait for, in the order of their ids, after `afterParentId`, up to `limit`. `status`: undefined
   * if the job is deleted and was not complete.
   */
  parents(
    afterParentId: string,
    limit: number,
  ): Promise<readonly { readonly parentId: string; readonly status: JobStatus | undefined }[]>;
}

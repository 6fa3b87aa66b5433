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
  /** Counts the jobs that wait for a job, up to `limit`. */
  countDependents(tx: Tx, parentId: string, limit: number): Promise<number>;
  add(tx: Tx, dependencies: readonly Dependency[]): Promise<void>;
  /** Records that a parent is complete. Returns the jobs that wait for nothing else now, the oldest first. */
  removeParent(tx: Tx, parentId: string): Promise<readonly ReleasedJob[]>;
  /** Stores that a job waits no more, and the rank of its ticket. */
  release(tx: Tx, jobId: string, fairnessRank: number, at: string): Promise<void>;
  /** Forgets what a job waited for. */
  removeJob(tx: Tx, jobId: string): Promise<void>;
  /** Returns jobs that wait for a job, up to `limit`. */
  dependentsOf(
    parentId: string,
    limit: number,
  ): Promise<readonly { readonly jobId: string; readonly clientId: string }[]>;
  /**
   * Returns dependencies in the order of their parents, up to `limit`, with the status of the parent; undefined if the
   * parent is deleted.
   */
  list(
    after: Dependency,
    limit: number,
  ): Promise<readonly (Dependency & { readonly clientId: string; readonly parentStatus: JobStatus | undefined })[]>;
}

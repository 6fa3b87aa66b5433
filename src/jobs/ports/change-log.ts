import { AFTER_ALL_IDS } from '../../domain/id-order.ts';
/** The last numbered change of a job. A job that changes again gets a higher number and loses the earlier one. */
export interface NumberedChange extends ChangePosition {
  readonly clientId: string;
  readonly isDeleted: boolean;
}

/** A position in the order of changes. Jobs that changed in one transaction may have the same number. */
export interface ChangePosition {
  readonly number: number;
  readonly jobId: string;
}

/** The position after all changes with this number and lower ones. */
export const afterNumber = (number: number): ChangePosition => ({ number, jobId: AFTER_ALL_IDS });

/**
 * The numbers of the changes of jobs: created, another status or attempt, a cancel request, expired outputs, deleted. They rise in the
 * order in which the changes become visible, so a reader that has seen a number misses no lower one.
 */
export interface ChangeLog {
  /**
   * Returns up to `limit` changes after a position, in their order. `hasMore`: whether there are further ones, which may
   * have to wait for the end of a transaction that began before theirs.
   */
  after(
    position: ChangePosition,
    limit: number,
  ): Promise<{ readonly changes: readonly NumberedChange[]; readonly hasMore: boolean }>;
  /** Returns the number of the last change, or of one before it; 0 if there is none. */
  last(): Promise<number>;
  /** Whether all changes after this number are known, deletions too. False also for a number that was never given. */
  isKnownSince(number: number): Promise<boolean>;
  /** Returns the last change of a job, also of a deleted one. Undefined if it has none. */
  of(jobId: string): Promise<NumberedChange | undefined>;
  /** Returns the last changes of these jobs, also of deleted ones, in their order. */
  ofAll(jobIds: readonly string[]): Promise<readonly NumberedChange[]>;
  /** Forgets the jobs that were deleted before this time. Resolves to their number. */
  forgetDeletedBefore(before: string): Promise<number>;
}

import type { Batch, BatchCounts, BatchMember } from '@telecine/contract/domain/batch.ts';
import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import type { Job, JobOutput } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import type { JobEnd, JobOutcome, JobSize } from './job-store.ts';
import type { Tx } from './transactions.ts';

/** The part of a job that the state of its batch needs. */
export type BatchJobState = Pick<Job, 'jobId' | 'status' | 'progress'>;

/** Stores batches. A batch has at most `REQUEST_LIMITS.batch` jobs. Each job stores the id of its batch. */
export interface BatchStore {
  /** Call this in the transaction that inserts the jobs. */
  insert(tx: Tx, batch: Batch, members: readonly BatchMember[]): Promise<void>;
  get(batchId: string): Promise<Batch | undefined>;
  /** Returns the jobs that were submitted with a batch, in the order of the requests. Includes deleted jobs. */
  membersOf(batchId: string): Promise<readonly BatchMember[]>;
  /**
   * Returns the states of the jobs of a batch, in the order of the requests. Leaves out deleted jobs. Does not read
   * whole jobs, because they are large.
   */
  statesOf(batchId: string): Promise<readonly (BatchJobState & JobSize)[]>;
  /** Lists batches, newest first, with the numbers of their jobs by status. Without `clientId`, lists the batches of all clients. */
  list(query: {
    readonly clientId?: string;
    readonly limit: number;
    readonly before?: string;
  }): Promise<readonly (Batch & { readonly counts: BatchCounts })[]>;
  /** Counts the batches that have unfinished jobs. Stops at `limit`. */
  countUnfinished(limit: number): Promise<number>;
  /** Deletes batches that are older than `before` and whose jobs are all deleted. Resolves to the number of deleted batches. */
  removeEmptyBefore(before: string): Promise<number>;
}

/** The last numbered change of a job. When the job changes again, it gets a higher number that replaces this one. */
export interface NumberedChange extends ChangePosition {
  readonly clientId: string;
  readonly isDeleted: boolean;
}

/** A position in the order of changes. Jobs that changed in the same transaction may have the same number. */
export interface ChangePosition {
  readonly number: number;
  readonly jobId: string;
}

/** Returns the position after all changes with this number or a lower one. */
export const afterNumber = (number: number): ChangePosition => ({ number, jobId: AFTER_ALL_IDS });

/**
 * Numbers the changes of jobs. A change is: created, another status or attempt, a cancel request, expired outputs, or
 * deleted. The numbers rise in the order in which changes become visible. So a reader that has seen a number has missed
 * no lower number.
 */
export interface ChangeLog {
  /** Returns up to `limit` changes after a position. `hasMore`: there are more changes, perhaps in a transaction that is still open. */
  after(
    position: ChangePosition,
    limit: number,
  ): Promise<{ readonly changes: readonly NumberedChange[]; readonly hasMore: boolean }>;
  /** Returns the number of the last change, or of a slightly earlier change. Returns 0 if there is none. */
  last(): Promise<number>;
  /**
   * Returns whether all changes after this number are still stored, including deletions. Also returns false for a
   * number that no change ever had.
   */
  isKnownSince(number: number): Promise<boolean>;
  /** Returns the last change of a job, which may be deleted. undefined: the job has no stored change. */
  of(jobId: string): Promise<NumberedChange | undefined>;
  /** Returns the last change of each of these jobs, ordered by number. The jobs may be deleted. */
  ofAll(jobIds: readonly string[]): Promise<readonly NumberedChange[]>;
  /** Removes the records of jobs that were deleted before this time. Resolves to the number of records. */
  forgetDeletedBefore(before: string): Promise<number>;
}

/** A job and its parent: the job waits for the parent. */
export interface Dependency {
  readonly jobId: string;
  readonly parentId: string;
}

/** A released job, with the requirements of its ticket. Its status is PENDING. */
export interface ReleasedJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly priority: number;
}

/**
 * Stores which jobs wait for which other jobs. A job that waits is PENDING and has no ticket. In a transaction, write
 * to the rows of jobs first.
 */
export interface DependencyStore {
  /**
   * Returns the jobs with these ids that exist, and locks them. They cannot end before this transaction ends, so the
   * transaction misses no end.
   */
  lockParents(
    tx: Tx,
    jobIds: readonly string[],
  ): Promise<readonly { readonly jobId: string; readonly clientId: string; readonly status: JobStatus }[]>;
  /** Counts the dependents of each of these jobs. The result leaves out jobs without dependents. */
  countDependents(tx: Tx, parentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  add(tx: Tx, dependencies: readonly Dependency[]): Promise<void>;
  /**
   * Records for up to `limit` dependents that their parent is complete. Returns the dependents that now wait for no
   * job, oldest first. `isMore`: other dependents remain. For them, the parent counts as complete even if it is deleted
   * later.
   */
  removeParent(
    tx: Tx,
    parentId: string,
    limit: number,
  ): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }>;
  /** Stores that a job no longer waits. Also stores the rank of its ticket. */
  release(tx: Tx, jobId: string, fairnessRank: number, at: string): Promise<void>;
  /** Removes the dependencies of a job on its parents. */
  removeJob(tx: Tx, jobId: string): Promise<void>;
  countWaiting(limit: number): Promise<number>;
  dependentsOf(
    parentId: string,
    limit: number,
  ): Promise<readonly { readonly jobId: string; readonly clientId: string }[]>;
  /**
   * Returns up to `limit` parents with an id after `afterParentId`, ordered by id. `status`: undefined if the parent is
   * deleted and did not complete.
   */
  parents(
    afterParentId: string,
    limit: number,
  ): Promise<readonly { readonly parentId: string; readonly status: JobStatus | undefined }[]>;
}

/** The first use of an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly jobId: string;
}

export interface IdempotencyStore {
  /**
   * Records the use of a key, in the transaction that stores the job. If the key was already used at `notBefore` or
   * later, changes nothing and returns that use.
   */
  insert(
    tx: Tx,
    use: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** Returns the use of a key, if the key was used at `notBefore` or later. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

/**
 * An event of a job that is counted. `ACCEPTED`: the job was submitted. `STARTED`: its first attempt began. All others:
 * the job ended with this status.
 */
export type CountedEvent = 'ACCEPTED' | 'STARTED' | JobOutcome['status'];

/** The number of jobs that had an event in one step of time. */
export interface HistoryCount {
  readonly at: string;
  readonly event: CountedEvent;
  /** The error code of the jobs. Only with `FAILED`. */
  readonly code?: FailureCode;
  readonly jobs: number;
  /** The total time that the jobs were queued, in milliseconds. 0 unless the event is `STARTED`. */
  readonly waitedMs: number;
}

export interface HistoryCounts {
  readonly stepSeconds: number;
  readonly counts: readonly HistoryCount[];
}

/** Counts how many jobs were accepted, started and ended, by time. All services of an installation add to the same counts. */
export interface JobHistoryStore {
  /** Adds counts. A crash may undo this. */
  add(counts: readonly HistoryCounts[]): Promise<void>;
  /** Returns the counts for steps of this length that begin at `from` or later, oldest first. */
  read(stepSeconds: number, from: string): Promise<readonly HistoryCount[]>;
  /** Deletes the counts for steps of this length that began before `from`. */
  forgetBefore(stepSeconds: number, from: string): Promise<void>;
}

/** The usage of a client on one UTC day. */
export interface DailyUse {
  /** The number of submitted jobs. Jobs that ended before they started do not count. */
  readonly jobs: number;
  /** The seconds of media that jobs of the client published, plus the seconds that its unfinished jobs have reserved. */
  readonly mediaSeconds: number;
}

export interface UsageStore {
  /**
   * Adds the usage of new jobs to the day of a client, and returns the new total. Call this in the transaction that
   * stores the jobs. Other additions to the same day wait for this transaction, so that two jobs cannot exceed a quota
   * together.
   */
  reserve(tx: Tx, clientId: string, day: string, added: DailyUse): Promise<DailyUse>;
  /**
   * Replaces the reservation of a job by the media that it published, in the transaction that ends the job. A job that
   * never started does not count.
   */
  settle(tx: Tx, end: JobEnd): Promise<void>;
  /**
   * Returns the seconds of media that a job may publish. This is the rest of the quota `limit` on the day of the job,
   * but at least the reservation of the job.
   */
  leftFor(job: Pick<Job, 'jobId' | 'clientId' | 'createdAt'>, limit: number): Promise<number>;
  ofDay(clientId: string, day: string): Promise<DailyUse>;
  /** Deletes the usage of days before this one. */
  forgetBefore(day: string): Promise<void>;
}

export interface ExpiredOutputs {
  readonly jobId: string;
  readonly clientId: string;
  readonly files: readonly Pick<JobOutput, 'path' | 'fingerprint'>[];
}

/** Stores outputs that will expire. `JobClaims.end` adds them. They stay stored even if their job is deleted. */
export interface OutputExpiries {
  /** Lists outputs that must be removed at `at`. The outputs that expired first come first. */
  due(at: string, limit: number): Promise<readonly ExpiredOutputs[]>;
  /**
   * Deletes the record of outputs that were removed. Marks their job, if it still exists. Resolves to false if another
   * process did this before.
   */
  finish(tx: Tx, jobId: string): Promise<boolean>;
  /** Delays the next attempt to remove outputs until `until`, because they could not be removed now. */
  postpone(jobId: string, until: string): Promise<void>;
}

/** A multipart upload of an output to an object store. */
export interface RecordedUpload {
  readonly bucket: string;
  readonly key: string;
  /** The id that the object store gave the upload. Absent until the object store has replied to the first request. */
  readonly uploadId?: string;
  readonly at: string;
}

/**
 * Stores the uploads of attempts to an object store, and their target keys. `scratch`: the name of the scratch folder
 * of the attempt. An upload is recorded before it begins, so that it can be found after a crash. Only one attempt at a
 * time can reserve a key, because some object stores do not check whether a key exists.
 */
export interface OutputUploads {
  /** Records uploads that are about to begin. */
  begin(scratch: string, bucket: string, keys: readonly string[]): Promise<void>;
  /** Records the ids of uploads, by key. */
  recordIds(scratch: string, bucket: string, ids: ReadonlyMap<string, string>): Promise<void>;
  find(scratch: string): Promise<{ readonly uploads: readonly RecordedUpload[]; readonly hasReserved: boolean }>;
  recordedFor(
    bucket: string,
    key: string,
  ): Promise<readonly (Pick<RecordedUpload, 'uploadId' | 'at'> & { readonly scratch: string })[]>;
  /** Deletes the records of uploads that are complete or aborted. */
  forgetUploads(scratch: string): Promise<void>;
  /**
   * Reserves all keys or none. If another running job has reserved one of the keys, resolves to this key. Otherwise,
   * resolves to undefined. Earlier attempts and ended jobs lose their keys.
   */
  reserve(scratch: string, bucket: string, keys: readonly string[]): Promise<string | undefined>;
  /** Returns the scratch folder of the running job that has reserved a key. */
  reservedBy(bucket: string, key: string): Promise<string | undefined>;
  /** Deletes the records of the uploads and the reservations of an attempt. */
  forget(scratch: string): Promise<void>;
  /** Returns the scratch folder names of the attempts that have uploads or reservations. */
  scratchNames(): Promise<readonly string[]>;
}

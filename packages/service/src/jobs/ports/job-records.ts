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

/** The batches. A batch has at most `REQUEST_LIMITS.batch` jobs, which store its id. */
export interface BatchStore {
  /** Call it in the transaction that inserts the jobs. */
  insert(tx: Tx, batch: Batch, members: readonly BatchMember[]): Promise<void>;
  get(batchId: string): Promise<Batch | undefined>;
  /** Returns the jobs with which a batch was submitted, in the order of the requests, including deleted ones. */
  membersOf(batchId: string): Promise<readonly BatchMember[]>;
  /** Returns the states of the jobs of a batch, without deleted ones, in the order of the requests. Whole jobs are large. */
  statesOf(batchId: string): Promise<readonly (BatchJobState & JobSize)[]>;
  /** Lists batches, newest first, with the counts of their jobs. `clientId`: default: all clients. */
  list(query: {
    readonly clientId?: string;
    readonly limit: number;
    readonly before?: string;
  }): Promise<readonly (Batch & { readonly counts: BatchCounts })[]>;
  /** Counts the batches with jobs that have not ended, up to `limit`. */
  countUnfinished(limit: number): Promise<number>;
  /** Deletes older batches whose jobs are all deleted. Resolves to their number. */
  removeEmptyBefore(before: string): Promise<number>;
}

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
 * The numbers of job changes: created, another status or attempt, a cancel request, expired outputs, deleted. They rise
 * in the order in which changes become visible, so a reader of a number misses no lower one.
 */
export interface ChangeLog {
  /** Returns up to `limit` changes after a position. `hasMore`: further ones exist, perhaps in an open transaction. */
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

/** A job, and one that waits for it: its parent. */
export interface Dependency {
  readonly jobId: string;
  readonly parentId: string;
}

/** A PENDING job with the requirements of its ticket. */
export interface ReleasedJob extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly priority: number;
}

/** Which jobs wait for which. A waiting job is PENDING, without a ticket. In a transaction, write to job rows first. */
export interface DependencyStore {
  /** Returns the existing jobs among these. They cannot end before the transaction does, so that no end is missed. */
  lockParents(
    tx: Tx,
    jobIds: readonly string[],
  ): Promise<readonly { readonly jobId: string; readonly clientId: string; readonly status: JobStatus }[]>;
  /** Counts the dependents of each of these jobs. Jobs without dependents are absent. */
  countDependents(tx: Tx, parentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  add(tx: Tx, dependencies: readonly Dependency[]): Promise<void>;
  /**
   * Records that a parent is complete for up to `limit` dependents. Returns the dependents that wait for nothing else,
   * oldest first. `isMore`: other dependents remain; the parent counts as complete for them, even if it is deleted.
   */
  removeParent(
    tx: Tx,
    parentId: string,
    limit: number,
  ): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }>;
  /** Stores that a job waits no more, and the rank of its ticket. */
  release(tx: Tx, jobId: string, fairnessRank: number, at: string): Promise<void>;
  /** Forgets the parents of a job. */
  removeJob(tx: Tx, jobId: string): Promise<void>;
  countWaiting(limit: number): Promise<number>;
  dependentsOf(
    parentId: string,
    limit: number,
  ): Promise<readonly { readonly jobId: string; readonly clientId: string }[]>;
  /** Returns up to `limit` parents by id, after `afterParentId`. `status`: undefined if deleted and not complete. */
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
  /** Records the use of a key, in the transaction of its job. Returns an earlier use at or after `notBefore`, unchanged. */
  insert(
    tx: Tx,
    use: IdempotencyRecord & { readonly clientId: string; readonly key: string; readonly at: string },
    notBefore: string,
  ): Promise<IdempotencyRecord | undefined>;
  /** Returns the use of a key, if it was used at or after `notBefore`. */
  find(clientId: string, key: string, notBefore: string): Promise<IdempotencyRecord | undefined>;
  deleteBefore(before: string): Promise<void>;
}

/** An event of a job. `STARTED`: its first attempt began. All others but `ACCEPTED`: it ended so. */
export type CountedEvent = 'ACCEPTED' | 'STARTED' | JobOutcome['status'];

/** How many jobs something happened to, in one step of time. */
export interface HistoryCount {
  readonly at: string;
  readonly event: CountedEvent;
  /** Why the jobs failed. Only with `FAILED`. */
  readonly code?: FailureCode;
  readonly jobs: number;
  /** How long the jobs were queued, in all. 0 unless `STARTED`. */
  readonly waitedMs: number;
}

export interface HistoryCounts {
  readonly stepSeconds: number;
  readonly counts: readonly HistoryCount[];
}

/** How many jobs were accepted, started and ended, by time. The services of an installation add to the same counts. */
export interface JobHistoryStore {
  /** A crash may undo it. */
  add(counts: readonly HistoryCounts[]): Promise<void>;
  /** Returns the counts of the steps of this length that begin at `from` or later, oldest first. */
  read(stepSeconds: number, from: string): Promise<readonly HistoryCount[]>;
  /** Deletes the counts of the steps of this length that began before `from`. */
  forgetBefore(stepSeconds: number, from: string): Promise<void>;
}

/** The usage of a client on one UTC day. */
export interface DailyUse {
  /** Submitted jobs, without jobs that ended before they started. */
  readonly jobs: number;
  /** Seconds of media that its jobs published, and that its unfinished jobs have reserved. */
  readonly mediaSeconds: number;
}

export interface UsageStore {
  /**
   * Adds the usage of new jobs to the day of a client, and returns the sum. Call it in the transaction that stores the
   * jobs: other additions to the day wait, so that no two exceed a quota together.
   */
  reserve(tx: Tx, clientId: string, day: string, added: DailyUse): Promise<DailyUse>;
  /**
   * Replaces the reservation of a job by its published media, in the transaction that ends it. A job that never started
   * is free.
   */
  settle(tx: Tx, end: JobEnd): Promise<void>;
  /** The seconds of media that a job may publish: the rest of the quota `limit` on its day, and at least its reservation. */
  leftFor(job: Pick<Job, 'jobId' | 'clientId' | 'createdAt'>, limit: number): Promise<number>;
  ofDay(clientId: string, day: string): Promise<DailyUse>;
  /** Deletes the days before this one. */
  forgetBefore(day: string): Promise<void>;
}

export interface ExpiredOutputs {
  readonly jobId: string;
  readonly clientId: string;
  readonly files: readonly Pick<JobOutput, 'path' | 'fingerprint'>[];
}

/** The outputs that expire. `JobClaims.end` adds them. They outlive the job. */
export interface OutputExpiries {
  /** Lists outputs that are due, the longest due first. */
  due(at: string, limit: number): Promise<readonly ExpiredOutputs[]>;
  /** Forgets outputs that were removed, and marks their job, if it exists. False if another process did so before. */
  finish(tx: Tx, jobId: string): Promise<boolean>;
  /** Makes outputs due at another time, because they could not be removed. */
  postpone(jobId: string, until: string): Promise<void>;
}

/** A multipart upload of an output to an object store. */
export interface RecordedUpload {
  readonly bucket: string;
  readonly key: string;
  /** Absent until the object store has replied to the request that begins the upload. */
  readonly uploadId?: string;
  readonly at: string;
}

/**
 * The uploads of attempts to an object store, and their target keys. `scratch`: the name of the attempt's scratch
 * folder. An upload is recorded before it begins, so that it is found after any crash. Only one attempt at a time
 * reserves a key, because some object stores do not check that a key is free.
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
  /** Forgets uploads that are complete or aborted. */
  forgetUploads(scratch: string): Promise<void>;
  /**
   * Reserves all keys or none. Resolves to a key of another running job, else undefined. Earlier attempts and ended
   * jobs lose their keys.
   */
  reserve(scratch: string, bucket: string, keys: readonly string[]): Promise<string | undefined>;
  /** The scratch folder of the running job that has a key reserved. */
  reservedBy(bucket: string, key: string): Promise<string | undefined>;
  /** Forgets the uploads and the reservations of an attempt. */
  forget(scratch: string): Promise<void>;
  /** The attempts that have uploads or reservations. */
  scratchNames(): Promise<readonly string[]>;
}

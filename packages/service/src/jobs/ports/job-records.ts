import type { Batch, BatchCounts, BatchMember } from '@telecine/contract/domain/batch.ts';
import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import type { Job, JobOutput } from '@telecine/contract/domain/job.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import type { Ticket } from './job-queue.ts';
import type { JobEnd, JobOutcome, JobSize } from './job-store.ts';
import type { Tx } from './transactions.ts';

/** The part of a job that the state of its batch needs. */
export type BatchJobState = Pick<Job, 'jobId' | 'status' | 'progress'>;

/** Stores batches. A batch has at most `REQUEST_LIMITS.batch` jobs. Each job stores the id of its batch. */
export interface BatchStore {
  insert(tx: Tx, batch: Batch, members: readonly BatchMember[]): Promise<void>;
  get(batchId: string): Promise<Batch | undefined>;
  /** Returns the jobs that were submitted with a batch, in the order of the requests. Includes deleted jobs. */
  membersOf(batchId: string): Promise<readonly BatchMember[]>;
  /**
   * Returns the states of the jobs of a batch, in the order of the requests. Leaves out deleted jobs. Does not read
   * whole jobs, because these are large.
   */
  statesOf(batchId: string): Promise<readonly (BatchJobState & JobSize)[]>;
  /**
   * Lists batches, newest first, with the numbers of their jobs by status. Without `clientId`, lists the batches of all
   * clients.
   */
  list(query: {
    readonly clientId?: string;
    readonly limit: number;
    readonly before?: string;
  }): Promise<readonly (Batch & { readonly counts: BatchCounts })[]>;
  /** Counts the batches that have unfinished jobs. Returns `limit` if there are more. */
  countUnfinished(limit: number): Promise<number>;
  /**
   * Deletes batches that are older than `before` and whose jobs are all deleted. Resolves to the number of deleted
   * batches.
   */
  removeEmptyBefore(before: string): Promise<number>;
}

/** The last change of a job. At the next change of the job, a record with a higher number replaces this one. */
export interface NumberedChange extends ChangePosition {
  readonly clientId: string;
  readonly isDeleted: boolean;
}

/**
 * A position in the order of changes: by number, then by job. Jobs that changed in the same transaction may have the
 * same number.
 */
export interface ChangePosition {
  readonly number: number;
  readonly jobId: string;
}

/**
 * The changes that a reader has read without waiting for open transactions: all up to a position, except those of
 * transactions that were open. `open` has a position for each of these: the reader has not read the changes with this
 * number and a later job.
 */
export interface ReadPosition extends ChangePosition {
  readonly open: readonly ChangePosition[];
}

/** Returns the position after all changes with this number or a lower one. */
export const afterNumber = (number: number): ChangePosition => ({ number, jobId: AFTER_ALL_IDS });

/**
 * Numbers the changes of jobs. A change is: the job was created, got another status or attempt, was asked to cancel,
 * lost its expired outputs, or was deleted. The numbers rise in the order in which transactions begin to write, so a
 * change can become visible after one with a higher number. `after` returns only changes below those of open
 * transactions: its reader has not missed a number below the one that it has seen. `unread` returns all visible changes,
 * and its reader stores the numbers of open transactions.
 */
export interface ChangeLog {
  /**
   * Returns up to `limit` changes after a position. `hasMore`: there are more changes; some may be in a transaction
   * that is still open, and not readable yet.
   */
  after(
    position: ChangePosition,
    limit: number,
  ): Promise<{ readonly changes: readonly NumberedChange[]; readonly hasMore: boolean }>;
  /**
   * Returns up to `limit` changes that a reader has not read, and what it has read with these. Unlike `after`, does not
   * wait for open transactions: the changes of each follow after its commit, and some of them may be returned twice.
   * No changes: the reader has read all that are visible.
   */
  unread(
    read: ReadPosition,
    limit: number,
  ): Promise<{ readonly changes: readonly NumberedChange[]; readonly read: ReadPosition }>;
  /** Returns the number of the last change; it may already be slightly outdated. Returns 0 if there is none. */
  last(): Promise<number>;
  /**
   * Returns whether all changes after this number are still stored, including deletions. Also returns false for a
   * number that no change ever had, such as a number from before a restore of the database.
   */
  isKnownSince(number: number): Promise<boolean>;
  /** Returns the last change of a job, which may be deleted. undefined: the job has no stored change. */
  of(jobId: string): Promise<NumberedChange | undefined>;
  /** Returns the last change of each of these jobs, ordered by number. The jobs may be deleted. */
  ofAll(jobIds: readonly string[]): Promise<readonly NumberedChange[]>;
  /** Removes the records of jobs that were deleted before this time. Resolves to the number of records. */
  forgetDeletedBefore(before: string): Promise<number>;
}

/** A job with all that a search of words looks at. */
export type JobToSearch = Pick<Job, 'jobId' | 'clientId' | 'name' | 'request' | 'error'>;

/** The text by which searches find a job. */
export interface JobText {
  readonly jobId: string;
  readonly clientId: string;
  readonly content: string;
}

/** Stores the texts by which searches find jobs. A reader of the changes of jobs writes them, so that submissions do not. */
export interface JobTexts {
  /** Returns the changes that the texts contain. */
  position(): Promise<ReadPosition>;
  /** Returns the jobs with these ids that exist, in any order. */
  jobs(jobIds: readonly string[]): Promise<readonly JobToSearch[]>;
  /**
   * Stores texts, deletes those of deleted jobs, and moves the position from `from` to `to`. Resolves to false, and
   * stores nothing, if the position is not `from`, because another process has moved it.
   */
  store(
    move: { readonly from: ReadPosition; readonly to: ReadPosition },
    texts: readonly JobText[],
    deletedIds: readonly string[],
  ): Promise<boolean>;
}

/** `jobId` waits for `parentId`. */
export interface Dependency {
  readonly jobId: string;
  readonly parentId: string;
}

/** A job that waited and can now start, with the requirements of its ticket. Its status is PENDING. */
export type ReleasedJob = Ticket;

/**
 * Stores which jobs wait for which other jobs. A waiting job is PENDING and has no ticket. In a transaction, write to
 * the rows of jobs before you call these methods.
 */
export interface DependencyStore {
  /**
   * Returns the jobs with these ids that exist, and locks them until the transaction ends. They cannot end meanwhile,
   * so a new dependent does not miss the end of its parent.
   */
  lockParents(
    tx: Tx,
    jobIds: readonly string[],
  ): Promise<readonly { readonly jobId: string; readonly clientId: string; readonly status: JobStatus }[]>;
  /** Counts the dependents of each of these jobs. The result leaves out jobs without dependents. */
  countDependents(tx: Tx, parentIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  add(tx: Tx, dependencies: readonly Dependency[]): Promise<void>;
  /**
   * Records for up to `limit` dependents that their parent is complete. Returns those of them that now wait for no job,
   * oldest first. `isMore`: there are more dependents, for which the parent counts as complete even if it is deleted
   * later.
   */
  removeParent(
    tx: Tx,
    parentId: string,
    limit: number,
  ): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }>;
  /** Stores that a job no longer waits. */
  release(tx: Tx, jobId: string, at: string): Promise<void>;
  /** Removes the dependencies of jobs on their parents. */
  removeJobs(tx: Tx, jobIds: readonly string[]): Promise<void>;
  countWaiting(limit: number): Promise<number>;
  dependentsOf(
    parentIds: readonly string[],
    limit: number,
  ): Promise<readonly { readonly parentId: string; readonly jobId: string; readonly clientId: string }[]>;
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
   * later, changes nothing and returns that earlier use.
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
 * An event of a job that is counted. `ACCEPTED`: the job was submitted. `STARTED`: its first attempt began. The other
 * values: the job ended with this status.
 */
export type CountedEvent = 'ACCEPTED' | 'STARTED' | JobOutcome['status'];

/** The number of jobs that had an event in one step of time. */
export interface HistoryCount {
  readonly at: string;
  readonly event: CountedEvent;
  /** The error code with which the jobs failed. Only with `FAILED`. */
  readonly code?: FailureCode;
  readonly jobs: number;
  /** The total time for which the jobs were queued, in milliseconds. 0 unless the event is `STARTED`. */
  readonly waitedMs: number;
}

export interface HistoryCounts {
  readonly stepSeconds: number;
  readonly counts: readonly HistoryCount[];
}

/** A failed job, for the question which clients have failing jobs. */
export interface FailedJob {
  readonly jobId: string;
  readonly clientId: string;
  readonly code: FailureCode;
  readonly failedAt: string;
}

/**
 * Counts how many jobs were accepted, started and ended in each step of time. All services of an installation add to
 * the same counts.
 */
export interface JobHistoryStore {
  /** Adds counts. A crash may lose them. */
  add(counts: readonly HistoryCounts[]): Promise<void>;
  /** Returns the counts for steps of this length that begin at `from` or later, oldest first. */
  read(stepSeconds: number, from: string): Promise<readonly HistoryCount[]>;
  /** Returns up to `limit` failed jobs of all clients, those that were submitted last first. */
  lastFailed(limit: number): Promise<readonly FailedJob[]>;
  /** Deletes the counts for steps of this length that began before `from`. */
  forgetBefore(stepSeconds: number, from: string): Promise<void>;
}

export interface DailyUse {
  /** The number of submitted jobs, without jobs that ended before they started. */
  readonly jobs: number;
  /** The seconds of media that jobs of the client published, plus the seconds that unfinished jobs have reserved. */
  readonly mediaSeconds: number;
}

/** What a client stores, and what it used on one day. */
export interface ClientUse extends DailyUse {
  readonly clientId: string;
  readonly revokedAt?: string;
  readonly limits?: ClientLimitChanges;
  /** The bytes of its files and unfinished uploads, as `StoredFiles.used`. */
  readonly storedBytes: number;
  /** The bytes of the files in its bin. */
  readonly binBytes: number;
}

/** What all clients store together. */
export interface TotalUse extends Pick<ClientUse, 'storedBytes' | 'binBytes'> {
  readonly clients: number;
}

export interface UsageStore {
  /**
   * Adds the usage of new jobs to the day of a client, and returns the new total. Call this in the transaction that
   * stores the jobs. Other calls for the same client and day wait until that transaction ends, so that two jobs cannot
   * exceed a quota together.
   */
  reserve(
    tx: Tx,
    clientId: string,
    day: string,
    added: DailyUse & { readonly recordBytes?: number },
  ): Promise<DailyUse>;
  /**
   * Replaces the seconds that a job reserved by the seconds that it published, in the transaction that ends the job. If
   * the job never started, no longer counts it.
   */
  settle(tx: Tx, ends: readonly JobEnd[]): Promise<void>;
  /**
   * Returns how many seconds of media a job may publish: the rest of the quota `limit` on the day of its submission,
   * but at least the seconds that the job reserved.
   */
  leftFor(job: Pick<Job, 'jobId' | 'clientId' | 'createdAt'>, limit: number): Promise<number>;
  ofDay(clientId: string, day: string): Promise<DailyUse>;
  /**
   * Lists what clients use, including revoked ones: first those whose files and bins take the most space. `total`: of all
   * clients, also those that are not listed; without any listed client, its numbers are 0.
   */
  ofAll(
    day: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly clients: readonly ClientUse[]; readonly total: TotalUse }>;
  forgetBefore(day: string): Promise<void>;
  /** The jobs from before a day are deleted, so they count no more for the quota `records`. */
  forgetRecordsBefore(day: string): Promise<void>;
}

/** A job whose outputs have expired. */
export type ExpiredJob = Pick<Job, 'jobId' | 'clientId'>;

/** Stores which outputs will expire. `JobClaims.end` adds them. They stay stored if their job is deleted. */
export interface OutputExpiries {
  /** Lists jobs whose outputs have expired at `at`, in the order of their expiry. */
  due(at: string, limit: number): Promise<readonly ExpiredJob[]>;
  /** Reads the outputs of such a job, which can be thousands. */
  outputs(jobId: string): Promise<readonly Pick<JobOutput, 'path' | 'fingerprint'>[]>;
  /**
   * Lets the outputs of a complete job expire at `at`, whatever their lifetime. `outputs`: all of them, needed if they had
   * none. Resolves to false if it needs them, they are removed already, or the job is deleted. Then roll back.
   */
  expire(
    tx: Tx,
    job: Pick<Job, 'jobId' | 'clientId'>,
    at: string,
    outputs?: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
  ): Promise<boolean>;
  /**
   * Deletes the record of removed outputs, and marks their job if the job still exists. Resolves to false if another
   * process did this before.
   */
  finish(tx: Tx, jobId: string): Promise<boolean>;
  /** Makes `due` list the outputs of a job again from `until` on, because they could not be removed now. */
  postpone(jobId: string, until: string): Promise<void>;
}

/** A multipart upload of an output to an object store. */
export interface RecordedUpload {
  readonly bucket: string;
  readonly key: string;
  /** The id that the object store gave the upload. */
  readonly uploadId: string;
}

/**
 * Stores the uploads of attempts to an object store, and the keys that attempts have reserved there. `scratch`: the
 * name of the scratch folder of the attempt. An upload is recorded before it gets parts, so that they can be removed
 * after a crash. Only one attempt at a time can reserve a key, because some object stores cannot reject a write to an existing
 * key.
 */
export interface OutputUploads {
  /** Records the ids of uploads by their keys. */
  record(scratch: string, bucket: string, ids: ReadonlyMap<string, string>): Promise<void>;
  find(scratch: string): Promise<{ readonly uploads: readonly RecordedUpload[]; readonly hasReserved: boolean }>;
  /** Whether an attempt has recorded an upload, by its id. */
  isRecorded(uploadId: string): Promise<boolean>;
  /** Deletes the records of uploads that are complete or aborted. */
  forgetUploads(scratch: string): Promise<void>;
  /**
   * Reserves all keys or none. If another running job has reserved one of the keys, resolves to that key; otherwise, to
   * undefined. Deletes reservations of earlier attempts of this job and of ended jobs.
   */
  reserve(scratch: string, bucket: string, keys: readonly string[]): Promise<string | undefined>;
  /** Returns the scratch folder of the running job that has reserved a key. */
  reservedBy(bucket: string, key: string): Promise<string | undefined>;
  /** Deletes the records of the uploads and the reservations of an attempt. */
  forget(scratch: string): Promise<void>;
  /** Returns the names of the scratch folders of attempts that have uploads or reservations. */
  scratchNames(): Promise<readonly string[]>;
}

import { recordBytesOf } from '@telecine/contract/domain/client-limits.ts';
import { REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { type DailyQuotas, type QuotaRequest, reserveQuotas } from '../daily-quotas.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type {
  Dependency,
  DependencyStore,
  IdempotencyRecord,
  IdempotencyStore,
  UsageStore,
} from '../ports/job-records.ts';
import type { JobStore, NewJob } from '../ports/job-store.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { parentErrors, tooManyDependents } from './parents.ts';

export interface IdempotencyKey {
  readonly key: string;
  /** The SHA-256 of the request body, in hex. */
  readonly bodyHash: string;
}

export interface JobToInsert extends Omit<NewJob, 'createdAt'> {
  /** Absent if the client has no daily quotas. */
  readonly quotas?: DailyQuotas | undefined;
  /** The idempotency key. `notBefore`: uses of the key before this time do not count. */
  readonly idempotency?: (IdempotencyKey & { readonly notBefore: string }) | undefined;
}

export interface InsertJobsDeps {
  readonly jobs: Pick<JobStore, 'insert'>;
  readonly queue: Pick<JobQueue, 'enqueue' | 'insertPlainJobs'>;
  readonly idempotency: Pick<IdempotencyStore, 'insert'>;
  readonly usage: Pick<UsageStore, 'reserve'>;
  readonly now: () => Date;
}

const NO_QUOTAS: DailyQuotas = {};

/** Stores the idempotency keys of jobs. For each job, returns the earlier use of its key. */
async function insertKeys(
  keys: InsertJobsDeps['idempotency'],
  tx: Tx,
  jobs: readonly JobToInsert[],
  at: string,
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  // Most jobs have no key. Create no promises for them, which would add a tenth to the processor time of storing a job.
  if (jobs.every(({ idempotency }) => idempotency === undefined)) return [];
  return Promise.all(
    jobs.map(
      ({ idempotency, clientId, jobId }) =>
        idempotency && keys.insert(tx, { ...idempotency, clientId, jobId, at }, idempotency.notBefore),
    ),
  );
}

/**
 * Stores jobs with their tickets and idempotency keys, except jobs whose key was already used. For each job, returns
 * the earlier use of its key. Throws QUOTA_EXCEEDED, and stores no job, if a quota is exceeded. Starts independent
 * statements together, so that the engine can send them in one round trip.
 */
export async function insertJobs(
  deps: InsertJobsDeps,
  tx: Tx,
  jobs: readonly JobToInsert[],
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  const createdAt = deps.now().toISOString();
  const earlierUses = await insertKeys(deps.idempotency, tx, jobs, createdAt);
  const newJobs: NewJob[] = [];
  const submissions: QuotaRequest[] = [];
  for (const [index, job] of jobs.entries()) {
    if (earlierUses[index] !== undefined) continue;
    const { clientId, quotas = NO_QUOTAS } = job;
    newJobs.push({ ...job, createdAt });
    const mediaSeconds = job.reservedMediaSeconds ?? 0;
    submissions.push({ clientId, quotas, mediaSeconds, recordBytes: recordBytesOf(job) });
  }
  const ready = newJobs.filter(({ waitingFor }) => waitingFor === undefined);
  const tickets = ready.map(({ jobId, clientId, priority = 0, lane, weight, needs }) => ({
    jobId,
    clientId,
    priority,
    lane,
    weight,
    needs,
  }));
  const [, , checkReserved] = await Promise.all([
    deps.jobs.insert(tx, newJobs),
    deps.queue.enqueue(tx, tickets),
    reserveQuotas(deps.usage, tx, submissions, createdAt),
  ]);
  checkReserved();
  return earlierUses;
}

/** A job to insert, with the jobs in its `after`. */
export interface DependentJob extends JobToInsert {
  readonly after: readonly { readonly jobId: string; readonly field: string }[];
}

export interface InsertDependentsDeps extends InsertJobsDeps {
  readonly dependencies: Pick<DependencyStore, 'lockParents' | 'countDependents' | 'add'>;
}

interface InsertedDependents {
  /** For each job, the earlier use of its idempotency key. undefined: there is no key, or it was not used before. */
  readonly earlier: readonly (IdempotencyRecord | undefined)[];
  /** By job, the unfinished parents that it waits for. */
  readonly waitingFor: ReadonlyMap<string, readonly string[]>;
}

/**
 * Stores jobs that may wait for other jobs. Locks the parents, so that none can end between this check and the commit.
 * Throws INVALID_REQUEST if a parent has failed or was deleted since the request was checked.
 */
export async function insertDependents(
  deps: InsertDependentsDeps,
  tx: Tx,
  jobs: readonly DependentJob[],
): Promise<InsertedDependents> {
  const own = new Set(jobs.map(({ jobId }) => jobId));
  const stored = [...new Set(jobs.flatMap(({ after }) => after.map(({ jobId }) => jobId)))].filter(
    (jobId) => !own.has(jobId),
  );
  // Lock the parents first, as the transaction that ends a parent does: another order could cause a deadlock.
  const parents = stored.length === 0 ? [] : await deps.dependencies.lockParents(tx, stored);
  const parentOf = new Map(parents.map((parent) => [parent.jobId, parent]));
  const errors: FieldError[] = [];
  const waitingFor = new Map<string, readonly string[]>();
  for (const { jobId, clientId, after } of jobs) {
    const unfinished = new Set<string>();
    for (const { jobId: parentId, field } of after) {
      const parent = parentOf.get(parentId);
      if (!own.has(parentId))
        errors.push(...parentErrors(parentId, parent?.clientId === clientId ? parent.status : undefined, field));
      if (parent?.status !== 'COMPLETED') unfinished.add(parentId);
    }
    if (unfinished.size > 0) waitingFor.set(jobId, [...unfinished]);
  }
  const dependencies = [...waitingFor].flatMap(([jobId, parentIds]) =>
    parentIds.map((parentId) => ({ jobId, parentId })),
  );
  errors.push(...(await limitErrors(deps, tx, dependencies, jobs)));
  if (errors.length > 0) throw invalidRequest(errors);
  const rows = jobs.map(({ after: _, ...job }) => {
    const waits = waitingFor.get(job.jobId);
    return waits === undefined ? job : { ...job, waitingFor: waits };
  });
  const earlier = await insertJobs(deps, tx, rows);
  const added = new Set(jobs.flatMap(({ jobId }, index) => (earlier[index] === undefined ? [jobId] : [])));
  await deps.dependencies.add(
    tx,
    dependencies.filter(({ jobId }) => added.has(jobId)),
  );
  return { earlier, waitingFor };
}

/** Returns the errors for parents that would have too many dependents, including those of this transaction. */
async function limitErrors(
  deps: InsertDependentsDeps,
  tx: Tx,
  dependencies: readonly Dependency[],
  jobs: readonly DependentJob[],
): Promise<readonly FieldError[]> {
  const added = Map.groupBy(dependencies, ({ parentId }) => parentId);
  if (added.size === 0) return [];
  const stored = await deps.dependencies.countDependents(tx, [...added.keys()]);
  return [...added].flatMap(([parentId, { length }]) => {
    if ((stored.get(parentId) ?? 0) + length <= REQUEST_LIMITS.dependents) return [];
    const first = jobs.flatMap(({ after }) => after).find(({ jobId }) => jobId === parentId);
    return [tooManyDependents(parentId, first?.field ?? '')];
  });
}

/**
 * Stores a job. Resolves when the job is on disk. If the idempotency key of the job was already used, stores nothing
 * and resolves to that use.
 */
type InsertTogether = (job: JobToInsert) => Promise<IdempotencyRecord | undefined>;

export interface InsertBatcherDeps extends InsertJobsDeps {
  readonly transactions: Transactions;
}

/**
 * The maximum number of jobs per transaction. It limits for how long a transaction blocks the event loop: about 7 µs
 * per job.
 */
const BATCH_LIMIT = 256;

interface WaitingJob {
  readonly job: JobToInsert;
  readonly resolve: (earlier: IdempotencyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inserts jobs in groups, because an insert of many rows costs less per row. Jobs that arrive during a transaction join
 * the next one, which begins while the previous one commits. If a group cannot be inserted, inserts each of its jobs in
 * a transaction of its own. If the database is unavailable, rejects all jobs of the group.
 */
export function insertBatcher(deps: InsertBatcherDeps): InsertTogether {
  let waiting: WaitingJob[] = [];
  let isRunning = false;
  /** The number of stored jobs whose callers are answered only after the next statement is sent. */
  let unanswered = 0;

  /**
   * Inserts the waiting jobs, with the statements of one transaction at a time. Concurrent transactions would only wait
   * for each other's locks.
   */
  async function insertAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let committed: Promise<void> | undefined;
    while (waiting.length > 0) {
      const previous = committed;
      await new Promise<void>((next) => {
        committed = insertBatch(next).finally(next);
      });
      // Keep at most two transactions open: one that inserts and one that commits. More would wait for the disk of
      // PostgreSQL and use up all connections.
      await previous;
    }
    isRunning = false;
  }

  /**
   * Takes the first plain jobs that wait. While callers are being answered, takes only half, so that two groups of
   * equal size alternate.
   */
  function takePlain(): readonly WaitingJob[] {
    const most = unanswered === 0 ? waiting.length : Math.ceil((waiting.length + unanswered) / 2);
    const limit = Math.min(BATCH_LIMIT, most);
    const end = waiting.findIndex(({ job }, index) => index === limit || !isPlain(job));
    return waiting.splice(0, end < 0 ? waiting.length : end);
  }

  /**
   * Stores plain jobs with one statement. If other jobs wait then, calls `onInserted` first, so that their statement is
   * sent, and answers the callers one turn of the event loop later.
   */
  async function insertPlain(
    batch: readonly WaitingJob[],
    insert: NonNullable<InsertBatcherDeps['queue']['insertPlainJobs']>,
    onInserted: () => void,
  ): Promise<void> {
    let hasBegun = false;
    try {
      const createdAt = deps.now().toISOString();
      const store = (tx: Tx): Promise<void> => {
        hasBegun = true;
        return insert(tx, jobsOf(batch), createdAt);
      };
      await deps.transactions.run(store, { isOneStatement: true });
      if (waiting.length > 0) {
        unanswered = batch.length;
        onInserted();
        await nextTurn();
        unanswered = 0;
      }
      for (const { resolve } of batch) resolve(undefined);
    } catch (error) {
      if (hasBegun && batch.length > 1 && !(error instanceof StoreUnavailable)) await insertSeparately(batch);
      // If no transaction could begin, the other waiting jobs cannot be stored either.
      else for (const { reject } of hasBegun ? batch : [...batch, ...waiting.splice(0)]) reject(error);
    }
  }

  /** Stores one group of jobs. Calls `onInserted` when they are inserted but not yet committed. Never rejects. */
  async function insertBatch(onInserted: () => void): Promise<void> {
    const { insertPlainJobs } = deps.queue;
    if (insertPlainJobs !== undefined) {
      // First read all requests that have arrived, because no job can join a statement after it is sent. Do not wait
      // between two statements, because the database would be idle.
      if (unanswered === 0) await nextTurn();
      const plain = takePlain();
      if (plain.length > 0) return insertPlain(plain, insertPlainJobs, onInserted);
    }
    let batch: readonly WaitingJob[] = [];
    let insertFailed = false;
    try {
      const earlier = await deps.transactions.run(async (tx) => {
        // Choose the group only when the transaction starts, so that it includes all jobs that have arrived. If the
        // transaction runs again, keep the group.
        if (batch.length === 0) {
          batch = waiting.slice(0, BATCH_LIMIT);
          waiting = waiting.slice(BATCH_LIMIT);
        }
        insertFailed = true;
        const result = await insertJobs(deps, tx, jobsOf(batch));
        insertFailed = false;
        onInserted();
        return result;
      });
      for (const [index, { resolve }] of batch.entries()) resolve(earlier[index]);
    } catch (error) {
      // If the database is unavailable, do not insert each job alone, because each would wait again.
      if (insertFailed && batch.length > 1 && !(error instanceof StoreUnavailable)) await insertSeparately(batch);
      // The group is empty if no transaction could begin. Then reject all waiting jobs.
      else for (const { reject } of batch.length > 0 ? batch : waiting.splice(0)) reject(error);
    }
  }

  const insertSeparately = (batch: readonly WaitingJob[]) => Promise.all(batch.map(insertAlone));

  async function insertAlone({ job, resolve, reject }: WaitingJob): Promise<void> {
    try {
      const [earlier] = await deps.transactions.run((tx) => insertJobs(deps, tx, [job]));
      resolve(earlier);
    } catch (error) {
      reject(error);
    }
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      void insertAll();
    });
}

/** Returns whether a job is a `PlainJob`, which writes only its row, its ticket and the daily usage of its client. */
const isPlain = ({
  needs,
  metadata,
  idempotency,
  quotas,
  retryOf,
  batch,
  watchId,
  waitingFor,
  reservedMediaSeconds = 0,
}: JobToInsert): boolean =>
  needs.length === 0 &&
  reservedMediaSeconds === 0 &&
  [metadata, idempotency, quotas, retryOf, batch, watchId, waitingFor].every((value) => value === undefined);

const jobsOf = (batch: readonly WaitingJob[]): readonly JobToInsert[] => batch.map(({ job }) => job);

interface InsertedJob {
  /** The earlier use of the idempotency key. If it is defined, no job was stored. */
  readonly earlier: IdempotencyRecord | undefined;
  readonly waitingFor?: readonly string[] | undefined;
}

export type JobInsertion = ReturnType<typeof jobInsertion>;

/** Creates the function that stores single jobs. Create it once: all submissions share its batcher. */
export function jobInsertion(deps: InsertBatcherDeps & InsertDependentsDeps) {
  const insertTogether = insertBatcher(deps);
  return {
    /**
     * Stores a job. Resolves when the job is on disk. The result contains the earlier use of its idempotency key, or
     * the parents that it waits for. Jobs without `after` share transactions. A job with `after` has a transaction of
     * its own, which locks the parents. Throws INVALID_REQUEST if a parent has failed since the request was checked.
     */
    insertJob: async (job: JobToInsert, after?: readonly string[]): Promise<InsertedJob> => {
      if (after === undefined) return { earlier: await insertTogether(job) };
      const parents = after.map((jobId, index) => ({ jobId, field: `/after/${index}` }));
      const { earlier, waitingFor } = await deps.transactions.run((tx) =>
        insertDependents(deps, tx, [{ ...job, after: parents }]),
      );
      return { earlier: earlier[0], waitingFor: waitingFor.get(job.jobId) };
    },
  };
}

import { nextTurn } from '../../domain/steps.ts';
import { StoreUnavailable } from '../../domain/store-errors.ts';
import type { IdempotencyRecord } from '../ports/idempotency-store.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { type InsertJobsDeps, insertJobs, type JobToInsert } from './insert-jobs.ts';

/**
 * Stores a job with its ticket and its idempotency key in one transaction, and resolves once it is on disk. If the key
 * was used before, stores nothing and resolves with the earlier use.
 */
export type InsertTogether = (job: JobToInsert) => Promise<IdempotencyRecord | undefined>;

export interface InsertBatcherDeps extends InsertJobsDeps {
  readonly transactions: Transactions;
}

/** The most jobs per transaction. It bounds how long a batch blocks the event loop: some 7 µs per job. */
const BATCH_LIMIT = 256;

interface WaitingJob {
  readonly job: JobToInsert;
  readonly resolve: (earlier: IdempotencyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Jobs that arrive while a transaction inserts others wait for the next one and share its statements, because an insert of many rows
 * costs less per row. The next one begins while the last is committed, and one of plain jobs before the callers of the last continue.
 * If a job cannot be inserted, each job of its batch is stored in its own transaction. If the database is lost meanwhile, all jobs of
 * the batch are rejected. The jobs of a client are stored in their order.
 */
export function insertBatcher(deps: InsertBatcherDeps): InsertTogether {
  let waiting: WaitingJob[] = [];
  let isRunning = false;
  /** How many jobs are on disk whose callers are answered only after the next statement is sent. */
  let unanswered = 0;

  /** Runs the statements of one transaction at a time, because transactions side by side would wait for each other's locks. */
  async function insertAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let committed: Promise<void> | undefined;
    while (waiting.length > 0) {
      const previous = committed;
      await new Promise<void>((next) => {
        committed = insertBatch(next).finally(next);
      });
      // At most two transactions are open: more of them, waiting for the disk of PostgreSQL, would take all connections.
      await previous;
    }
    isRunning = false;
  }

  /**
   * Takes the first waiting jobs, up to the first that is not plain. If callers will be answered meanwhile, takes at most half of both:
   * two equal groups take turns, one in the database and one in the event loop, and a large group would leave a small one for the next.
   */
  function takePlain(): readonly WaitingJob[] {
    const most = unanswered === 0 ? waiting.length : Math.ceil((waiting.length + unanswered) / 2);
    const limit = Math.min(BATCH_LIMIT, most);
    const end = waiting.findIndex(({ job }, index) => index === limit || !isPlain(job));
    return waiting.splice(0, end < 0 ? waiting.length : end);
  }

  /** Stores plain jobs by one statement. If others wait then, calls `onInserted` first, and its own callers continue a turn later. */
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
      // If no transaction can begin, the waiting jobs cannot be stored either.
      else for (const { reject } of hasBegun ? batch : [...batch, ...waiting.splice(0)]) reject(error);
    }
  }

  /** Never rejects. Calls `onInserted` when the jobs are inserted, but not yet committed. */
  async function insertBatch(onInserted: () => void): Promise<void> {
    const { insertPlainJobs } = deps.queue;
    if (insertPlainJobs !== undefined) {
      // First, the requests that have arrived are read: no job can join a statement that is sent. Not between two statements, because
      // the database would have nothing to do.
      if (unanswered === 0) await nextTurn();
      const plain = takePlain();
      if (plain.length > 0) return insertPlain(plain, insertPlainJobs, onInserted);
    }
    let batch: readonly WaitingJob[] = [];
    let insertFailed = false;
    try {
      const earlier = await deps.transactions.run(async (tx) => {
        // Choose the batch when the transaction starts, so that it contains all jobs that have arrived. If the
        // transaction runs again, it keeps its batch.
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
      // Without the database, each alone would only wait for it again.
      if (insertFailed && batch.length > 1 && !(error instanceof StoreUnavailable)) await insertSeparately(batch);
      // An empty batch means that no transaction could begin. Then reject the waiting jobs, for which none could begin
      // either.
      else for (const { reject } of batch.length > 0 ? batch : waiting.splice(0)) reject(error);
    }
  }

  /** The jobs of a client one after the other, because the rank of a job follows that of the client's newest job. */
  async function insertSeparately(batch: readonly WaitingJob[]): Promise<void> {
    const byClient = Map.groupBy(batch, ({ job }) => job.clientId);
    await Promise.all(
      [...byClient.values()].map(async (jobs) => {
        for (const job of jobs) await insertAlone(job);
      }),
    );
  }

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

/** Whether storing the job writes only its row, its ticket and its client's usage of the day. */
const isPlain = ({
  needs,
  metadata,
  idempotency,
  quotas,
  retryOf,
  batch,
  waitingFor,
  reservedMediaSeconds = 0,
}: JobToInsert): boolean =>
  needs.length === 0 &&
  reservedMediaSeconds === 0 &&
  [metadata, idempotency, quotas, retryOf, batch, waitingFor].every((value) => value === undefined);

const jobsOf = (batch: readonly WaitingJob[]): readonly JobToInsert[] => batch.map(({ job }) => job);

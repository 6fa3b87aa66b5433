import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import type { Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';
import { withTx } from '../transaction/database.ts';

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of the log. https://www.sqlite.org/rescode.html */
const FULL: ReadonlySet<unknown> = new Set([13, 4874]);

export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && (FULL.has((error as { errcode?: unknown }).errcode) || isFullDisk(error.cause));

/** Returns the problem UNAVAILABLE for an error of SQLite on a full disk, and any other error unchanged. */
const explainFullDisk = (error: unknown): unknown => (isFullDisk(error) ? new StoreFull('this request') : error);

/** The most units per commit. It bounds how long a group blocks the event loop: some 15 µs per unit. */
const GROUP_LIMIT = 256;

/** The delay between two recoveries from a failed flush without other writes. */
const RECOVERY_RETRY_MS = 1000;

interface GroupCommitOptions {
  /** A connection in WAL mode with `synchronous=NORMAL`, so that COMMIT does not wait for the disk. */
  readonly connection: DatabaseSync;
  /** Kysely on `connection`. No other code may use the connection. */
  readonly writer: Kysely<Schema>;
  /** Flushes the write-ahead log to disk, off the event loop. */
  readonly syncWal: () => Promise<void>;
  /** Fixes the snapshot of reads until the returned function is called. */
  readonly holdReads: () => () => void;
  /** Copies the log into the database, off the event loop, if it is long. Transactions wait for it. Never rejects. */
  readonly checkpointIfDue: () => Promise<void> | undefined;
}

/** Transactions that share commits and disk flushes. */
interface GroupCommit extends Transactions {
  /**
   * Call this before each read, and await its promise; undefined: read at once. A read waits for a running flush if
   * another process has committed in between, because its user may know that commit. Throws after a failed flush,
   * because a crash could undo the commits.
   */
  readable(): Promise<void> | undefined;
  /** Rejects new units, and resolves when the queued ones are done. */
  close(): Promise<void>;
}

interface QueuedUnit {
  readonly durable: boolean;
  /** Runs the unit. Returns the function that resolves its caller. */
  readonly run: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** A unit that has run. `settle` resolves or rejects the promise of its caller. */
interface FinishedUnit {
  readonly durable: boolean;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs queued units in one `BEGIN IMMEDIATE … COMMIT`, flushes the write-ahead log once if a unit must be durable, then
 * resolves all callers. Reads see the group only after the flush. Units that arrive during a flush form the next group.
 * If a unit fails, the group runs again with savepoints, and only the failing unit is rolled back.
 */
export function groupCommit({
  connection,
  writer,
  syncWal,
  holdReads,
  checkpointIfDue,
}: GroupCommitOptions): GroupCommit {
  const command = (text: string): (() => void) => {
    const statement = connection.prepare(text);
    return () => void statement.run();
  };
  const begin = command('begin immediate');
  const commit = command('commit');
  const rollback = command('rollback');
  const savepoint = command('savepoint unit');
  const release = command('release unit');
  const rollbackUnit = command('rollback to unit');
  const checkpoint = connection.prepare('pragma wal_checkpoint(truncate)');
  const versionRow = connection.prepare('pragma data_version');
  /** Changes with each commit of another connection. */
  const version = (): unknown => versionRow.get()?.['data_version'];
  let queued: QueuedUnit[] = [];
  let working: Promise<void> | undefined;
  let flushFailure: { readonly error: unknown } | undefined;
  let flushing: { readonly version: unknown; readonly ended: Promise<void> } | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function runUnit({ durable, run, reject }: QueuedUnit): Promise<FinishedUnit> {
    return { durable, settle: await run(), reject };
  }

  async function runInSavepoint(unit: QueuedUnit): Promise<FinishedUnit> {
    savepoint();
    try {
      const finished = await runUnit(unit);
      release();
      return finished;
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction, including the units before this one.
      if (!connection.isTransaction) throw error;
      rollbackUnit();
      release();
      // An earlier unit of the group may be the cause, so the rejection waits for the flush too.
      return { durable: unit.durable, settle: () => unit.reject(explainFullDisk(error)), reject: unit.reject };
    }
  }

  /** A savepoint costs a fifth of the time of a small unit, and few units fail. So the first run uses none. */
  async function runUnits(group: readonly QueuedUnit[]): Promise<readonly FinishedUnit[]> {
    const finished: FinishedUnit[] = [];
    try {
      for (const unit of group) finished.push(await runUnit(unit));
      return finished;
    } catch (error) {
      if (group.length === 1) throw error;
    }
    if (connection.isTransaction) rollback();
    begin();
    finished.length = 0;
    for (const unit of group) finished.push(await runInSavepoint(unit));
    return finished;
  }

  /** Commits the units and begins their flush. Returns a function that settles the units: call it when the flush has ended. */
  async function commitGroup(group: readonly QueuedUnit[]): Promise<() => void> {
    const needsFlush = group.some(({ durable }) => durable);
    let finished: readonly FinishedUnit[] = [];
    let releaseReads = (): void => {};
    try {
      if (flushFailure !== undefined) recoverLog();
      begin();
      finished = await runUnits(group);
      if (needsFlush) releaseReads = holdReads();
      commit();
    } catch (error) {
      releaseReads();
      for (const unit of group) unit.reject(explainFullDisk(error));
      if (connection.isTransaction) rollback();
      return () => {};
    }
    if (needsFlush) flushing = { version: version(), ended: flush(releaseReads) };
    return () => {
      for (const { durable, settle, reject } of finished)
        if (durable && flushFailure !== undefined) reject(explainFullDisk(flushFailure.error));
        else settle();
    };
  }

  async function flush(releaseReads: () => void): Promise<void> {
    const failed = await syncWal().then(
      () => false,
      () => true,
    );
    // Before the recovery, because a read transaction keeps checkpoints from emptying the log.
    releaseReads();
    flushing = undefined;
    if (!failed) return;
    try {
      recoverLog();
    } catch (error) {
      flushFailure = { error };
    }
  }

  /**
   * Recovers commits that a failed flush may have lost: SQLite ignores commits after a gap in the log. The checkpoint
   * flushes the log, copies it into the database, flushes that and empties the log. Throws if it fails.
   */
  function recoverLog(): void {
    if (checkpoint.get()?.['busy'] !== 0)
      throw new Error('The disk failed to store earlier transactions. No new ones are stored.');
    flushFailure = undefined;
  }

  function checkFlushed(): void {
    if (flushFailure !== undefined) throw flushFailure.error;
  }

  /** Waiting units are committed before the callers of the flushed group continue, so that the disk works in the meantime. */
  async function work(): Promise<void> {
    let settleFlushed: (() => void) | undefined;
    while (queued.length > 0 || settleFlushed !== undefined) {
      await nextTurn();
      const group = queued.slice(0, GROUP_LIMIT);
      queued = queued.slice(GROUP_LIMIT);
      const settle = group.length > 0 ? await commitGroup(group) : undefined;
      settleFlushed?.();
      settleFlushed = settle;
      await flushing?.ended;
      const checkpoint = checkpointIfDue();
      if (checkpoint === undefined) continue;
      settleFlushed?.();
      settleFlushed = undefined;
      await checkpoint;
    }
    working = undefined;
    if (flushFailure !== undefined) retry ??= setTimeout(retryRecovery, RECOVERY_RETRY_MS).unref();
  }

  /** Runs an empty transaction, which recovers the log without other writes. */
  function retryRecovery(): void {
    retry = undefined;
    if (flushFailure !== undefined) enqueue(async () => {}).catch(() => {});
  }

  function enqueue<T>(unit: (tx: Tx) => Promise<T>, { durable = true } = {}): Promise<T> {
    if (closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const value = await withTx(writer, unit);
        return () => resolve(value);
      };
      queued.push({ durable, run, reject });
      working ??= work();
    });
  }

  return {
    run: enqueue,
    readable() {
      checkFlushed();
      return flushing === undefined || flushing.version === version() ? undefined : flushing.ended.then(checkFlushed);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await working;
    },
  };
}

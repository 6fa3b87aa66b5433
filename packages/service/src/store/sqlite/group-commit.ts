import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import type { Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';
import { withTx } from '../transaction/database.ts';

/**
 * The SQLite codes of a full disk: SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of the log. See
 * https://www.sqlite.org/rescode.html.
 */
const FULL: ReadonlySet<unknown> = new Set([13, 4874]);

export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && (FULL.has((error as { errcode?: unknown }).errcode) || isFullDisk(error.cause));

/** Converts SQLite's error for a full disk to the problem UNAVAILABLE. Returns any other error unchanged. */
const explainFullDisk = (error: unknown): unknown => (isFullDisk(error) ? new StoreFull('this request') : error);

/** The maximum number of units per commit, because a group blocks the event loop for about 15 µs per unit. */
const GROUP_LIMIT = 256;

/** How often recovery from a failed flush is tried while there are no writes, in ms. */
const RECOVERY_RETRY_MS = 1000;

interface GroupCommitOptions {
  /** A connection in WAL mode with `synchronous=NORMAL`, with which COMMIT does not wait for the disk. */
  readonly connection: DatabaseSync;
  /** Kysely on `connection`. Only the group commit uses this connection. */
  readonly writer: Kysely<Schema>;
  /** Flushes the write-ahead log to disk, without blocking the event loop. */
  readonly syncWal: () => Promise<void>;
  /** Makes all reads see the current state of the database, until the returned function is called. */
  readonly holdReads: () => () => void;
  /**
   * If the write-ahead log is long, copies it into the database without blocking the event loop. Transactions wait for
   * the returned promise. Never rejects.
   */
  readonly checkpointIfDue: () => Promise<void> | undefined;
}

/** Runs transactions that share commits and disk flushes. */
interface GroupCommit extends Transactions {
  /**
   * Call this before each read, and await the returned promise. undefined: read at once. If another process has
   * committed during a flush, the read waits for the end of the flush: the user may already know that commit, and until
   * then reads do not see it. Throws after a failed flush, because a crash could undo what the read would return.
   */
  readable(): Promise<void> | undefined;
  /** Rejects new units. Resolves when the queued units have ended. */
  close(): Promise<void>;
}

interface QueuedUnit {
  readonly durable: boolean;
  /** Runs the unit. Returns a function that resolves the promise of its caller. */
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
 * Runs the queued units in one `BEGIN IMMEDIATE … COMMIT`. If one of them must be durable, flushes the write-ahead log
 * once. Then resolves all callers. Reads see the writes of the group only after the flush. Units that arrive during a
 * flush form the next group. If a unit fails, runs the group again with savepoints, so that only this unit is rolled
 * back.
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
  /** Returns a number that changes with each commit of another connection. */
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
      // A full disk or an I/O error ends the whole transaction, with the earlier units of the group.
      if (!connection.isTransaction) throw error;
      rollbackUnit();
      release();
      // Reject the caller only after the flush, because the error may be due to an earlier unit of the group, whose
      // commit must not be visible before.
      return { durable: unit.durable, settle: () => unit.reject(explainFullDisk(error)), reject: unit.reject };
    }
  }

  /**
   * Runs the units of a group. The first run uses no savepoints: units seldom fail, and a savepoint takes a fifth of
   * the time of a small unit.
   */
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

  /**
   * Commits the units and begins their flush. Returns a function that settles the units, to be called after the flush
   * has ended.
   */
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
    // Release the reads before the recovery: during a read transaction, a checkpoint cannot empty the log.
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
   * Saves commits that a failed flush may have lost: after a gap in the log, SQLite ignores all later commits. The
   * checkpoint flushes the log, copies it into the database, flushes the database and empties the log. Throws if the
   * checkpoint fails.
   */
  function recoverLog(): void {
    if (checkpoint.get()?.['busy'] !== 0)
      throw new Error(
        'The disk failed to store earlier transactions, so no new ones are accepted until it can store these.',
      );
    flushFailure = undefined;
  }

  function checkFlushed(): void {
    if (flushFailure !== undefined) throw flushFailure.error;
  }

  /**
   * Commits the queued groups one after the other. Commits the next group before the callers of the flushed group
   * continue, so that the disk is not idle.
   */
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

  /** Runs an empty transaction, which recovers the log if there are no other writes. */
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

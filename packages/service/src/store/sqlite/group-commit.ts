import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import { type Db, withTx } from '../transaction/database.ts';

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
  readonly writer: Db;
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

const prepareStatements = (connection: DatabaseSync) => ({
  begin: connection.prepare('begin immediate'),
  commit: connection.prepare('commit'),
  rollback: connection.prepare('rollback'),
  savepoint: connection.prepare('savepoint unit'),
  release: connection.prepare('release unit'),
  rollbackUnit: connection.prepare('rollback to unit'),
  checkpoint: connection.prepare('pragma wal_checkpoint(truncate)'),
  version: connection.prepare('pragma data_version'),
});

/**
 * Runs transactions that share commits and disk flushes: the queued units in one `BEGIN IMMEDIATE … COMMIT`. If one of
 * them must be durable, flushes the write-ahead log once. Then resolves all callers. Reads see the writes of the group
 * only after the flush. Units that arrive during a flush form the next group. If a unit fails, runs the group again with
 * savepoints, so that only this unit is rolled back.
 */
export class GroupCommit implements Transactions {
  readonly #options: GroupCommitOptions;
  readonly #sql: ReturnType<typeof prepareStatements>;
  #queued: QueuedUnit[] = [];
  #working: Promise<void> | undefined;
  #flushFailure: { readonly error: unknown } | undefined;
  #flushing: { readonly version: unknown; readonly ended: Promise<void> } | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#sql = prepareStatements(options.connection);
  }

  run<T>(unit: (tx: Tx) => Promise<T>, { durable = true } = {}): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const value = await withTx(this.#options.writer, unit);
        return () => resolve(value);
      };
      this.#queued.push({ durable, run, reject });
      this.#working ??= this.#work();
    });
  }

  /**
   * Call this before each read, and await the returned promise. undefined: read at once. If another process has
   * committed during a flush, the read waits for the end of the flush: the user may already know that commit, and until
   * then reads do not see it. Throws after a failed flush, because a crash could undo what the read would return.
   */
  readable(): Promise<void> | undefined {
    this.#checkFlushed();
    if (this.#flushing === undefined || this.#flushing.version === this.#version()) return undefined;
    return this.#flushing.ended.then(() => this.#checkFlushed());
  }

  /** Rejects new units. Resolves when the queued units have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#working;
  }

  /**
   * Commits the queued groups one after the other. Commits the next group before the callers of the flushed group
   * continue, so that the disk is not idle.
   */
  async #work(): Promise<void> {
    let settleFlushed: (() => void) | undefined;
    while (this.#queued.length > 0 || settleFlushed !== undefined) {
      await nextTurn();
      const group = this.#queued.slice(0, GROUP_LIMIT);
      this.#queued = this.#queued.slice(GROUP_LIMIT);
      const settle = group.length > 0 ? await this.#commitGroup(group) : undefined;
      settleFlushed?.();
      settleFlushed = settle;
      await this.#flushing?.ended;
      const checkpoint = this.#options.checkpointIfDue();
      if (checkpoint === undefined) continue;
      settleFlushed?.();
      settleFlushed = undefined;
      await checkpoint;
    }
    this.#working = undefined;
    if (this.#flushFailure !== undefined)
      this.#retry ??= setTimeout(() => this.#retryRecovery(), RECOVERY_RETRY_MS).unref();
  }

  /**
   * Commits the units and begins their flush. Returns a function that settles the units, to be called after the flush
   * has ended.
   */
  async #commitGroup(group: readonly QueuedUnit[]): Promise<() => void> {
    const { connection, holdReads } = this.#options;
    const needsFlush = group.some(({ durable }) => durable);
    let finished: readonly FinishedUnit[] = [];
    let releaseReads = (): void => {};
    try {
      if (this.#flushFailure !== undefined) this.#recoverLog();
      this.#sql.begin.run();
      finished = await this.#runUnits(group);
      if (needsFlush) releaseReads = holdReads();
      this.#sql.commit.run();
    } catch (error) {
      releaseReads();
      for (const unit of group) unit.reject(explainFullDisk(error));
      if (connection.isTransaction) this.#sql.rollback.run();
      return () => {};
    }
    if (needsFlush) this.#flushing = { version: this.#version(), ended: this.#flush(releaseReads) };
    return () => {
      for (const { durable, settle, reject } of finished)
        if (durable && this.#flushFailure !== undefined) reject(explainFullDisk(this.#flushFailure.error));
        else settle();
    };
  }

  /**
   * Runs the units of a group. The first run uses no savepoints: units seldom fail, and a savepoint takes a fifth of
   * the time of a small unit.
   */
  async #runUnits(group: readonly QueuedUnit[]): Promise<readonly FinishedUnit[]> {
    const finished: FinishedUnit[] = [];
    try {
      for (const unit of group) finished.push(await runUnit(unit));
      return finished;
    } catch (error) {
      if (group.length === 1) throw error;
    }
    if (this.#options.connection.isTransaction) this.#sql.rollback.run();
    this.#sql.begin.run();
    finished.length = 0;
    for (const unit of group) finished.push(await this.#runInSavepoint(unit));
    return finished;
  }

  async #runInSavepoint(unit: QueuedUnit): Promise<FinishedUnit> {
    this.#sql.savepoint.run();
    try {
      const finished = await runUnit(unit);
      this.#sql.release.run();
      return finished;
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction, with the earlier units of the group.
      if (!this.#options.connection.isTransaction) throw error;
      this.#sql.rollbackUnit.run();
      this.#sql.release.run();
      // Reject the caller only after the flush, because the error may be due to an earlier unit of the group, whose
      // commit must not be visible before.
      return { durable: unit.durable, settle: () => unit.reject(explainFullDisk(error)), reject: unit.reject };
    }
  }

  async #flush(releaseReads: () => void): Promise<void> {
    const failed = await this.#options.syncWal().then(
      () => false,
      () => true,
    );
    // Release the reads before the recovery: during a read transaction, a checkpoint cannot empty the log.
    releaseReads();
    this.#flushing = undefined;
    if (!failed) return;
    try {
      this.#recoverLog();
    } catch (error) {
      this.#flushFailure = { error };
    }
  }

  /**
   * Saves commits that a failed flush may have lost: after a gap in the log, SQLite ignores all later commits. The
   * checkpoint flushes the log, copies it into the database, flushes the database and empties the log. Throws if the
   * checkpoint fails.
   */
  #recoverLog(): void {
    if (this.#sql.checkpoint.get()?.['busy'] !== 0)
      throw new Error(
        'The disk failed to store earlier transactions, so no new ones are accepted until it can store these.',
      );
    this.#flushFailure = undefined;
  }

  /** Runs an empty transaction, which recovers the log if there are no other writes. */
  #retryRecovery(): void {
    this.#retry = undefined;
    if (this.#flushFailure !== undefined) this.run(async () => {}).catch(() => {});
  }

  #checkFlushed(): void {
    if (this.#flushFailure !== undefined) throw this.#flushFailure.error;
  }

  /** Returns a number that changes with each commit of another connection. */
  #version(): unknown {
    return this.#sql.version.get()?.['data_version'];
  }
}

const runUnit = async ({ durable, run, reject }: QueuedUnit): Promise<FinishedUnit> => ({
  durable,
  settle: await run(),
  reject,
});

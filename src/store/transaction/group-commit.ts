import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import type { Transactions, Tx } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';
import { withTx } from './tx.ts';

/**
 * Units of one commit. It bounds how long the event loop is held: some 15 µs a unit, and 2 ms the one that holds many
 * submissions.
 */
const GROUP_LIMIT = 256;

interface Waiting {
  /** Runs the unit and returns what tells its caller of the result, once that is on disk. */
  readonly run: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Transactions that share commits. */
export interface GroupCommit extends Transactions {
  /** Lets another connection write while no unit runs here: SQLite would have the later one sleep on the lock. */
  aside<T>(write: () => Promise<T>): Promise<T>;
  /** Resolves when all units that were asked for are over; later ones are refused. */
  close(): Promise<void>;
}

/**
 * The units that wait at the end of an event loop's turn go into one `BEGIN IMMEDIATE`, one after the other, and their
 * callers hear of them after the COMMIT: a disk flush is shared by all who wait for one. Where a unit fails, all are
 * run again with a savepoint each, and it alone is undone.
 * `writer` is Kysely on `connection`; nobody else may use either.
 */
export function groupCommit(connection: DatabaseSync, writer: Kysely<Schema>): GroupCommit {
  const command = (text: string): (() => void) => {
    const statement = connection.prepare(text);
    return () => void statement.run();
  };
  const begin = command('begin immediate');
  const commit = command('commit');
  const rollback = command('rollback');
  const savepoint = command('savepoint unit');
  const release = command('release unit');
  const undo = command('rollback to unit');
  const oneAtATime = pLimit(1);
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closed = false;

  /** Where the unit fails, it alone is undone. */
  async function runApart(unit: Waiting): Promise<() => void> {
    savepoint();
    try {
      const tell = await unit.run();
      release();
      return tell;
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction, the units before this one included.
      if (!connection.isTransaction) throw error;
      undo();
      release();
      return () => unit.reject(error);
    }
  }

  /** Savepoints would be a fifth of a small unit's work, and few units fail: they are set once one has. */
  async function runAll(group: readonly Waiting[]): Promise<readonly (() => void)[]> {
    const tell: (() => void)[] = [];
    try {
      for (const unit of group) tell.push(await unit.run());
      return tell;
    } catch (error) {
      if (group.length === 1) throw error;
    }
    if (connection.isTransaction) rollback();
    begin();
    tell.length = 0;
    for (const unit of group) tell.push(await runApart(unit));
    return tell;
  }

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      begin();
      const tell = await runAll(group);
      commit();
      for (const told of tell) told();
    } catch (error) {
      for (const unit of group) unit.reject(error);
      if (connection.isTransaction) rollback();
    }
  }

  /** A turn of the event loop lies between groups: replies leave, and the next requests gather. */
  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise(setImmediate);
      const group = waiting.slice(0, GROUP_LIMIT);
      waiting = waiting.slice(GROUP_LIMIT);
      await oneAtATime(runGroup, group);
    }
    working = undefined;
  }

  return {
    run<T>(unit: (tx: Tx) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        const runUnit = async () => {
          const value = await withTx(writer, unit);
          return () => resolve(value);
        };
        waiting.push({ run: runUnit, reject });
        working ??= work();
      });
    },
    aside: (write) => oneAtATime(write),
    async close() {
      closed = true;
      await working;
    },
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';
import { withTx } from './tx.ts';

/** Units of one commit. It bounds how long the event loop is held: some 15 µs a submission. */
const GROUP_LIMIT = 256;

interface Waiting {
  /** Runs the unit and returns what tells its caller of the result, once that is on disk. */
  readonly run: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Transactions that share commits. */
export interface GroupCommit extends Transactions {
  /** Resolves when all units that were asked for are over; later ones are refused. */
  close(): Promise<void>;
}

/**
 * The units that wait at the end of an event loop's turn go into one `BEGIN IMMEDIATE`, a savepoint each, one after
 * the other, and their callers hear of them after the COMMIT: a disk flush is shared by all who wait for one.
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
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closed = false;

  async function attempt<T>(unit: (tx: Tx) => Promise<T>, resolve: (value: T) => void, reject: (e: unknown) => void) {
    savepoint();
    try {
      const value = await withTx(writer, unit);
      release();
      return () => resolve(value);
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction, the units before this one included.
      if (!connection.isTransaction) throw error;
      undo();
      release();
      return () => reject(error);
    }
  }

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    const tell: (() => void)[] = [];
    try {
      begin();
      for (const unit of group) tell.push(await unit.run());
      commit();
    } catch (error) {
      for (const unit of group) unit.reject(error);
      if (connection.isTransaction) rollback();
      return;
    }
    for (const told of tell) told();
  }

  /** A turn of the event loop lies between groups: replies leave, and the next requests gather. */
  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise(setImmediate);
      const group = waiting.slice(0, GROUP_LIMIT);
      waiting = waiting.slice(GROUP_LIMIT);
      await runGroup(group);
    }
    working = undefined;
  }

  return {
    run<T>(unit: (tx: Tx) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ run: () => attempt(unit, resolve, reject), reject });
        working ??= work();
      });
    },
    async close() {
      closed = true;
      await working;
    },
  };
}

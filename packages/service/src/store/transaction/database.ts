import type { Expression, Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';

/** The access to the database that the repositories and the queue need. */
export interface Database {
  /** A read-only connection. Its queries return only data that is committed and on disk. */
  readonly reader: Kysely<Schema>;
  readonly transactions: Transactions;
  /** Runs `unit` as one transaction, as `transactions` does. */
  readonly write: <T>(
    unit: (db: Kysely<Schema>) => Promise<T>,
    options?: Parameters<Transactions['run']>[1],
  ) => Promise<T>;
  /** Whether a statement is prepared once, rather than planned for each run. */
  readonly preparesStatements: boolean;
  /** The time in `seconds` from now (default: 0) by the clock of the database, as ISO 8601 text in UTC. */
  readonly now: (seconds?: number) => Expression<string>;
  /** The lowest number of an invisible change. Changes with lower numbers are visible to later statements, or were undone. */
  readonly firstOpenChange: Expression<number>;
  /** Reserves change numbers for `count` new jobs, and returns the first. Absent if the database numbers transactions. */
  readonly reserveChanges?: (db: Kysely<Schema>, count: number) => Promise<number>;
  /** Locks a name until the end of the transaction of `db`. Absent if transactions run one after the other. */
  readonly lock?: (
    db: Kysely<Schema>,
    kind:
      | 'rank of client'
      | 'storage of client'
      | 'uploads of client'
      | 'token family'
      | 'old jobs'
      | 'old audit records'
      | 'old credentials'
      | 'webhooks of client'
      | 'recipes of client'
      | 'administrators'
      | 'webhook events',
    name: string,
  ) => Promise<void>;
  /** Runs `run` while no other process on the database runs under this name. Absent if no other process uses the database. */
  readonly runAlone?: (name: string, run: () => Promise<void>) => Promise<void>;
}

/** Whether the database has locks of rows. Without them, transactions run one after the other. */
export const hasRowLocks = ({ lock }: Pick<Database, 'lock'>): boolean => lock !== undefined;

/** The databases of open transactions. */
const databases = new WeakMap<Tx, Kysely<Schema>>();

/** Runs `unit` with a `Tx` that becomes invalid when the unit ends. */
export async function withTx<T>(db: Kysely<Schema>, unit: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = {} as Tx;
  databases.set(tx, db);
  try {
    return await unit(tx);
  } finally {
    databases.delete(tx);
  }
}

/** Returns the database for `tx`. Throws after the end of the unit, because a late write would join another unit. */
export function dbOf(tx: Tx): Kysely<Schema> {
  const db = databases.get(tx);
  if (db === undefined) throw new Error('This transaction is over.');
  return db;
}

export const writerOf =
  ({ run }: Transactions): Database['write'] =>
  (unit, options) =>
    run((tx) => unit(dbOf(tx)), options);

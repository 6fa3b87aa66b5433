import type { Expression, Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';

/** The database, or a transaction of it. */
export type Db = Kysely<Schema>;

/** Gives the repositories and the queue access to the database. */
export interface Database {
  /** A connection for reads. It returns only data that is committed and on disk. */
  readonly reader: Db;
  readonly transactions: Transactions;
  /** Runs `unit` as one transaction, like `transactions`. */
  readonly write: <T>(unit: (db: Db) => Promise<T>, options?: Parameters<Transactions['run']>[1]) => Promise<T>;
  /** true: a statement is prepared once. false: it is planned at each run. */
  readonly preparesStatements: boolean;
  /** The time `seconds` from now (default: 0) as ISO 8601 text in UTC, by the clock of the database. */
  readonly now: (seconds?: number) => Expression<string>;
  /**
   * The change numbers of open transactions, and last the next number that no transaction has yet, separated by commas.
   * Changes with lower numbers that are not listed are visible to later statements, or were rolled back.
   */
  readonly openChanges: Expression<string>;
  /**
   * Reserves change numbers for `count` new jobs. Returns the first one. Absent if the numbers are computed from the
   * ids of transactions (PostgreSQL).
   */
  readonly reserveChanges?: (db: Db, count: number) => Promise<number>;
  /** Locks a name until the transaction of `db` ends. Absent in a database that runs one transaction at a time. */
  readonly lock?: (
    db: Db,
    kind:
      | 'storage of client'
      | 'uploads of client'
      | 'token family'
      | 'old jobs'
      | 'old audit records'
      | 'old credentials'
      | 'webhooks of client'
      | 'recipes of client'
      | 'shares of client'
      | 'watches of client'
      | 'administrators'
      | 'webhook events',
    name: string,
  ) => Promise<void>;
  /** Runs `run` while no other process runs something under this name. Absent if no other process uses the database. */
  readonly runAlone?: (name: string, run: () => Promise<void>) => Promise<void>;
}

/** Returns whether the database can lock rows. A database that cannot runs one transaction at a time. */
export const hasRowLocks = ({ lock }: Pick<Database, 'lock'>): boolean => lock !== undefined;

/** The database connection of each open transaction. */
const databases = new WeakMap<Tx, Db>();

/** Runs `unit` with a `Tx` that becomes invalid when the unit ends. */
export async function withTx<T>(db: Db, unit: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = {} as Tx;
  databases.set(tx, db);
  try {
    return await unit(tx);
  } finally {
    databases.delete(tx);
  }
}

/**
 * Returns the database connection of `tx`. Throws after the unit has ended: a late write would become part of another
 * unit.
 */
export function dbOf(tx: Tx): Db {
  const db = databases.get(tx);
  if (db === undefined) throw new Error('This transaction has ended. Use `tx` only until its unit has ended.');
  return db;
}

export const writerOf =
  (transactions: Transactions): Database['write'] =>
  (unit, options) =>
    transactions.run((tx) => unit(dbOf(tx)), options);

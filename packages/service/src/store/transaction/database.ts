import type { Expression, Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';

/** Gives the repositories and the queue access to the database. */
export interface Database {
  /** A connection for reads. Its queries return only data that is committed and on disk. */
  readonly reader: Kysely<Schema>;
  readonly transactions: Transactions;
  /** Runs `unit` as one transaction, like `transactions`. */
  readonly write: <T>(
    unit: (db: Kysely<Schema>) => Promise<T>,
    options?: Parameters<Transactions['run']>[1],
  ) => Promise<T>;
  /** Whether a statement is prepared once. If false, it is planned for each run. */
  readonly preparesStatements: boolean;
  /** The time `seconds` from now (default: 0) as ISO 8601 text in UTC, by the clock of the database. */
  readonly now: (seconds?: number) => Expression<string>;
  /**
   * The lowest number of a change that is not visible yet. Changes with lower numbers are visible to later statements,
   * or were rolled back.
   */
  readonly firstOpenChange: Expression<number>;
  /** Reserves change numbers for `count` new jobs. Returns the first number. Absent if the database numbers transactions. */
  readonly reserveChanges?: (db: Kysely<Schema>, count: number) => Promise<number>;
  /** Locks a name until the transaction of `db` ends. Absent if transactions run one after the other. */
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
  /** Runs `run` while no other process runs something under this name. Absent if no other process uses the database. */
  readonly runAlone?: (name: string, run: () => Promise<void>) => Promise<void>;
}

/** Whether the database can lock rows. If not, transactions run one after the other. */
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

/** Returns the database for `tx`. Throws after the unit has ended, because a late write would become part of another unit. */
export function dbOf(tx: Tx): Kysely<Schema> {
  const db = databases.get(tx);
  if (db === undefined) throw new Error('This transaction is over.');
  return db;
}

export const writerOf =
  ({ run }: Transactions): Database['write'] =>
  (unit, options) =>
    run((tx) => unit(dbOf(tx)), options);

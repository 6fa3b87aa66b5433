import type { Expression, Kysely } from 'kysely';
import type { Transactions } from '../../jobs/ports/transactions.ts';
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
  /** Whether a statement is prepared once and kept, rather than planned each time it runs. */
  readonly preparesStatements: boolean;
  /** The time in `seconds` from now (default: 0) by the clock of the database, as ISO 8601 text in UTC. */
  readonly now: (seconds?: number) => Expression<string>;
  /**
   * The lowest number that a change which is not visible yet can have. All changes with lower numbers are visible to the
   * statement with this expression and to later ones, or were undone.
   */
  readonly firstOpenChange: Expression<number>;
  /**
   * Reserves numbers of changes for `count` jobs to insert, and returns the first. Absent if the database gives the number
   * of the transaction.
   */
  readonly reserveChanges?: (db: Kysely<Schema>, count: number) => Promise<number>;
  /**
   * Waits until no other open transaction has locked the same, and locks it until the end of the transaction of `db`.
   * Absent if transactions run one after the other.
   */
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
  /**
   * Runs `run` while no other process on the database runs something under this name. Absent if no other process uses the
   * database.
   */
  readonly runAlone?: (name: string, run: () => Promise<void>) => Promise<void>;
}

/** Whether the database has locks of rows. Without them, transactions run one after the other. */
export const hasRowLocks = ({ lock }: Pick<Database, 'lock'>): boolean => lock !== undefined;

import type { Kysely } from 'kysely';
import type { Transactions } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';

/** The access to the database that the repositories and the queue need. */
export interface Database {
  /** A read-only connection. Its queries return only data that is committed and on disk. */
  readonly reader: Kysely<Schema>;
  readonly transactions: Transactions;
  /**
   * Waits until no other open transaction has locked the same, and locks it until the end of the transaction of `db`.
   * Absent if transactions run one after the other.
   */
  readonly lock?: (db: Kysely<Schema>, kind: 'rank of client' | 'token family', name: string) => Promise<void>;
}

import type { Kysely } from 'kysely';
import type { Transactions } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';

/** What the repositories and the queue need of the database. */
export interface Database {
  /** Reads what is committed and on disk. It cannot write. */
  readonly reader: Kysely<Schema>;
  readonly transactions: Transactions;
}

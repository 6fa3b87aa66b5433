import type { Kysely } from 'kysely';
import type { Transactions } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';

/** What the repositories and the queue engine stand on. */
export interface Database {
  /** Reads what is committed, and nothing else; never used to write. */
  readonly reader: Kysely<Schema>;
  readonly transactions: Transactions;
}

import type { Kysely } from 'kysely';

/** Adds how many files a link takes. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('shares').addColumn('max_files', 'integer').execute();

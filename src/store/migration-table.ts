import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** The table with the names of the migrations that the database has. */
export const MIGRATION_TABLE = 'telecine_migrations';

/** The database with the table of its migrations. */
export const migrationsIn = (db: Kysely<Schema>) =>
  db.withTables<{ [MIGRATION_TABLE]: { name: string; timestamp: string } }>();

import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres, statementsOf } from './0001-release-0.1.ts';

/**
 * Replaces the counts of single files by what clients use of their quota `storage`. The old totals count until the media roots are added up.
 * Bins need no table any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of statementsOf(isSqlite ? TABLES : forPostgres(TABLES))) await sql.raw(statement).execute(db);
}

const TABLES = `
create table storage_use (
  client_id text primary key,
  bytes bigint not null,
  bin_bytes bigint not null,
  grown bigint not null,
  sum_at text not null
) without rowid;
create table storage_reservations (
  client_id text not null,
  id text not null,
  bytes bigint not null,
  at text not null,
  constraint storage_reservations_pk primary key (client_id, id)
) without rowid;
insert into storage_use (client_id, bytes, bin_bytes, grown, sum_at) select client_id, bytes, 0, 0, '' from client_storage;
drop table bin_entries;
drop table client_files;
drop table client_storage;
drop table pending_files;
`;

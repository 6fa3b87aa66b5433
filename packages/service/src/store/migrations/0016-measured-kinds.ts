import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/** Adds what jobs of each kind took. The column `workers.speeds`, in which workers reported it, is no longer used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await sql.raw(isSqlite ? TABLE : forPostgres(TABLE)).execute(db);
}

const TABLE = `
  create table measured_kinds (
    kind text not null,
    processors integer not null,
    jobs integer not null,
    mean double precision not null,
    variance double precision not null,
    measured_at text not null,
    constraint measured_kinds_pk primary key (kind, processors)
  ) without rowid`;

import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/**
 * Adds the turns of clients, which replace the ranks of jobs. The order of tickets is now that of their priorities. A
 * queue on PostgreSQL brings its tickets into this order itself: see `restoreTickets`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of isSqlite ? [TURNS, ...SQLITE] : [forPostgres(TURNS)]) await sql.raw(statement).execute(db);
  if (!isSqlite) await changeInsertJobs(db, RANKS, 'rank := 0; ordinal_of_first :=');
}

/** Replaces a part of the function that stores jobs on PostgreSQL. Throws if the function does not contain it. */
export async function changeInsertJobs(db: Kysely<unknown>, part: RegExp | string, replacement: string): Promise<void> {
  const read = sql<{ source: string }>`select pg_get_functiondef('telecine_insert_jobs'::regproc) as source`;
  const source = (await read.execute(db)).rows[0]?.source ?? '';
  const changed = source.replace(part, () => replacement);
  if (changed === source) throw new Error(`The function telecine_insert_jobs does not contain ${part}.`);
  await sql.raw(changed).execute(db);
}

const TURNS = `
  create table client_turns (
    client_id text not null,
    queue text not null,
    turn bigint not null,
    constraint client_turns_pk primary key (client_id, queue)
  ) without rowid`;

const SQLITE = [
  'drop index tickets_heads',
  `update tickets set head = state = 0,
     queue_position = -coalesce((select priority from jobs where jobs.job_id = tickets.job_id), 0)`,
];

/**
 * Tickets get priorities instead of ranks, so nothing is locked or read for them. Earlier versions call the function
 * with another `ranks_apart`, which gives their jobs ranks again, for as long as they run beside this one.
 */
const RANKS = /perform pg_advisory_xact_lock.*ordinal_of_first :=/s;

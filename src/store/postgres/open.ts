import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { repositories, type Store } from '../store.ts';
import type { Database } from '../transaction/database.ts';
import { dbOf, writerOf } from '../transaction/tx.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { runAlone } from './run-alone.ts';
import { postgresTransactions } from './transactions.ts';
import { explainMissingGrant, isTlsError, PostgresUnusable } from './unusable.ts';

/** PostgreSQL 15, as `server_version_num` has it. */
const OLDEST_VERSION = 150_000;

/** Enough for the requests and jobs of a process: most of its time is spent in ffmpeg and in the network. */
const CONNECTIONS = 10;

export interface PostgresOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  /** Called with the reason when the database cannot be used any more, and with undefined when it can be used again. */
  readonly onOutage: (reason: unknown) => void;
  /** Whether to migrate the tables to this version. Default: true. */
  readonly migrates?: boolean;
  /** Whether statements may take any time, as those of a move may. Default: false. */
  readonly isPatient?: boolean;
}

/**
 * Opens the database at `url` and migrates it to this version. Any number of processes may have it open. Throws
 * `PostgresUnusable` if it cannot be reached, rejects the user, grants too little or is too old. Throws also if a newer
 * version of telecine has migrated the database.
 */
export async function openPostgres({
  url,
  onOutage,
  migrates = true,
  isPatient = false,
}: PostgresOptions): Promise<Store> {
  const dialectOf = (options: Omit<PoolOptions, 'url'>) => new PostgresDialect({ pool: openPool({ url, ...options }) });
  let reason: unknown;
  const migrating = new Kysely<Schema>({
    dialect: dialectOf({ connections: 3, isPatient: true, onOutage: (error) => (reason = error) }),
  });
  try {
    await requireVersion(migrating);
    if (migrates)
      await runAlone(migrating, 'migrations', async () => {
        await migrate(migrating);
        await continueChangeNumbers(migrating);
      });
  } catch (error) {
    throw reason !== undefined || error instanceof DatabaseError || isTlsError(error)
      ? new PostgresUnusable(reason ?? error)
      : explainMissingGrant(error);
  } finally {
    await migrating.destroy();
  }
  const dialect = dialectOf({ connections: CONNECTIONS, isPatient, onOutage });
  const db = new Kysely<Schema>({ dialect });
  const transactions = postgresTransactions(db, dialect);
  const database: Database = {
    reader: db,
    transactions,
    write: writerOf(transactions),
    // Named statements would need a pooler that knows them.
    preparesStatements: false,
    now: (seconds = 0) =>
      sql<string>`to_char(
        (clock_timestamp() + make_interval(secs => ${seconds})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    firstOpenChange: sql`((select change_base from installation) + ${FIRST_OPEN_TRANSACTION})`,
    lock: async (transaction, kind, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${name}`}, 0))`.execute(transaction);
    },
    runAlone: (name, run) => runAlone(db, name, run),
  };
  let closed = false;
  return {
    ...repositories(database),
    ping: () =>
      transactions.run(async (tx) => {
        // Changes nothing. A standby, and a server that was made read-only, refuse the statement all the same.
        await sql`delete from installation where false`.execute(dbOf(tx));
      }),
    async close() {
      if (closed) return;
      closed = true;
      await transactions.close();
      await db.destroy();
    },
  };
}

/**
 * The lowest id of a transaction of this database that ran when the statement began, or else of the next one. All with
 * lower ids have ended, and the statement sees their writes. Ids are those of the whole server; `pg_snapshot_xmin` would
 * wait for transactions of other databases too, which cannot change these tables. One that ends meanwhile is in no view,
 * and counts as one of this database.
 */
const FIRST_OPEN_TRANSACTION = sql`coalesce(
  (select min(open.id::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) as open (id)
    where not exists (
      select from pg_stat_activity where backend_xid = open.id::xid and datname <> current_database())
    and not exists (
      select from pg_prepared_xacts where transaction = open.id::xid and database <> current_database())),
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`;

/**
 * Continues the numbers of changes after the highest one, if the server has lower transaction ids than the one that this
 * database was restored from. Clients may have numbers from after the backup, and what happened then is undone. So no
 * earlier number counts as known.
 */
async function continueChangeNumbers(db: Kysely<Schema>): Promise<void> {
  await sql`
    update installation
    set change_base = used.last, forgotten_changes = used.last + pg_current_xact_id()::text::bigint from (
      select greatest((select max(change_number) from jobs), (select max(change_number) from deleted_jobs)) as last
    ) as used where used.last >= change_base + pg_current_xact_id()::text::bigint`.execute(db);
}

async function requireVersion(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; name: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name`.execute(
    db,
  );
  const [server] = rows;
  if (server !== undefined && server.version < OLDEST_VERSION)
    throw new PostgresUnusable(`the server has version ${server.name}; telecine needs PostgreSQL 15 or newer`);
}

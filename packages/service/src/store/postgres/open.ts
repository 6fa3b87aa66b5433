import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { migrate } from '../migrate.ts';
import { explainMissingGrant, isTlsError, MISSING_GRANT, PostgresUnusable } from '../operator-errors.ts';
import type { Schema } from '../schema.ts';
import { repositories, type Store } from '../store.ts';
import { type Database, dbOf, writerOf } from '../transaction/database.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { postgresTransactions } from './transactions.ts';

/**
 * How often a waiting process tries to get the lock, in ms. A statement that waited for the lock would fail after its
 * time limit.
 */
const RETRY_MS = 100;

/**
 * How often the transaction that holds the lock sends a statement, in ms. The server ends a transaction that is idle
 * for some seconds.
 */
const ALIVE_MS = 2000;

/**
 * Runs `run` while no other process with this database runs something under `name`. The lock belongs to a transaction
 * of its own on a second connection: `run` uses other transactions, and a pooler may give each of them another session.
 */
async function runAlone<T>(db: Kysely<Schema>, name: string, run: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ hasLock: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "hasLock"`.execute(tx);
      if (rows[0]?.hasLock !== true) return undefined;
      const timer = setInterval(() => void sql`select 1`.execute(tx).catch(() => {}), ALIVE_MS);
      try {
        return { result: await run() };
      } finally {
        clearInterval(timer);
      }
    });
    if (done !== undefined) return done.result;
    await sleep(RETRY_MS);
  }
}

/** The oldest supported version, PostgreSQL 15, in the format of `server_version_num`. */
const OLDEST_VERSION = 150_000;

/**
 * The number of connections. It is enough for the requests and jobs of one process, which spends most of its time in
 * ffmpeg and in the network.
 */
const CONNECTIONS = 10;

interface PostgresOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  /** Called when an outage begins, with the reason, and when it ends, with undefined. */
  readonly onOutage: (reason: unknown) => void;
  /** false: the tables are not migrated. Default: true. */
  readonly migrates?: boolean;
  /** true: statements have no time limit, because those of a move take long. Default: false. */
  readonly isPatient?: boolean;
}

/**
 * Opens the database at `url` and migrates it. Any number of processes may open it. Throws `PostgresUnusable` if the
 * server is unreachable or too old, rejects the user, or grants too few privileges. Throws if a newer version has
 * migrated the database and this version cannot use it.
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
    // Prepared statements have names in a session, and most poolers do not support that.
    preparesStatements: false,
    now: (seconds = 0) =>
      sql<string>`to_char(
        (clock_timestamp() + make_interval(secs => ${seconds})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    openChanges: OPEN_CHANGES,
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
        // This deletes nothing. It is a write, so that a standby or a read-only server rejects it.
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
 * The numbers of the transactions of this database that were open when the statement began, and the next number. (The
 * snapshot also has transactions of other databases, because all databases of a server share the ids.) A transaction
 * that ends while the statement runs is in no system view any more, so it counts as open.
 */
const OPEN_CHANGES = sql<string>`(select concat_ws(',',
  (select string_agg((change_base + open.id::text::bigint)::text, ',')
    from pg_snapshot_xip(pg_current_snapshot()) as open (id)
    where not exists (
      select from pg_stat_activity where backend_xid = open.id::xid and datname <> current_database())
    and not exists (
      select from pg_prepared_xacts where transaction = open.id::xid and database <> current_database())),
  change_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint) from installation)`;

/**
 * Makes change numbers continue above the highest one. After a restore, the server may have lower transaction ids than
 * the server of the backup. Clients may know numbers of changes that the restore has undone, so numbers from before the
 * restore are no longer accepted.
 */
async function continueChangeNumbers(db: Kysely<Schema>): Promise<void> {
  await sql`
    update installation
    set change_base = used.last, forgotten_changes = used.last + pg_current_xact_id()::text::bigint from (
      select greatest((select max(change_number) from jobs), (select max(change_number) from deleted_jobs)) as last
    ) as used where used.last >= change_base + pg_current_xact_id()::text::bigint`.execute(db);
}

/** Throws `PostgresUnusable` if the user of the database may not create the tables of the store and of the queue. */
export async function requireGrants(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as may`.execute(
    db,
  );
  if (rows[0]?.may !== true) throw new PostgresUnusable(MISSING_GRANT);
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

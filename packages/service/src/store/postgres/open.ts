import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { migrate } from '../migrate.ts';
import { explainMissingGrant, isTlsError, PostgresUnusable } from '../operator-errors.ts';
import type { Schema } from '../schema.ts';
import { repositories, type Store } from '../store.ts';
import { type Database, dbOf, writerOf } from '../transaction/database.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { postgresTransactions } from './transactions.ts';

/** How often a process that waits tries again. A statement that waited would fail after its time limit. */
const RETRY_MS = 100;

/** How often the lock's transaction sends a statement: the server ends one that is idle for some seconds. */
const ALIVE_MS = 2000;

/**
 * Runs `run` while no other process on the database runs something under this name. The lock belongs to a separate
 * transaction on a second connection, because a pooler may give each transaction another session.
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

/** PostgreSQL 15, as `server_version_num` has it. */
const OLDEST_VERSION = 150_000;

/** Enough for the requests and jobs of a process: most of its time is spent in ffmpeg and in the network. */
const CONNECTIONS = 10;

interface PostgresOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  /** Called with the reason when the database cannot be used any more, and with undefined when it can be used again. */
  readonly onOutage: (reason: unknown) => void;
  /** Whether to migrate the tables to this version. Default: true. */
  readonly migrates?: boolean;
  /** Whether statements may take any time, for a move. Default: false. */
  readonly isPatient?: boolean;
}

/**
 * Opens the database at `url` and migrates it. Any number of processes may open it. Throws `PostgresUnusable` if it is
 * unreachable, rejects the user, grants too little or is too old; throws if a newer version has migrated it
 * incompatibly.
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
 * The lowest id of an open transaction of this database when the statement began, else the next id. The statement sees
 * the writes of all lower ids. Ids are server-wide, and `pg_snapshot_xmin` would wait for other databases too. A
 * transaction that ends in between is in no view, and counts as open.
 */
const FIRST_OPEN_TRANSACTION = sql`coalesce(
  (select min(open.id::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) as open (id)
    where not exists (
      select from pg_stat_activity where backend_xid = open.id::xid and datname <> current_database())
    and not exists (
      select from pg_prepared_xacts where transaction = open.id::xid and database <> current_database())),
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`;

/**
 * Continues the change numbers after the highest one, if the server has lower transaction ids than the server of the
 * backup. Clients may have numbers of undone changes, so no earlier number counts as known.
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

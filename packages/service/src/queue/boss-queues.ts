import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { sql } from 'kysely';
import type { Transactions } from '../jobs/ports/transactions.ts';
import { type Db, dbOf } from '../store/transaction/database.ts';

/** The schema of the pg-boss tables, in the database of the store. */
export const BOSS_SCHEMA = 'telecine_queue';

export const BOSS_JOBS = sql.table(`${BOSS_SCHEMA}.job`);

export const BOSS_QUEUES = sql.table(`${BOSS_SCHEMA}.queue`);

/** The clock with which pg-boss decides whether a ticket is due. */
export const BOSS_NOW = sql`${sql.raw(BOSS_SCHEMA)}.job_now()`;

/** Settings of a pg-boss queue by their names in pg-boss, such as `retryLimit`. */
type QueueSettings = Readonly<Record<string, number>>;

/**
 * Creates a queue if it does not exist. Locks its row until the transaction ends, so that `removeEmptyQueues` of
 * another process does not delete it. (`boss.createQueue` cannot be used, because it would commit the transaction.)
 */
export async function holdQueue(db: Db, name: string, settings: QueueSettings): Promise<void> {
  const options = JSON.stringify({ policy: 'standard', ...settings });
  for (;;) {
    await sql`select ${sql.raw(BOSS_SCHEMA)}.create_queue(${name}, ${options}::jsonb)`.execute(db);
    const { rows } = await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for key share`.execute(db);
    // No row: another process removed the queue between the two statements. Create it again.
    if (rows.length > 0) return;
  }
}

/**
 * How long the change of a table of pg-boss waits for its lock. All other users of the table wait behind it. The
 * time is longer than the 1 s after which PostgreSQL ends a deadlock.
 */
const MAX_LOCK_WAIT = '3s';

/**
 * Adds the index in which `findNextTicket` finds the first ticket of each client, to the table of pg-boss. A role that
 * does not own the table cannot, and its searches read more. If a long transaction uses the table, a later start adds it.
 */
export async function indexTurns(transactions: Transactions): Promise<void> {
  try {
    // If the transaction deadlocks with a running service, `transactions.run` repeats it.
    await transactions.run(async (tx) => {
      const db = dbOf(tx);
      // Lock the table only if the index is missing.
      const { rows } = await sql`
        select from pg_class where oid = ${`${BOSS_SCHEMA}.job`}::regclass and pg_has_role(relowner, 'usage')
          and to_regclass(${`${BOSS_SCHEMA}.telecine_turns`}) is null`.execute(db);
      if (rows.length === 0) return;
      await sql`set local lock_timeout = ${sql.lit(MAX_LOCK_WAIT)}`.execute(db);
      await sql`
        create index if not exists telecine_turns on ${BOSS_JOBS} (name, group_id, priority desc, id)
        where state < 'active' and not blocked`.execute(db);
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

export async function queueNames(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${BOSS_QUEUES}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Removes the queues for jobs with needs that have no ticket and are at least `minAgeSeconds` old. `holdQueue` creates
 * such a queue again for the next job that needs it.
 */
export async function removeEmptyQueues(transactions: Transactions, minAgeSeconds: number): Promise<void> {
  const isEmpty = sql`not exists (select 1 from ${BOSS_JOBS} j where j.name = q.name)`;
  const names = await transactions.run(async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select name from ${BOSS_QUEUES} q
      where name like '%/%' and created_on <= ${BOSS_NOW} - make_interval(secs => ${minAgeSeconds}) and ${isEmpty}
    `.execute(dbOf(tx));
    return rows.map(({ name }) => name);
  });
  for (const name of names)
    await transactions.run(async (tx) => {
      const db = dbOf(tx);
      // Wait for transactions that add tickets to this queue. Later transactions wait for this one, and then create the
      // queue again.
      await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for update`.execute(db);
      await sql`delete from ${BOSS_QUEUES} q where name = ${name} and ${isEmpty}`.execute(db);
    });
}

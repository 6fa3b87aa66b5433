import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { sql } from 'kysely';
import type { Transactions, Tx } from '../jobs/ports/transactions.ts';
import { dbOf } from '../store/transaction/database.ts';
import type { Db } from './ready-heads.ts';

/** The schema of pg-boss's tables, in the store's database. */
export const BOSS_SCHEMA = 'telecine_queue';

export const BOSS_JOBS = sql.table(`${BOSS_SCHEMA}.job`);

export const BOSS_QUEUES = sql.table(`${BOSS_SCHEMA}.queue`);

/** The time by which pg-boss decides whether a ticket is due. */
export const BOSS_NOW = sql`${sql.raw(BOSS_SCHEMA)}.job_now()`;

/** Settings of a queue, as pg-boss names them. */
type QueueSettings = Readonly<Record<string, number>>;

/** Creates a queue if missing, and locks it against removal. `boss.createQueue` would commit the transaction. */
export async function holdQueue(db: Db, name: string, settings: QueueSettings): Promise<void> {
  const options = JSON.stringify({ policy: 'standard', ...settings });
  for (;;) {
    await sql`select ${sql.raw(BOSS_SCHEMA)}.create_queue(${name}, ${options}::jsonb)`.execute(db);
    const { rows } = await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for key share`.execute(db);
    // Otherwise another process has removed it in between.
    if (rows.length > 0) return;
  }
}

/** How long the drop waits for a lock. All others wait behind it. PostgreSQL ends a deadlock after 1 s. */
const MAX_LOCK_WAIT = '3s';

/**
 * Drops the foreign keys of pg-boss's tickets to their queue: their checks take an eighth of PostgreSQL's time for a
 * submission. Tickets have a queue without them: lasting queues are never removed, `holdQueue` locks other ones, and
 * `telecine_insert_jobs` checks it. Leaves the keys to a later start if the role does not own the table, or if a long
 * transaction uses it.
 */
export async function dropQueueChecks(transactions: Transactions): Promise<void> {
  const table = sql.table(`${BOSS_SCHEMA}.job_common`);
  const drop = async (tx: Tx): Promise<void> => {
    const db = dbOf(tx);
    const { rows } = await sql`
      select from pg_constraint join pg_class on pg_class.oid = conrelid
      where conrelid = ${`${BOSS_SCHEMA}.job_common`}::regclass and conname in ('q_fkey', 'dlq_fkey')
        and pg_has_role(relowner, 'usage')`.execute(db);
    // Taking the locks waits for all users of the tables.
    if (rows.length === 0) return;
    await sql`set local lock_timeout = ${sql.lit(MAX_LOCK_WAIT)}`.execute(db);
    // In the order of nearly all submissions: they find a queue, and then add tickets.
    await sql`lock table ${BOSS_QUEUES}, ${table} in access exclusive mode`.execute(db);
    await sql`alter table ${table} drop constraint if exists q_fkey, drop constraint if exists dlq_fkey`.execute(db);
  };
  try {
    // Runs again after a deadlock with services that are at work.
    await transactions.run(drop);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

export async function queueNames(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${BOSS_QUEUES}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Removes empty queues of tickets with needs that are at least `minAgeSeconds` old. They are created again on demand. */
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
      // Waits for transactions that add tickets. Later ones wait here, and then create the queue again.
      await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for update`.execute(db);
      await sql`delete from ${BOSS_QUEUES} q where name = ${name} and ${isEmpty}`.execute(db);
    });
}

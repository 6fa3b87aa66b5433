import { sql } from 'kysely';
import type { Transactions } from '../jobs/ports/transactions.ts';
import { dbOf } from '../store/transaction/tx.ts';
import { BOSS_JOBS, BOSS_NOW, BOSS_QUEUES, BOSS_SCHEMA } from './boss-tables.ts';
import type { Db } from './ready-heads.ts';

/** Settings of a queue, as pg-boss names them. */
export type QueueSettings = Readonly<Record<string, number>>;

/**
 * Creates a queue if it does not exist, and keeps others from removing it until the end of the transaction. Any number
 * of processes may create the same queue at once. `boss.createQueue` would commit the transaction.
 */
export async function holdQueue(db: Db, name: string, settings: QueueSettings): Promise<void> {
  const options = JSON.stringify({ policy: 'standard', ...settings });
  for (;;) {
    await sql`select ${sql.raw(BOSS_SCHEMA)}.create_queue(${name}, ${options}::jsonb)`.execute(db);
    const { rows } = await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for key share`.execute(db);
    // Otherwise another process has removed it in between.
    if (rows.length > 0) return;
  }
}

/**
 * Drops the foreign keys of pg-boss's tickets to their queue: PostgreSQL checks them ticket by ticket, an eighth of its time for a
 * submission. Tickets have a queue without these keys. The lasting queues are never removed, `holdQueue` locks another one, and
 * `telecine_insert_jobs` raises an error if one is missing.
 */
export const dropQueueChecks = (transactions: Transactions): Promise<void> =>
  // Runs again after a deadlock with services that are at work.
  transactions.run(async (tx) => {
    const { rows } = await sql`
      select from pg_constraint
      where conrelid = ${`${BOSS_SCHEMA}.job_common`}::regclass and conname in ('q_fkey', 'dlq_fkey')`.execute(
      dbOf(tx),
    );
    // Only if there are some: it waits until nobody else uses the table.
    if (rows.length > 0)
      await sql`
        alter table ${sql.table(`${BOSS_SCHEMA}.job_common`)}
        drop constraint if exists q_fkey, drop constraint if exists dlq_fkey`.execute(dbOf(tx));
  });

/** The names of all queues. */
export async function queueNames(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${BOSS_QUEUES}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Removes queues of tickets with needs that are empty and at least `minAgeSeconds` old. A queue that is needed again is
 * created again.
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
      // Waits for the transactions that add tickets. Those that come later wait here, and then create it again.
      await sql`select 1 from ${BOSS_QUEUES} where name = ${name} for update`.execute(db);
      await sql`delete from ${BOSS_QUEUES} q where name = ${name} and ${isEmpty}`.execute(db);
    });
}

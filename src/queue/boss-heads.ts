import { sql } from 'kysely';
import { BOSS_JOBS, BOSS_NOW } from './boss-tables.ts';
import type { Db } from './ready-heads.ts';

/** Where the next ticket is. */
export interface NextTicket {
  readonly queue: string;
  readonly priority: number;
}

/** How many tickets of each queue are looked at first. Others take those before, so that they are locked. */
const FIRST_DEPTH = 16;

const DEEPER = 16;

/**
 * Finds the ticket with the highest priority in any of the queues, and locks it. Passes over the tickets that other
 * transactions are taking, and those of the clients in `excluded`. pg-boss's fetch searches one queue; this decides
 * which one, so that clients take turns across all of them. Locks no other ticket: another worker, which cannot run this
 * one, may take it.
 */
export async function findNextTicket(
  db: Db,
  queues: readonly string[],
  excluded: readonly string[],
): Promise<NextTicket | undefined> {
  for (let depth = FIRST_DEPTH; ; depth *= DEEPER) {
    const isReady = sql`j.state < 'active' and not j.blocked and j.start_after <= ${BOSS_NOW}`;
    const isAllowed = excluded.length === 0 ? sql`true` : sql`j.group_id <> all(${excluded}::text[])`;
    const { rows } = await sql<{ seen: number; queue: string | null; priority: number }>`
      with heads as materialized (
        select first.name, first.id
        from unnest(${queues}::text[]) as queue (name)
        cross join lateral (
          select j.name, j.id from ${BOSS_JOBS} j
          where j.name = queue.name and ${isReady} and ${isAllowed}
          order by j.priority desc, j.created_on
          limit ${sql.lit(depth)}
        ) as first
      ), next as materialized (
        select j.name, j.priority
        from heads join ${BOSS_JOBS} j on j.name = heads.name and j.id = heads.id
        where ${isReady}
        order by j.priority desc, j.created_on, j.id
        limit 1
        for update of j skip locked
      )
      select (select count(*)::int from heads) as seen, next.name as queue, next.priority
      from (values (1)) as one left join next on true`.execute(db);
    const [row] = rows;
    if (row?.queue != null) return { queue: row.queue, priority: row.priority };
    // All that were seen are being taken. Look further if a queue may have more.
    if (row === undefined || row.seen < depth) return undefined;
  }
}

/** Counts the deliveries of each client in all queues. */
export async function countDeliveries(db: Db, queues: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ client: string; deliveries: number }>`
    select group_id as client, count(*)::int as deliveries from ${BOSS_JOBS}
    where name = any(${queues}::text[]) and state = 'active' and group_id is not null
    group by group_id`.execute(db);
  return new Map(rows.map(({ client, deliveries }) => [client, deliveries]));
}

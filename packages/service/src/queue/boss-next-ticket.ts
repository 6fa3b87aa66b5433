import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { sql } from 'kysely';
import type { Room, TakeRequest } from '../jobs/ports/job-queue.ts';
import { BOSS_JOBS, BOSS_NOW } from './boss-queues.ts';
import { isFetchQueue } from './queue-name.ts';
import type { Db } from './ready-heads.ts';

interface NextTicket {
  readonly queue: string;
  readonly jobId: string;
  readonly clientId: string;
  readonly weight: number;
  /** true: the search found no other ready ticket in the queues. Tickets of excluded clients do not count. */
  readonly isOnly: boolean;
}

/**
 * The number of tickets that the first search reads from each queue. One is not enough, because other transactions may
 * have locked the first tickets.
 */
const FIRST_DEPTH = 16;

const DEEPER = 16;

interface TicketChoice {
  readonly queues: readonly string[];
  readonly excluded: readonly string[];
  /** The clients whose tickets are skipped in queues of the lane `fetch`, in addition to `excluded`. */
  readonly excludedFromFetch: readonly string[];
  /** By queue: for how many seconds after queueing this worker does not take a ticket. Other queues are absent. */
  readonly leaves: ReadonlyMap<string, number>;
  /** Absent: a ticket of any weight fits. */
  readonly room?: Room;
  readonly onBlocked?: TakeRequest['onBlocked'];
}

/**
 * Finds and locks the ticket with the highest priority in all queues, so that clients take turns across the queues.
 * (The fetch of pg-boss searches only one queue.) Skips tickets that other transactions have locked. Stops at the first
 * ticket that does not fit into the room, so that light jobs do not overtake a heavy job for ever. Does not lock that
 * ticket, because other workers would then skip it.
 */
export async function findNextTicket(
  db: Db,
  { queues, excluded, excludedFromFetch, leaves, room, onBlocked }: TicketChoice,
): Promise<NextTicket | undefined> {
  const fetchQueues = queues.filter(isFetchQueue);
  const weight = sql`coalesce((j.data->>'weight')::int, ${sql.lit(ONE_SLOT)})`;
  const fits =
    room === undefined
      ? sql`true`
      : sql`(queue.name = any(${fetchQueues}::text[]) or least(${weight}, ${room.heaviest}::float8) <= ${room.free}::float8)`;
  const mayTake = [...leaves].map(
    ([queue, seconds]) =>
      sql`(queue.name <> ${queue} or j.created_on <= ${BOSS_NOW} - make_interval(secs => ${seconds}::float8))`,
  );
  const isNotLeft = mayTake.length === 0 ? sql`true` : sql.join(mayTake, sql` and `);
  for (let depth = FIRST_DEPTH; ; depth *= DEEPER) {
    const isReady = sql`j.state < 'active' and not j.blocked and j.start_after <= ${BOSS_NOW}`;
    const isOfOthers = excluded.length === 0 ? sql`true` : sql`j.group_id <> all(${excluded}::text[])`;
    const mayFetch =
      fetchQueues.length === 0 || excludedFromFetch.length === 0
        ? sql`true`
        : sql`(queue.name <> all(${fetchQueues}::text[]) or j.group_id <> all(${excludedFromFetch}::text[]))`;
    const { rows } = await sql<
      { seen: number; blocked: number | null; queue: string | null } & Omit<NextTicket, 'queue' | 'isOnly'>
    >`
      with heads as materialized (
        select first.*
        from unnest(${queues}::text[]) as queue (name)
        cross join lateral (
          select j.name, j.id, j.priority, j.created_on, ${weight} as weight, ${fits} as fits from ${BOSS_JOBS} j
          where j.name = queue.name and ${isReady} and ${isOfOthers} and ${mayFetch} and ${isNotLeft}
          order by j.priority desc, j.created_on
          limit ${sql.lit(depth)}
        ) as first
      ), full_at as materialized (
        select priority, created_on, id, weight from heads where not fits order by priority desc, created_on, id limit 1
      ), next as materialized (
        select j.name, j.id, j.group_id, ${weight} as weight
        from heads join ${BOSS_JOBS} j on j.name = heads.name and j.id = heads.id
        where ${isReady} and not exists (
          select 1 from full_at f
          where f.priority > j.priority or (f.priority = j.priority and (f.created_on, f.id) <= (j.created_on, j.id))
        )
        order by j.priority desc, j.created_on, j.id
        limit 1
        for update of j skip locked
      )
      select (select count(*)::int from heads) as seen, (select weight from full_at) as blocked,
        next.name as queue, next.id as "jobId", next.group_id as "clientId", next.weight
      from (values (1)) as one left join next on true`.execute(db);
    const [row] = rows;
    if (row?.queue != null) return { ...row, queue: row.queue, isOnly: row.seen === 1 };
    if (row?.blocked != null) onBlocked?.(row.blocked);
    // Other transactions have locked all tickets that were read. Read more, unless there are no more (`seen < depth`)
    // or the next ticket does not fit into the room.
    if (row === undefined || row.blocked !== null || row.seen < depth) return undefined;
  }
}

/**
 * Hands out the ticket that `findNextTicket` has locked. Returns its receipt. Writes the same columns as the fetch of
 * pg-boss, which cannot be used here: it may choose another ticket with the same priority and time, whose client and
 * weight were not checked.
 */
export async function handOut(db: Db, { queue, jobId }: NextTicket): Promise<number | undefined> {
  const { rows } = await sql<{ receipt: number }>`
    update ${BOSS_JOBS}
    set state = 'active', started_on = ${BOSS_NOW}, heartbeat_on = ${BOSS_NOW},
      retry_count = case when started_on is null then retry_count else retry_count + 1 end
    where name = ${queue} and id = ${jobId}
    returning retry_count as receipt`.execute(db);
  return rows[0]?.receipt;
}

/** Counts the deliveries of each client in all queues. */
export async function countDeliveries(db: Db, queues: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ client: string; deliveries: number }>`
    select group_id as client, count(*)::int as deliveries from ${BOSS_JOBS}
    where name = any(${queues}::text[]) and state = 'active' and group_id is not null
    group by group_id`.execute(db);
  return new Map(rows.map(({ client, deliveries }) => [client, deliveries]));
}

/**
 * Locks and counts the deliveries of a client. Returns undefined if another transaction has the lock: it may be taking
 * tickets of this client.
 */
export async function lockDeliveries(db: Db, queues: readonly string[], clientId: string): Promise<number | undefined> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`deliveries of client ${clientId}`}, 0)) as "isLocked"`.execute(
    db,
  );
  if (rows[0]?.isLocked !== true) return undefined;
  // Count in a second statement: it sees the deliveries that the previous holder of the lock has committed.
  return (await countDeliveries(db, queues)).get(clientId) ?? 0;
}

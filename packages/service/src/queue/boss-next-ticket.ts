import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Room, TakeRequest } from '../jobs/ports/job-queue.ts';
import type { Db } from '../store/transaction/database.ts';
import { BOSS_JOBS, BOSS_NOW } from './boss-queues.ts';
import { isFetchQueue } from './queue-name.ts';

interface NextTicket {
  readonly queue: string;
  readonly jobId: string;
  readonly clientId: string;
  readonly weight: number;
  /** The queue with the lowest turn of the client, which the ticket uses. */
  readonly turnQueue: string;
  /** The turn of the client that comes next. null: no other client has a ticket. */
  readonly nextTurn: number | null;
  /** true: the search found no other ready ticket in the queues. Tickets of excluded clients do not count. */
  readonly isOnly: boolean;
}

/**
 * How many tickets of each client in each queue the first search reads. One is not enough: the second tells whether the
 * first is the only one, and other transactions may have locked the first.
 */
const FIRST_DEPTH = 2;

const DEEPER = 16;

interface TicketChoice {
  readonly queues: readonly string[];
  readonly excluded: readonly string[];
  /** The clients whose tickets are skipped in queues of the lane `fetch`, in addition to `excluded`. */
  readonly excludedFromFetch: readonly string[];
  /** By queue: for how many seconds after queueing this worker does not take a ticket. Other queues are absent. */
  readonly leaves: ReadonlyMap<string, number>;
  /** By client: how many of its turns this transaction has used and could not set. */
  readonly unsetTurns: ReadonlyMap<string, number>;
  /** Absent: a ticket of any weight fits. */
  readonly room?: Room;
  readonly onBlocked?: TakeRequest['onBlocked'];
}

/**
 * Finds and locks the next ticket: of the client with the lowest turn, the one with the highest priority, or the oldest
 * one. Finds the first tickets of each client with seeks in an index, so neither the tickets behind them nor the tickets
 * of excluded clients cost anything. Skips tickets that other transactions have locked. Stops at the first ticket that
 * does not fit into the room, so that light jobs do not overtake a heavy job for ever. Does not lock that ticket, because
 * other workers would then skip it.
 */
export async function findNextTicket(
  db: Db,
  { queues, excluded, excludedFromFetch, leaves, unsetTurns, room, onBlocked }: TicketChoice,
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
    const { rows } = await sql<
      { seen: number; blocked: number | null; queue: string | null } & Omit<NextTicket, 'queue' | 'isOnly'>
    >`
      with recursive clients (queue, id) as (
        select queue.name, first.group_id from unnest(${queues}::text[]) as queue (name)
        cross join lateral (${firstClient(sql`j.name = queue.name`)}) as first
        union all
        select clients.queue, following.group_id from clients
        cross join lateral (${firstClient(sql`j.name = clients.queue and j.group_id > clients.id`)}) as following
      ), firsts as materialized (
        select first.*, coalesce(turns.turn, 0) + coalesce(unset.turns, 0) as turn
        from clients
        left join unnest(${[...unsetTurns.keys()]}::text[], ${[...unsetTurns.values()]}::int[]) as unset (client_id, turns)
          on unset.client_id = clients.id
        left join client_turns turns on turns.client_id = clients.id and turns.queue = clients.queue
        cross join lateral (
          select queue.name, j.group_id, j.id, j.priority, ${weight} as weight, ${fits} as fits
          from ${BOSS_JOBS} j, (values (clients.queue)) as queue (name)
          where j.name = queue.name and j.group_id = clients.id and ${isReady} and ${isNotLeft}
          order by j.priority desc, j.id
          limit ${sql.lit(depth)}
        ) as first
        where clients.id <> all(${excluded}::text[])
          and (clients.queue <> all(${fetchQueues}::text[]) or clients.id <> all(${excludedFromFetch}::text[]))
      ), places as materialized (
        select *, min(turn) over (partition by group_id) as lowest,
          row_number() over (partition by group_id order by priority desc, id) as nth
        from firsts
      ), full_at as materialized (
        select nth, lowest, id, weight from places where not fits order by nth, lowest, id limit 1
      ), next as materialized (
        select j.name, j.id, j.group_id, ${weight} as weight
        from places join ${BOSS_JOBS} j on j.name = places.name and j.id = places.id
        where ${isReady} and not exists (
          select 1 from full_at f where (f.nth, f.lowest, f.id) <= (places.nth, places.lowest, places.id)
        )
        order by places.nth, places.lowest, places.id
        limit 1
        for update of j skip locked
      )
      select (select count(*)::int from firsts) as seen, (select weight from full_at) as blocked,
        next.name as queue, next.id as "jobId", next.group_id as "clientId", next.weight,
        (select name from firsts where group_id = next.group_id order by turn, name limit 1) as "turnQueue",
        (select min(turn) from firsts where group_id <> next.group_id) as "nextTurn"
      from (values (1)) as one left join next on true`.execute(db);
    const [row] = rows;
    if (row?.queue != null) return { ...row, queue: row.queue, isOnly: row.seen === 1 };
    if (row?.blocked != null) onBlocked?.(row.blocked);
    // Other transactions have locked all tickets that were read. Read more, unless there are no more (`seen < depth`)
    // or the next ticket does not fit into the room.
    if (row === undefined || row.blocked !== null || row.seen < depth) return undefined;
  }
}

/** The first client in the order of ids that has a queued ticket, in an index without a scan of its tickets. */
const firstClient = (isMeant: RawBuilder<unknown>) => sql`
  select j.group_id from ${BOSS_JOBS} j where ${isMeant} and j.state < 'active' and not j.blocked order by j.group_id limit 1`;

/**
 * Hands out the ticket that `findNextTicket` has locked, and sets the turn of its client: after its own turns, and not
 * before the turn of the client that comes next. So a client that could not take its turns does not make up for them
 * later. If another transaction sets a turn of the client now, does not wait for it, and sets none. Writes the same
 * columns as the fetch of pg-boss, which cannot be used here: it may choose another ticket with the same priority and
 * time, whose client and weight were not checked.
 */
export async function handOut(db: Db, next: NextTicket) {
  const { queue, jobId, clientId, turnQueue, nextTurn } = next;
  const { rows } = await sql<{ receipt: number; isTurnSet: boolean }>`
    with turned as (
      insert into client_turns (client_id, queue, turn)
      select ${clientId}, ${turnQueue}, greatest(${nextTurn}::bigint, coalesce(max(turn), 0) + 1)
      from client_turns where client_id = ${clientId}
      having pg_try_advisory_xact_lock(hashtextextended(${`turn of client ${clientId}`}, 0))
      on conflict (client_id, queue) do update set turn = excluded.turn
      returning turn
    )
    update ${BOSS_JOBS}
    set state = 'active', started_on = ${BOSS_NOW}, heartbeat_on = ${BOSS_NOW},
      retry_count = case when started_on is null then retry_count else retry_count + 1 end
    where name = ${queue} and id = ${jobId}
    returning retry_count as receipt, exists (select from turned) as "isTurnSet"`.execute(db);
  return rows[0];
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

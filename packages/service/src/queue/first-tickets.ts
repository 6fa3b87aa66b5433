import { type Expression, type SqlBool, sql } from 'kysely';
import { compileStatement } from '../store/transaction/statement.ts';

/**
 * READY: the ticket can be handed out. DELAYED: it can be handed out after `due_at`. OUT: a worker has it, and its
 * lease ends at `due_at`.
 */
export const TICKET_STATE = { READY: 0, DELAYED: 1, OUT: 2 } as const;

/** Writes the state into the SQL text, not as a parameter: only then does SQLite use an index with only one state. */
export const ticketStateIs = (state: keyof typeof TICKET_STATE): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('state')} = ${sql.lit(TICKET_STATE[state])}`;

/** The first ready ticket of a client in a queue. */
export interface FirstTicket {
  readonly clientId: string;
  readonly queue: string;
  /** The priority, negated. */
  readonly queuePosition: number;
  readonly jobId: string;
  readonly receipt: number;
  readonly weight: number;
  /** The turn of the client in this queue. */
  readonly turn: number;
  /** The highest turn of the client in any queue. */
  readonly highestTurn: number;
}

/** The next ticket, and the turn of its client that it uses. */
interface NextTicket {
  readonly ticket: FirstTicket;
  /** The queue with the lowest turn of the client. Its turn is used, whichever queue the ticket is in. */
  readonly turnQueue: string;
  /** The turn of the client in that queue from now on. */
  readonly newTurn: number;
}

/**
 * Chooses the next ticket: of the client with the lowest turn, the ticket with the highest priority, or the oldest one.
 * The client then waits for its next turn, which is not before the turn of the client that comes next: so a client
 * that could not take its turns does not make up for them later.
 */
export function chooseNext(tickets: readonly FirstTicket[]): NextTicket | undefined {
  const places = [...Map.groupBy(tickets, ({ clientId }) => clientId).values()]
    .map((own) => ({ ticket: minBy(own, isBefore), lowest: minBy(own, (a, b) => a.turn < b.turn) }))
    .toSorted((a, b) => a.lowest.turn - b.lowest.turn || (a.ticket.jobId < b.ticket.jobId ? -1 : 1));
  const [next, second] = places;
  if (next === undefined) return undefined;
  const { ticket, lowest } = next;
  return { ticket, turnQueue: lowest.queue, newTurn: Math.max(ticket.highestTurn + 1, second?.lowest.turn ?? 0) };
}

const minBy = <T>(all: readonly T[], isLess: (a: T, b: T) => boolean): T =>
  all.reduce((least, one) => (isLess(one, least) ? one : least));

const isBefore = (a: FirstTicket, b: FirstTicket): boolean =>
  a.queuePosition < b.queuePosition || (a.queuePosition === b.queuePosition && a.jobId < b.jobId);

const COLUMNS = sql`t.client_id as "clientId", t.queue, t.queue_position as "queuePosition", t.job_id as "jobId", t.receipt, t.weight,
  coalesce((select turn from client_turns c where c.client_id = t.client_id and c.queue = t.queue), 0) as turn,
  coalesce((select max(turn) from client_turns c where c.client_id = t.client_id), 0) as "highestTurn"`;

const isFirstOf = (clientId: Expression<unknown>, queue: Expression<unknown>) => sql`
  t.client_id = ${clientId} and t.queue = ${queue} and t.state = ${sql.lit(TICKET_STATE.READY)}
  and (t.queue_position, t.job_id) = (
    select f.queue_position, f.job_id from tickets f
    where f.client_id = ${clientId} and f.queue = ${queue} and f.state = ${sql.lit(TICKET_STATE.READY)}
    order by f.queue_position, f.job_id limit 1
  )`;

/** Reads the first ready ticket of each client in each queue, with seeks: it reads no ticket behind the first one. */
export const readFirstTickets = compileStatement(
  () => sql<FirstTicket>`
    with recursive clients (id) as (
      select min(client_id) from tickets
      union all select (select min(client_id) from tickets where client_id > clients.id) from clients where id is not null
    ), queues (id, queue) as (
      select id, (select min(queue) from tickets where client_id = clients.id) from clients where id is not null
      union all select id, (select min(queue) from tickets where client_id = queues.id and queue > queues.queue)
        from queues where queue is not null
    )
    select ${COLUMNS} from queues join tickets t on ${isFirstOf(sql.ref('queues.id'), sql.ref('queues.queue'))}`,
);

/** Reads the first ready ticket of a client in a queue. */
export const readFirstTicket = compileStatement(
  (_, p: Pick<FirstTicket, 'clientId' | 'queue'>) =>
    sql<FirstTicket>`select ${COLUMNS} from tickets t where ${isFirstOf(sql`${p.clientId}`, sql`${p.queue}`)}`,
);

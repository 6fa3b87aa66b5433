import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from '../store/transaction/database.ts';
import { compileStatement } from '../store/transaction/statement.ts';

export type Db = Database['reader'];

/**
 * READY: the ticket can be handed out. DELAYED: it can be handed out after `due_at`. OUT: a worker has it, and its
 * lease ends at `due_at`.
 */
export const TICKET_STATE = { READY: 0, DELAYED: 1, OUT: 2 } as const;

/** Writes the state into the SQL text, not as a parameter: only then does SQLite use an index with only one state. */
export const ticketStateIs = (state: keyof typeof TICKET_STATE): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('state')} = ${sql.lit(TICKET_STATE[state])}`;

export interface ReadyHead {
  readonly clientId: string;
  readonly queue: string;
  /** See `Ticket.queuePosition`. */
  readonly queuePosition: number;
  readonly jobId: string;
  readonly receipt: number;
  readonly weight: number;
  /** 1 if the client has another ready ticket in the queue, otherwise 0. */
  readonly hasNext: number;
}

/** `isOnly`: the queue has no head of another client. Always false if clients were excluded from the search. */
interface FoundHead {
  readonly head: ReadyHead;
  readonly isOnly: boolean;
}

/** The state of all tickets, which `take` reads before it searches for one. */
interface TicketLook {
  readonly queues: readonly string[];
  /** The clients of the tickets that workers have, once for each ticket. */
  readonly outClients: readonly string[];
  /** Whether there is a ticket whose delay or lease has ended. */
  readonly isAnyDue: boolean;
}

/**
 * Marks the first ready ticket of each client in each queue as its head. A search reads only heads, so that a client
 * with many tickets does not slow it down. Two heads of a client in one queue do no harm. But if a client has ready
 * tickets and no head, its jobs never start.
 */
export function readyHeads(reader: Db) {
  const firstReady = compileStatement((p: { clientId: string; queue: string }) =>
    reader
      .selectFrom('tickets')
      .select(['queue_position', 'job_id', 'head'])
      .where('client_id', '=', p.clientId)
      .where('queue', '=', p.queue)
      .where(ticketStateIs('READY'))
      .orderBy('queue_position')
      .orderBy('job_id')
      .limit(sql.lit(1)),
  );
  const setHead = compileStatement((p: { clientId: string; queue: string; queuePosition: number; jobId: string }) =>
    reader
      .updateTable('tickets')
      .set({ head: 1 })
      .where('client_id', '=', p.clientId)
      .where('queue', '=', p.queue)
      .where('state', '=', TICKET_STATE.READY)
      .where('queue_position', '=', p.queuePosition)
      .where('job_id', '=', p.jobId),
  );
  const isHead = sql<SqlBool>`head = 1`;
  // Finds each queue name with a seek in the index, because a scan would read the heads of all clients. Returns one row
  // for each ticket that a worker has, and the caller counts them, because SQLite would scan the table to count.
  const lookAt = compileStatement(({ now }: { readonly now: string }) => ({
    compile: () =>
      sql<{ readonly kind: 'queue' | 'out' | 'due'; readonly name: string }>`
        with recursive names (queue) as (
          select min(queue) from tickets where head = 1
          union all select (select min(queue) from tickets where head = 1 and queue > names.queue) from names where queue is not null
        )
        select 'queue' as kind, queue as name from names where queue is not null
        union all select 'out', client_id from tickets where ${ticketStateIs('OUT')}
        union all select 'due', '' where exists (select 1 from tickets where due_at <= ${now})`.compile(reader),
  }));

  /**
   * Marks the first ready ticket of a client in a queue as its head. Call this whenever the first ready ticket may have
   * changed.
   */
  const mark = async (db: Db, clientId: string, queue: string): Promise<void> => {
    const [row] = (await firstReady(db, { clientId, queue })).rows;
    if (row?.head === 0) await setHead(db, { clientId, queue, queuePosition: row.queue_position, jobId: row.job_id });
  };
  // The subquery is a seek in the index, so a search reads only two rows of each queue.
  const hasNext = sql<number>`exists (
    select 1 from tickets as next
    where next.client_id = tickets.client_id and next.queue = tickets.queue and next.state = ${sql.lit(TICKET_STATE.READY)}
      and (next.queue_position, next.job_id) > (tickets.queue_position, tickets.job_id)
  )`.as('hasNext');
  const headsOf = (db: Db, queue: string) =>
    db
      .selectFrom('tickets')
      .select([
        'client_id as clientId',
        'queue',
        'queue_position as queuePosition',
        'job_id as jobId',
        'receipt',
        'weight',
        hasNext,
      ])
      .where(isHead)
      .where('queue', '=', queue)
      .orderBy('queue_position')
      .orderBy('job_id')
      .limit(sql.lit(2));
  /** The query without excluded clients, which is compiled once because it is the usual case. */
  const headsOfAll = compileStatement(({ queue }: { readonly queue: string }) => headsOf(reader, queue));
  const firstIn = async (db: Db, queue: string, excluded: readonly string[]): Promise<FoundHead | undefined> => {
    const [head, second] =
      excluded.length === 0
        ? (await headsOfAll(db, { queue })).rows
        : await headsOf(db, queue).where('client_id', 'not in', excluded).execute();
    return head && { head, isOnly: second === undefined && excluded.length === 0 };
  };

  return {
    mark,

    async markAll(db: Db, tickets: readonly { readonly clientId: string; readonly queue: string }[]): Promise<void> {
      const marked = new Set<string>();
      for (const { clientId, queue } of tickets) {
        const key = `${queue} ${clientId}`;
        if (!marked.has(key)) await mark(db, clientId, queue);
        marked.add(key);
      }
    },

    /** Reads the state of all tickets. `now`: the time in ISO 8601. */
    async look(db: Db, now: string): Promise<TicketLook> {
      const { rows } = await lookAt(db, { now });
      const names = (kind: string): readonly string[] => rows.flatMap((row) => (row.kind === kind ? [row.name] : []));
      return { queues: names('queue'), outClients: names('out'), isAnyDue: names('due').length > 0 };
    },

    /**
     * Finds the head with the lowest position in the queues. A head is the first ready ticket of a client in a queue.
     * Ignores the clients that `excludedFrom` returns for a queue.
     */
    async first(
      db: Db,
      queues: readonly string[],
      excludedFrom: (queue: string) => readonly string[],
    ): Promise<FoundHead | undefined> {
      let best: FoundHead | undefined;
      for (const queue of queues) {
        const found = await firstIn(db, queue, excludedFrom(queue));
        if (found !== undefined && (best === undefined || isBefore(found.head, best.head))) best = found;
      }
      return best;
    },
  };
}

export const isBefore = (
  a: Pick<ReadyHead, 'queuePosition' | 'jobId'>,
  b: Pick<ReadyHead, 'queuePosition' | 'jobId'>,
): boolean => a.queuePosition < b.queuePosition || (a.queuePosition === b.queuePosition && a.jobId < b.jobId);

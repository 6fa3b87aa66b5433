import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { type SqlBool, sql } from 'kysely';
import { type Delivery, type JobQueue, weightIn } from '../jobs/ports/job-queue.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { type Database, dbOf } from '../store/transaction/database.ts';
import { changedRows, compileInsert, compileStatement } from '../store/transaction/statement.ts';
import { chooseNext, type Db, type FirstTicket, firstTickets, TICKET_STATE, ticketStateIs } from './first-tickets.ts';
import { isFetchQueue, queueName, queueRequirements, queuesFor } from './queue-name.ts';
import { deviceCounts, fetchCounts } from './take-counts.ts';

/** The row of a new ticket. */
interface TicketRow {
  readonly client_id: string;
  readonly queue: string;
  readonly queue_position: number;
  readonly job_id: string;
  readonly weight: number;
}

/** The previous version reads only tickets with this mark. Without it, one could not go back to that version. */
const READY_HEAD = 1;

const NO_HEAD = 0;

interface TicketQueueOptions {
  readonly leaseSeconds?: number;
}

/**
 * Creates the queue as a table in the database of the store. The next call of `take` notices expired leases. Until
 * then, the worker of such a lease may renew, remove or requeue the ticket. SQLite runs one transaction at a time, so
 * `perClient` is never exceeded.
 */
export function ticketQueue(
  { reader, transactions }: Database,
  { leaseSeconds = 15 }: TicketQueueOptions = {},
): JobQueue {
  const first = firstTickets(reader);
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

  const insert = compileInsert((rows: readonly TicketRow[]) =>
    reader.insertInto('tickets').values(
      rows.map((row) => ({
        client_id: row.client_id,
        queue: row.queue,
        state: sql.lit(TICKET_STATE.READY),
        queue_position: row.queue_position,
        job_id: row.job_id,
        receipt: sql.lit(0),
        head: sql.lit(READY_HEAD),
        weight: row.weight,
      })),
    ),
  );

  /** Updates the ticket of a delivery, unless its lease is lost. */
  const updateDelivered = (db: Db, { jobId, receipt }: Delivery) =>
    db.updateTable('tickets').where('job_id', '=', jobId).where('receipt', '=', receipt).where(ticketStateIs('OUT'));

  /** Makes tickets ready again. `due`: tickets whose delay or lease has ended. `out`: all tickets that workers have. */
  const makeReady = async (db: Db, which: 'due' | 'out'): Promise<number> => {
    const tickets = db.updateTable('tickets').set({ state: TICKET_STATE.READY, due_at: null, head: READY_HEAD });
    const isMeant = which === 'out' ? ticketStateIs('OUT') : sql<SqlBool>`due_at <= ${inSeconds(0)}`;
    return Number((await tickets.where(isMeant).executeTakeFirst()).numUpdatedRows);
  };

  const lookAt = compileStatement(({ now }: { readonly now: string }) => ({
    compile: () =>
      sql<{ readonly client: string | null }>`
        select client_id as client from tickets where ${ticketStateIs('OUT')}
        union all select null where exists (select 1 from tickets where due_at <= ${now})`.compile(reader),
  }));
  /** `outClients`: the clients of the tickets that workers have, once for each ticket. `isAnyDue`: a delay or a lease has ended. */
  const look = async (db: Db) => {
    const clients = (await lookAt(db, { now: inSeconds(0) })).rows.map(({ client }) => client);
    return { outClients: clients.filter((client) => client !== null), isAnyDue: clients.includes(null) };
  };
  /**
   * The state of the tickets, which is read once for all calls of `take` in one transaction. `take` updates it, and
   * `remove` clears it.
   */
  const looksByTx = new WeakMap<Tx, { tickets: readonly FirstTicket[]; readonly outByClient: Map<string, number> }>();
  const lookOnce = async (tx: Tx) => {
    const before = looksByTx.get(tx);
    if (before !== undefined) return before;
    const db = dbOf(tx);
    let { outClients, isAnyDue } = await look(db);
    if (isAnyDue) {
      await makeReady(db, 'due');
      ({ outClients } = await look(db));
    }
    const outByClient = new Map<string, number>();
    for (const client of outClients) outByClient.set(client, (outByClient.get(client) ?? 0) + 1);
    const found = { tickets: await first.all(db), outByClient };
    looksByTx.set(tx, found);
    return found;
  };

  const markOut = compileStatement((p: FirstTicket & { dueAt: string }) =>
    reader
      .updateTable('tickets')
      .set({ state: sql.lit(TICKET_STATE.OUT), head: sql.lit(NO_HEAD), receipt: p.receipt, due_at: p.dueAt })
      .where('client_id', '=', p.clientId)
      .where('queue', '=', p.queue)
      .where(ticketStateIs('READY'))
      .where('queue_position', '=', p.queuePosition)
      .where('job_id', '=', p.jobId),
  );
  const deleteDelivered = compileStatement((p: { jobId: string; receipt: number }) =>
    reader
      .deleteFrom('tickets')
      .where('job_id', '=', p.jobId)
      .where('receipt', '=', p.receipt)
      .where(ticketStateIs('OUT')),
  );
  const deleteQueued = compileStatement(
    (p: { clientId: string; queue: string; queuePosition: number; jobId: string }) =>
      reader
        .deleteFrom('tickets')
        .where('client_id', '=', p.clientId)
        .where('queue', '=', p.queue)
        .where('state', 'in', [sql.lit(TICKET_STATE.READY), sql.lit(TICKET_STATE.DELAYED)])
        .where('queue_position', '=', p.queuePosition)
        .where('job_id', '=', p.jobId),
  );
  const setTurn = compileStatement((p: { clientId: string; queue: string; turn: number }) =>
    reader
      .insertInto('client_turns')
      .values({ client_id: p.clientId, queue: p.queue, turn: p.turn })
      .onConflict((c) => c.columns(['client_id', 'queue']).doUpdateSet((e) => ({ turn: e.ref('excluded.turn') }))),
  );

  return {
    enqueue: (tx, tickets) =>
      insert(
        dbOf(tx),
        tickets.map((ticket) => ({
          client_id: ticket.clientId,
          queue: queueName(ticket),
          queue_position: -ticket.priority,
          job_id: ticket.jobId,
          weight: ticket.weight,
        })),
      ),

    async take(tx, request) {
      const { slots, perClient, ofClients, without = [], room } = request;
      const fetches = fetchCounts(request.fetches);
      const devices = deviceCounts(request.devices);
      const db = dbOf(tx);
      const found = await lookOnce(tx);
      const { outByClient } = found;
      const isFull = (clientId: string): boolean =>
        without.includes(clientId) || (outByClient.get(clientId) ?? 0) >= (ofClients?.get(clientId) ?? perClient);
      const deliveries: Delivery[] = [];
      let free = room?.free ?? 0;
      while (deliveries.length < slots) {
        const names = [...new Set(found.tickets.map(({ queue }) => queue))];
        const queues = new Set(devices.open(fetches.open(queuesFor(request, names))));
        const withoutFetches = fetches.fullClients();
        const next = chooseNext(
          found.tickets.filter(
            ({ queue, clientId }) =>
              queues.has(queue) && !isFull(clientId) && !(isFetchQueue(queue) && withoutFetches.includes(clientId)),
          ),
        );
        if (next === undefined) break;
        const { ticket, turnQueue, newTurn: turn } = next;
        const { jobId, clientId, queue } = ticket;
        const requirements = { ...ORDINARY, ...queueRequirements(queue), weight: ticket.weight };
        if (room !== undefined) free -= weightIn(room, requirements);
        if (free < 0) {
          request.onBlocked?.(ticket.weight);
          break;
        }
        fetches.add(queue, clientId);
        devices.add(queue);
        const receipt = ticket.receipt + 1;
        await markOut(db, { ...ticket, receipt, dueAt: inSeconds(leaseSeconds) });
        await setTurn(db, { clientId, queue: turnQueue, turn });
        deliveries.push({ jobId, clientId, receipt, ...requirements });
        outByClient.set(clientId, (outByClient.get(clientId) ?? 0) + 1);
        const others = found.tickets.filter((one) => one !== ticket);
        found.tickets = [...others, ...(await first.of(db, ticket))].map((one) =>
          one.clientId === clientId ? { ...one, highestTurn: turn, ...(one.queue === turnQueue && { turn }) } : one,
        );
      }
      if (found.tickets.length === 0) request.onEmpty?.();
      return deliveries;
    },

    async hasTickets() {
      if ((await look(reader)).isAnyDue) return true;
      const { rows } = await sql`select 1 from tickets where ${ticketStateIs('READY')} limit 1`.execute(reader);
      return rows.length > 0;
    },

    renewLease: (delivery) =>
      transactions.run(async (tx) => {
        const { numUpdatedRows } = await updateDelivered(dbOf(tx), delivery)
          .set({ due_at: inSeconds(leaseSeconds) })
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    async remove(tx, { jobId, receipt }) {
      looksByTx.delete(tx);
      return changedRows(await deleteDelivered(dbOf(tx), { jobId, receipt }));
    },

    async requeue(tx, delivery, delaySeconds) {
      const isDelayed = delaySeconds > 0;
      const { numUpdatedRows } = await updateDelivered(dbOf(tx), delivery)
        .set({
          state: isDelayed ? TICKET_STATE.DELAYED : TICKET_STATE.READY,
          head: isDelayed ? NO_HEAD : READY_HEAD,
          due_at: isDelayed ? inSeconds(delaySeconds) : null,
        })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async withdraw(tx, tickets) {
      const db = dbOf(tx);
      for (const ticket of tickets)
        await deleteQueued(db, { ...ticket, queue: queueName(ticket), queuePosition: -ticket.priority });
    },

    releaseAll: () => transactions.run((tx) => makeReady(dbOf(tx), 'out')),
  };
}

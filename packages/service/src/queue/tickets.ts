import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { type SqlBool, sql } from 'kysely';
import { type Delivery, type JobQueue, type TakeRequest, weightIn } from '../jobs/ports/job-queue.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { type Database, type Db, dbOf } from '../store/transaction/database.ts';
import { changedRows, compileInsert, compileStatement } from '../store/transaction/statement.ts';
import {
  chooseNext,
  type FirstTicket,
  readFirstTicket,
  readFirstTickets,
  TICKET_STATE,
  ticketStateIs,
} from './first-tickets.ts';
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

    take: (tx, request) => takeTickets(tx, request, leaseSeconds),

    async hasTickets() {
      if ((await look(reader)).isAnyDue) return true;
      const { rows } = await sql`select 1 from tickets where ${ticketStateIs('READY')} limit 1`.execute(reader);
      return rows.length > 0;
    },

    renewLease: (delivery) =>
      transactions.run((tx) => updateDelivered(tx, delivery, { due_at: inSeconds(leaseSeconds) })),

    async remove(tx, { jobId, receipt }) {
      stateOf.delete(tx);
      return changedRows(await deleteDelivered(dbOf(tx), { jobId, receipt }));
    },

    requeue: (tx, delivery, delaySeconds) =>
      updateDelivered(
        tx,
        delivery,
        delaySeconds > 0
          ? { state: TICKET_STATE.DELAYED, head: NO_HEAD, due_at: inSeconds(delaySeconds) }
          : { state: TICKET_STATE.READY, head: READY_HEAD, due_at: null },
      ),

    async withdraw(tx, tickets) {
      const db = dbOf(tx);
      for (const ticket of tickets)
        await deleteQueued(db, { ...ticket, queue: queueName(ticket), queuePosition: -ticket.priority });
    },

    releaseAll: () => transactions.run((tx) => makeReady(dbOf(tx), 'out')),
  };
}

async function takeTickets(tx: Tx, request: TakeRequest, leaseSeconds: number): Promise<readonly Delivery[]> {
  const { slots, perClient, ofClients, without = [], room } = request;
  const fetches = fetchCounts(request.fetches);
  const devices = deviceCounts(request.devices);
  const db = dbOf(tx);
  const found = await readState(tx);
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
    found.tickets = [...others, ...(await readFirstTicket(db, ticket)).rows].map((one) =>
      one.clientId === clientId ? { ...one, highestTurn: turn, ...(one.queue === turnQueue && { turn }) } : one,
    );
  }
  if (found.tickets.length === 0) request.onEmpty?.();
  return deliveries;
}

/**
 * The state of the tickets, which is read once for all calls of `take` in one transaction. `take` updates it, and
 * `remove` clears it.
 */
const stateOf = new WeakMap<Tx, { tickets: readonly FirstTicket[]; readonly outByClient: Map<string, number> }>();

async function readState(tx: Tx) {
  const before = stateOf.get(tx);
  if (before !== undefined) return before;
  const db = dbOf(tx);
  let { outClients, isAnyDue } = await look(db);
  if (isAnyDue) {
    await makeReady(db, 'due');
    ({ outClients } = await look(db));
  }
  const outByClient = new Map<string, number>();
  for (const client of outClients) outByClient.set(client, (outByClient.get(client) ?? 0) + 1);
  const found = { tickets: (await readFirstTickets(db, {})).rows, outByClient };
  stateOf.set(tx, found);
  return found;
}

/** `outClients`: the clients of the tickets that workers have, once for each ticket. `isAnyDue`: a delay or a lease has ended. */
async function look(db: Db) {
  const clients = (await lookAt(db, { now: inSeconds(0) })).rows.map(({ client }) => client);
  return { outClients: clients.filter((client) => client !== null), isAnyDue: clients.includes(null) };
}

/** Makes tickets ready again. `due`: tickets whose delay or lease has ended. `out`: all tickets that workers have. */
async function makeReady(db: Db, which: 'due' | 'out'): Promise<number> {
  const tickets = db.updateTable('tickets').set({ state: TICKET_STATE.READY, due_at: null, head: READY_HEAD });
  const isMeant = which === 'out' ? ticketStateIs('OUT') : sql<SqlBool>`due_at <= ${inSeconds(0)}`;
  return Number((await tickets.where(isMeant).executeTakeFirst()).numUpdatedRows);
}

/** Updates the ticket of a delivery. Resolves to false if its lease is lost. */
async function updateDelivered(
  tx: Tx,
  { jobId, receipt }: Delivery,
  set: { readonly state?: number; readonly head?: 0 | 1; readonly due_at: string | null },
): Promise<boolean> {
  const ticket = dbOf(tx).updateTable('tickets').where('job_id', '=', jobId).where('receipt', '=', receipt);
  return changedRows(await dbOf(tx).executeQuery(ticket.where(ticketStateIs('OUT')).set(set)));
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const insert = compileInsert((db, rows: readonly TicketRow[]) =>
  db.insertInto('tickets').values(
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

const lookAt = compileStatement(
  (_, { now }: { readonly now: string }) => sql<{ readonly client: string | null }>`
    select client_id as client from tickets where ${ticketStateIs('OUT')}
    union all select null where exists (select 1 from tickets where due_at <= ${now})`,
);

const markOut = compileStatement((db, p: FirstTicket & { dueAt: string }) =>
  db
    .updateTable('tickets')
    .set({ state: sql.lit(TICKET_STATE.OUT), head: sql.lit(NO_HEAD), receipt: p.receipt, due_at: p.dueAt })
    .where('client_id', '=', p.clientId)
    .where('queue', '=', p.queue)
    .where(ticketStateIs('READY'))
    .where('queue_position', '=', p.queuePosition)
    .where('job_id', '=', p.jobId),
);

const deleteDelivered = compileStatement((db, p: { jobId: string; receipt: number }) =>
  db.deleteFrom('tickets').where('job_id', '=', p.jobId).where('receipt', '=', p.receipt).where(ticketStateIs('OUT')),
);

const deleteQueued = compileStatement(
  (db, p: { clientId: string; queue: string; queuePosition: number; jobId: string }) =>
    db
      .deleteFrom('tickets')
      .where('client_id', '=', p.clientId)
      .where('queue', '=', p.queue)
      .where('state', 'in', [sql.lit(TICKET_STATE.READY), sql.lit(TICKET_STATE.DELAYED)])
      .where('queue_position', '=', p.queuePosition)
      .where('job_id', '=', p.jobId),
);

const setTurn = compileStatement((db, p: { clientId: string; queue: string; turn: number }) =>
  db
    .insertInto('client_turns')
    .values({ client_id: p.clientId, queue: p.queue, turn: p.turn })
    .onConflict((c) => c.columns(['client_id', 'queue']).doUpdateSet((e) => ({ turn: e.ref('excluded.turn') }))),
);

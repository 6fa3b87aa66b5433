import { ORDINARY, type Requirements } from '@telecine/contract/domain/lane.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Delivery, type JobQueue, weightIn } from '../jobs/ports/job-queue.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { type Database, dbOf } from '../store/transaction/database.ts';
import { changedRows, compileInsert, compileStatement } from '../store/transaction/statement.ts';
import { isFetchQueue, queueName, queueRequirements, queuesFor } from './queue-name.ts';
import { type Db, isBefore, type ReadyHead, readyHeads, TICKET_STATE, ticketStateIs } from './ready-heads.ts';
import { deviceCounts, fetchCounts } from './take-counts.ts';

interface TicketRow {
  readonly clientId: string;
  readonly queue: string;
  readonly queuePosition: number;
  readonly jobId: string;
  readonly weight: number;
}

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
  const heads = readyHeads(reader);
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

  const insertWith = (head: (row: TicketRow) => RawBuilder<0 | 1>) =>
    compileInsert((rows: readonly TicketRow[]) =>
      reader.insertInto('tickets').values(
        rows.map((row) => ({
          client_id: row.clientId,
          queue: row.queue,
          state: sql.lit(TICKET_STATE.READY),
          queue_position: row.queuePosition,
          job_id: row.jobId,
          receipt: sql.lit(0),
          head: head(row),
          weight: row.weight,
        })),
      ),
    );
  /**
   * Inserts the first ticket of each client in each queue. The ticket becomes the head, unless the client already has
   * an earlier ticket in this queue.
   */
  const insertFirst = insertWith(
    (row) => sql`not exists (
      select 1 from tickets where client_id = ${row.clientId} and queue = ${row.queue} and ${ticketStateIs('READY')}
        and (queue_position, job_id) < (${row.queuePosition}, ${row.jobId})
    )`,
  );
  const insertOthers = insertWith(() => sql.lit(0));

  /** Updates the ticket of a delivery, unless its lease is lost. */
  const updateDelivered = (db: Db, { jobId, receipt }: Delivery) =>
    db.updateTable('tickets').where('job_id', '=', jobId).where('receipt', '=', receipt).where(ticketStateIs('OUT'));

  /** Makes tickets ready again. `due`: tickets whose delay or lease has ended. `out`: all tickets that workers have. */
  const makeReady = async (db: Db, which: 'due' | 'out'): Promise<number> => {
    const tickets = db
      .updateTable('tickets')
      .set({ state: TICKET_STATE.READY, due_at: null })
      .returning(['client_id as clientId', 'queue']);
    const rows = await (which === 'out'
      ? tickets.where(ticketStateIs('OUT'))
      : tickets.where('due_at', '<=', inSeconds(0))
    ).execute();
    await heads.markAll(db, rows);
    return rows.length;
  };

  /**
   * The state of the tickets, which is read once for all calls of `take` in one transaction. `take` updates it, and
   * `remove` clears it.
   */
  const looksByTx = new WeakMap<Tx, { names: readonly string[]; readonly outByClient: Map<string, number> }>();
  const lookOnce = async (tx: Tx) => {
    const before = looksByTx.get(tx);
    if (before !== undefined) return before;
    const db = dbOf(tx);
    let look = await heads.look(db, inSeconds(0));
    if (look.isAnyDue) {
      await makeReady(db, 'due');
      look = await heads.look(db, inSeconds(0));
    }
    const outByClient = new Map<string, number>();
    for (const clientId of look.outClients) outByClient.set(clientId, (outByClient.get(clientId) ?? 0) + 1);
    const found = { names: look.queues, outByClient };
    looksByTx.set(tx, found);
    return found;
  };

  const markOut = compileStatement((p: TicketRow & { receipt: number; dueAt: string }) =>
    reader
      .updateTable('tickets')
      .set({ state: sql.lit(TICKET_STATE.OUT), head: sql.lit(0), receipt: p.receipt, due_at: p.dueAt })
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
  const findAny = compileStatement(({ now }: { readonly now: string }) => ({
    compile: () =>
      sql<{ readonly found: number }>`
        select exists (select 1 from tickets where head = 1) or exists (select 1 from tickets where due_at <= ${now}) as found`.compile(
        reader,
      ),
  }));

  const handOut = async (db: Db, head: ReadyHead, requirements: Requirements): Promise<Delivery> => {
    const receipt = head.receipt + 1;
    await markOut(db, { ...head, receipt, dueAt: inSeconds(leaseSeconds) });
    if (head.hasNext === 1) await heads.mark(db, head.clientId, head.queue);
    const { jobId, clientId } = head;
    return { jobId, clientId, receipt, ...requirements };
  };

  return {
    async enqueue(tx, tickets) {
      const db = dbOf(tx);
      const rows = tickets.map((ticket) => ({
        jobId: ticket.jobId,
        clientId: ticket.clientId,
        queue: queueName(ticket),
        queuePosition: ticket.queuePosition,
        weight: ticket.weight,
      }));
      const first = firstOfEach(rows);
      await insertFirst(db, [...first]);
      await insertOthers(
        db,
        rows.filter((row) => !first.has(row)),
      );
    },

    async take(tx, request) {
      const { slots, perClient, ofClients, without = [], room } = request;
      const fetches = fetchCounts(request.fetches);
      const devices = deviceCounts(request.devices);
      const db = dbOf(tx);
      const found = await lookOnce(tx);
      const { outByClient } = found;
      const deliveries: Delivery[] = [];
      let free = room?.free ?? 0;
      while (deliveries.length < slots) {
        const full = [...outByClient].flatMap(([clientId, count]) =>
          count >= (ofClients?.get(clientId) ?? perClient) ? [clientId] : [],
        );
        const excluded = [...full, ...without];
        const excludedFromFetch = [...excluded, ...fetches.fullClients()];
        const queues = queuesFor(request, found.names);
        const first = await heads.first(db, devices.open(fetches.open(queues)), (queue) =>
          isFetchQueue(queue) ? excludedFromFetch : excluded,
        );
        if (first === undefined) break;
        const { head, isOnly } = first;
        const requirements = { ...ORDINARY, ...queueRequirements(head.queue), weight: head.weight };
        if (room !== undefined) free -= weightIn(room, requirements);
        if (free < 0) {
          request.onBlocked?.(head.weight);
          break;
        }
        fetches.add(head.queue, head.clientId);
        devices.add(head.queue);
        deliveries.push(await handOut(db, head, requirements));
        if (isOnly && head.hasNext === 0) found.names = found.names.filter((name) => name !== head.queue);
        outByClient.set(head.clientId, (outByClient.get(head.clientId) ?? 0) + 1);
      }
      if (found.names.length === 0) request.onEmpty?.();
      return deliveries;
    },

    async hasTickets() {
      const { rows } = await findAny(reader, { now: inSeconds(0) });
      return rows[0]?.found === 1;
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
      const db = dbOf(tx);
      const isDelayed = delaySeconds > 0;
      const { numUpdatedRows } = await updateDelivered(db, delivery)
        .set({
          state: isDelayed ? TICKET_STATE.DELAYED : TICKET_STATE.READY,
          due_at: isDelayed ? inSeconds(delaySeconds) : null,
        })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (!isDelayed) await heads.mark(db, delivery.clientId, queueName(delivery));
      return true;
    },

    async withdraw(tx, ticket) {
      const { jobId, clientId, queuePosition } = ticket;
      const queue = queueName(ticket);
      const db = dbOf(tx);
      await db
        .deleteFrom('tickets')
        .where('client_id', '=', clientId)
        .where('queue', '=', queue)
        .where('state', 'in', [TICKET_STATE.READY, TICKET_STATE.DELAYED])
        .where('queue_position', '=', queuePosition)
        .where('job_id', '=', jobId)
        .execute();
      await heads.mark(db, clientId, queue);
    },

    releaseAll: () => transactions.run((tx) => makeReady(dbOf(tx), 'out')),
  };
}

function firstOfEach<T extends TicketRow>(rows: readonly T[]): ReadonlySet<T> {
  const first = new Map<string, T>();
  for (const row of rows) {
    const key = `${row.queue} ${row.clientId}`;
    const other = first.get(key);
    if (other === undefined || isBefore(row, other)) first.set(key, row);
  }
  return new Set(first.values());
}

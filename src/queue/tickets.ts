import { sql } from 'kysely';
import type { Delivery, JobQueue } from '../jobs/ports.ts';
import type { Database } from '../store/transaction/database.ts';
import { compileInsert } from '../store/transaction/statement.ts';
import { dbOf } from '../store/transaction/tx.ts';
import { type Db, type ReadyHead, readyHeads } from './ready-heads.ts';
import { TICKET_STATE, ticketStateIs } from './state.ts';

export interface TicketQueueOptions {
  /** How long a delivery is its taker's own without `touch`. */
  readonly leaseSeconds?: number;
  readonly now?: () => Date;
}

/**
 * The line as a table beside the jobs. A lease that has ended is noticed by the next `take`; until then its holder
 * may still touch, finish or put back, for nobody else has the ticket. Made for one taker at a time, as SQLite's
 * transactions are: several would never get the same ticket, but could together exceed `perClient`.
 */
export function ticketQueue(
  { reader, transactions }: Database,
  { leaseSeconds = 15, now = () => new Date() }: TicketQueueOptions = {},
): JobQueue {
  const heads = readyHeads(reader);
  const leaseEnd = (): string => new Date(now().getTime() + leaseSeconds * 1000).toISOString();

  const insert = compileInsert((rows: readonly { clientId: string; place: number; jobId: string }[]) =>
    reader.insertInto('tickets').values(
      rows.map((row) => ({
        client_id: row.clientId,
        state: sql.lit(TICKET_STATE.READY),
        place: row.place,
        job_id: row.jobId,
        receipt: sql.lit(0),
        head: sql.lit(0),
      })),
    ),
  );

  /** The ticket of a delivery that its taker still has. */
  const held = (db: Db, { jobId, receipt }: Delivery) =>
    db.updateTable('tickets').where('job_id', '=', jobId).where('receipt', '=', receipt).where(ticketStateIs('OUT'));

  /** Tickets put off until now, and those whose lease has ended, are ready again. */
  const release = async (db: Db, which: { readonly dueAt: string } | 'all that are out'): Promise<void> => {
    const tickets = db.updateTable('tickets').set({ state: TICKET_STATE.READY, due_at: null }).returning('client_id');
    const released = await (which === 'all that are out'
      ? tickets.where(ticketStateIs('OUT'))
      : tickets.where('due_at', '<=', which.dueAt)
    ).execute();
    for (const clientId of new Set(released.map((ticket) => ticket.client_id))) await heads.mark(db, clientId);
  };

  /** Counted here: grouped by the database, SQLite walks the whole line to have the clients in order. */
  const outByClient = async (db: Db): Promise<Map<string, number>> => {
    const out = new Map<string, number>();
    const rows = await db.selectFrom('tickets').select('client_id').where(ticketStateIs('OUT')).execute();
    for (const { client_id } of rows) out.set(client_id, (out.get(client_id) ?? 0) + 1);
    return out;
  };

  const handOver = async (db: Db, head: ReadyHead): Promise<Delivery | undefined> => {
    const receipt = head.receipt + 1;
    const { numUpdatedRows } = await db
      .updateTable('tickets')
      .set({ state: TICKET_STATE.OUT, head: 0, receipt, due_at: leaseEnd() })
      .where('client_id', '=', head.clientId)
      .where('state', '=', TICKET_STATE.READY)
      .where('place', '=', head.place)
      .where('job_id', '=', head.jobId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return undefined;
    await heads.mark(db, head.clientId);
    return { jobId: head.jobId, clientId: head.clientId, receipt };
  };

  return {
    async enqueue(tx, tickets) {
      const db = dbOf(tx);
      await insert(
        db,
        tickets.map(({ jobId, clientId, fairnessRank }) => ({ jobId, clientId, place: fairnessRank })),
      );
      for (const clientId of new Set(tickets.map((ticket) => ticket.clientId))) await heads.mark(db, clientId);
    },

    async take(tx, slots, perClient) {
      const db = dbOf(tx);
      await release(db, { dueAt: now().toISOString() });
      const out = await outByClient(db);
      const taken: Delivery[] = [];
      while (taken.length < slots) {
        const full = [...out].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : []));
        const head = await heads.first(db, full);
        if (head === undefined) break;
        const delivery = await handOver(db, head);
        if (delivery === undefined) continue;
        taken.push(delivery);
        out.set(head.clientId, (out.get(head.clientId) ?? 0) + 1);
      }
      return taken;
    },

    renewLease: (delivery) =>
      transactions.run(async (tx) => {
        const { numUpdatedRows } = await held(dbOf(tx), delivery).set({ due_at: leaseEnd() }).executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    async remove(tx, { jobId, receipt }) {
      const { numDeletedRows } = await dbOf(tx)
        .deleteFrom('tickets')
        .where('job_id', '=', jobId)
        .where('receipt', '=', receipt)
        .where(ticketStateIs('OUT'))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async requeue(tx, delivery, notBefore) {
      const db = dbOf(tx);
      const { numUpdatedRows } = await held(db, delivery)
        .set({
          state: notBefore === undefined ? TICKET_STATE.READY : TICKET_STATE.DELAYED,
          due_at: notBefore?.toISOString() ?? null,
        })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (notBefore === undefined) await heads.mark(db, delivery.clientId);
      return true;
    },

    async withdraw(tx, { jobId, clientId, fairnessRank }) {
      const db = dbOf(tx);
      await db
        .deleteFrom('tickets')
        .where('client_id', '=', clientId)
        .where('state', 'in', [TICKET_STATE.READY, TICKET_STATE.DELAYED])
        .where('place', '=', fairnessRank)
        .where('job_id', '=', jobId)
        .execute();
      await heads.mark(db, clientId);
    },

    releaseAll: () => transactions.run((tx) => release(dbOf(tx), 'all that are out')),
  };
}

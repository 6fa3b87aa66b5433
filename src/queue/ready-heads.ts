import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from '../store/transaction/database.ts';
import { compileStatement } from '../store/transaction/statement.ts';

export type Db = Database['reader'];

/**
 * READY: the ticket may be handed out. DELAYED: it may be handed out from `due_at` on. OUT: a worker has it, and its
 * lease ends at `due_at`.
 */
export const TICKET_STATE = { READY: 0, DELAYED: 1, OUT: 2 } as const;

/** The state is part of the SQL text, not a parameter: otherwise SQLite does not use a partial index. */
export const ticketStateIs = (state: keyof typeof TICKET_STATE): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('state')} = ${sql.lit(TICKET_STATE[state])}`;

/** The first ready ticket of a client. */
export interface ReadyHead {
  readonly clientId: string;
  readonly place: number;
  readonly jobId: string;
  readonly receipt: number;
}

/**
 * Each client's first ready ticket is marked as its head. The next ticket is found among the heads, so that a search
 * does not read the million tickets of a client at its limit of deliveries. Two marked tickets of a client are
 * harmless, but a client with ready tickets and no mark would starve.
 */
export interface ReadyHeads {
  /** Marks the first ready ticket of a client. Call this whenever another ticket may have become the first. */
  mark(db: Db, clientId: string): Promise<void>;
  /** Finds the head with the lowest rank whose client is not in `excluded`. */
  first(db: Db, excluded: readonly string[]): Promise<ReadyHead | undefined>;
}

export function readyHeads(reader: Db): ReadyHeads {
  const firstReady = compileStatement((p: { clientId: string }) =>
    reader
      .selectFrom('tickets')
      .select(['place', 'job_id', 'head'])
      .where('client_id', '=', p.clientId)
      .where(ticketStateIs('READY'))
      .orderBy('place')
      .orderBy('job_id')
      .limit(sql.lit(1)),
  );
  const setHead = compileStatement((p: { clientId: string; place: number; jobId: string }) =>
    reader
      .updateTable('tickets')
      .set({ head: 1 })
      .where('client_id', '=', p.clientId)
      .where('state', '=', TICKET_STATE.READY)
      .where('place', '=', p.place)
      .where('job_id', '=', p.jobId),
  );

  return {
    async mark(db, clientId) {
      const [row] = (await firstReady(db, { clientId })).rows;
      if (row?.head === 0) await setHead(db, { clientId, place: row.place, jobId: row.job_id });
    },

    async first(db, excluded) {
      let heads = db
        .selectFrom('tickets')
        .select(['client_id as clientId', 'place', 'job_id as jobId', 'receipt'])
        .where('head', '=', sql.lit(1))
        .orderBy('place')
        .orderBy('job_id')
        .limit(sql.lit(1));
      if (excluded.length > 0) heads = heads.where('client_id', 'not in', excluded);
      return heads.executeTakeFirst();
    },
  };
}

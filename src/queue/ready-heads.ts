import { sql } from 'kysely';
import type { Database } from '../store/transaction/database.ts';
import { compileStatement } from '../store/transaction/statement.ts';
import { TICKET_STATE, ticketStateIs } from './state.ts';

export type Db = Database['reader'];

/** A ticket that may be taken. */
export interface ReadyHead {
  readonly clientId: string;
  readonly place: number;
  readonly jobId: string;
  readonly receipt: number;
}

/**
 * The first ready ticket of every client is marked as a head, so that the next to be taken is found without walking
 * past the tickets of a client that has all it may have: its line may be a million long, its head is one.
 * A second head of a client does no harm; a client with ready tickets and none would starve.
 */
export interface ReadyHeads {
  /** Marks the first ready ticket of a client; to be called whenever another may have become the first. */
  mark(db: Db, clientId: string): Promise<void>;
  /** The head that is first in line, of no client in `passed`. */
  first(db: Db, passed: readonly string[]): Promise<ReadyHead | undefined>;
}

export function readyHeads(reader: Db): ReadyHeads {
  const front = compileStatement((p: { clientId: string }) =>
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
      const [row] = (await front(db, { clientId })).rows;
      if (row?.head === 0) await setHead(db, { clientId, place: row.place, jobId: row.job_id });
    },

    async first(db, passed) {
      let heads = db
        .selectFrom('tickets')
        .select(['client_id as clientId', 'place', 'job_id as jobId', 'receipt'])
        .where('head', '=', sql.lit(1))
        .orderBy('place')
        .orderBy('job_id')
        .limit(sql.lit(1));
      if (passed.length > 0) heads = heads.where('client_id', 'not in', passed);
      return heads.executeTakeFirst();
    },
  };
}

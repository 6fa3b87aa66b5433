import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** The most rows that one transaction deletes, because others wait for it. */
const DELETE_BATCH = 500;

/** The tables of what a client proves itself with, and their keys. */
const KEYS = { refresh_tokens: 'token_hash', sessions: 'session_hash' } as const;

/** Which rows to delete: those that expired before a time, or those that a client got before one. */
type Which = { readonly expiredBefore: string } | { readonly clientId: string; readonly issuedBefore: string };

/** Deletes old refresh tokens or sessions, in transactions of bounded size. */
export function oldestRows({ reader, transactions, lock }: Database, table: keyof typeof KEYS) {
  const key = KEYS[table];

  const oldest = (db: Kysely<Schema>, which: Which) => {
    const rows = db.selectFrom(table).select(key as 'token_hash');
    return 'expiredBefore' in which
      ? rows.where('expires_at', '<', which.expiredBefore).orderBy('expires_at').limit(DELETE_BATCH)
      : rows
          .where('client_id', '=', which.clientId)
          .where('issued_at', '<', which.issuedBefore)
          .orderBy('issued_at')
          .limit(DELETE_BATCH);
  };
  const deleteSome = (which: Which): Promise<number> =>
    transactions.run(async (tx) => {
      const db = dbOf(tx);
      // One process at a time: two would wait for each other's rows.
      await lock?.(db, 'old credentials', '');
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where(key as 'token_hash', 'in', oldest(db, which))
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  const deleteAll = async (which: Which): Promise<void> => {
    let batch = DELETE_BATCH;
    while (batch === DELETE_BATCH) batch = await deleteSome(which);
  };

  return {
    forget: (expiredBefore: string): Promise<void> => deleteAll({ expiredBefore }),

    async keepNewest(clientId: string, count: number): Promise<void> {
      const oldestKept = await reader
        .selectFrom(table)
        .select('issued_at')
        .where('client_id', '=', clientId)
        .orderBy('issued_at', 'desc')
        .limit(1)
        .offset(count - 1)
        .executeTakeFirst();
      if (oldestKept !== undefined) await deleteAll({ clientId, issuedBefore: oldestKept.issued_at });
    },
  };
}

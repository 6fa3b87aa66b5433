import type { Kysely } from 'kysely';
import type { Tx } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';

/** What a `Tx` is inside; `db` is gone once the unit is over. */
class OpenTx {
  db: Kysely<Schema> | undefined;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }
}

/** Runs `unit` with a `Tx` that lasts as long as the unit does. */
export async function withTx<T>(db: Kysely<Schema>, unit: (tx: Tx) => Promise<T>): Promise<T> {
  const open = new OpenTx(db);
  try {
    return await unit(open as unknown as Tx);
  } finally {
    open.db = undefined;
  }
}

/** The database as seen from within `tx`. Throws when the unit is over: a late write would join another's unit. */
export function dbOf(tx: Tx): Kysely<Schema> {
  const { db } = tx as unknown as OpenTx;
  if (db === undefined) throw new Error('This transaction is over.');
  return db;
}

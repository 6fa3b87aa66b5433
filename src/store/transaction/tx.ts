import type { Kysely } from 'kysely';
import type { Tx } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';

/** The inside of a `Tx`. `db` is undefined once the unit has ended. */
class OpenTx {
  db: Kysely<Schema> | undefined;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }
}

/** Runs `unit` with a `Tx` that ends with it. */
export async function withTx<T>(db: Kysely<Schema>, unit: (tx: Tx) => Promise<T>): Promise<T> {
  const open = new OpenTx(db);
  try {
    return await unit(open as unknown as Tx);
  } finally {
    open.db = undefined;
  }
}

/** The database within `tx`. Throws once the unit has ended: a late write would join another unit. */
export function dbOf(tx: Tx): Kysely<Schema> {
  const { db } = tx as unknown as OpenTx;
  if (db === undefined) throw new Error('This transaction is over.');
  return db;
}

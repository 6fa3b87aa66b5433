import type { Kysely } from 'kysely';
import type { Transactions, Tx } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';
import type { Database } from './database.ts';

/** The implementation of `Tx`. `db` is undefined once the unit has ended. */
class OpenTx {
  db: Kysely<Schema> | undefined;

  constructor(db: Kysely<Schema>) {
    this.db = db;
  }
}

/** Runs `unit` with a `Tx` that becomes invalid when the unit ends. */
export async function withTx<T>(db: Kysely<Schema>, unit: (tx: Tx) => Promise<T>): Promise<T> {
  const open = new OpenTx(db);
  try {
    return await unit(open as unknown as Tx);
  } finally {
    open.db = undefined;
  }
}

/**
 * Returns the database for `tx`. Throws once the unit has ended, because a late write would become part of another
 * unit.
 */
export function dbOf(tx: Tx): Kysely<Schema> {
  const { db } = tx as unknown as OpenTx;
  if (db === undefined) throw new Error('This transaction is over.');
  return db;
}

/** Creates `Database.write`. */
export const writerOf =
  ({ run }: Transactions): Database['write'] =>
  (unit, options) =>
    run((tx) => unit(dbOf(tx)), options);

import type { Kysely } from 'kysely';
import type { SigningKeyRecord, SigningKeyStore } from '../auth/ports.ts';
import { omitNullish } from './omit-nullish.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

export function signingKeyStore({ reader, transactions }: Database): SigningKeyStore {
  return {
    ensure: (key) =>
      transactions.run(async (tx) => {
        await add(dbOf(tx), key);
        return all(dbOf(tx));
      }),

    list: () => all(reader),

    rotate: (successor, at) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        await db.updateTable('signing_keys').set({ retired_at: at }).where('retired_at', 'is', null).execute();
        await add(db, successor);
      }),

    forget: (retiredBefore) =>
      transactions.run(async (tx) => {
        await dbOf(tx).deleteFrom('signing_keys').where('retired_at', '<', retiredBefore).execute();
      }),
  };
}

/** Does nothing if there is a current key, because a unique index allows only one. */
async function add(db: Kysely<Schema>, key: SigningKeyRecord): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ kid: key.kid, secret: key.secret, created_at: key.createdAt, retired_at: key.retiredAt ?? null })
    .onConflict((c) => c.doNothing())
    .execute();
}

async function all(db: Kysely<Schema>): Promise<readonly SigningKeyRecord[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
  return rows.map((row) => ({
    kid: row.kid,
    secret: row.secret,
    createdAt: row.created_at,
    ...omitNullish({ retiredAt: row.retired_at }),
  }));
}

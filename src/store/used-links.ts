import type { UsedLinks } from '../files/ports/used-links.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** Longer than the clocks of services and of the database differ. */
const KEPT_MS = 24 * 3600 * 1000;

/** The repository of used upload links. Writes are durable: a link must not work again after a crash. */
export const usedLinks = ({ reader, transactions, now }: Database): UsedLinks => ({
  use: (linkId, expiresAt) =>
    transactions.run(async (tx) => {
      const db = dbOf(tx);
      await db.deleteFrom('used_links').where('kept_until', '<=', now()).execute();
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('used_links')
        .values({ link_id: linkId, kept_until: new Date(expiresAt.getTime() + KEPT_MS).toISOString() })
        .onConflict((c) => c.column('link_id').doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    }),
  release: (linkId) =>
    transactions.run(async (tx) => {
      await dbOf(tx).deleteFrom('used_links').where('link_id', '=', linkId).execute();
    }),
  isUsed: async (linkId) =>
    (await reader.selectFrom('used_links').select('link_id').where('link_id', '=', linkId).executeTakeFirst()) !==
    undefined,
});

import type { UsedLinks } from '../files/ports.ts';
import { deleteRows, findRow, rowsChanged } from './queries.ts';
import type { Database } from './transaction/database.ts';

/**
 * How long a used link is kept after it has expired. This must be longer than the difference between the clocks of the
 * services and the database.
 */
const RETENTION_MS = 24 * 3600 * 1000;

/** Stores which upload links were used. Durable, because a link must not work again after a crash. */
export const usedLinks = ({ reader, write, now }: Database): UsedLinks => ({
  use: (linkId, expiresAt) =>
    write(async (db) => {
      const link = { link_id: linkId, kept_until: new Date(expiresAt.getTime() + RETENTION_MS).toISOString() };
      const insert = db.insertInto('used_links').values(link);
      const added = await rowsChanged(
        db,
        insert.onConflict((c) => c.column('link_id').doNothing()),
      );
      // If an upload ends so late that `kept_until` is over, the record of an earlier use may already be deleted. So
      // the upload may not use the link either.
      const deleted = await db.deleteFrom('used_links').where('kept_until', '<=', now()).returning('link_id').execute();
      return added > 0 && deleted.every((row) => row.link_id !== linkId);
    }),
  async release(linkId) {
    await write((db) => deleteRows(db, 'used_links', { link_id: linkId }));
  },
  isUsed: async (linkId) => (await findRow(reader, 'used_links', { link_id: linkId })) !== undefined,
});

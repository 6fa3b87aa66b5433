import type { Share } from '@telecine/contract/domain/share.ts';
import { sql } from 'kysely';
import type { ShareStore } from '../files/ports.ts';
import { recordsOf } from './columns.ts';
import { countOf, findRow, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

const SHARES = recordsOf<Share, Schema['shares']>()({
  shareId: 'share_id',
  clientId: 'client_id',
  path: 'path',
  fingerprint: 'fingerprint',
  jobId: 'job_id',
  folder: 'folder',
  sizeBytes: 'size_bytes',
  note: 'note',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  uses: 'uses',
  lastUsedAt: 'last_used_at',
});

/** Stores the links to files and to outputs of jobs. Durable: a revoked link must not work again after a crash. */
export const shareStore = ({ reader, write, lock, now }: Database): ShareStore => ({
  add: (share, linkHash, most) =>
    write(async (db) => {
      await lock?.(db, 'shares of client', share.clientId);
      const live = db
        .selectFrom('shares')
        .select('share_id')
        .where('client_id', '=', share.clientId)
        .where('expires_at', '>', now());
      if ((await countOf(db, live)) >= most) return false;
      await db
        .insertInto('shares')
        .values({ ...SHARES.write(share), link_hash: linkHash })
        .execute();
      return true;
    }),

  async find(linkHash) {
    const row = await findRow(reader, 'shares', { link_hash: linkHash });
    return row && SHARES.read(row);
  },

  async list({ clientId, before, limit }) {
    let rows = reader.selectFrom('shares').selectAll().where('expires_at', '>', now());
    if (clientId !== undefined) rows = rows.where('client_id', '=', clientId);
    if (before !== undefined) rows = rows.where('share_id', '<', before);
    return (await rows.orderBy('share_id', 'desc').limit(limit).execute()).map(SHARES.read);
  },

  remove: (shareId, clientId) =>
    write(async (db) => {
      let rows = db.deleteFrom('shares').where('share_id', '=', shareId);
      if (clientId !== undefined) rows = rows.where('client_id', '=', clientId);
      const row = await rows.returningAll().executeTakeFirst();
      return row && SHARES.read(row);
    }),

  async addUses(uses) {
    if (uses.size === 0) return;
    await write(async (db) => {
      for (const [shareId, count] of uses)
        await db
          .updateTable('shares')
          .set({ uses: sql<number>`uses + ${count}`, last_used_at: now() })
          .where('share_id', '=', shareId)
          .execute();
    });
  },

  removeExpired: (seconds, limit) =>
    write((db) => {
      const expired = db.selectFrom('shares').select('share_id').where('expires_at', '<', now(-seconds)).limit(limit);
      return rowsChanged(db, db.deleteFrom('shares').where('share_id', 'in', expired));
    }),
});

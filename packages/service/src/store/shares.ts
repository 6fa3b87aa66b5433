import { Problem } from '@telecine/contract/domain/problem.ts';
import { SHARE_LIMITS, type Share } from '@telecine/contract/domain/share.ts';
import { sql } from 'kysely';
import type { ShareStore } from '../files/ports.ts';
import { insertAuditRecord } from './audit.ts';
import { recordsOf } from './columns.ts';
import { countOf, findRow, hasValues, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

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
  revokedAt: 'revoked_at',
  revokedBy: 'revoked_by',
  maxFiles: 'max_files',
});

/** The most ended shares of a client that one transaction removes. */
const REMOVED_TOGETHER = 100;

/**
 * How long before its revocation a revoked share ends, in seconds. A service of the version before reads only the end, by its own clock,
 * which may be late.
 */
const CLOCK_SKEW = 60;

const sharesOf = (db: Db, clientId: string) =>
  db.selectFrom('shares').select('share_id').where('client_id', '=', clientId);

/** Stores the links to files, to outputs of jobs, and for uploads. Durable: a revoked link must not work again after a crash. */
export const shareStore = ({ reader, write, lock, now }: Database): ShareStore => ({
  add: (share, linkHash, most) =>
    write(async (db) => {
      await lock?.(db, 'shares of client', share.clientId);
      if ((await countOf(db, sharesOf(db, share.clientId).where('expires_at', '>', now()))) >= most) return false;
      await db
        .insertInto('shares')
        .values({ ...SHARES.write(share), link_hash: linkHash })
        .execute();
      const tooMany = sharesOf(db, share.clientId)
        .where('expires_at', '<=', now())
        .orderBy('share_id', 'desc')
        .limit(REMOVED_TOGETHER)
        .offset(SHARE_LIMITS.ended);
      await db.deleteFrom('shares').where('share_id', 'in', tooMany).execute();
      return true;
    }),

  count: (clientId) => countOf(reader, sharesOf(reader, clientId).where('expires_at', '>', now())),

  async find(linkHash) {
    const row = await findRow(reader, 'shares', { link_hash: linkHash });
    return row && SHARES.read(row);
  },

  async list({ clientId, of = {}, before, hasEnded, limit }) {
    let rows = reader.selectFrom('shares').selectAll();
    if (!hasEnded) rows = rows.where('expires_at', '>', now());
    if (clientId !== undefined) rows = rows.where('client_id', '=', clientId);
    if (before !== undefined) rows = rows.where('share_id', '<', before);
    const newest = rows.orderBy('share_id', 'desc').limit(limit);
    const { jobId, files } = of;
    if (jobId === undefined && files === undefined) return (await newest.execute()).map(SHARES.read);
    // Two queries, because each has an index of its own, and no index answers both together.
    const [ofJob, ofFiles] = await Promise.all([
      jobId === undefined ? [] : newest.where('job_id', '=', jobId).execute(),
      files === undefined
        ? []
        : newest.where('client_id', '=', files.clientId).where('path', 'in', files.paths).execute(),
    ]);
    // Both queries find the share of a job with one output.
    const found = new Map([...ofJob, ...ofFiles].map((row) => [row.share_id, row]));
    return [...found.values()]
      .toSorted((one, other) => (one.share_id < other.share_id ? 1 : -1))
      .slice(0, limit)
      .map(SHARES.read);
  },

  revoke: (shareId, by, clientId, recordOf) =>
    write(async (db) => {
      const own = { share_id: shareId, ...(clientId !== undefined && { client_id: clientId }) };
      // Also revoke a link whose end is over: by the clock of a service, which may be late, it may still work. It stays expired.
      const revoke = db
        .updateTable('shares')
        .from(
          db.selectNoFrom([sql<string>`${now()}`.as('at'), sql<string>`${now(-CLOCK_SKEW)}`.as('past')]).as('clock'),
        )
        .set(({ ref, val, case: when }) => {
          const [at, past, end] = [ref('clock.at'), ref('clock.past'), ref('expires_at')];
          return {
            revoked_at: when().when('expires_at', '>', at).then(at).else(end).end(),
            revoked_by: when().when('expires_at', '>', at).then(val(by)).else(null).end(),
            expires_at: when().when('expires_at', '<', past).then(end).else(past).end(),
          };
        })
        .where(hasValues<'shares'>(own))
        .where('revoked_at', 'is', null);
      const isChanged = (await rowsChanged(db, revoke)) > 0;
      const row = await findRow(db, 'shares', own);
      const share = row && SHARES.read(row);
      // A second revocation is not recorded, so it could not make up for a record that is lost.
      if (share !== undefined && isChanged) await insertAuditRecord(db, recordOf(share));
      return share;
    }),

  async addUses(uses) {
    if (uses.size === 0) return;
    await write(async (db) => {
      for (const [shareId, count] of uses) await addUses(db, now, shareId, count).execute();
    });
  },

  removeEnded: (seconds, limit) =>
    write((db) => {
      const ended = db.selectFrom('shares').select('share_id').where('expires_at', '<', now(-seconds)).limit(limit);
      return rowsChanged(db, db.deleteFrom('shares').where('share_id', 'in', ended));
    }),
});

/** Adds to the number of uses of a share. */
const addUses = (db: Db, now: Database['now'], shareId: string, count: number) =>
  db
    .updateTable('shares')
    .set({ uses: sql<number>`uses + ${count}`, last_used_at: now() })
    .where('share_id', '=', shareId);

/** Counts a file that a link takes. Throws LINK_USED if the link has ended, or takes no more files. */
export async function takeFile(db: Db, now: Database['now'], shareId: string): Promise<void> {
  const take = addUses(db, now, shareId, 1).where('expires_at', '>', now()).whereRef('uses', '<', 'max_files');
  if ((await rowsChanged(db, take)) > 0) return;
  throw new Problem('LINK_USED', 'This link takes no more files: it has as many as it allows. Ask for a new one.');
}

/** Lets a link take another file instead of one that was not stored. */
export const giveBackFile = (db: Db, now: Database['now'], shareId: string): Promise<unknown> =>
  addUses(db, now, shareId, -1).execute();

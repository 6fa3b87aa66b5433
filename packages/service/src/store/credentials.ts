import type {
  RefreshRecord,
  RefreshStore,
  SessionRecord,
  SessionStore,
  SigningKeyRecord,
  SigningKeyStore,
} from '../auth/ports.ts';
import { recordsOf } from './columns.ts';
import { deleteRows, findRow, removeInBatches, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

const TOKENS = recordsOf<RefreshRecord, Schema['refresh_tokens']>()({
  tokenHash: 'token_hash',
  parent: 'parent',
  family: 'family',
  clientId: 'client_id',
  scopes: { json: 'scopes' },
  issuedAt: 'issued_at',
  expiresAt: 'expires_at',
  usedAt: 'used_at',
});

const SESSIONS = recordsOf<SessionRecord, Schema['sessions']>()({
  sessionHash: 'session_hash',
  clientId: 'client_id',
  scopes: { json: 'scopes' },
  issuedAt: 'issued_at',
  expiresAt: 'expires_at',
});

const SIGNING_KEYS = recordsOf<SigningKeyRecord, Schema['signing_keys']>()({
  kid: 'kid',
  secret: 'secret',
  createdAt: 'created_at',
  retiredAt: 'retired_at',
});

export function refreshStore(database: Database): RefreshStore {
  const { reader, write, lock } = database;
  // A rotation locks the family of its token, and a revocation locks all families that it deletes. Otherwise, a
  // concurrent rotation could add a token that survives the revocation.
  const lockFamily = async (db: Db, family: string): Promise<void> => lock?.(db, 'token family', family);

  return {
    async add(token) {
      await write((db) => insertToken(db, token));
    },

    async get(tokenHash) {
      const row = await findRow(reader, 'refresh_tokens', { token_hash: tokenHash });
      return row && TOKENS.read(row);
    },

    rotate: (successor, { at, graceFrom, mostSuccessors }) =>
      write(async (db) => {
        const { parent } = successor;
        await lockFamily(db, successor.family);
        // The update also locks the row, so that the second of two concurrent calls sees what the first has written.
        const markUsed = (tokenHash: string) =>
          db
            .updateTable('refresh_tokens')
            .set((e) => ({ used_at: e.fn.coalesce('used_at', e.val(at)) }))
            .where('token_hash', '=', tokenHash)
            .returning(['used_at', 'parent'])
            .executeTakeFirst();
        const token = await markUsed(parent);
        if (token === undefined) return undefined;
        if (token.parent !== null) await markUsed(token.parent);
        const children = await childrenOf(db, parent);
        const siblings = token.parent === null ? [] : await childrenOf(db, token.parent);
        // A used token may have no successors left: they are deleted when a client has too many tokens.
        const wasUsed = children.length > 0 || token.used_at !== at;
        const isLate = wasUsed && (token.used_at ?? at) < graceFrom;
        const hasUsedChild = children.some((child) => child.used_at !== null);
        const hasUsedSibling = siblings.some((sibling) => sibling.used_at !== null && sibling.token_hash !== parent);
        if (isLate || hasUsedChild || hasUsedSibling || children.length >= mostSuccessors) return 'reused';
        await insertToken(db, successor);
        return 'rotated';
      }),

    async revokeFamily(family) {
      await write(async (db) => {
        await lockFamily(db, family);
        await deleteRows(db, 'refresh_tokens', { family });
      });
    },

    async revokeClient(clientId) {
      await write(async (db) => {
        const tokens = db.selectFrom('refresh_tokens').select('family').distinct().where('client_id', '=', clientId);
        // Lock the families in the same order in all transactions, so that two revocations do not deadlock.
        for (const { family } of await tokens.orderBy('family').execute()) await lockFamily(db, family);
        await deleteRows(db, 'refresh_tokens', { client_id: clientId });
      });
    },

    ...oldestRows(database, 'refresh_tokens'),
  };
}

const childrenOf = (db: Db, parent: string) =>
  db.selectFrom('refresh_tokens').select(['token_hash', 'used_at']).where('parent', '=', parent).execute();

const insertToken = (db: Db, token: RefreshRecord) =>
  db.insertInto('refresh_tokens').values(TOKENS.write(token)).execute();

export const sessionStore = (database: Database): SessionStore => ({
  async add(session) {
    await database.write((db) => db.insertInto('sessions').values(SESSIONS.write(session)).execute());
  },

  async get(sessionHash) {
    const row = await findRow(database.reader, 'sessions', { session_hash: sessionHash });
    return row && SESSIONS.read(row);
  },

  async remove(sessionHash) {
    await database.write((db) => deleteRows(db, 'sessions', { session_hash: sessionHash }));
  },

  forget: oldestRows(database, 'sessions').forget,
});

export function signingKeyStore({ reader, write }: Database): SigningKeyStore {
  const all = async (db: Db): Promise<readonly SigningKeyRecord[]> => {
    const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
    return rows.map(SIGNING_KEYS.read);
  };
  /** Adds a key, unless there is a current one: a unique index allows only one. */
  const add = (db: Db, key: SigningKeyRecord) =>
    db
      .insertInto('signing_keys')
      .values(SIGNING_KEYS.write(key))
      .onConflict((c) => c.doNothing())
      .execute();

  return {
    ensure: (key) =>
      write(async (db) => {
        await add(db, key);
        return all(db);
      }),

    list: () => all(reader),

    async rotate(successor, at) {
      await write(async (db) => {
        await db.updateTable('signing_keys').set({ retired_at: at }).where('retired_at', 'is', null).execute();
        await add(db, successor);
      });
    },

    async forget(retiredBefore) {
      await write((db) => db.deleteFrom('signing_keys').where('retired_at', '<', retiredBefore).execute());
    },
  };
}

/** The maximum number of rows that one transaction deletes, because other transactions wait for it. */
const DELETE_BATCH = 500;

/** The tables of credentials that expire, with their primary keys. */
const KEYS = { refresh_tokens: 'token_hash', sessions: 'session_hash' } as const;

/** The rows to delete: rows that expired before a time, or rows of a client that were issued before a time. */
type Which = { readonly expiredBefore: string } | { readonly clientId: string; readonly issuedBefore: string };

/** Returns functions that delete old refresh tokens or sessions. Each transaction deletes a limited number of rows. */
function oldestRows({ reader, write, lock }: Database, table: keyof typeof KEYS) {
  const key = KEYS[table] as 'token_hash';

  const oldest = (db: Db, which: Which) => {
    const rows = db.selectFrom(table).select(key).limit(DELETE_BATCH);
    return 'expiredBefore' in which
      ? rows.where('expires_at', '<', which.expiredBefore).orderBy('expires_at')
      : rows.where('client_id', '=', which.clientId).where('issued_at', '<', which.issuedBefore).orderBy('issued_at');
  };
  const deleteAll = (which: Which): Promise<number> =>
    removeInBatches({ write }, DELETE_BATCH, async (db) => {
      // Let only one process delete at a time: two would wait for each other's row locks.
      await lock?.(db, 'old credentials', '');
      return rowsChanged(db, db.deleteFrom(table).where(key, 'in', oldest(db, which)));
    });

  return {
    async forget(expiredBefore: string): Promise<void> {
      await deleteAll({ expiredBefore });
    },

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

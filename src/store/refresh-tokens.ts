import type { Kysely, Selectable } from 'kysely';
import type { RefreshRecord, RefreshStore } from '../auth/ports.ts';
import { oldestRows } from './oldest-rows.ts';
import { omitNullish } from './omit-nullish.ts';
import type { RefreshTokensTable, Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

export function refreshStore(database: Database): RefreshStore {
  const { reader, transactions, lock } = database;
  // A rotation locks its family, and a revocation all families that it deletes: otherwise a successor that a rotation adds
  // at the same time would outlive the revocation.
  const lockFamily = async (db: Kysely<Schema>, family: string): Promise<void> => lock?.(db, 'token family', family);

  return {
    add: (token) => transactions.run((tx) => insert(dbOf(tx), token)),

    async get(tokenHash) {
      const row = await reader
        .selectFrom('refresh_tokens')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    rotate: (successor, { at, graceFrom, mostSuccessors }) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        const { parent } = successor;
        await lockFamily(db, successor.family);
        // The update also locks the row, so the second of two concurrent calls sees the result of the first.
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
        // Its successors may have been deleted as too many.
        const wasUsed = children.length > 0 || token.used_at !== at;
        const isLate = wasUsed && (token.used_at ?? at) < graceFrom;
        const hasUsedChild = children.some((child) => child.used_at !== null);
        const hasUsedSibling = siblings.some((sibling) => sibling.used_at !== null && sibling.token_hash !== parent);
        if (isLate || hasUsedChild || hasUsedSibling || children.length >= mostSuccessors) return 'reused';
        await insert(db, successor);
        return 'rotated';
      }),

    revokeFamily: (family) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        await lockFamily(db, family);
        await db.deleteFrom('refresh_tokens').where('family', '=', family).execute();
      }),

    revokeClient: (clientId) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        const tokens = db.selectFrom('refresh_tokens').select('family').distinct().where('client_id', '=', clientId);
        // In one order, so that two revocations do not wait for each other.
        for (const { family } of await tokens.orderBy('family').execute()) await lockFamily(db, family);
        await db.deleteFrom('refresh_tokens').where('client_id', '=', clientId).execute();
      }),

    ...oldestRows(database, 'refresh_tokens'),
  };
}

const childrenOf = (db: Kysely<Schema>, parent: string) =>
  db.selectFrom('refresh_tokens').select(['token_hash', 'used_at']).where('parent', '=', parent).execute();

async function insert(db: Kysely<Schema>, token: RefreshRecord): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.tokenHash,
      parent: token.parent ?? null,
      family: token.family,
      client_id: token.clientId,
      scopes: JSON.stringify(token.scopes),
      issued_at: token.issuedAt,
      expires_at: token.expiresAt,
      used_at: token.usedAt ?? null,
    })
    .execute();
}

function toRecord(row: Selectable<RefreshTokensTable>): RefreshRecord {
  return {
    tokenHash: row.token_hash,
    family: row.family,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes) as RefreshRecord['scopes'],
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    ...omitNullish({ parent: row.parent, usedAt: row.used_at }),
  };
}

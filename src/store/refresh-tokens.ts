import type { Kysely, Selectable } from 'kysely';
import type { RefreshRecord, RefreshStore } from '../auth/ports.ts';
import { given } from './given.ts';
import type { RefreshTokensTable, Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { inside } from './transaction/tx.ts';

export function refreshStore({ reader, transactions }: Database): RefreshStore {
  const revoke = (column: 'family' | 'client_id') => (value: string) =>
    transactions.run(async (tx) => {
      await inside(tx).deleteFrom('refresh_tokens').where(column, '=', value).execute();
    });

  return {
    add: (token) => transactions.run((tx) => insert(inside(tx), token)),

    async get(tokenHash) {
      const row = await reader
        .selectFrom('refresh_tokens')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    rotate: (tokenHash, successor, at, graceFrom) =>
      transactions.run(async (tx) => {
        const db = inside(tx);
        // Writing also locks the row, so that of two calls at once the second sees what the first did.
        const token = await db
          .updateTable('refresh_tokens')
          .set((e) => ({ used_at: e.fn.coalesce('used_at', e.val(at)) }))
          .where('token_hash', '=', tokenHash)
          .returning('used_at')
          .executeTakeFirst();
        const firstUse = token?.used_at ?? undefined;
        if (firstUse === undefined) return undefined;
        if (firstUse === at || firstUse >= graceFrom) await insert(db, successor);
        return firstUse;
      }),

    revokeFamily: revoke('family'),
    revokeClient: revoke('client_id'),

    forget: (expiredBefore) =>
      transactions.run(async (tx) => {
        await inside(tx).deleteFrom('refresh_tokens').where('expires_at', '<', expiredBefore).execute();
      }),
  };
}

async function insert(db: Kysely<Schema>, token: RefreshRecord): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.tokenHash,
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
    ...given({ usedAt: row.used_at }),
  };
}

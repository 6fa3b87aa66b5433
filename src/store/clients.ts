import type { Kysely, Selectable } from 'kysely';
import { type ClientRecord, type ClientStore, LastAdmin } from '../auth/ports.ts';
import type { ClientLimitChanges } from '../domain/client-limits.ts';
import { omitNullish } from './omit-nullish.ts';
import type { ClientsTable, Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

export function clientStore({ reader, transactions, lock }: Database): ClientStore {
  /** The limits after a change. The row stays locked, so that two changes of different limits do not undo each other. */
  async function changedLimits(db: Kysely<Schema>, clientId: string, changes: ClientLimitChanges): Promise<string> {
    const stored = db.selectFrom('clients').select('limits').where('client_id', '=', clientId);
    // Without a lock, transactions run one after the other, and the database knows no locks of rows.
    const row = await (lock === undefined ? stored : stored.forUpdate()).executeTakeFirst();
    return JSON.stringify({ ...limitsOf(row?.limits ?? null), ...changes });
  }

  return {
    add: (client) =>
      transactions.run(async (tx) => {
        const { numInsertedOrUpdatedRows } = await dbOf(tx)
          .insertInto('clients')
          .values({
            client_id: client.clientId,
            secret_hash: client.secretHash,
            scopes: JSON.stringify(client.scopes),
            root: client.root ?? null,
            external_subject: client.externalSubject ?? null,
            limits: client.limits === undefined ? null : JSON.stringify(client.limits),
            created_at: client.createdAt,
            revoked_at: client.revokedAt ?? null,
            tokens_not_before: client.tokensNotBefore ?? null,
          })
          .onConflict((c) => c.doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      }),

    async get(clientId) {
      const row = await reader.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst();
      return row && toRecord(row);
    },

    async findExternal(subject) {
      const row = await reader
        .selectFrom('clients')
        .selectAll()
        .where('external_subject', '=', subject)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async list(which) {
      const all = reader.selectFrom('clients').selectAll().orderBy('created_at').orderBy('client_id');
      const rows = await (which === 'limited' ? all.where('limits', 'is not', null) : all).execute();
      return rows.map(toRecord);
    },

    update: (clientId, change, { keepsAdmin = false } = {}) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        if (keepsAdmin) {
          await lock?.(db, 'administrators', '');
          await requireOtherAdmin(db, clientId);
        }
        const limits = change.limits && (await changedLimits(db, clientId, change.limits));
        const { numUpdatedRows } = await db
          .updateTable('clients')
          .set({
            // With this member, an update without changes is valid SQL and still reports whether the client exists.
            client_id: clientId,
            ...omitNullish({
              secret_hash: change.secretHash,
              scopes: change.scopes && JSON.stringify(change.scopes),
              root: change.root,
              limits,
              revoked_at: change.revokedAt,
              tokens_not_before: change.tokensNotBefore,
            }),
          })
          .where('client_id', '=', clientId)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),
  };
}

const limitsOf = (limits: string | null): ClientLimitChanges | null =>
  limits === null ? null : (JSON.parse(limits) as ClientLimitChanges);

/** Throws `LastAdmin` if the client is the only one that has the scope `admin` and is not revoked. */
async function requireOtherAdmin(db: Kysely<Schema>, clientId: string): Promise<void> {
  const rows = await db.selectFrom('clients').select(['client_id', 'scopes']).where('revoked_at', 'is', null).execute();
  const admins = rows.filter(({ scopes }) => (JSON.parse(scopes) as ClientRecord['scopes']).includes('admin'));
  if (admins.length === 1 && admins[0]?.client_id === clientId) throw new LastAdmin();
}

function toRecord(row: Selectable<ClientsTable>): ClientRecord {
  return {
    clientId: row.client_id,
    secretHash: row.secret_hash,
    scopes: JSON.parse(row.scopes) as ClientRecord['scopes'],
    createdAt: row.created_at,
    ...omitNullish({
      root: row.root,
      externalSubject: row.external_subject,
      limits: limitsOf(row.limits),
      revokedAt: row.revoked_at,
      tokensNotBefore: row.tokens_not_before,
    }),
  };
}

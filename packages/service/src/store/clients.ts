import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import { sql } from 'kysely';
import { type ClientRecord, type ClientStore, LastAdmin } from '../auth/ports.ts';
import { omitNullish, parseJsonColumn, recordsOf } from './columns.ts';
import { findRow, rowsChanged, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, type Db, hasRowLocks } from './transaction/database.ts';

const CLIENTS = recordsOf<ClientRecord, Schema['clients']>()({
  clientId: 'client_id',
  secretHash: 'secret_hash',
  previousSecret: { json: 'previous_secret' },
  scopes: { json: 'scopes' },
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  root: 'root',
  externalSubject: 'external_subject',
  limits: { json: 'limits' },
  revokedAt: 'revoked_at',
  tokensNotBefore: 'tokens_not_before',
});

export function clientStore(database: Database): ClientStore {
  const { reader, write, lock } = database;
  /**
   * Returns the limits of a client after `changes`. Locks the row: otherwise, one of two concurrent changes of
   * different limits would be lost.
   */
  async function changedLimits(db: Db, clientId: string, changes: ClientLimitChanges): Promise<string> {
    const stored = db.selectFrom('clients').select('limits').where('client_id', '=', clientId);
    const row = await (hasRowLocks(database) ? stored.forUpdate() : stored).executeTakeFirst();
    return JSON.stringify({ ...parseJsonColumn<ClientLimitChanges>(row?.limits ?? null), ...changes });
  }

  return {
    add: (client) =>
      write(async (db) => {
        const row = db.insertInto('clients').values(CLIENTS.write(client));
        return (
          (await rowsChanged(
            db,
            row.onConflict((c) => c.doNothing()),
          )) === 1
        );
      }),

    async get(clientId) {
      const row = await findRow(reader, 'clients', { client_id: clientId });
      return row && CLIENTS.read(row);
    },

    async findExternal(subject) {
      const row = await findRow(reader, 'clients', { external_subject: subject, revoked_at: null });
      return row && CLIENTS.read(row);
    },

    async list(which) {
      const all = reader.selectFrom('clients').selectAll().orderBy('created_at').orderBy('client_id');
      if (which === 'limited') return (await all.where('limits', 'is not', null).execute()).map(CLIENTS.read);
      if (which === undefined) return (await all.execute()).map(CLIENTS.read);
      const isQueued = sql<boolean>`exists (select 1 from jobs j where j.client_id = clients.client_id and j.status = 'PENDING')`;
      return (await all.where('revoked_at', 'is not', null).where(isQueued).execute()).map(CLIENTS.read);
    },

    update: (clientId, change, { keepsAdmin = false } = {}) =>
      write(
        async (db) => {
          if (keepsAdmin) {
            await lock?.(db, 'administrators', '');
            await requireOtherAdmin(db, clientId);
          }
          const limits = change.limits && (await changedLimits(db, clientId, change.limits));
          const set = omitNullish({
            secret_hash: change.secretHash,
            previous_secret: change.previousSecret && JSON.stringify(change.previousSecret),
            scopes: change.scopes && JSON.stringify(change.scopes),
            root: change.root,
            limits,
            last_used_at: change.lastUsedAt,
            revoked_at: change.revokedAt,
            tokens_not_before: change.tokensNotBefore,
          });
          // Also set `client_id`, to its own value. An update without other changes is then valid SQL and still shows
          // whether the client exists.
          return (await updateRows(db, 'clients', { client_id: clientId, ...set }, { client_id: clientId })) === 1;
        },
        // A crash may lose when a client was used, so that alone needs no flush.
        { durable: Object.keys(change).some((name) => name !== 'lastUsedAt') },
      ),
  };
}

/** Throws `LastAdmin` if no other client, apart from revoked ones, has the scope `admin`. */
async function requireOtherAdmin(db: Db, clientId: string): Promise<void> {
  const rows = await db.selectFrom('clients').select(['client_id', 'scopes']).where('revoked_at', 'is', null).execute();
  const admins = rows.filter(({ scopes }) => (JSON.parse(scopes) as ClientRecord['scopes']).includes('admin'));
  if (admins.length === 1 && admins[0]?.client_id === clientId) throw new LastAdmin();
}

import type { StoredFile } from '@telecine/contract/domain/stored-files.ts';
import { type Selectable, sql } from 'kysely';
import type { BinEntry, BinStore } from '../files/ports.ts';
import { sumOf } from './count-files.ts';
import { deleteRows, findRow } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

type Row = Selectable<Schema['bin_entries']>;

const toEntry = ({ entry_id, client_id, path, bytes, counted, deleted_at, expires_at }: Row): BinEntry => ({
  ...{ entryId: entry_id, clientId: client_id, path, bytes: Number(bytes) },
  counted: JSON.parse(counted) as StoredFile[],
  ...{ deletedAt: deleted_at, expiresAt: expires_at },
});

export const binEntries = ({ reader, write, now }: Database): BinStore => {
  const entries = () => reader.selectFrom('bin_entries').selectAll();
  return {
    async add({ entryId, clientId, path, bytes, counted }, seconds) {
      await write((db) =>
        db
          .insertInto('bin_entries')
          .values({
            ...{ entry_id: entryId, client_id: clientId, path, bytes, counted: JSON.stringify(counted) },
            ...{ deleted_at: now(), expires_at: now(seconds) },
          })
          .execute(),
      );
    },

    async find(clientId, entryId) {
      const row = await findRow(reader, 'bin_entries', { client_id: clientId, entry_id: entryId });
      return row && toEntry(row);
    },

    list: async (clientId, limit) =>
      (
        await entries()
          .where('client_id', '=', clientId)
          .orderBy('deleted_at', 'desc')
          .orderBy('entry_id')
          .limit(limit)
          .execute()
      ).map(toEntry),

    async oldest(clientId, limit) {
      const all = entries().orderBy('deleted_at').orderBy('entry_id').limit(limit);
      return (await (clientId === undefined ? all : all.where('client_id', '=', clientId)).execute()).map(toEntry);
    },

    expired: async (limit) =>
      (await entries().where('expires_at', '<=', now()).orderBy('expires_at').limit(limit).execute()).map(toEntry),

    async postpone(entryId, seconds) {
      await write((db) =>
        db
          .updateTable('bin_entries')
          .set({ expires_at: now(seconds) })
          .where('entry_id', '=', entryId)
          .execute(),
      );
    },

    remove: (entryId) => write(async (db) => (await deleteRows(db, 'bin_entries', { entry_id: entryId })) > 0),

    async used(clientId) {
      const { bytes } = await reader
        .selectFrom('bin_entries')
        .select(sumOf('bytes').as('bytes'))
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow();
      return Number(bytes);
    },

    async clients() {
      const rows = await reader
        .selectFrom('bin_entries')
        .select(sql<string>`client_id`.as('clientId'))
        .distinct()
        .execute();
      return rows.map(({ clientId }) => clientId);
    },
  };
};

import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { BinEntry, BinItem, BinStore } from '../files/ports.ts';
import { sumOf } from './count-files.ts';
import { deleteRows, findRow, hasValues, rowsChanged, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

type Row = Selectable<Schema['bin_entries']>;

const ITEM = ['entry_id', 'client_id', 'path', 'bytes', 'data', 'deleted_at', 'expires_at', 'given_up_at'] as const;

const toItem = (row: Pick<Row, (typeof ITEM)[number]>): BinItem => ({
  ...{ entryId: row.entry_id, clientId: row.client_id, path: row.path, bytes: Number(row.bytes), data: row.data },
  ...{ deletedAt: row.deleted_at, expiresAt: row.expires_at },
  ...(row.given_up_at !== '' && { givenUpAt: row.given_up_at }),
});

const toEntry = (row: Row): BinEntry => ({
  ...toItem(row),
  counted: JSON.parse(row.counted) as BinEntry['counted'],
});

/** A crash that loses a hold ends it early, as if it had expired. So holds do not wait for the flush to disk. */
const NOT_DURABLE = { durable: false };

type Where = ExpressionBuilder<Schema, 'bin_entries'>;

/** Returns the condition that an entry is in a bin, and nobody restores or deletes it now. */
export const keptEntries = (now: Database['now']) => (e: Where) =>
  e.and([e('held_until', '<=', now()), e('given_up_at', '=', '')]);

export const binEntries = ({ reader, write, now }: Database): BinStore => {
  const isFree = (e: Where) => e('held_until', '<=', now());
  const isKept = keptEntries(now);
  const items = () => reader.selectFrom('bin_entries').select(ITEM);
  return {
    add: ({ entryId, clientId, path, bytes, counted, data }, seconds, { holder, seconds: heldSeconds }) =>
      write(async (db) => {
        const row = await db
          .insertInto('bin_entries')
          .values({
            ...{ entry_id: entryId, client_id: clientId, path, bytes, counted: JSON.stringify(counted), data },
            ...{ deleted_at: now(), expires_at: now(seconds), holder, held_until: now(heldSeconds), given_up_at: '' },
          })
          .onConflict((conflict) => conflict.column('entry_id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row && toEntry(row);
      }),

    async find(clientId, entryId) {
      const row = await findRow(reader, 'bin_entries', { client_id: clientId, entry_id: entryId, given_up_at: '' });
      return row && toEntry(row);
    },

    hold: (entryId, { holder, seconds }) =>
      write(async (db) => {
        const held = db
          .updateTable('bin_entries')
          .set({ holder, held_until: now(seconds) })
          .where(hasValues<'bin_entries'>({ entry_id: entryId, given_up_at: '' }))
          .where((e) => e.or([isFree(e), e('holder', '=', holder)]));
        return (await rowsChanged(db, held)) > 0;
      }, NOT_DURABLE),

    release: (entryId, holder) =>
      write(
        async (db) =>
          (await updateRows(db, 'bin_entries', { holder: '', held_until: '' }, { entry_id: entryId, holder })) > 0,
        NOT_DURABLE,
      ),

    // Durable: otherwise, an entry whose files are partly deleted could be restored after a crash.
    giveUp: (entryId, holder) =>
      write(async (db) => {
        const free = db
          .updateTable('bin_entries')
          .set({
            given_up_at: sql`case when given_up_at = '' then ${now()} else given_up_at end`,
            ...{ expires_at: now(), holder: '', held_until: '' },
          })
          .where('entry_id', '=', entryId)
          .where((e) => (holder === undefined ? isFree(e) : e('holder', '=', holder)));
        return (await rowsChanged(db, free)) > 0;
      }),

    list: async (clientId, limit) =>
      (
        await items()
          .where('client_id', '=', clientId)
          .where(isKept)
          .orderBy('deleted_at', 'desc')
          .orderBy('entry_id')
          .limit(limit)
          .execute()
      ).map(toItem),

    oldest: async (clientId, limit, { except = [], leastBytes = 0 } = {}) =>
      (
        await items()
          .where(isKept)
          .$if(clientId !== undefined, (q) => q.where('client_id', '=', clientId ?? ''))
          .$if(leastBytes > 0, (q) => q.where('bytes', '>=', leastBytes))
          .$if(except.length > 0, (q) => q.where('client_id', 'not in', except))
          .orderBy('deleted_at')
          .orderBy('entry_id')
          .limit(limit)
          .execute()
      ).map(toItem),

    expired: async (limit) =>
      (await items().where('expires_at', '<=', now()).where(isFree).orderBy('expires_at').limit(limit).execute()).map(
        toItem,
      ),

    async postpone(entryId, seconds) {
      await write((db) =>
        db
          .updateTable('bin_entries')
          .set({ expires_at: now(seconds) })
          .where('entry_id', '=', entryId)
          .execute(),
      );
    },

    remove: (entryId, holder) =>
      write(
        async (db) =>
          (await deleteRows(db, 'bin_entries', { entry_id: entryId, ...(holder !== undefined && { holder }) })) > 0,
      ),

    async count(clientId) {
      const { entries } = await reader
        .selectFrom('bin_entries')
        .select((e) => e.fn.countAll().as('entries'))
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow();
      return Number(entries);
    },

    async used(clientId) {
      const { bytes } = await reader
        .selectFrom('bin_entries')
        .select(sumOf('bytes').as('bytes'))
        .where('client_id', '=', clientId)
        .where(isKept)
        .executeTakeFirstOrThrow();
      return Number(bytes);
    },

    async clients() {
      const rows = await reader
        .selectFrom('bin_entries')
        .select(sql<string>`client_id`.as('clientId'))
        .where('given_up_at', '=', '')
        .distinct()
        .execute();
      return rows.map(({ clientId }) => clientId);
    },
  };
};

import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { sql } from 'kysely';
import { clientRecords } from './client-records.ts';
import { addSize, reserveRoom, settleRoom, storageSize } from './storage-size.ts';
import type { Database } from './transaction/database.ts';

/** A reservation that was not renewed for this time belongs to a process that was killed. */
const RESERVED_SECONDS = 3600;

/** No write waits for the disk: a sum corrects what a crash of the machine undoes. */
const NOT_DURABLE = { durable: false };

export function storedFiles(database: Database): StoredFiles {
  const { reader, write, now } = database;
  return {
    reserve: (clientId, id, bytes, limit) =>
      write((db) => reserveRoom(database, db, clientId, id, bytes, limit), NOT_DURABLE),

    settle: (clientId, id, bytes) => write((db) => settleRoom(db, clientId, id, bytes), NOT_DURABLE),

    add: (clientId, change) => write((db) => addSize(db, clientId, change), NOT_DURABLE),

    used: async (clientId) => (await storageSize(reader, now, clientId)).files,

    records: clientRecords(reader),

    due: async () =>
      (
        await reader
          .selectFrom('clients')
          .leftJoin('storage_use', 'storage_use.client_id', 'clients.client_id')
          .select(['clients.client_id as clientId', sql<number>`coalesce(storage_use.grown, 0)`.as('grown')])
          .where((e) => e.or([e('storage_use.sum_at', 'is', null), e('storage_use.sum_at', '<=', now())]))
          .execute()
      ).map(({ clientId, grown }) => ({ clientId, grown: Number(grown) })),

    replace: ({ clientId, grown }, sum, seconds) =>
      write(async (db) => {
        await db
          .deleteFrom('storage_reservations')
          .where('client_id', '=', clientId)
          .where('at', '<', now(-RESERVED_SECONDS))
          .execute();
        const { files, bin } = sum ?? { files: 0, bin: 0 };
        await db
          .insertInto('storage_use')
          .values({ client_id: clientId, bytes: files, bin_bytes: bin, grown, sum_at: now(seconds) })
          .onConflict((c) =>
            c.column('client_id').doUpdateSet({
              ...(sum !== undefined && { bytes: sql`${files} + storage_use.grown - ${grown}`, bin_bytes: bin }),
              sum_at: now(seconds),
            }),
          )
          .execute();
      }, NOT_DURABLE),
  };
}

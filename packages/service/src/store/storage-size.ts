import { StorageExceeded, type StorageSize, type StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { clientRecords } from './client-records.ts';
import { deleteRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

export const sumOf = (column: 'bytes' | 'size_bytes') =>
  sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/** Returns the condition that a resumable upload is unfinished, so that its full size counts. */
export const unfinishedUploads = (now: Database['now']) => (e: ExpressionBuilder<Schema, 'resumable_uploads'>) =>
  e.and([e('published', '=', sql.lit(0)), e('expires_at', '>', now())]);

/**
 * Returns what a client uses. `files` includes reserved room and the full sizes of its unfinished uploads. Reads all in one statement,
 * because an upload that ends moves from one group to another.
 */
export async function storageSize(db: Db, now: Database['now'], clientId: string): Promise<StorageSize> {
  const row = await db
    .selectFrom('resumable_uploads')
    .select(({ selectFrom }) => [
      sumOf('size_bytes').as('uploads'),
      selectFrom('storage_use').select('bytes').where('client_id', '=', clientId).as('files'),
      selectFrom('storage_use').select('bin_bytes').where('client_id', '=', clientId).as('bin'),
      selectFrom('storage_reservations')
        .select(sumOf('bytes').as('sum'))
        .where('client_id', '=', clientId)
        .as('reserved'),
    ])
    .where('client_id', '=', clientId)
    .where(unfinishedUploads(now))
    .executeTakeFirstOrThrow();
  return {
    files: Number(row.files ?? 0) + Number(row.reserved ?? 0) + Number(row.uploads),
    bin: Number(row.bin ?? 0),
  };
}

/** Throws StorageExceeded if a client has no room for more bytes. Other requests for room wait until the transaction ends. */
export async function requireRoom(
  { lock, now }: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  bytes: number,
  { limit }: { readonly limit: number | undefined },
): Promise<void> {
  if (limit === undefined) return;
  await lock?.(db, 'storage of client', clientId);
  const size = await storageSize(db, now, clientId);
  if (size.files + size.bin + bytes > limit) throw new StorageExceeded(size, bytes, limit);
}

/** Reserves room in a transaction; see `StoredFiles.reserve`. */
export async function reserveRoom(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  id: string,
  bytes: number,
  limit: number | undefined,
): Promise<void> {
  if (limit !== undefined) await deleteRows(db, 'storage_reservations', { client_id: clientId, id });
  await requireRoom(database, db, clientId, bytes, { limit });
  await db
    .insertInto('storage_reservations')
    .values({ client_id: clientId, id, bytes, at: database.now() })
    .onConflict((c) => c.columns(['client_id', 'id']).doUpdateSet({ bytes, at: database.now() }))
    .execute();
}

/** Adds to what a client stores. No sum falls below 0: a file that was deleted may not be counted yet. */
export async function addSize(db: Db, clientId: string, { files = 0, bin = 0 }: Partial<StorageSize>): Promise<void> {
  const sum = (column: 'bytes' | 'bin_bytes', more: number) => {
    const total = sql.ref<number>(`storage_use.${column}`);
    return sql<number>`case when ${total} + ${more} < 0 then 0 else ${total} + ${more} end`;
  };
  const changed = Math.abs(files) + Math.abs(bin);
  await db
    .insertInto('storage_use')
    .values({ client_id: clientId, bytes: Math.max(0, files), bin_bytes: Math.max(0, bin), grown: changed, sum_at: '' })
    .onConflict((c) =>
      c.column('client_id').doUpdateSet({
        bytes: sum('bytes', files),
        bin_bytes: sum('bin_bytes', bin),
        grown: sql`storage_use.grown + ${changed}`,
      }),
    )
    .execute();
}

/** A reservation that was not renewed for this time belongs to a process that was killed. */
const RESERVED_SECONDS = 3600;

/** No write waits for the disk: a sum corrects what a crash of the machine undoes. */
const NOT_DURABLE = { durable: false };

export function storedFiles(database: Database): StoredFiles {
  const { reader, write, now } = database;
  return {
    reserve: (clientId, id, bytes, limit) =>
      write((db) => reserveRoom(database, db, clientId, id, bytes, limit), NOT_DURABLE),

    settle: (clientId, id, bytes) =>
      write(async (db) => {
        const ended = await deleteRows(db, 'storage_reservations', { client_id: clientId, id });
        if (ended > 0 && bytes > 0) await addSize(db, clientId, { files: bytes });
      }, NOT_DURABLE),

    add: (clientId, change) => write((db) => addSize(db, clientId, change), NOT_DURABLE),

    used: async (clientId) => (await storageSize(reader, now, clientId)).files,

    records: clientRecords(reader),

    due: async () =>
      (
        await reader
          .selectFrom('clients')
          .leftJoin('storage_use', 'storage_use.client_id', 'clients.client_id')
          .select(['clients.client_id as clientId', sql<number>`coalesce(storage_use.grown, 0)`.as('changed')])
          .where((e) => e.or([e('storage_use.sum_at', 'is', null), e('storage_use.sum_at', '<=', now())]))
          .execute()
      ).map(({ clientId, changed }) => ({ clientId, changed: Number(changed) })),

    replace: ({ clientId, changed }, sum, seconds) =>
      write(async (db) => {
        await db
          .deleteFrom('storage_reservations')
          .where('client_id', '=', clientId)
          .where('at', '<', now(-RESERVED_SECONDS))
          .execute();
        const { files, bin } = sum ?? { files: 0, bin: 0 };
        const meanwhile = sql<number>`storage_use.grown - ${changed}`;
        const nearest = (column: 'bytes' | 'bin_bytes', found: number) => {
          const counted = sql.ref<number>(`storage_use.${column}`);
          return sql<number>`case
            when ${counted} > ${found} + ${meanwhile} then ${found} + ${meanwhile}
            when ${counted} < ${found} - (${meanwhile}) then ${found} - (${meanwhile})
            else ${counted} end`;
        };
        await db
          .insertInto('storage_use')
          .values({ client_id: clientId, bytes: files, bin_bytes: bin, grown: changed, sum_at: now(seconds) })
          .onConflict((c) =>
            c.column('client_id').doUpdateSet({
              ...(sum !== undefined && { bytes: nearest('bytes', files), bin_bytes: nearest('bin_bytes', bin) }),
              sum_at: now(seconds),
            }),
          )
          .execute();
      }, NOT_DURABLE),
  };
}

import { StorageExceeded, type StorageSize } from '@telecine/contract/domain/stored-files.ts';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { deleteRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

type Db = Kysely<Schema>;

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
  await deleteRows(db, 'storage_reservations', { client_id: clientId, id });
  await requireRoom(database, db, clientId, bytes, { limit });
  await db.insertInto('storage_reservations').values({ client_id: clientId, id, bytes, at: database.now() }).execute();
}

/** Ends a reservation in a transaction; see `StoredFiles.settle`. */
export async function settleRoom(db: Db, clientId: string, id: string, bytes: number): Promise<void> {
  const ended = await deleteRows(db, 'storage_reservations', { client_id: clientId, id });
  if (ended > 0 && bytes > 0) await addSize(db, clientId, { files: bytes });
}

/** Adds to what a client stores. No sum falls below 0: a file that was deleted may not be counted yet. */
export async function addSize(db: Db, clientId: string, { files = 0, bin = 0 }: Partial<StorageSize>): Promise<void> {
  const sum = (column: 'bytes' | 'bin_bytes', more: number) => {
    const total = sql.ref<number>(`storage_use.${column}`);
    return sql<number>`case when ${total} + ${more} < 0 then 0 else ${total} + ${more} end`;
  };
  const grown = Math.max(0, files) + Math.max(0, bin);
  await db
    .insertInto('storage_use')
    .values({ client_id: clientId, bytes: Math.max(0, files), bin_bytes: Math.max(0, bin), grown, sum_at: '' })
    .onConflict((c) =>
      c.column('client_id').doUpdateSet({
        bytes: sum('bytes', files),
        bin_bytes: sum('bin_bytes', bin),
        grown: sql`storage_use.grown + ${grown}`,
      }),
    )
    .execute();
}

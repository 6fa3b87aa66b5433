import { defined } from '@telecine/contract/domain/defined.ts';
import { sql } from 'kysely';
import type { UploadLimits, UploadRecord, UploadStore } from '../files/ports.ts';
import { recordsOf } from './columns.ts';
import { chunksOf, countOfRows, deleteRows, hasValues, removeInBatches, rowsChanged, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import { giveBackFile, takeFile } from './shares.ts';
import { addSize, requireRoom, unfinishedUploads } from './storage-size.ts';
import type { Database, Db } from './transaction/database.ts';

const UPLOADS = recordsOf<UploadRecord, Schema['resumable_uploads']>()({
  uploadId: 'upload_id',
  clientId: 'client_id',
  path: 'path',
  sizeBytes: 'size_bytes',
  offsetBytes: 'offset_bytes',
  metadata: 'metadata',
  precondition: 'precondition',
  data: 'data',
  isPublished: { flag: 'published' },
});

/** The maximum number of old uploads that are removed when a new one is added. */
const MAX_REMOVED = 100;

/** A new upload that a crash of the machine undoes has no bytes, and one that was published is published again. */
const NOT_DURABLE = { durable: false };

const openUploads = (db: Db, { now }: Pick<Database, 'now'>) =>
  db.selectFrom('resumable_uploads').select(countOfRows).where(unfinishedUploads(now));

const publishedUploads = (db: Db) =>
  db.selectFrom('resumable_uploads').select('upload_id').where('published', '=', sql.lit(1)).where('data', '=', '');

/** Stores uploads. Offsets are durable: clients do not send bytes again that were reported as stored. */
export function resumableUploads(database: Database): UploadStore {
  const { write, now } = database;

  return {
    ...uploadReads(database),

    add: (record, holder, seconds, limits) =>
      write((db) => addUpload(database, db, record, holder, seconds, limits), NOT_DURABLE),

    claim: (clientId, uploadId, holder, seconds) =>
      write(async (db) => {
        const row = await db
          .updateTable('resumable_uploads')
          .set((e) => ({
            holder,
            expires_at: e.case().when('published', '=', 1).then(e.ref('expires_at')).else(now(seconds)).end(),
          }))
          .where(hasValues<'resumable_uploads'>({ upload_id: uploadId, client_id: clientId }))
          .where('expires_at', '>', now())
          .returningAll()
          .executeTakeFirst();
        return row && UPLOADS.read(row);
      }),

    save: (uploadId, holder, { offsetBytes, ...texts }, seconds) =>
      write(async (db) => {
        const change = {
          ...(offsetBytes !== undefined && { offset_bytes: offsetBytes }),
          ...defined(texts),
          expires_at: now(seconds),
        };
        return (await updateRows(db, 'resumable_uploads', change, { upload_id: uploadId, holder })) > 0;
      }),

    grow: (clientId, uploadId, bytes, limit) =>
      write(async (db) => {
        await requireRoom(database, db, clientId, bytes, { limit });
        await db
          .updateTable('resumable_uploads')
          .set((e) => ({ size_bytes: e('size_bytes', '+', bytes) }))
          .where('upload_id', '=', uploadId)
          .execute();
      }, NOT_DURABLE),

    publish: (clientId, uploadId, holder, { precondition, change }, seconds) =>
      write(
        async (db) => {
          const held = { upload_id: uploadId, holder };
          const offset_bytes = sql.ref<number>('size_bytes');
          const ended = { published: 1, offset_bytes, precondition, expires_at: now(seconds) };
          const isHeld =
            seconds === 0
              ? await deleteRows(db, 'resumable_uploads', held)
              : await updateRows(db, 'resumable_uploads', ended, held);
          // Count the file in this transaction, so that its bytes count either as the upload or as the file.
          if (isHeld > 0) await addSize(db, clientId, change);
          return isHeld > 0;
          // What was uploaded by a link keeps its id. If a crash undid this, the link would allow one file more once the record expires.
        },
        precondition === '{}' ? NOT_DURABLE : undefined,
      ),

    remove: (uploadId, shareId) =>
      write(async (db) => {
        const isRemoved = (await deleteRows(db, 'resumable_uploads', { upload_id: uploadId })) > 0;
        if (isRemoved && shareId !== undefined) await giveBackFile(db, now, shareId);
        return isRemoved;
      }),

    removePublished: (batch) =>
      removeInBatches(database, batch, (db) => {
        const expired = publishedUploads(db).where('expires_at', '<=', now()).orderBy('expires_at').limit(batch);
        return rowsChanged(db, db.deleteFrom('resumable_uploads').where('upload_id', 'in', expired));
      }),
  };
}

async function addUpload(
  database: Database,
  db: Db,
  record: UploadRecord,
  holder: string,
  seconds: number,
  { maxOpen, maxPublished, maxStoredBytes, shareId }: UploadLimits,
): Promise<boolean> {
  const { lock, now } = database;
  const { clientId } = record;
  // Lock before counting. Otherwise, two concurrent additions would not count each other.
  await lock?.(db, 'uploads of client', clientId);
  const { count } = await openUploads(db, database).where('client_id', '=', clientId).executeTakeFirstOrThrow();
  if (count >= maxOpen) return false;
  const oldest = publishedUploads(db)
    .where('client_id', '=', clientId)
    .orderBy('expires_at', 'desc')
    .orderBy('upload_id', 'desc')
    .limit(MAX_REMOVED)
    .offset(maxPublished - 1);
  await db.deleteFrom('resumable_uploads').where('upload_id', 'in', oldest).execute();
  await requireRoom(database, db, clientId, record.sizeBytes, { limit: maxStoredBytes });
  if (shareId !== undefined) await takeFile(db, now, shareId);
  const row = { ...UPLOADS.write(record), holder, expires_at: now(seconds) };
  await db.insertInto('resumable_uploads').values(row).execute();
  return true;
}

function uploadReads(database: Database) {
  const { reader, now } = database;

  return {
    find: async (clientId, uploadId) => {
      const row = await reader
        .selectFrom('resumable_uploads')
        .selectAll()
        .where(hasValues<'resumable_uploads'>({ upload_id: uploadId, client_id: clientId }))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row && UPLOADS.read(row);
    },

    expired: async (limit) => {
      const rows = await reader
        .selectFrom('resumable_uploads')
        .selectAll()
        .where('expires_at', '<=', now())
        .orderBy('expires_at')
        .orderBy('upload_id')
        .limit(limit)
        .execute();
      return rows.map(UPLOADS.read);
    },

    recorded: async (uploadIds) => {
      const ids = new Set<string>();
      for (const chunk of chunksOf(uploadIds)) {
        const rows = await reader
          .selectFrom('resumable_uploads')
          .select('upload_id')
          .where('upload_id', 'in', chunk)
          .execute();
        for (const row of rows) ids.add(row.upload_id);
      }
      return ids;
    },

    isInUse: async (multipartId) => {
      // The data are JSON, in which other characters can be escaped. A wildcard can only find an upload too many.
      const pattern = `%${multipartId.replace(/\W+/g, '%')}%`;
      const inUse = reader.selectFrom('resumable_uploads').select('upload_id').where('data', 'like', pattern);
      return (await inUse.limit(1).executeTakeFirst()) !== undefined;
    },

    countOpen: async () => (await openUploads(reader, database).executeTakeFirstOrThrow()).count,
  } satisfies Partial<UploadStore>;
}

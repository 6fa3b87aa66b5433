import { type Kysely, sql } from 'kysely';
import type { StoredFile } from '../domain/stored-files.ts';
import { chunksOf } from './chunks-of.ts';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/**
 * The bytes by which the pending files of a client are larger than what is counted at their paths. Of several at one path, only
 * the largest counts, because one of them is there in the end. `except`: a version that does not count.
 */
export const selectPendingBytes = (db: Db, clientId: string, except = '') =>
  db
    .selectFrom(
      db
        .selectFrom('pending_files')
        .leftJoin('client_files', (join) =>
          join
            .onRef('client_files.client_id', '=', 'pending_files.client_id')
            .onRef('client_files.path', '=', 'pending_files.path'),
        )
        .select(sql<number>`max(pending_files.bytes) - coalesce(max(client_files.bytes), 0)`.as('more'))
        .where('pending_files.client_id', '=', clientId)
        .where('pending_files.version', '<>', except)
        .groupBy('pending_files.path')
        .as('pending'),
    )
    .select(sql<number>`cast(coalesce(sum(pending.more), 0) as bigint)`.as('sum'))
    .where('pending.more', '>', 0);

/** The largest pending file at each of these paths. `except`: a version that does not count. */
export async function pendingAt(
  db: Db,
  clientId: string,
  paths: readonly string[],
  except: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await Promise.all(
    chunksOf(paths).map((chunk) =>
      db
        .selectFrom('pending_files')
        .select(({ fn }) => ['path', fn.max('bytes').as('bytes')])
        .where('client_id', '=', clientId)
        .where('path', 'in', chunk)
        .where('version', '<>', except)
        .groupBy('path')
        .execute(),
    ),
  );
  return new Map(rows.flat().map(({ path, bytes }) => [path, Number(bytes)]));
}

/** Writes pending files. `hasArrived`: whether all their bytes are here, so that they may appear. */
export async function writePending(
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  version: string,
  hasArrived: boolean,
): Promise<void> {
  const shared = { client_id: clientId, version, arrived: Number(hasArrived), renewed_at: new Date().toISOString() };
  await Promise.all(
    chunksOf(files).map((chunk) =>
      db
        .insertInto('pending_files')
        .values(chunk.map(({ path, bytes }) => ({ ...shared, path, bytes })))
        .onConflict((c) =>
          c.columns(['client_id', 'path', 'version']).doUpdateSet((e) => ({
            bytes: e.ref('excluded.bytes'),
            arrived: e.ref('excluded.arrived'),
            renewed_at: e.ref('excluded.renewed_at'),
          })),
        )
        .execute(),
    ),
  );
}

/** Deletes the pending files of a version. */
export const deletePending = (db: Db, clientId: string, version: string) =>
  db.deleteFrom('pending_files').where('client_id', '=', clientId).where('version', '=', version).execute();

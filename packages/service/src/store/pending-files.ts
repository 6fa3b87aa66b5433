import type { StoredFile } from '@telecine/contract/domain/stored-files.ts';
import { type Kysely, sql } from 'kysely';
import { chunksOf, deleteRows, excluded } from './queries.ts';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

const arriving = sql<number>`case when pending_files.arrived = 0 then pending_files.bytes else 0 end`;

/**
 * Returns how many bytes the pending files add to the files of a client. Several files may be pending for one path, but
 * only one remains there in the end. So for each path, only the largest of the existing and the pending files counts.
 * Files that are still arriving use space at the same time, so all of these except the largest are added. `except`:
 * pending files with this version do not count.
 */
export const selectPendingBytes = (db: Db, clientId: string, except = '') =>
  db
    .selectFrom(
      pendingByPath(db)
        .where('pending_files.client_id', '=', clientId)
        .where('pending_files.version', '<>', except)
        .as('pending'),
    )
    .select(pendingSum);

/** Returns the same for each client that has pending files, as `client_id` and `sum`. */
export const selectAllPendingBytes = (db: Db) =>
  db.selectFrom(pendingByPath(db).as('pending')).select(['client_id', pendingSum]).groupBy('client_id');

const pendingSum =
  sql<number>`cast(coalesce(sum(pending.others + case when pending.more > 0 then pending.more else 0 end), 0) as bigint)`.as(
    'sum',
  );

const pendingByPath = (db: Db) =>
  db
    .selectFrom('pending_files')
    .leftJoin('client_files', (join) =>
      join
        .onRef('client_files.client_id', '=', 'pending_files.client_id')
        .onRef('client_files.path', '=', 'pending_files.path'),
    )
    .select([
      'pending_files.client_id',
      sql<number>`max(pending_files.bytes) - coalesce(max(client_files.bytes), 0)`.as('more'),
      sql<number>`sum(${arriving}) - max(${arriving})`.as('others'),
    ])
    .groupBy(['pending_files.client_id', 'pending_files.path']);

/** The pending files at one path. All numbers are in bytes. */
interface PendingAt {
  readonly largest: number;
  readonly arriving: number;
  readonly largestArriving: number;
}

/**
 * Reads the pending files at each of these paths. Leaves out paths without pending files. `except`: pending files with
 * this version do not count.
 */
export async function pendingAt(
  db: Db,
  clientId: string,
  paths: readonly string[],
  except: string,
): Promise<ReadonlyMap<string, PendingAt>> {
  const rows = await Promise.all(
    chunksOf(paths).map((chunk) =>
      db
        .selectFrom('pending_files')
        .select(({ fn }) => [
          'path',
          fn.max('bytes').as('largest'),
          sql<number>`sum(${arriving})`.as('arriving'),
          sql<number>`max(${arriving})`.as('largestArriving'),
        ])
        .where('client_id', '=', clientId)
        .where('path', 'in', chunk)
        .where('version', '<>', except)
        .groupBy('path')
        .execute(),
    ),
  );
  return new Map(
    rows
      .flat()
      .map(({ path, largest, arriving, largestArriving }) => [
        path,
        { largest: Number(largest), arriving: Number(arriving), largestArriving: Number(largestArriving) },
      ]),
  );
}

/** Writes pending files. `hasArrived`: all their bytes are stored, so they may appear at any time. */
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
          c.columns(['client_id', 'path', 'version']).doUpdateSet(excluded('bytes', 'arrived', 'renewed_at')),
        )
        .execute(),
    ),
  );
}

export const deletePending = (db: Db, clientId: string, version: string) =>
  deleteRows(db, 'pending_files', { client_id: clientId, version });

export const deletePendingAt = (db: Db, clientId: string, path: string, version: string) =>
  deleteRows(db, 'pending_files', { client_id: clientId, path, version });

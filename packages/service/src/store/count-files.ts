import { type StoredFile, type StoredFiles, storageExceeded } from '@telecine/contract/domain/stored-files.ts';
import { type ExpressionBuilder, type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../jobs/ports/transactions.ts';
import { deletePendingAt, pendingAt, selectPendingBytes, writePending } from './pending-files.ts';
import { chunksOf, excluded } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

type Db = Kysely<Schema>;
type FileRow = Insertable<Schema['client_files']>;
type CountedDatabase = Pick<Database, 'reader' | 'lock' | 'now'>;

export const sumOf = (column: 'bytes' | 'size_bytes') =>
  sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/** Returns the condition that a resumable upload is unfinished, so that its full size counts. */
export const unfinishedUploads = (now: Database['now']) => (e: ExpressionBuilder<Schema, 'resumable_uploads'>) =>
  e.and([e('published', '=', sql.lit(0)), e('expires_at', '>', now())]);

/**
 * Returns the bytes that a client uses: its files, its pending files, and the full sizes of its unfinished resumable
 * uploads. Reads all three in one statement, because an upload that ends moves from one group to another. `except`:
 * pending files with this version do not count.
 */
export async function storedBytes(
  db: Db,
  now: Database['now'],
  clientId: string,
  { except }: { readonly except?: string } = {},
): Promise<number> {
  const { files, pending, uploads } = await db
    .selectFrom('resumable_uploads')
    .select([
      selectTotal(db, clientId).as('files'),
      selectPendingBytes(db, clientId, except).as('pending'),
      sumOf('size_bytes').as('uploads'),
    ])
    .where('client_id', '=', clientId)
    .where(unfinishedUploads(now))
    .executeTakeFirstOrThrow();
  return Number(files ?? 0) + Number(pending ?? 0) + Number(uploads);
}

const selectTotal = (db: Db, clientId: string) =>
  db.selectFrom('client_storage').select('bytes').where('client_id', '=', clientId);

export const selectFiles = (db: Db, clientId: string, paths: readonly string[]) =>
  db
    .selectFrom('client_files')
    .select(['path', 'bytes', 'version'])
    .where('client_id', '=', clientId)
    .where('path', 'in', paths);

/** Counted files of a client, locked until the end of the transaction. */
interface Counted {
  readonly files: ReadonlyMap<string, { readonly bytes: number; readonly version: string }>;
}

/** Reads the counted files of a client at these paths. Locks all counts of the client until the transaction ends. */
export async function lockCounted(
  { lock }: Pick<Database, 'lock'>,
  db: Db,
  clientId: string,
  paths: readonly string[],
): Promise<Counted> {
  const [, ...chunks] = await Promise.all([
    lock?.(db, 'storage of client', clientId),
    ...chunksOf(paths).map((chunk) => selectFiles(db, clientId, chunk).execute()),
  ]);
  return { files: new Map(chunks.flat().map(({ path, ...row }) => [path, row])) };
}

/** The file at a path. `bytes`: undefined if there is no file. */
interface FoundFile {
  readonly path: string;
  readonly bytes: number | undefined;
}

/** Returns by how many bytes the total of the client grows if `found` is stored. */
const growth = ({ files }: Counted, found: readonly FoundFile[]): number =>
  found.reduce((sum, { path, bytes = 0 }) => sum + bytes - (files.get(path)?.bytes ?? 0), 0);

/** What the row of a counted file takes in one copy, besides its path. */
export const ROW_BYTES = 100;

const pathBytes = (files: readonly { readonly path: string }[]): number =>
  files.reduce((sum, { path }) => sum + Buffer.byteLength(path) + ROW_BYTES, 0);

/**
 * Stores the counted sizes of files, and updates the total of the client. `checkedAt`: see the table `client_files`.
 */
export async function writeFiles(
  db: Db,
  clientId: string,
  counted: Counted,
  version: string,
  found: readonly FoundFile[],
  checkedAt: string,
): Promise<void> {
  const rows = found.flatMap(({ path, bytes }) =>
    bytes === undefined ? [] : [{ client_id: clientId, path, bytes, version, checked_at: checkedAt }],
  );
  const gone = found.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));
  const more = growth(counted, found);
  const newPaths =
    pathBytes(rows.filter(({ path }) => !counted.files.has(path))) -
    pathBytes(gone.flatMap((path) => (counted.files.has(path) ? [{ path }] : [])));
  const first = { bytes: Math.max(0, more), paths: Math.max(0, newPaths) };
  await Promise.all([
    ...chunksOf(rows).map((chunk) => upsertFiles(db, chunk).execute()),
    ...chunksOf(gone).map((chunk) =>
      db.deleteFrom('client_files').where('client_id', '=', clientId).where('path', 'in', chunk).execute(),
    ),
    ...(more === 0 && newPaths === 0
      ? []
      : [addToTotal(db, clientId, first, { bytes: sql`${more}`, paths: sql`${newPaths}` }).execute()]),
  ]);
}

const upsertFiles = (db: Db, rows: readonly FileRow[]) =>
  db
    .insertInto('client_files')
    .values(rows)
    .onConflict((c) => c.columns(['client_id', 'path']).doUpdateSet(excluded('bytes', 'version', 'checked_at')));

/**
 * Adds `more` to the totals of a client, which never fall below 0. `first`: the totals to store if the client has none
 * yet.
 */
const addToTotal = (db: Db, clientId: string, first: Growth<number>, more: Growth<RawBuilder<unknown>>) => {
  const sum = (total: RawBuilder<unknown>) => sql<number>`case when ${total} < 0 then 0 else ${total} end`;
  return (
    db
      .insertInto('client_storage')
      // An empty `checked_at` makes the service add up the files of the client soon.
      .values({ client_id: clientId, bytes: first.bytes, path_bytes: first.paths, checked_at: '' })
      .onConflict((c) =>
        c.column('client_id').doUpdateSet({
          bytes: sum(sql`client_storage.bytes + ${more.bytes}`),
          path_bytes: sum(sql`client_storage.path_bytes + ${more.paths}`),
        }),
      )
  );
};

/** By how much the totals of a client grow. */
interface Growth<T> {
  readonly bytes: T;
  readonly paths: T;
}

/** What files add to the totals besides what is counted at their paths. */
const growthAt = (db: Db, clientId: string, paths: readonly string[], added: Growth<number>) => {
  const before = db.selectFrom('client_files').where('client_id', '=', clientId).where('path', 'in', paths);
  return {
    bytes: sql`${added.bytes} - ${before.select(sumOf('bytes').as('bytes'))}`,
    paths: sql`${added.paths} - ${before.select(PATH_BYTES.as('paths'))}`,
  };
};

/** What the paths of counted files take; see `pathBytes`. */
export const PATH_BYTES = sql<number>`coalesce(sum(octet_length(path) + ${sql.lit(ROW_BYTES)}), 0)`;

/** Compiles the statements that count a single file, because most jobs have one output. */
const compileAddOne = (reader: Db) => ({
  total: compileStatement((p: FileRow & { readonly paths: number }) =>
    addToTotal(reader, p.client_id, p, growthAt(reader, p.client_id, [p.path], p)),
  ),
  file: compileStatement((p: FileRow) =>
    upsertFiles(reader, [
      { client_id: p.client_id, path: p.path, bytes: p.bytes, version: p.version, checked_at: p.checked_at },
    ]),
  ),
});

/** Counts files of a client that has no limit, so without reading their previous sizes first. */
async function addFiles(
  { lock }: CountedDatabase,
  addOne: ReturnType<typeof compileAddOne>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  version: string,
): Promise<void> {
  const checkedAt = new Date().toISOString();
  const rows = files.map(({ path, bytes }) => ({ client_id: clientId, path, bytes, version, checked_at: checkedAt }));
  const locked = lock?.(db, 'storage of client', clientId);
  const [row, ...others] = rows;
  // Update the total first: its statement reads the previous size of the file.
  if (row !== undefined && others.length === 0) {
    await Promise.all([locked, addOne.total(db, { ...row, paths: pathBytes([row]) }), addOne.file(db, row)]);
    return;
  }
  const added = { bytes: bytesOf(files), paths: pathBytes(files) };
  const paths = files.map(({ path }) => path);
  await Promise.all([
    locked,
    addToTotal(db, clientId, added, growthAt(db, clientId, paths, added)).execute(),
    upsertFiles(db, rows).execute(),
  ]);
}

/**
 * Counts files in a transaction. See `StoredFiles.count`. `arePending`: the files count as pending until their
 * publisher has seen them.
 */
type CountFiles = (
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  options: Parameters<StoredFiles['count']>[2] & { readonly arePending?: boolean },
) => Promise<void>;

export function compileCount(database: CountedDatabase): CountFiles {
  const addOne = compileAddOne(database.reader);
  return (...args) => countFiles(database, addOne, ...args);
}

async function countFiles(
  database: CountedDatabase,
  addOne: ReturnType<typeof compileAddOne>,
  ...[db, clientId, files, { version, limit, arePending = true }]: Parameters<CountFiles>
): Promise<void> {
  if (files.length === 0) return;
  if (limit === undefined && !arePending && chunksOf(files).length === 1)
    return addFiles(database, addOne, db, clientId, files, version);
  const counted = await lockCounted(
    database,
    db,
    clientId,
    files.map(({ path }) => path),
  );
  // Files that replace larger files are always allowed, even above the limit.
  if (limit !== undefined && growth(counted, files) > 0) {
    const { used, more } = await roomOf(database, db, clientId, counted, files, {
      version,
      hasArrived: true,
    });
    if (used + more > limit) throw storageExceeded(used, more, limit);
  }
  // Until the new file has appeared, the previous one still uses its bytes.
  const pending = files.map(({ path, bytes }) => ({
    path,
    bytes: Math.max(bytes, counted.files.get(path)?.bytes ?? 0),
  }));
  await Promise.all([
    ...(arePending ? [writePending(db, clientId, pending, version, true)] : []),
    writeFiles(db, clientId, counted, version, files, new Date().toISOString()),
  ]);
}

/**
 * Returns how many bytes to reserve for files that are about to be counted. Locks the counts of the client. Reads the
 * previous files at these paths only if the quota has no room for all files. Throws QUOTA_EXCEEDED above `limit`.
 */
async function needRoom(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: { readonly version: string; readonly limit: number },
): Promise<number> {
  await database.lock?.(db, 'storage of client', clientId);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if ((await storedBytes(db, database.now, clientId, { except: version })) + bytes <= limit) return bytes;
  const paths = files.map(({ path }) => path);
  const counted = await lockCounted(database, db, clientId, paths);
  // Files that replace larger files are always allowed, even above the limit.
  if (growth(counted, files) <= 0) return 0;
  const { used, more } = await roomOf(database, db, clientId, counted, files, { version, hasArrived: true });
  if (used + more > limit) throw storageExceeded(used, more, limit);
  return Math.max(0, more);
}

/**
 * Returns how many bytes the client uses without the pending files of `version`, and how many more it uses with
 * `files`. `hasArrived`: all bytes of `files` are stored.
 */
async function roomOf(
  { now }: Pick<Database, 'now'>,
  db: Db,
  clientId: string,
  { files: counted }: Counted,
  files: readonly StoredFile[],
  { version, hasArrived }: { readonly version: string; readonly hasArrived: boolean },
): Promise<{ readonly used: number; readonly more: number }> {
  const paths = files.map(({ path }) => path);
  const [used, pending] = await Promise.all([
    storedBytes(db, now, clientId, { except: version }),
    pendingAt(db, clientId, paths, version),
  ]);
  const more = files.reduce((sum, { path, bytes }) => {
    const { largest = 0, arriving = 0, largestArriving = 0 } = pending.get(path) ?? {};
    const before = arriving - largestArriving;
    // Of the files that arrive for this path, only the largest one will replace the existing file. See
    // `selectPendingBytes`.
    const after = hasArrived ? before : arriving + bytes - Math.max(largestArriving, bytes);
    return sum + Math.max(bytes, largest) + after - Math.max(counted.get(path)?.bytes ?? 0, largest) - before;
  }, 0);
  return { used, more };
}

/** Reserves room for a file in a transaction; see `StoredFiles.reserve`. */
export async function reserveRoom(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  path: string,
  { least, most, version, limit }: Parameters<StoredFiles['reserve']>[2],
): Promise<number> {
  const counted = await lockCounted(database, db, clientId, [path]);
  const file = { path, bytes: least };
  const { used, more } = await roomOf(database, db, clientId, counted, [file], { version, hasArrived: false });
  // One file that replaces a larger one is always allowed. Several such files at the same time for one path are not.
  if ((more > 0 || growth(counted, [file]) > 0) && used + more > limit) throw storageExceeded(used, more, limit);
  // Reserve more than `least` only as far as the quota has room.
  const bytes = Math.min(most, least + Math.max(0, limit - used - more));
  await writePending(db, clientId, [{ path, bytes }], version, false);
  return bytes;
}

/** The path under which room for many files is reserved. No file can have it. */
const ROOM_OF_ALL = '';

/**
 * Returns functions that count files with `countFiles`. They count thousands of files in several transactions, because
 * other writes wait for each transaction.
 */
export function countInSteps(
  database: Database,
  countFiles: CountFiles,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: { readonly version: string; readonly limit?: number | undefined },
) {
  const steps = chunksOf(files);
  const isOneStep = steps.length < 2;
  // Without a limit, no pending files are needed.
  const arePending = limit !== undefined;
  const reserve = (db: Db, bytes: number): Promise<void> =>
    writePending(db, clientId, [{ path: ROOM_OF_ALL, bytes }], version, false);
  const total = bytesOf(files);
  /** The bytes that are reserved for files that are not counted yet. */
  let room = 0;
  return {
    /** Counts the files if they fit into one step. Otherwise, reserves room for all of them. */
    async begin(tx: Tx): Promise<void> {
      const db = dbOf(tx);
      if (isOneStep) return countFiles(db, clientId, files, { version, limit, arePending });
      if (limit === undefined) return;
      room = await needRoom(database, db, clientId, files, { version, limit });
      await reserve(db, room);
    },
    /**
     * Counts the files if they need several steps. Await this before the files appear. Resolves to false if `mayCount`
     * returned false in one of the transactions.
     */
    async finish(mayCount: (db: Db) => Promise<boolean>): Promise<boolean> {
      if (isOneStep) return true;
      // If some of the files replace others, the reservation is smaller than all files together. Then keep the whole
      // reservation until the last step.
      const isNet = room < total;
      for (const [index, some] of steps.entries()) {
        if (!isNet) room = Math.max(0, room - bytesOf(some));
        const count = async (db: Db): Promise<boolean> => {
          if (!(await mayCount(db))) return false;
          await countFiles(db, clientId, some, { version, arePending });
          if (limit === undefined) return true;
          const isLast = index === steps.length - 1;
          await (isLast ? deletePendingAt(db, clientId, ROOM_OF_ALL, version) : reserve(db, room));
          return true;
        };
        // A crash of the machine may undo this count. The next attempt of the job then checks the files.
        if (!(await database.write(count, { durable: false }))) return false;
      }
      return true;
    },
  };
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type StoredFile, type StoredFiles, storageExceeded } from '../domain/stored-files.ts';
import type { FileChecks } from '../files/ports/file-checks.ts';
import { chunksOf } from './chunks-of.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

type Db = Kysely<Schema>;

const sumOf = (column: 'bytes' | 'size_bytes') => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/** The bytes of a client: those of its files, and the whole size of its unfinished resumable uploads. */
export async function storedBytes(db: Db, now: Database['now'], clientId: string): Promise<number> {
  const files = await db
    .selectFrom('client_files')
    .select(sumOf('bytes').as('sum'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const uploads = await db
    .selectFrom('resumable_uploads')
    .select(sumOf('size_bytes').as('sum'))
    .where('client_id', '=', clientId)
    .where('published', '=', sql.lit(0))
    .where('expires_at', '>', now())
    .executeTakeFirstOrThrow();
  return Number(files.sum) + Number(uploads.sum);
}

const selectFiles = (db: Db, clientId: string, paths: readonly string[]) =>
  db
    .selectFrom('client_files')
    .select(['path', 'bytes', 'version'])
    .where('client_id', '=', clientId)
    .where('path', 'in', paths);

interface CountedRow {
  readonly bytes: number;
  readonly version: string;
}

/**
 * Reads what is counted at paths of a client. Until the end of the transaction, no other one changes what is counted of this
 * client, so what is written can depend on what was read.
 */
async function lockFiles(
  { lock }: Pick<Database, 'lock'>,
  db: Db,
  clientId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, CountedRow>> {
  const [, ...chunks] = await Promise.all([
    lock?.(db, 'storage of client', clientId),
    ...chunksOf(paths).map((chunk) => selectFiles(db, clientId, chunk).execute()),
  ]);
  return new Map(chunks.flat().map(({ path, ...row }) => [path, row]));
}

/** Writes what is at paths; `bytes` is undefined where no file is. */
async function writeFiles(
  db: Db,
  clientId: string,
  version: string,
  files: readonly { readonly path: string; readonly bytes: number | undefined }[],
): Promise<void> {
  const checkedAt = new Date().toISOString();
  const rows = files.flatMap(({ path, bytes }) =>
    bytes === undefined ? [] : [{ client_id: clientId, path, bytes, version, checked_at: checkedAt }],
  );
  const gone = files.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));
  await Promise.all([
    ...chunksOf(rows).map((chunk) =>
      db
        .insertInto('client_files')
        .values(chunk)
        .onConflict((c) =>
          c.columns(['client_id', 'path']).doUpdateSet((e) => ({
            bytes: e.ref('excluded.bytes'),
            version: e.ref('excluded.version'),
            checked_at: e.ref('excluded.checked_at'),
          })),
        )
        .execute(),
    ),
    ...chunksOf(gone).map((chunk) =>
      db.deleteFrom('client_files').where('client_id', '=', clientId).where('path', 'in', chunk).execute(),
    ),
  ]);
}

/** Counts files in a transaction; see `StoredFiles.count`. */
export async function countFiles(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: Parameters<StoredFiles['count']>[2],
): Promise<void> {
  if (files.length === 0) return;
  const counted = await lockFiles(
    database,
    db,
    clientId,
    files.map(({ path }) => path),
  );
  const more = files.reduce((sum, { path, bytes }) => sum + bytes - (counted.get(path)?.bytes ?? 0), 0);
  // Smaller files in place of larger ones are always allowed.
  if (limit !== undefined && more > 0) {
    const used = await storedBytes(db, database.now, clientId);
    if (used + more > limit) throw storageExceeded(used, more, limit);
  }
  await writeFiles(db, clientId, version, files);
}

/** The repository of the files that clients have published. */
export function storedFiles(database: Database): StoredFiles & FileChecks {
  const { reader, transactions, now } = database;
  return {
    count: (clientId, files, options) =>
      // A crash of the machine may undo it. Then a file is not counted.
      transactions.run((tx) => countFiles(database, dbOf(tx), clientId, files, options), { durable: false }),

    used: (clientId) => storedBytes(reader, now, clientId),

    find: async (clientId, paths) => {
      const chunks = await Promise.all(chunksOf(paths).map((chunk) => selectFiles(reader, clientId, chunk).execute()));
      return chunks.flat();
    },

    correct: (clientId, states) =>
      transactions.run(
        async (tx) => {
          const db = dbOf(tx);
          const counted = await lockFiles(
            database,
            db,
            clientId,
            states.map(({ path }) => path),
          );
          const hasChanged = ({ path, version }: (typeof states)[number]) => counted.get(path)?.version !== version;
          await writeFiles(
            db,
            clientId,
            randomUUID(),
            states.filter((state) => !hasChanged(state)),
          );
          return states.filter(hasChanged).map(({ path }) => path);
        },
        { durable: false },
      ),

    checkedBefore: (at, limit) =>
      reader
        .selectFrom('client_files')
        .select(['client_id as clientId', 'path', 'bytes', 'version'])
        .where('checked_at', '<', at)
        .orderBy('checked_at')
        .limit(limit)
        .execute(),
  };
}

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import {
  type CountedFile,
  type FileState,
  type StoredFile,
  type StoredFiles,
  storageExceeded,
} from '../domain/stored-files.ts';
import type { FileChecks } from '../files/ports/file-checks.ts';
import { chunksOf } from './chunks-of.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

type Db = Kysely<Schema>;

/** The most clients whose files are added up at once. */
const MAX_CLIENTS = 1000;

const sumOf = (column: 'bytes' | 'size_bytes') => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/**
 * The bytes of a client: those of its files, and the whole size of its unfinished resumable uploads, of which it has few. In one
 * statement, because an upload that is finished meanwhile is one or the other.
 */
export async function storedBytes(db: Db, now: Database['now'], clientId: string): Promise<number> {
  const { files, uploads } = await db
    .selectFrom('resumable_uploads')
    .select([selectTotal(db, clientId).as('files'), sumOf('size_bytes').as('uploads')])
    .where('client_id', '=', clientId)
    .where('published', '=', sql.lit(0))
    .where('expires_at', '>', now())
    .executeTakeFirstOrThrow();
  return Number(files ?? 0) + Number(uploads);
}

const selectTotal = (db: Db, clientId: string) =>
  db.selectFrom('client_storage').select('bytes').where('client_id', '=', clientId);

const selectFiles = (db: Db, clientId: string, paths: readonly string[]) =>
  db
    .selectFrom('client_files')
    .select(['path', 'bytes', 'version'])
    .where('client_id', '=', clientId)
    .where('path', 'in', paths);

/** What counts of a client, read in a transaction that keeps others from changing it. */
interface Counted {
  readonly totalBytes: number;
  readonly files: ReadonlyMap<string, { readonly bytes: number; readonly version: string }>;
}

/**
 * Reads what is counted at paths of a client, and its total. Until the end of the transaction, no other one changes what is
 * counted of this client, so what is written can depend on what was read.
 */
async function lockCounted(
  { lock }: Pick<Database, 'lock'>,
  db: Db,
  clientId: string,
  paths: readonly string[],
): Promise<Counted> {
  const [, total, ...chunks] = await Promise.all([
    lock?.(db, 'storage of client', clientId),
    selectTotal(db, clientId).executeTakeFirst(),
    ...chunksOf(paths).map((chunk) => selectFiles(db, clientId, chunk).execute()),
  ]);
  return { totalBytes: total?.bytes ?? 0, files: new Map(chunks.flat().map(({ path, ...row }) => [path, row])) };
}

/** What is at a path. `bytes`: undefined if no file is. */
interface FoundFile {
  readonly path: string;
  readonly bytes: number | undefined;
}

/** How much more counts if `found` is written. */
const growth = ({ files }: Counted, found: readonly FoundFile[]): number =>
  found.reduce((sum, { path, bytes = 0 }) => sum + bytes - (files.get(path)?.bytes ?? 0), 0);

/** Writes what is at paths, and the total. */
async function writeFiles(
  db: Db,
  clientId: string,
  counted: Counted,
  version: string,
  found: readonly FoundFile[],
): Promise<void> {
  const checkedAt = new Date().toISOString();
  const rows = found.flatMap(({ path, bytes }) =>
    bytes === undefined ? [] : [{ client_id: clientId, path, bytes, version, checked_at: checkedAt }],
  );
  const gone = found.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));
  const more = growth(counted, found);
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
    ...(more === 0 ? [] : [writeTotal(db, clientId, counted.totalBytes + more, checkedAt)]),
  ]);
}

/** Writes the total of a client. `checkedAt`: when its files were added up, for a client without a total. */
const writeTotal = (db: Db, clientId: string, bytes: number, checkedAt: string) =>
  db
    .insertInto('client_storage')
    // Files of services of an earlier version are in no total, until they are added up.
    .values({ client_id: clientId, bytes: Math.max(0, bytes), checked_at: checkedAt })
    .onConflict((c) => c.column('client_id').doUpdateSet((e) => ({ bytes: e.ref('excluded.bytes') })))
    .execute();

/** Counts files in a transaction; see `StoredFiles.count`. */
export async function countFiles(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: Parameters<StoredFiles['count']>[2],
): Promise<void> {
  if (files.length === 0) return;
  const counted = await lockCounted(
    database,
    db,
    clientId,
    files.map(({ path }) => path),
  );
  const more = growth(counted, files);
  // Smaller files in place of larger ones are always allowed.
  if (limit !== undefined && more > 0) {
    const used = await storedBytes(db, database.now, clientId);
    if (used + more > limit) throw storageExceeded(used, more, limit);
  }
  await writeFiles(db, clientId, counted, version, files);
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
      const found: CountedFile[] = [];
      for (const chunk of chunksOf(paths)) found.push(...(await selectFiles(reader, clientId, chunk).execute()));
      return found;
    },

    correct: (clientId, states) =>
      transactions.run(
        async (tx) => {
          const db = dbOf(tx);
          const counted = await lockCounted(
            database,
            db,
            clientId,
            states.map(({ path }) => path),
          );
          const hasChanged = ({ path, version }: FileState) => counted.files.get(path)?.version !== version;
          const current = states.filter((state) => !hasChanged(state));
          await writeFiles(db, clientId, counted, randomUUID(), current);
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

    async addUpBefore(at) {
      const clients = await reader
        .selectFrom('client_storage')
        .select('client_id')
        .where('checked_at', '<', at)
        .orderBy('checked_at')
        .limit(MAX_CLIENTS)
        .execute();
      for (const { client_id: clientId } of clients)
        await transactions.run((tx) => addUp(database, dbOf(tx), clientId), { durable: false });
    },
  };
}

/** Adds the files of a client up: a million take half a second, which SQLite spends on the event loop. */
async function addUp({ lock }: Pick<Database, 'lock'>, db: Db, clientId: string): Promise<void> {
  const [, { sum }] = await Promise.all([
    lock?.(db, 'storage of client', clientId),
    db
      .selectFrom('client_files')
      .select(sumOf('bytes').as('sum'))
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow(),
  ]);
  await db
    .updateTable('client_storage')
    .set({ bytes: Number(sum), checked_at: new Date().toISOString() })
    .where('client_id', '=', clientId)
    .execute();
}

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { HOUR_MS } from '../domain/durations.ts';
import {
  type CountedFile,
  type FileState,
  type StoredFile,
  type StoredFiles,
  storageExceeded,
} from '../domain/stored-files.ts';
import type { FileChecks } from '../files/ports/file-checks.ts';
import { chunksOf } from './chunks-of.ts';
import { deletePending, pendingAt, selectPendingBytes, writePending } from './pending-files.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

type Db = Kysely<Schema>;

/** How much later a file that was looked at is checked than one that was counted, which may not have appeared. */
const RECHECK_DELAY_MS = 5 * HOUR_MS;

const sumOf = (column: 'bytes' | 'size_bytes') => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/**
 * The bytes of a client: those of its files, of its pending files, and the whole size of its unfinished resumable uploads, of
 * which it has few. In one statement, because what is finished meanwhile is one or the other. `except`: the version of pending
 * files that do not count.
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
    .where('published', '=', sql.lit(0))
    .where('expires_at', '>', now())
    .executeTakeFirstOrThrow();
  return Number(files ?? 0) + Number(pending ?? 0) + Number(uploads);
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

/** Writes what is at paths, and the total. `checkedAt`: see `ClientFilesTable`. */
async function writeFiles(
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
    ...(more === 0 ? [] : [writeTotal(db, clientId, counted.totalBytes + more)]),
  ]);
}

/** Writes the total of a client. */
const writeTotal = (db: Db, clientId: string, bytes: number) =>
  db
    .insertInto('client_storage')
    // Files of services of an earlier version are in no total, so a client that had none is added up soon.
    .values({ client_id: clientId, bytes: Math.max(0, bytes), checked_at: '' })
    .onConflict((c) => c.column('client_id').doUpdateSet((e) => ({ bytes: e.ref('excluded.bytes') })))
    .execute();

/**
 * Counts files in a transaction; see `StoredFiles.count`. `hasAppeared`: whether the files are there already, so that none is
 * pending.
 */
export async function countFiles(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit, hasAppeared = false }: Parameters<StoredFiles['count']>[2] & { readonly hasAppeared?: boolean },
): Promise<void> {
  if (files.length === 0) return;
  const counted = await lockCounted(
    database,
    db,
    clientId,
    files.map(({ path }) => path),
  );
  // Smaller files in place of larger ones are always allowed.
  if (limit !== undefined && growth(counted, files) > 0) {
    const { used, more } = await roomOf(database, db, clientId, counted, files, version);
    if (used + more > limit) throw storageExceeded(used, more, limit);
  }
  // Until the new file has appeared, the earlier one is still there.
  const pending = files.map(({ path, bytes }) => ({
    path,
    bytes: Math.max(bytes, counted.files.get(path)?.bytes ?? 0),
  }));
  await Promise.all([
    ...(hasAppeared ? [] : [writePending(db, clientId, pending, version, true)]),
    writeFiles(db, clientId, counted, version, files, new Date().toISOString()),
  ]);
}

/** What a client uses without the pending files of `version`, and how much more it uses with `files`. */
async function roomOf(
  { now }: Pick<Database, 'now'>,
  db: Db,
  clientId: string,
  { files: counted }: Counted,
  files: readonly StoredFile[],
  version: string,
): Promise<{ readonly used: number; readonly more: number }> {
  const paths = files.map(({ path }) => path);
  const [used, pending] = await Promise.all([
    storedBytes(db, now, clientId, { except: version }),
    pendingAt(db, clientId, paths, version),
  ]);
  const more = files.reduce((sum, { path, bytes }) => {
    const others = pending.get(path) ?? 0;
    return sum + Math.max(bytes, others) - Math.max(counted.get(path)?.bytes ?? 0, others);
  }, 0);
  return { used, more };
}

/** Reserves room in a transaction; see `StoredFiles.reserve`. */
async function reserveRoom(
  database: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  path: string,
  { least, most, version, limit }: Parameters<StoredFiles['reserve']>[2],
): Promise<number> {
  const counted = await lockCounted(database, db, clientId, [path]);
  const file = { path, bytes: least };
  const { used, more } = await roomOf(database, db, clientId, counted, [file], version);
  if (growth(counted, [file]) > 0 && used + more > limit) throw storageExceeded(used, more, limit);
  // Each byte above `least` needs one of those that are left then.
  const bytes = Math.min(most, least + Math.max(0, limit - used - more));
  await writePending(db, clientId, [{ path, bytes }], version, false);
  return bytes;
}

/** The repository of the files that clients have published. */
export function storedFiles(database: Database): StoredFiles & FileChecks {
  const { reader, transactions, now } = database;
  return {
    reserve: (clientId, path, request) =>
      transactions.run((tx) => reserveRoom(database, dbOf(tx), clientId, path, request), { durable: false }),

    release: (clientId, version) =>
      transactions.run(
        async (tx) => {
          await deletePending(dbOf(tx), clientId, version);
        },
        { durable: false },
      ),

    count: (clientId, files, options) =>
      // A crash of the machine may undo it. Then a file is not counted.
      transactions.run((tx) => countFiles(database, dbOf(tx), clientId, files, options), { durable: false }),

    used: (clientId) => storedBytes(reader, now, clientId),

    find: async (clientId, paths) => {
      const found: CountedFile[] = [];
      for (const chunk of chunksOf(paths)) found.push(...(await selectFiles(reader, clientId, chunk).execute()));
      return found;
    },

    correct: (clientId, states, settled) =>
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
          const checkedAt = new Date(Date.now() + RECHECK_DELAY_MS).toISOString();
          const isSettled = settled !== undefined && current.length === states.length;
          await Promise.all([
            writeFiles(db, clientId, counted, randomUUID(), current, checkedAt),
            ...(isSettled ? [deletePending(db, clientId, settled)] : []),
          ]);
          return states.filter(hasChanged).map(({ path }) => path);
        },
        { durable: false },
      ),

    checkedBefore: (at, limit, except = []) =>
      reader
        .selectFrom('client_files')
        .select(['client_id as clientId', 'path', 'bytes', 'version'])
        .where('checked_at', '<', at)
        .$if(except.length > 0, (q) => q.where('client_id', 'not in', except))
        .orderBy('checked_at')
        .limit(limit)
        .execute(),

    async clientsToAddUp(at, limit) {
      const old = reader.selectFrom('client_storage').select('client_id').where('checked_at', '<', at);
      // A service of an earlier version has counted their first files.
      const withoutTotal = reader
        .selectFrom('clients')
        .select('client_id')
        .where(({ exists, not, selectFrom }) => {
          const ofClient = (table: 'client_storage' | 'client_files') =>
            exists(
              selectFrom(table).select(sql.lit(1).as('one')).whereRef(`${table}.client_id`, '=', 'clients.client_id'),
            );
          return ofClient('client_files').and(not(ofClient('client_storage')));
        });
      const [first, second] = await Promise.all([
        old.orderBy('checked_at').limit(limit).execute(),
        withoutTotal.limit(limit).execute(),
      ]);
      return [...first, ...second].map((row) => row.client_id).slice(0, limit);
    },

    async expirePending(at, limit) {
      const old = await reader
        .selectFrom('pending_files')
        .select(['client_id as clientId', 'path', 'bytes', 'arrived'])
        .where('renewed_at', '<', at)
        .orderBy('renewed_at')
        .limit(limit)
        .execute();
      for (const [clientId, files] of Map.groupBy(old, (file) => file.clientId))
        await transactions.run((tx) => countAgain(database, dbOf(tx), clientId, files, at), { durable: false });
      return old.length;
    },

    addUp: (clientId) => transactions.run((tx) => addUp(database, dbOf(tx), clientId), { durable: false }),
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
  const total = { bytes: Number(sum), checked_at: new Date().toISOString() };
  await db
    .insertInto('client_storage')
    .values({ client_id: clientId, ...total })
    .onConflict((c) => c.column('client_id').doUpdateSet(total))
    .execute();
}

/**
 * Ends pending files. Those that may have appeared count, if they do not, and are the next to be checked. Until then a file
 * counts that may not exist, because one that exists must not be missed.
 */
async function countAgain(
  database: Pick<Database, 'lock'>,
  db: Db,
  clientId: string,
  pending: readonly (StoredFile & { readonly arrived: number })[],
  before: string,
): Promise<void> {
  const paths = [...new Set(pending.map(({ path }) => path))];
  const largest = new Map<string, number>();
  for (const { path, bytes, arrived } of pending)
    if (arrived === 1) largest.set(path, Math.max(bytes, largest.get(path) ?? 0));
  const counted = await lockCounted(database, db, clientId, paths);
  const found = [...largest].map(([path, bytes]) => ({ path, bytes: counted.files.get(path)?.bytes ?? bytes }));
  await Promise.all([
    writeFiles(db, clientId, counted, randomUUID(), found, ''),
    // One that was renewed since it was listed stays.
    ...chunksOf(paths).map((chunk) =>
      db
        .deleteFrom('pending_files')
        .where('client_id', '=', clientId)
        .where('path', 'in', chunk)
        .where('renewed_at', '<', before)
        .execute(),
    ),
  ]);
}

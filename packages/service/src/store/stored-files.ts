import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import type { CountedFile, FileState, StoredFile, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { type Kysely, sql } from 'kysely';
import type { FileChecks } from '../files/ports.ts';
import { clientRecords } from './client-records.ts';
import {
  compileCount,
  lockCounted,
  PATH_BYTES,
  reserveRoom,
  selectFiles,
  storedBytes,
  sumOf,
  writeFiles,
} from './count-files.ts';
import { deletePending } from './pending-files.ts';
import { chunksOf, hasValues, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

type Db = Kysely<Schema>;

/**
 * How long a file that was seen is not checked again. A file that was counted but never seen is checked earlier,
 * because it may not have appeared.
 */
const RECHECK_DELAY_MS = 5 * HOUR_MS;

const recheckAt = (seenMs = Date.now()): string => new Date(seenMs + RECHECK_DELAY_MS).toISOString();

/** The first text after all paths below a folder, by bytes: the character after the slash is `0`. */
const afterAllBelow = (folder: string): string => `${folder.slice(0, -1)}0`;

const filesBelow = (db: Db, folder: string, after = folder) =>
  db
    .selectFrom('client_files')
    .select(['path', 'bytes', 'version'])
    .where('path', '>', after)
    .$if(folder !== '', (q) => q.where('path', '<', afterAllBelow(folder)));

export function storedFiles(database: Database): StoredFiles & FileChecks {
  const { reader, write, now } = database;
  const countFiles = compileCount(database);
  return {
    reserve: (clientId, path, request) =>
      write((db) => reserveRoom(database, db, clientId, path, request), { durable: false }),

    // Durable: a crash that brings deleted pending files back would make them count for an hour.
    async release(clientId, version) {
      await write((db) => deletePending(db, clientId, version));
    },

    count: (clientId, files, options) =>
      // Not durable: after a crash of the machine, the file may not be counted until it is checked.
      write((db) => countFiles(db, clientId, files, options), { durable: false }),

    used: (clientId) => storedBytes(reader, now, clientId),
    records: clientRecords(reader),

    find: async (clientId, paths) => {
      const found: CountedFile[] = [];
      for (const chunk of chunksOf(paths)) {
        if (found.length > 0) await nextTurn();
        found.push(...(await selectFiles(reader, clientId, chunk).execute()));
      }
      return found;
    },

    findOf: async (clientIds, path) => {
      const found: (CountedFile & { readonly clientId: string })[] = [];
      for (const chunk of chunksOf(clientIds))
        found.push(
          ...(await reader
            .selectFrom('client_files')
            .select(['client_id as clientId', 'path', 'bytes', 'version'])
            .where('client_id', 'in', chunk)
            .where('path', '=', path)
            .execute()),
        );
      return found;
    },

    findClientsBelow: async (clientIds, folder) => {
      const found: string[] = [];
      for (const chunk of chunksOf(clientIds)) {
        const rows = await reader
          .selectFrom('client_storage')
          .select('client_id')
          .where('client_id', 'in', chunk)
          .where(({ exists }) =>
            exists(
              filesBelow(reader, folder).where(
                'client_files.client_id',
                '=',
                sql.ref<string>('client_storage.client_id'),
              ),
            ),
          )
          .execute();
        found.push(...rows.map((row) => row.client_id));
      }
      return found;
    },

    below: (clientId, folder, limit, after = folder) =>
      filesBelow(reader, folder, after).where('client_id', '=', clientId).orderBy('path').limit(limit).execute(),

    async correct(clientId, states, settled) {
      const changed: string[] = [];
      const steps = states.length === 0 ? [states] : chunksOf(states);
      for (const [index, some] of steps.entries()) {
        const settles = settled !== undefined && index === steps.length - 1;
        const store = async (db: Db): Promise<readonly string[]> => {
          const ofSome = await correctSome(database, db, clientId, some);
          if (settles && changed.length + ofSome.length === 0) await deletePending(db, clientId, settled);
          return ofSome;
        };
        changed.push(...(await write(store, { durable: settles })));
      }
      return changed;
    },

    settle: (clientId, paths, { version, endFollows = false, arePending = true }) =>
      write(
        async (db) => {
          // If one transaction cannot handle all paths, settle nothing: `fileRecount` then looks at the files.
          if (chunksOf(paths).length !== 1) return false;
          await database.lock?.(db, 'storage of client', clientId);
          const files = db
            .updateTable('client_files')
            .set({ version: randomUUID(), checked_at: recheckAt() })
            .where(hasValues<'client_files'>({ client_id: clientId, version }))
            .where('path', 'in', paths);
          if ((await rowsChanged(db, files)) < paths.length) return false;
          if (arePending) await deletePending(db, clientId, version);
          return true;
        },
        { durable: !endFollows },
      ),

    checkedBefore: (at, limit, except = [], seenBefore) =>
      reader
        .selectFrom('client_files')
        .select(['client_id as clientId', 'path', 'bytes', 'version'])
        .where('checked_at', '<', seenBefore === undefined ? at : recheckAt(Date.parse(seenBefore)))
        // Only a file that was seen has a time in the future.
        .$if(seenBefore !== undefined, (q) =>
          q.where((e) => e.or([e('checked_at', '<', at), e('checked_at', '>=', new Date().toISOString())])),
        )
        .$if(except.length > 0, (q) => q.where('client_id', 'not in', except))
        .orderBy('checked_at')
        .limit(limit)
        .execute(),

    async clientsToAddUp(at, limit) {
      const old = reader.selectFrom('client_storage').select('client_id').where('checked_at', '<', at);
      return (await old.orderBy('checked_at').limit(limit).execute()).map((row) => row.client_id);
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
        await write((db) => countAgain(database, db, clientId, files, at), { durable: false });
      return old.length;
    },

    addUp: (clientId) => write((db) => addUp(database, db, clientId), { durable: false }),
  };
}

/** Stores the states of files. Returns the paths of those whose version has changed since they were read. */
async function correctSome(
  database: Pick<Database, 'lock'>,
  db: Db,
  clientId: string,
  states: readonly FileState[],
): Promise<readonly string[]> {
  const paths = states.map(({ path }) => path);
  const counted = await lockCounted(database, db, clientId, paths);
  const hasChanged = ({ path, version }: FileState) => counted.files.get(path)?.version !== version;
  const current = states.filter((state) => !hasChanged(state));
  await writeFiles(db, clientId, counted, randomUUID(), current, recheckAt());
  return states.filter(hasChanged).map(({ path }) => path);
}

/** Adds up the files of a client. A million files take half a second, for which SQLite blocks the event loop. */
async function addUp({ lock }: Pick<Database, 'lock'>, db: Db, clientId: string): Promise<void> {
  const [, { bytes, paths }] = await Promise.all([
    lock?.(db, 'storage of client', clientId),
    db
      .selectFrom('client_files')
      .select([sumOf('bytes').as('bytes'), PATH_BYTES.as('paths')])
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow(),
  ]);
  const total = { bytes: Number(bytes), path_bytes: Number(paths), checked_at: new Date().toISOString() };
  await db
    .insertInto('client_storage')
    .values({ client_id: clientId, ...total })
    .onConflict((c) => c.column('client_id').doUpdateSet(total))
    .execute();
}

/**
 * Deletes the pending files of killed publishers. If all bytes of a file had arrived, the file may exist: it becomes a
 * counted file, and is the next to be recounted.
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
    // Keep pending files that their publisher has renewed since they were listed.
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

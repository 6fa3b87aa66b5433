import { nextTurn } from '@telecine/contract/domain/steps.ts';
import {
  NO_WATCHED_FILES,
  type Watch,
  type WatchedCounts,
  type WatchedFile,
  type WatchedFileState,
  type WatchSettings,
} from '@telecine/contract/domain/watch.ts';
import { type Selectable, sql } from 'kysely';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { recordsOf } from './columns.ts';
import { watchOfEnded } from './job-row.ts';
import {
  type FileChange,
  type LedgerChanges,
  LONGEST_RETRY_MS,
  newFile,
  type ReadFile,
  readyAgain,
  timeAfter,
} from './ledger-row.ts';
import {
  chunksOf,
  countOfRows,
  countRows,
  deleteRows,
  findRow,
  hasValues,
  removeInBatches,
  rowsChanged,
  updateRows,
} from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, type Db, dbOf, hasRowLocks } from './transaction/database.ts';
import { settleOutputs, storeOutputs, watchOutputs } from './watch-outputs.ts';

type FileColumns = Selectable<Schema['watched_files']>;

const WATCHES = recordsOf<Omit<Watch, keyof WatchSettings>, Schema['watches']>()({
  watchId: 'watch_id',
  clientId: 'client_id',
  state: 'state',
  createdAt: 'created_at',
  changedAt: 'changed_at',
  sourceSince: 'source_since',
  firstScanAt: 'first_scan_at',
  unreachableSince: 'unreachable_since',
  waitingFor: 'waiting_for',
  stopped: { json: 'stopped' },
  lastScan: { json: 'last_scan' },
});

const toWatch = (row: Selectable<Schema['watches']>): Watch => ({
  ...(JSON.parse(row.settings) as WatchSettings),
  ...WATCHES.read(row),
});

const FILES = recordsOf<WatchedFile & { readonly settleAt?: string }, Schema['watched_files']>()({
  watchId: 'watch_id',
  path: 'path',
  version: 'version',
  bytes: 'bytes',
  fileKey: 'file_key',
  state: 'state',
  skipReason: 'skip_reason',
  jobId: 'job_id',
  attempts: 'attempts',
  dueAt: 'due_at',
  failure: { json: 'failure' },
  source: 'source',
  sourceTarget: 'source_target',
  settleAt: 'settle_at',
  replaces: { flag: 'replaces' },
  seenAt: 'seen_at',
  changedAt: 'changed_at',
});

/** A file whose job is submitted. */
export interface FileSubmission extends Pick<WatchedFile, 'watchId' | 'path' | 'version'> {
  readonly jobId: string;
  /** The paths of the outputs that the request names. */
  readonly outputs: readonly string[];
  /** The watches through which the outputs come to be. */
  readonly origins: readonly string[];
}

/** Files after a path, by path. */
type FilesPage = { readonly state?: WatchedFileState; readonly after?: string; readonly limit: number };

export type WatchStore = ReturnType<typeof watchStore>;
export type WatchLedger = ReturnType<typeof watchLedger>;

/** How many rows one transaction changes or deletes. */
const BATCH = 1000;

/** No source waits longer. A later time is one of another clock. */
const LONGEST_SOURCE_MS = 2 * 3_600_000;

const rowOf = (watch: Watch) => {
  const own = WATCHES.write(watch);
  const settings = Object.entries(watch).filter(([name]) => !WATCHES.fields.includes(name));
  return { ...own, settings: JSON.stringify(Object.fromEntries(settings)) };
};

/** Removes the rows of a watch, in batches. `seenBefore`: only those of files without a job that were not seen since this time. */
function removeFiles(database: Database, watchId: string, seenBefore?: string) {
  const ofWatch = hasValues({ watch_id: watchId });
  return removeInBatches(database, BATCH, (db) => {
    let some = db.selectFrom('watched_files').select('path').where(ofWatch).limit(BATCH);
    if (seenBefore !== undefined) some = some.where('seen_at', '<', seenBefore).where('state', '<>', 'SUBMITTED');
    return rowsChanged(db, db.deleteFrom('watched_files').where(ofWatch).where('path', 'in', some));
  });
}

export function watchStore(database: Database) {
  const { reader, write, lock } = database;

  return {
    /** The files of a watch by state. */
    async counts(watchId: string): Promise<WatchedCounts> {
      const rows = reader.selectFrom('watched_files').select(['state', countOfRows]).where('watch_id', '=', watchId);
      const found = (await rows.groupBy('state').execute()).map(({ state, count }) => [state, count]);
      // A large watch takes SQLite some 10 ms.
      await nextTurn();
      return { ...NO_WATCHED_FILES, ...Object.fromEntries(found) };
    },

    /** Resolves to false if the client already has `max` watches. */
    add: (watch: Watch, max: number): Promise<boolean> =>
      write(async (db) => {
        await lock?.(db, 'watches of client', watch.clientId);
        if ((await countRows(db, 'watches', { client_id: watch.clientId })) >= max) return false;
        await db.insertInto('watches').values(rowOf(watch)).execute();
        return true;
      }),

    /** Lists watches, oldest first. `isRunning`: only those that are not paused. */
    async list(of: { readonly clientId?: string; readonly isRunning?: true } = {}): Promise<readonly Watch[]> {
      let rows = reader.selectFrom('watches').selectAll().orderBy('watch_id');
      if (of.clientId !== undefined) rows = rows.where('client_id', '=', of.clientId);
      // The state is in the SQL text, because only then SQLite uses the index of such rows.
      if (of.isRunning) rows = rows.where('state', '<>', sql.lit('PAUSED' as const));
      return (await rows.execute()).map(toWatch);
    },

    async get(watchId: string): Promise<Watch | undefined> {
      const row = await findRow(reader, 'watches', { watch_id: watchId });
      return row && toWatch(row);
    },

    /**
     * Stores what `change` makes of a watch. Resolves to it. undefined: it does not exist. `durable`: a paused watch must not submit again after a
     * crash, and most notes of the service are repeated by its next poll.
     */
    update: (watchId: string, change: (watch: Watch) => Watch, durable = true): Promise<Watch | undefined> =>
      write(
        async (db) => {
          const stored = db.selectFrom('watches').selectAll().where('watch_id', '=', watchId);
          const row = await (hasRowLocks(database) ? stored.forUpdate() : stored).executeTakeFirst();
          const changed = row && change(toWatch(row));
          if (changed !== undefined) await updateRows(db, 'watches', rowOf(changed), { watch_id: watchId });
          return changed;
        },
        { durable },
      ),

    /** Removes a watch with its ledger. Resolves to false if there is none. */
    async remove(watchId: string): Promise<boolean> {
      if (!(await write(async (db) => (await deleteRows(db, 'watches', { watch_id: watchId })) > 0))) return false;
      // The rows of a watch that does not exist have no effect, so a crash between these transactions leaves only garbage.
      await removeFiles(database, watchId);
      return true;
    },
  };
}

/** Stores the ledger of watches: what was converted, so that nothing is converted twice and nothing is forgotten. */
export const watchLedger = (database: Database) => ({
  ...ledgerReads(database),
  ...ledgerWrites(database),
  ...watchOutputs(database),
});

function ledgerReads({ reader }: Database) {
  const rowsWith = async (watchId: string, column: 'path' | 'file_key', values: readonly string[]) => {
    const read = (some: readonly string[]) => rowsOf(reader, watchId).where(column, 'in', some).execute();
    return (await Promise.all(chunksOf(values).map(read))).flat().map(FILES.read);
  };

  return {
    async list(watchId: string, { state, after = '', limit }: FilesPage): Promise<readonly WatchedFile[]> {
      const rows = rowsOf(reader, watchId, state && { state }).where('path', '>', after);
      return (await rows.orderBy('path').limit(limit).execute()).map(FILES.read);
    },

    /** The rows of these paths, at most 1,000. */
    find: async (watchId: string, paths: readonly string[]): Promise<ReadonlyMap<string, WatchedFile>> =>
      new Map((await rowsWith(watchId, 'path', paths)).map((file) => [file.path, file])),

    /** The rows with these file keys, for renames. */
    findByKey: (watchId: string, fileKeys: readonly string[]): Promise<readonly WatchedFile[]> =>
      rowsWith(watchId, 'file_key', fileKeys),

    /** Files whose job can be submitted: FAILED and due at this time, then READY, the oldest first. */
    async due(watchId: string, at: string, limit: number): Promise<readonly WatchedFile[]> {
      // One statement for each state, because the index sorts by the time only within a state.
      const inState = (state: WatchedFileState) =>
        rowsOf(reader, watchId, { state }).where('due_at', 'is not', null).orderBy('due_at').limit(limit);
      const ready = await inState('READY').execute();
      const failed = await inState('FAILED')
        .where(isDue('due_at', at, LONGEST_RETRY_MS))
        .execute();
      return [...failed, ...ready].slice(0, limit).map(FILES.read);
    },

    /** How many files are in a state. */
    count: (watchId: string, state: WatchedFileState): Promise<number> =>
      countRows(reader, 'watched_files', { watch_id: watchId, state }),

    /** The file that has last come to need attention. */
    async newestFailure(watchId: string): Promise<WatchedFile | undefined> {
      const waiting = rowsOf(reader, watchId, { state: 'NEEDS_ATTENTION' });
      const newest = await waiting.orderBy('changed_at', 'desc').limit(1).executeTakeFirst();
      return newest && FILES.read(newest);
    },

    /**
     * Finds the row of a job or, if there is none, the row of `path` in the watch of the job. Also tells whether the watch is paused. undefined:
     * there is no row, or the watch was deleted, whose rows are removed some time after it.
     */
    async fileOf(
      watchId: string,
      jobId: string,
      path = '',
    ): Promise<(WatchedFile & { readonly isPaused: boolean }) | undefined> {
      const watch = await findRow(reader, 'watches', { watch_id: watchId });
      const row =
        (await findRow(reader, 'watched_files', { watch_id: watchId, job_id: jobId })) ??
        (await findRow(reader, 'watched_files', { watch_id: watchId, path }));
      return watch && row && { ...FILES.read(row), isPaused: watch.state === 'PAUSED' };
    },

    /**
     * Converted files whose source is to be looked at: whether it is still what was converted, and to be moved or deleted. Those that have
     * waited longest first, without those converted before `sourceSince`.
     */
    async sourcesToSettle(
      { watchId, sourceSince = '' }: Pick<Watch, 'watchId' | 'sourceSince'>,
      at: string,
      limit: number,
    ): Promise<readonly WatchedFile[]> {
      // `settle_at` is at least `changed_at`, so the rows from before `sourceSince` are left out by the index too.
      const since = rowsOf(reader, watchId)
        .where('settle_at', '>=', sourceSince)
        .where('changed_at', '>=', sourceSince);
      const due = since
        .where(isDue('settle_at', at, LONGEST_SOURCE_MS))
        .orderBy('settle_at')
        .limit(limit);
      return (await due.execute()).map(FILES.read);
    },

    /** Whether another watch of the client has taken the file at this path, and has not converted it yet. */
    async isWantedByOther(clientId: string, { watchId, path }: Pick<ReadFile, 'watchId' | 'path'>): Promise<boolean> {
      const own = reader.selectFrom('watches').select('watch_id').where('client_id', '=', clientId);
      const rows = reader.selectFrom('watched_files').select('path').where('path', '=', path);
      const others = rows.where('watch_id', 'in', own).where('watch_id', '<>', watchId);
      return (await others.where('state', 'in', ['READY', 'SUBMITTED', 'FAILED']).executeTakeFirst()) !== undefined;
    },
  };
}

function ledgerWrites(database: Database) {
  const { write } = database;

  return {
    /** Stores what a poll has found. Resolves to false, and stores nothing, if the watch is paused or deleted. */
    record: (watchId: string, { added, changed }: LedgerChanges, at: string): Promise<boolean> =>
      write(async (db) => {
        if (!(await isActive(database, db, watchId))) return false;
        for (const { row, change } of changed) await updateIn(db, row, change);
        for (const some of chunksOf(added)) {
          const rows = some.map((file) => FILES.write({ watchId, ...newFile(file, at) }));
          const insert = db.insertInto('watched_files').values(rows);
          await insert.onConflict((c) => c.doNothing()).execute();
        }
        return true;
      }),

    /**
     * Marks a file as submitted, in the transaction that inserts its job. Resolves to false if that must not be inserted: the file has another
     * version by now, its job is already submitted, or the watch is paused or deleted.
     */
    async submit(tx: Tx, clientId: string, file: FileSubmission, at: string): Promise<boolean> {
      const db = dbOf(tx);
      const { watchId, path, version, jobId, outputs, origins } = file;
      if (!(await isActive(database, db, watchId))) return false;
      const set = FILES.writeSome({ state: 'SUBMITTED', jobId, dueAt: null, changedAt: at });
      const row = changing(db, watchId, { path, version })
        .where('state', 'in', ['READY', 'FAILED'])
        .set((e) => ({ ...set, attempts: e('attempts', '+', 1) }));
      if ((await rowsChanged(db, row)) === 0) return false;
      const planned = outputs.map((output) => ({ path: output, isPending: true, origins }));
      // The columns of the file that an earlier job has made stay: if this one fails, that file is still there.
      await storeOutputs(db, { clientId, jobId, at }, planned, []);
      return true;
    },

    /** Changes a row if it still is as it was read. Resolves to whether it was. */
    update: (file: ReadFile, change: FileChange): Promise<boolean> => write((db) => updateIn(db, file, change)),

    /** Writes how the job of a file has ended, in the transaction that ends it. Costs a job without a watch no statement. */
    async jobEnded(tx: Tx, end: JobEnd, decide: (file: WatchedFile, end: JobEnd) => FileChange): Promise<void> {
      if (watchOfEnded(tx, end.jobId) === null) return;
      const db = dbOf(tx);
      await settleOutputs(db, end);
      const row = await findRow(db, 'watched_files', { job_id: end.jobId, state: 'SUBMITTED' });
      if (row !== undefined) await updateIn(db, FILES.read(row), decide(FILES.read(row), end));
    },

    /** Converts files again: these, at most 1,000, or by default all that need attention. Resolves to their number. */
    retry: (watchId: string, paths: readonly string[] | undefined, at: string): Promise<number> =>
      removeInBatches(database, BATCH, (db) => {
        const waiting = hasValues({ watch_id: watchId, state: 'NEEDS_ATTENTION' });
        const some = paths ?? db.selectFrom('watched_files').select('path').where(waiting).limit(BATCH);
        const replaces = sql<1 | null>`case when state = 'CONVERTED' then 1 else replaces end`;
        const rows = changing(db, watchId)
          .set({ ...FILES.writeSome(readyAgain(at)), replaces })
          .where('path', 'in', some)
          .where((e) =>
            e.or([e('state', 'in', ['CONVERTED', 'NEEDS_ATTENTION', 'FAILED']), e('skip_reason', '<>', 'OWN_OUTPUT')]),
          );
        return rowsChanged(db, rows);
      }),

    /** Removes rows of files that were not seen since this time, and facts about outputs that are older. */
    async removeUnseen(watchId: string, before: string): Promise<number> {
      await removeInBatches(database, BATCH, (db) => {
        // A job can wait longer than that, and its outputs are not new files.
        const old = db.selectFrom('watch_outputs').select('job_id').where('created_at', '<', before);
        const some = old.where('pending', 'is', null).limit(BATCH);
        return rowsChanged(db, db.deleteFrom('watch_outputs').where('job_id', 'in', some));
      });
      return removeFiles(database, watchId, before);
    },
  };
}

/**
 * Reads whether a watch may take files. On PostgreSQL, locks it until the end of the transaction: after the reply to a pause or a deletion,
 * nothing is added or submitted.
 */
async function isActive(database: Pick<Database, 'lock'>, db: Db, watchId: string): Promise<boolean> {
  const watch = db.selectFrom('watches').select('state').where('watch_id', '=', watchId);
  return (await (hasRowLocks(database) ? watch.forShare() : watch).executeTakeFirst())?.state === 'ACTIVE';
}

const rowsOf = (reader: Db, watchId: string, values: Partial<FileColumns> = {}) =>
  reader
    .selectFrom('watched_files')
    .selectAll()
    .where(hasValues({ watch_id: watchId, ...values }));

const changing = (db: Db, watchId: string, values: Partial<FileColumns> = {}) =>
  db.updateTable('watched_files').where(hasValues({ watch_id: watchId, ...values }));

async function updateIn(db: Db, { watchId, path, version, state }: ReadFile, change: FileChange): Promise<boolean> {
  const row = changing(db, watchId, { path, version, state }).set(FILES.writeSome(change));
  const isTaken =
    change.path && (await findRow(db, 'watched_files', { watch_id: watchId, path: change.path })) !== undefined;
  return !isTaken && (await rowsChanged(db, row)) > 0;
}

/** Due at this time, or later than anything waits: then by another clock. */
const isDue = (column: 'due_at' | 'settle_at', at: string, longestMs: number) =>
  sql<boolean>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${timeAfter(at, longestMs)})`;

import { isDeepStrictEqual } from 'node:util';
import { folderOf } from '@telecine/contract/domain/media-path.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import {
  changeSettings,
  NO_WATCHED_FILES,
  type Watch,
  type WatchedCounts,
  type WatchedFile,
  type WatchedFileState,
  type WatchSettings,
  type WatchState,
} from '@telecine/contract/domain/watch.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { recordsOf } from './columns.ts';
import { watchOfEnded } from './job-row.ts';
import {
  type FileChange,
  identityOf,
  type LedgerChanges,
  LONGEST_RETRY_MS,
  type MadeFile,
  newFile,
  type ReadFile,
  readyAgain,
} from './ledger-row.ts';
import {
  chunksOf,
  countOfRows,
  countRows,
  deleteRows,
  excluded,
  findRow,
  removeInBatches,
  rowsChanged,
  updateRows,
} from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf, hasRowLocks } from './transaction/database.ts';

type Db = Kysely<Schema>;

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
  origins: { json: 'origins' },
  source: 'source',
  sourceTarget: 'source_target',
  settleAt: 'settle_at',
  replaces: { flag: 'replaces' },
  outdated: { flag: 'outdated' },
  seenAt: 'seen_at',
  changedAt: 'changed_at',
});

/** What a client changes of a watch. null removes a value. */
export type WatchSettingsChange = {
  readonly [K in keyof WatchSettings]?: WatchSettings[K] | (undefined extends WatchSettings[K] ? null : never);
} & { readonly state?: WatchState };

/** What the service notes about a watch. null removes a value. */
export type WatchNotes = {
  readonly [K in 'firstScanAt' | 'unreachableSince' | 'waitingFor' | 'stopped' | 'lastScan']?: NonNullable<
    Watch[K]
  > | null;
};

/** A file whose job is submitted. */
export interface FileSubmission {
  readonly path: string;
  readonly version: string;
  readonly jobId: string;
  /** The paths of the outputs that the request names. */
  readonly outputs: readonly string[];
  /** The watches through which the outputs come to be. */
  readonly origins: readonly string[];
}

export interface WatchedFilesQuery {
  readonly state?: WatchedFileState;
  readonly after?: string;
  readonly limit: number;
}

export type WatchStore = ReturnType<typeof watchStore>;
export type WatchLedger = ReturnType<typeof watchLedger>;

/** How many rows one transaction changes or deletes. */
const BATCH = 1000;

/** A job with more outputs, such as HLS, is known by the folders of its outputs: a folder of segments belongs to one job. */
const MAX_OUTPUTS = 100;

/** The states from which a job may be submitted. */
const DUE_STATES = ['READY', 'FAILED'] as const satisfies readonly WatchedFileState[];

/** No source waits longer. A later time is one of another clock. */
const LONGEST_SOURCE_MS = 2 * 3_600_000;

const timeAfter = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Whether a change can let a watch take files that it has not looked at before. */
const matchesMore = (change: WatchSettingsChange, before: WatchSettings): boolean =>
  (change.subfolders === true && !before.subfolders) ||
  (['patterns', 'exclude'] as const).some(
    (member) => change[member] !== undefined && !isDeepStrictEqual(change[member] ?? undefined, before[member]),
  );

/** Stores watches. Durable: a deleted or paused watch must not submit again after a crash. */
export function watchStore(database: Database) {
  const { reader, write, lock } = database;
  // The state is in the SQL text, because only then SQLite uses the index of such rows.
  const running = () => reader.selectFrom('watches').where('state', '<>', sql.lit('PAUSED' as const));

  const counts = async (watchIds: readonly string[]): Promise<ReadonlyMap<string, WatchedCounts>> => {
    const all = new Map<string, WatchedCounts>();
    for (const watchId of watchIds) {
      const states = reader.selectFrom('watched_files').select(['state', countOfRows]).where('watch_id', '=', watchId);
      const found = (await states.groupBy('state').execute()).map(({ state, count }) => [state, count]);
      all.set(watchId, { ...NO_WATCHED_FILES, ...Object.fromEntries(found) });
      // A large watch takes SQLite some 10 ms.
      await nextTurn();
    }
    return all;
  };

  return {
    counts,

    /** Resolves to false if the client already has `max` watches. */
    add: (watch: Watch, max: number): Promise<boolean> =>
      write(async (db) => {
        await lock?.(db, 'watches of client', watch.clientId);
        if ((await countRows(db, 'watches', { client_id: watch.clientId })) >= max) return false;
        const { watchId, clientId, state, createdAt, changedAt, ...settings } = watch;
        const row = WATCHES.write({ watchId, clientId, state, createdAt, changedAt });
        await db
          .insertInto('watches')
          .values({ ...row, settings: JSON.stringify(settings) })
          .execute();
        return true;
      }),

    /** Lists the watches of a client, or of all clients, oldest first. */
    async list(clientId?: string): Promise<readonly Watch[]> {
      const rows = reader.selectFrom('watches').selectAll().orderBy('watch_id');
      return (await (clientId === undefined ? rows : rows.where('client_id', '=', clientId)).execute()).map(toWatch);
    },

    async get(watchId: string): Promise<Watch | undefined> {
      const row = await findRow(reader, 'watches', { watch_id: watchId });
      return row && toWatch(row);
    },

    /** Lists the watches that are not paused. */
    running: async (): Promise<readonly Watch[]> =>
      (await running().selectAll().orderBy('watch_id').execute()).map(toWatch),

    /** Whether a watch is not paused. One cheap read: a service without watches does it each minute. */
    hasRunning: async (): Promise<boolean> =>
      (await running().select('watch_id').limit(1).executeTakeFirst()) !== undefined,

    /** Resolves to the changed watch. undefined: it does not exist. */
    change: (watchId: string, change: WatchSettingsChange, at: string): Promise<Watch | undefined> =>
      write(async (db) => {
        const stored = db.selectFrom('watches').selectAll().where('watch_id', '=', watchId);
        const row = await (hasRowLocks(database) ? stored.forUpdate() : stored).executeTakeFirst();
        if (row === undefined) return undefined;
        const { state, ...settings } = change;
        const before = JSON.parse(row.settings) as WatchSettings;
        const set = {
          settings: JSON.stringify(changeSettings(before, settings)),
          changed_at: at,
          // A change may end what the watch waits for or why it stopped. The next scan writes it again if not.
          waiting_for: null,
          stopped: null,
          // Sending the same value again must not reset the time: sources from before it would no longer be moved or deleted.
          ...(change.source !== undefined && !isDeepStrictEqual(change.source, before.source) && { source_since: at }),
          // With `"existing": "ignore"`, files that are there and match from now on exist already too.
          ...(matchesMore(change, before) && { first_scan_at: null }),
          ...(state !== undefined && { state }),
        };
        await updateRows(db, 'watches', set, { watch_id: watchId });
        return toWatch({ ...row, ...set });
      }),

    /** Stores what the service notes. At least one member is set. */
    note: (watchId: string, notes: WatchNotes): Promise<number> =>
      // Most notes are repeated by the next scan. The end of the first scan is not.
      write(
        (db) =>
          rowsChanged(db, db.updateTable('watches').set(WATCHES.writeSome(notes)).where('watch_id', '=', watchId)),
        { durable: notes.firstScanAt !== undefined },
      ),

    /** Removes a watch with its ledger. Resolves to false if there is none. */
    async remove(watchId: string): Promise<boolean> {
      if (!(await write(async (db) => (await deleteRows(db, 'watches', { watch_id: watchId })) > 0))) return false;
      // The rows of a watch that does not exist have no effect, so a crash between these transactions leaves only garbage.
      await removeInBatches(database, BATCH, (db) => {
        const own = db.selectFrom('watched_files').select('path').where('watch_id', '=', watchId).limit(BATCH);
        return rowsChanged(db, db.deleteFrom('watched_files').where('watch_id', '=', watchId).where('path', 'in', own));
      });
      return true;
    },
  };
}

/** Stores the ledger of watches: what was converted, so that nothing is converted twice and nothing is forgotten. */
export function watchLedger(database: Database) {
  const { reader, write } = database;

  /** Reads whether a watch may take files. On PostgreSQL, locks it until the end of the transaction. */
  const isActive = async (db: Db, watchId: string): Promise<boolean> => {
    const watch = db.selectFrom('watches').select('state').where('watch_id', '=', watchId);
    return (await (hasRowLocks(database) ? watch.forShare() : watch).executeTakeFirst())?.state === 'ACTIVE';
  };
  const ofWatch = (watchId: string) => reader.selectFrom('watched_files').selectAll().where('watch_id', '=', watchId);

  const updateIn = async (
    db: Db,
    { watchId, path, version, state }: ReadFile,
    change: FileChange,
  ): Promise<boolean> => {
    const row = db
      .updateTable('watched_files')
      .set(FILES.writeSome(change))
      .where('watch_id', '=', watchId)
      .where('path', '=', path)
      .where('version', '=', version)
      .where('state', '=', state);
    if (change.path === undefined) return (await rowsChanged(db, row)) > 0;
    const other = db.selectFrom('watched_files as other').select('path').where('other.watch_id', '=', watchId);
    const isFree = row.where((e) => e.not(e.exists(other.where('other.path', '=', change.path ?? ''))));
    return (await rowsChanged(db, isFree)) > 0;
  };

  return {
    async list(watchId: string, { state, after, limit }: WatchedFilesQuery): Promise<readonly WatchedFile[]> {
      let rows = ofWatch(watchId);
      if (state !== undefined) rows = rows.where('state', '=', state);
      if (after !== undefined) rows = rows.where('path', '>', after);
      return (await rows.orderBy('path').limit(limit).execute()).map(FILES.read);
    },

    /** The rows of these paths, at most 1,000. */
    async find(watchId: string, paths: readonly string[]): Promise<ReadonlyMap<string, WatchedFile>> {
      const read = (some: readonly string[]) => ofWatch(watchId).where('path', 'in', some).execute();
      const rows = (await Promise.all(chunksOf(paths).map(read))).flat();
      return new Map(rows.map((row) => [row.path, FILES.read(row)]));
    },

    /** The rows with these file keys, for renames. */
    async findByKey(watchId: string, fileKeys: readonly string[]): Promise<readonly WatchedFile[]> {
      const read = (some: readonly string[]) =>
        ofWatch(watchId).where('file_key', 'is not', null).where('file_key', 'in', some).execute();
      return (await Promise.all(chunksOf(fileKeys).map(read))).flat().map(FILES.read);
    },

    /** What jobs of watches of the client have made, or make now, at the paths of these files, or with their identity. */
    async madeFiles(
      clientId: string,
      files: readonly Pick<WatchedFile, 'path' | 'fileKey' | 'version'>[],
    ): Promise<readonly MadeFile[]> {
      const rows = () =>
        reader
          .selectFrom('watch_outputs')
          .select(['path', 'bytes', 'fingerprint', 'pending', 'origins'])
          .where('client_id', '=', clientId);
      const paths = [...new Set(files.flatMap(({ path }) => [path, folderOf(path)]))];
      const identities = files.flatMap((file) => identityOf(file) ?? []);
      const found = await Promise.all([
        ...chunksOf(paths).map((some) => rows().where('path', 'in', some).execute()),
        ...chunksOf(identities).map((some) =>
          rows().where('fingerprint', 'is not', null).where('fingerprint', 'in', some).execute(),
        ),
      ]);
      return found.flat().map(({ path, bytes, fingerprint, pending, origins }) => ({
        path,
        ...(bytes !== null && { bytes }),
        ...(fingerprint !== null && { fingerprint }),
        isPending: pending === 1,
        origins: JSON.parse(origins) as string[],
      }));
    },

    /** Stores what a poll has found. Resolves to false, and stores nothing, if the watch is paused or deleted. */
    record: (watchId: string, { added, changed, seen }: LedgerChanges, at: string): Promise<boolean> =>
      write(async (db) => {
        // After the reply to a pause or a deletion, a scan adds nothing: the lock makes these wait for this transaction.
        if (!(await isActive(db, watchId))) return false;
        for (const { row, change } of changed) await updateIn(db, row, change);
        for (const some of chunksOf(added))
          await db
            .insertInto('watched_files')
            .values(some.map((file) => FILES.write({ watchId, ...newFile(file, at) })))
            .onConflict((c) => c.doNothing())
            .execute();
        for (const some of chunksOf(seen)) {
          const rows = db.updateTable('watched_files').set({ seen_at: at }).where('watch_id', '=', watchId);
          await rows.where('path', 'in', some).execute();
        }
        return true;
      }),

    /** Files whose job can be submitted: READY, or FAILED and due at this time. The oldest first. */
    async due(watchId: string, at: string, limit: number): Promise<readonly WatchedFile[]> {
      // One statement for each state, because the index sorts by the time only within a state.
      const read = (state: WatchedFileState) => {
        const waiting = ofWatch(watchId).where('state', '=', state).where('due_at', 'is not', null);
        // A ready file is due in any case. A failed file that is due later than any retry was written before the clock was set back.
        const due =
          state === 'READY'
            ? waiting
            : waiting.where((e) => e.or([e('due_at', '<=', at), e('due_at', '>', timeAfter(at, LONGEST_RETRY_MS))]));
        return due.orderBy('due_at').limit(limit).execute();
      };
      const rows = (await Promise.all(DUE_STATES.map(read))).flat().map(FILES.read);
      return rows.toSorted((a, b) => compare(a.dueAt ?? '', b.dueAt ?? '') || compare(a.path, b.path)).slice(0, limit);
    },

    /** How many files have unfinished jobs. */
    unfinished: (watchId: string): Promise<number> =>
      countRows(reader, 'watched_files', { watch_id: watchId, state: 'SUBMITTED' }),

    /** How many files need attention, and the one that has last come to need it. */
    async attention(watchId: string): Promise<{ readonly files: number; readonly newest: WatchedFile | undefined }> {
      const waiting = ofWatch(watchId).where('state', '=', 'NEEDS_ATTENTION');
      const last = waiting.clearSelect().select((e) => e.fn.max('changed_at').as('at'));
      const newest = await waiting.where('changed_at', '=', last).limit(1).executeTakeFirst();
      const files = await countRows(reader, 'watched_files', { watch_id: watchId, state: 'NEEDS_ATTENTION' });
      return { files, newest: newest && FILES.read(newest) };
    },

    /**
     * Marks files as submitted, in the transaction that inserts their jobs. Returns the paths that it has marked: only their jobs may be
     * inserted. Another path has another version by now, or its job is already submitted. Marks none if the watch is paused or deleted.
     */
    async submit(
      tx: Tx,
      { watchId, clientId }: Pick<Watch, 'watchId' | 'clientId'>,
      files: readonly FileSubmission[],
      at: string,
    ): Promise<ReadonlySet<string>> {
      const db = dbOf(tx);
      // Nothing is submitted after the reply to a pause or a deletion: the lock makes these wait for this transaction.
      if (!(await isActive(db, watchId))) return new Set();
      const marked: FileSubmission[] = [];
      for (const file of files) {
        const { path, version, jobId } = file;
        const row = db
          .updateTable('watched_files')
          .set((e) => ({
            ...FILES.writeSome({ state: 'SUBMITTED', jobId, dueAt: null, changedAt: at }),
            attempts: e('attempts', '+', 1),
          }))
          .where('watch_id', '=', watchId)
          .where('path', '=', path)
          .where('version', '=', version)
          .where('state', 'in', DUE_STATES);
        if ((await rowsChanged(db, row)) > 0) marked.push(file);
      }
      const outputs = marked.flatMap(({ jobId, outputs: paths, origins }) =>
        paths.map((path) => ({ path, job_id: jobId, origins: JSON.stringify(origins), pending: 1 as const })),
      );
      // The columns of the file that an earlier job has made stay: if this one fails, that file is still there.
      await storeOutputs(db, clientId, at, outputs, []);
      return new Set(marked.map(({ path }) => path));
    },

    /** Changes a row if it still is as it was read. Resolves to whether it was. */
    update: (file: ReadFile, change: FileChange): Promise<boolean> => write((db) => updateIn(db, file, change)),

    /** Writes how the job of a file has ended, in the transaction that ends it. Costs a job without a watch no statement. */
    async jobEnded(tx: Tx, end: JobEnd, decide: (file: WatchedFile, end: JobEnd) => FileChange): Promise<void> {
      if (watchOfEnded(tx, end.jobId) === null) return;
      const db = dbOf(tx);
      await settleOutputs(db, end);
      const row = await db
        .selectFrom('watched_files')
        .selectAll()
        .where('job_id', 'is not', null)
        .where('job_id', '=', end.jobId)
        .where('state', '=', 'SUBMITTED')
        .executeTakeFirst();
      if (row === undefined) return;
      const file = FILES.read(row);
      await updateIn(db, file, decide(file, end));
    },

    /**
     * Finds the row of a job or, if there is none, the row of `path` in the watch of the job. Also tells whether the watch is paused. undefined:
     * there is no row, or the watch was deleted.
     */
    async fileOf({
      watchId,
      jobId,
      path,
    }: {
      readonly watchId: string;
      readonly jobId: string;
      readonly path: string | undefined;
    }): Promise<(WatchedFile & { readonly isPaused: boolean }) | undefined> {
      const watch = await findRow(reader, 'watches', { watch_id: watchId });
      // The rows of a deleted watch are removed some time after it.
      if (watch === undefined) return undefined;
      const row =
        (await ofWatch(watchId).where('job_id', 'is not', null).where('job_id', '=', jobId).executeTakeFirst()) ??
        (path === undefined ? undefined : await ofWatch(watchId).where('path', '=', path).executeTakeFirst());
      return row && { ...FILES.read(row), isPaused: watch.state === 'PAUSED' };
    },

    /** Converts files again. Default of `paths`: all that need attention. Resolves to their number. */
    async retry(watchId: string, paths: readonly string[] | undefined, at: string): Promise<number> {
      const retried = (db: Db, change: FileChange) =>
        db.updateTable('watched_files').set(FILES.writeSome(change)).where('watch_id', '=', watchId);
      if (paths === undefined)
        return removeInBatches(database, BATCH, (db) => {
          const waiting = db.selectFrom('watched_files').select('path').where('watch_id', '=', watchId);
          const some = waiting.where('state', '=', 'NEEDS_ATTENTION').orderBy('path').limit(BATCH);
          return rowsChanged(db, retried(db, readyAgain(at)).where('path', 'in', some));
        });
      return write(async (db) => {
        let count = 0;
        for (const some of chunksOf(paths)) {
          const converted = retried(db, { ...readyAgain(at), replaces: true }).where('state', '=', 'CONVERTED');
          const others = retried(db, readyAgain(at)).where((e) =>
            e.or([
              e('state', 'in', ['NEEDS_ATTENTION', 'FAILED']),
              e.and([e('state', '=', 'SKIPPED'), e('skip_reason', '<>', 'OWN_OUTPUT')]),
            ]),
          );
          for (const rows of [converted, others]) count += await rowsChanged(db, rows.where('path', 'in', some));
        }
        return count;
      });
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
      const rows = await ofWatch(watchId)
        // `settle_at` is at least `changed_at`, so the rows from before `sourceSince` are left out by the index too.
        .where('settle_at', '>=', sourceSince)
        .where('settle_at', 'is not', null)
        .where('changed_at', '>=', sourceSince)
        .where((e) => e.or([e('settle_at', '<=', at), e('settle_at', '>', timeAfter(at, LONGEST_SOURCE_MS))]))
        .orderBy('settle_at')
        .limit(limit)
        .execute();
      return rows.map(FILES.read);
    },

    /** Whether another watch of the client has taken the file at this path, and has not converted it yet. */
    async isWantedByOther(
      clientId: string,
      { watchId, path }: Pick<WatchedFile, 'watchId' | 'path'>,
    ): Promise<boolean> {
      const found = await reader
        .selectFrom('watches')
        .innerJoin('watched_files', (join) =>
          join
            .onRef('watched_files.watch_id', '=', 'watches.watch_id')
            .on('watched_files.path', '=', path)
            .on('watched_files.state', 'in', ['READY', 'SUBMITTED', 'FAILED']),
        )
        .select('watched_files.path')
        .where('watches.client_id', '=', clientId)
        .where('watches.watch_id', '<>', watchId)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Removes rows of files that were not seen since this time, and facts about outputs that are older. */
    async removeUnseen(watchId: string, before: string): Promise<number> {
      await removeInBatches(database, BATCH, (db) => {
        // A job can wait longer than that, and its outputs are not new files.
        const old = db.selectFrom('watch_outputs').select('job_id').where('created_at', '<', before);
        const some = old.where('pending', 'is', null).limit(BATCH);
        return rowsChanged(db, db.deleteFrom('watch_outputs').where('job_id', 'in', some));
      });
      return removeInBatches(database, BATCH, (db) => {
        const old = db.selectFrom('watched_files').select('path').where('watch_id', '=', watchId);
        const some = old.where('seen_at', '<', before).where('state', '<>', 'SUBMITTED').limit(BATCH);
        return rowsChanged(
          db,
          db.deleteFrom('watched_files').where('watch_id', '=', watchId).where('path', 'in', some),
        );
      });
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Stores what jobs of watches make, by path. `columns`: what else replaces the values of a row that is there. */
async function storeOutputs(
  db: Db,
  clientId: string,
  at: string,
  rows: readonly {
    readonly path: string;
    readonly job_id: string;
    readonly origins: string;
    readonly pending: 1 | null;
    readonly bytes?: number | null;
    readonly fingerprint?: string | null;
  }[],
  columns: readonly ('bytes' | 'fingerprint')[],
): Promise<void> {
  // Two outputs of one request can name the same path, and one statement must not change a row twice.
  const unique = [...new Map(rows.map((row) => [row.path, row])).values()];
  for (const some of chunksOf(unique))
    await db
      .insertInto('watch_outputs')
      .values(some.map((row) => ({ bytes: null, fingerprint: null, ...row, client_id: clientId, created_at: at })))
      .onConflict((c) =>
        c
          .columns(['client_id', 'path'])
          .doUpdateSet(excluded('job_id', 'pending', 'origins', 'created_at', ...columns)),
      )
      .execute();
}

/** Replaces the outputs that a job was going to write by those that it has written. A list can find an output before this transaction. */
async function settleOutputs(db: Db, { jobId, clientId, outputs = [], at }: JobEnd): Promise<void> {
  const planned = db.selectFrom('watch_outputs').select('origins').where('job_id', '=', jobId).limit(1);
  const origins = (await planned.executeTakeFirst())?.origins;
  if (origins === undefined) return;
  await db.deleteFrom('watch_outputs').where('job_id', '=', jobId).where('bytes', 'is', null).execute();
  await updateRows(db, 'watch_outputs', { pending: null }, { job_id: jobId });
  const written =
    outputs.length <= MAX_OUTPUTS
      ? outputs.map(({ path, sizeBytes, fingerprint }) => ({
          path,
          bytes: sizeBytes,
          fingerprint: fingerprint ?? null,
        }))
      : outputs.map(({ path }) => ({ path: folderOf(path) }));
  const rows = written.map((file) => ({ ...file, job_id: jobId, origins, pending: null }));
  await storeOutputs(db, clientId, at, rows, ['bytes', 'fingerprint']);
}

import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { NO_WATCHED_FILES, type WatchedFile, type WatchedFileState } from '@telecine/contract/domain/watch.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import { LONGEST_RETRY_MS } from '../watches/after-job.ts';
import type { FileSubmission, LedgerChanges, NewWatchedFile, SourceOutcome, WatchLedger } from '../watches/ports.ts';
import { recordsOf, toJsonColumn } from './columns.ts';
import { watchOfEnded } from './job-row.ts';
import { chunksOf, countOf, countOfRows, countRows, removeInBatches, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf, hasRowLocks } from './transaction/database.ts';
import { watchOutputs } from './watch-outputs.ts';

type Row = Selectable<Schema['watched_files']>;

const FILES = recordsOf<Omit<WatchedFile, 'replaces' | 'outdated'>, Schema['watched_files']>()({
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
  seenAt: 'seen_at',
  changedAt: 'changed_at',
});

const toFile = (row: Row): WatchedFile => ({
  ...FILES.read(row),
  ...(row.replaces === 1 && { replaces: true }),
  ...(row.outdated === 1 && { outdated: true }),
});

/** The states from which a job may be submitted. */
const DUE_STATES = ['READY', 'FAILED'] as const satisfies readonly WatchedFileState[];

/** How many rows a retry of all files changes in one transaction. */
const RETRIED_ROWS = 1000;

/** The columns of a file of which no conversion is known to be current. */
const UNCONVERTED = { source: null, source_target: null, settle_at: null, outdated: null } as const;

/** A time of another clock can be ahead of this one: then the source is looked at all the same. */
const LONGEST_PAUSE_MS = 2 * 3_600_000;

/** The columns of a file with new content. */
const newColumns = (file: NewWatchedFile, at: string) => ({
  version: file.version,
  bytes: file.bytes,
  file_key: file.fileKey ?? null,
  state: file.state,
  skip_reason: file.skipReason ?? null,
  job_id: null,
  attempts: 0,
  due_at: file.state === 'READY' ? at : null,
  failure: null,
  origins: toJsonColumn(file.origins),
  ...UNCONVERTED,
  seen_at: at,
  changed_at: at,
});

/** The columns of a file that is to be converted again by the wish of a client. */
const retriedColumns = (at: string) => ({
  state: 'READY' as const,
  skip_reason: null,
  attempts: 0,
  due_at: at,
  failure: null,
  ...UNCONVERTED,
  changed_at: at,
});

const timeAfter = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Stores the ledger of watches. */
export function watchLedger(database: Database): WatchLedger {
  const { reader, write } = database;
  const outputs = watchOutputs(database);
  /** Reads the state of a watch. On PostgreSQL, locks it until the end of the transaction. */
  const lockedState = async (db: Kysely<Schema>, watchId: string) => {
    const watch = db.selectFrom('watches').select('state').where('watch_id', '=', watchId);
    return (await (hasRowLocks(database) ? watch.forShare() : watch).executeTakeFirst())?.state;
  };
  const ofWatch = (watchId: string) => reader.selectFrom('watched_files').selectAll().where('watch_id', '=', watchId);

  return {
    madeFiles: outputs.find,

    async list(watchId, { state, after, limit }) {
      let rows = ofWatch(watchId);
      if (state !== undefined) rows = rows.where('state', '=', state);
      if (after !== undefined) rows = rows.where('path', '>', after);
      return (await rows.orderBy('path').limit(limit).execute()).map(toFile);
    },

    async find(watchId, paths) {
      const read = (some: readonly string[]) => ofWatch(watchId).where('path', 'in', some).execute();
      const rows = (await Promise.all(chunksOf(paths).map(read))).flat();
      return new Map(rows.map((row) => [row.path, toFile(row)]));
    },

    async findByKey(watchId, fileKeys) {
      const read = (some: readonly string[]) =>
        ofWatch(watchId).where('file_key', 'is not', null).where('file_key', 'in', some).execute();
      return (await Promise.all(chunksOf(fileKeys).map(read))).flat().map(toFile);
    },

    record: (watchId, changes, at) =>
      write(async (db) => {
        // After the reply to a pause or a deletion, a scan adds nothing: the lock makes these wait for this transaction.
        const state = await lockedState(db, watchId);
        if (state === undefined || state === 'PAUSED') return false;
        await recordChanges(db, watchId, changes, at);
        return true;
      }),

    async due(watchId, at, limit) {
      // One statement for each state, because the index sorts by the time only within a state.
      const read = (state: WatchedFileState) => {
        const waiting = ofWatch(watchId).where('state', '=', state).where('due_at', 'is not', null);
        // A ready file is due in any case: its time only orders it, and is ahead if the clock was set back.
        // A failed file that is due later than any retry was written before the clock was set back.
        const due =
          state === 'READY'
            ? waiting
            : waiting.where((e) => e.or([e('due_at', '<=', at), e('due_at', '>', timeAfter(at, LONGEST_RETRY_MS))]));
        return due.orderBy('due_at').limit(limit).execute();
      };
      const rows = (await Promise.all(DUE_STATES.map(read))).flat();
      return rows
        .toSorted((a, b) => compare(a.due_at ?? '', b.due_at ?? '') || compare(a.path, b.path))
        .slice(0, limit)
        .map(toFile);
    },

    async nextDueAt(watchId) {
      const row = await reader
        .selectFrom('watched_files')
        .select('due_at')
        .where('watch_id', '=', watchId)
        .where('state', '=', 'FAILED')
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at ?? undefined;
    },

    unfinished: (watchId) =>
      countOf(
        reader,
        reader
          .selectFrom('watched_files')
          .select('path')
          .where('watch_id', '=', watchId)
          .where('state', '=', 'SUBMITTED'),
      ),

    async submit(tx, { watchId, clientId }, files, at) {
      const db = dbOf(tx);
      // Nothing is submitted after the reply to a pause or a deletion: the lock makes these wait for this transaction.
      const state = await lockedState(db, watchId);
      if (state === undefined || state === 'PAUSED' || files.length === 0) return new Set();
      const rows = await db
        .updateTable('watched_files')
        .set((e) => ({
          state: 'SUBMITTED',
          job_id: byPath(files, 'jobId'),
          attempts: e('attempts', '+', 1),
          due_at: null,
          changed_at: at,
        }))
        .where('watch_id', '=', watchId)
        .where(
          'path',
          'in',
          files.map(({ path }) => path),
        )
        .where('version', '=', byPath(files, 'version'))
        .where('state', 'in', DUE_STATES)
        .returning('path')
        .execute();
      const marked = new Set(rows.map(({ path }) => path));
      await outputs.add(
        db,
        clientId,
        files.filter(({ path }) => marked.has(path)),
        at,
      );
      return marked;
    },

    settle: ({ watchId, path, version, state }, as, at) =>
      write(async (db) => {
        const row = db
          .updateTable('watched_files')
          .set((e) => ({
            state: as.state,
            due_at: 'dueAt' in as ? as.dueAt : null,
            failure: 'failure' in as ? toJsonColumn(as.failure) : null,
            skip_reason: as.state === 'SKIPPED' ? as.skipReason : null,
            attempts: as.state === 'FAILED' ? e('attempts', '+', 1) : e.ref('attempts'),
            changed_at: at,
          }))
          .where('watch_id', '=', watchId)
          .where('path', '=', path)
          .where('version', '=', version)
          .where('state', '=', state);
        return (await rowsChanged(db, row)) > 0;
      }),

    async jobEnded(tx, end, decide) {
      // Nearly all jobs have no watch. They must cost no statement.
      if (watchOfEnded(tx, end.jobId) === null) return undefined;
      const db = dbOf(tx);
      const row = await db
        .selectFrom('watched_files')
        .selectAll()
        .where('job_id', 'is not', null)
        .where('job_id', '=', end.jobId)
        .where('state', '=', 'SUBMITTED')
        .executeTakeFirst();
      const after = row && decide(toFile(row));
      await outputs.settle(db, end);
      if (row === undefined || after === undefined) return undefined;
      const set = {
        state: after.state,
        due_at: after.state === 'FAILED' ? after.dueAt : after.state === 'READY' ? end.at : null,
        failure: 'failure' in after ? toJsonColumn(after.failure) : null,
        ...UNCONVERTED,
        ...(after.state === 'CONVERTED' && { settle_at: end.at }),
        ...(after.state === 'READY' && { attempts: 0, ...(after.replaces && { replaces: 1 as const }) }),
        changed_at: end.at,
      };
      await db
        .updateTable('watched_files')
        .set(set)
        .where('watch_id', '=', row.watch_id)
        .where('path', '=', row.path)
        .execute();
      return toFile({ ...row, ...set });
    },

    async attention(watchId) {
      const waiting = ofWatch(watchId).where('state', '=', 'NEEDS_ATTENTION');
      const last = waiting.clearSelect().select((e) => e.fn.max('changed_at').as('at'));
      const newest = await waiting.where('changed_at', '=', last).limit(1).executeTakeFirst();
      const files = await countRows(reader, 'watched_files', { watch_id: watchId, state: 'NEEDS_ATTENTION' });
      return { files, newest: newest && toFile(newest) };
    },

    async fileOf({ watchId, jobId, path }) {
      // The rows of a deleted watch are removed some time after it.
      const rows = reader
        .selectFrom('watched_files')
        .innerJoin('watches', 'watches.watch_id', 'watched_files.watch_id')
        .selectAll('watched_files')
        .select('watches.state as watch_state')
        .where('watched_files.watch_id', '=', watchId);
      const ofJob = rows.where('job_id', 'is not', null).where('job_id', '=', jobId);
      const row =
        (await ofJob.executeTakeFirst()) ??
        (path === undefined ? undefined : await rows.where('path', '=', path).executeTakeFirst());
      return row && { ...toFile(row), isPaused: row.watch_state === 'PAUSED' };
    },

    async retry(watchId, paths, at) {
      if (paths === undefined)
        return removeInBatches(database, RETRIED_ROWS, (db) => {
          const waiting = db
            .selectFrom('watched_files')
            .select('path')
            .where('watch_id', '=', watchId)
            .where('state', '=', 'NEEDS_ATTENTION')
            .orderBy('path')
            .limit(RETRIED_ROWS);
          const rows = db.updateTable('watched_files').set(retriedColumns(at));
          return rowsChanged(db, rows.where('watch_id', '=', watchId).where('path', 'in', waiting));
        });
      return write(async (db) => {
        let count = 0;
        for (const some of chunksOf(paths)) {
          const rows = db.updateTable('watched_files').where('watch_id', '=', watchId).where('path', 'in', some);
          count += await rowsChanged(
            db,
            rows.set({ ...retriedColumns(at), replaces: 1 }).where('state', '=', 'CONVERTED'),
          );
          const again = rows
            .set(retriedColumns(at))
            .where((e) =>
              e.or([
                e('state', 'in', ['NEEDS_ATTENTION', 'FAILED']),
                e.and([e('state', '=', 'SKIPPED'), e('skip_reason', '<>', 'OWN_OUTPUT')]),
              ]),
            );
          count += await rowsChanged(db, again);
        }
        return count;
      });
    },

    async sourcesToSettle({ watchId, sourceSince }, at, limit) {
      // `settle_at` is at least `changed_at`, so the rows from before `sourceSince` are left out by the index too.
      const waiting = () => {
        const rows = ofWatch(watchId).where('settle_at', 'is not', null);
        return sourceSince === undefined
          ? rows
          : rows.where('settle_at', '>=', sourceSince).where('changed_at', '>=', sourceSince);
      };
      const late = timeAfter(at, LONGEST_PAUSE_MS);
      const some = [waiting().where('settle_at', '<=', at), waiting().where('settle_at', '>', late)];
      const rows = await Promise.all(some.map((one) => one.orderBy('settle_at').limit(limit).execute()));
      return rows.flat().slice(0, limit).map(toFile);
    },

    async isWantedByOther(clientId, { watchId, path }) {
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

    setSource: ({ watchId, path, version }, outcome, at) =>
      write(
        async (db) => {
          const row = db
            .updateTable('watched_files')
            .set(sourceColumns(outcome, at))
            .where('watch_id', '=', watchId)
            .where('path', '=', path)
            .where('version', '=', version)
            .where('state', '=', 'CONVERTED');
          return (await rowsChanged(db, row)) > 0;
        },
        // After a crash, the next look leads to the same.
        { durable: outcome.kind !== 'unchanged' && outcome.kind !== 'later' },
      ),

    async removeUnseen(watchId, before) {
      await outputs.removeBefore(before);
      return removeInBatches(database, RETRIED_ROWS, (db) => {
        const old = db
          .selectFrom('watched_files')
          .select('path')
          .where('watch_id', '=', watchId)
          .where('seen_at', '<', before)
          .where('state', '<>', 'SUBMITTED')
          .limit(RETRIED_ROWS);
        return rowsChanged(db, db.deleteFrom('watched_files').where('watch_id', '=', watchId).where('path', 'in', old));
      });
    },

    async totals() {
      const watches = await reader.selectFrom('watches').select('watch_id').execute();
      const totals: Record<WatchedFileState, number> = { ...NO_WATCHED_FILES };
      for (const { watch_id } of watches) {
        for (const { state, count } of await countStates(reader, watch_id)) totals[state] += count;
        // A large watch takes SQLite some 10 ms.
        await nextTurn();
      }
      return totals;
    },
  };
}

/** Chooses the job or the version of a row by its path. */
const byPath = (files: readonly FileSubmission[], key: 'jobId' | 'version') =>
  sql<string>`case path ${sql.join(
    files.map((file) => sql`when ${file.path} then ${file[key]}`),
    sql` `,
  )} end`;

/** How many files of a watch have each state. */
export const countStates = (db: Kysely<Schema>, watchId: string) =>
  db
    .selectFrom('watched_files')
    .select(['state', countOfRows])
    .where('watch_id', '=', watchId)
    .groupBy('state')
    .execute();

/** The columns that a look at the source changes. */
function sourceColumns(outcome: SourceOutcome, at: string) {
  switch (outcome.kind) {
    case 'done':
      return { source: 'DONE' as const, settle_at: null, failure: null };
    case 'kept':
      return { source: 'KEPT' as const, settle_at: null, failure: toJsonColumn(outcome.failure) };
    case 'unchanged':
      return { settle_at: null, failure: null };
    case 'begun':
      return { source_target: outcome.target };
    case 'later':
      return { settle_at: outcome.at, failure: toJsonColumn(outcome.failure) };
    case 'changed':
      return { ...retriedColumns(at), replaces: 1 as const };
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

async function recordChanges(
  db: Kysely<Schema>,
  watchId: string,
  { added, renewed, moved, seen, outdated }: LedgerChanges,
  at: string,
): Promise<void> {
  for (const { from, to, isReady } of moved) {
    const isTaken = db
      .selectFrom('watched_files as other')
      .select('other.path')
      .where('other.watch_id', '=', watchId)
      .where('other.path', '=', to);
    await db
      .updateTable('watched_files')
      .set({
        path: to,
        seen_at: at,
        ...(isReady && { state: 'READY' as const, due_at: at, attempts: 0, failure: null, changed_at: at }),
      })
      .where('watch_id', '=', watchId)
      .where('path', '=', from)
      .where((e) => e.not(e.exists(isTaken)))
      .execute();
  }
  for (const some of chunksOf(added))
    await db
      .insertInto('watched_files')
      .values(some.map((file) => ({ watch_id: watchId, path: file.path, ...newColumns(file, at) })))
      .onConflict((c) => c.doNothing())
      .execute();
  for (const { from, replaces, ...file } of renewed)
    await db
      .updateTable('watched_files')
      .set({ ...newColumns(file, at), ...(replaces && { replaces: 1 as const }) })
      .where('watch_id', '=', watchId)
      .where('path', '=', file.path)
      .where('version', '=', from.version)
      .where('state', '=', from.state)
      .execute();
  for (const some of chunksOf(seen))
    await db
      .updateTable('watched_files')
      .set({ seen_at: at })
      .where('watch_id', '=', watchId)
      .where('path', 'in', some)
      .execute();
  for (const some of chunksOf(outdated))
    await db
      .updateTable('watched_files')
      .set({ outdated: 1 })
      .where('watch_id', '=', watchId)
      .where('path', 'in', some)
      .where('state', '=', 'SUBMITTED')
      .execute();
}

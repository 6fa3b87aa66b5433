import { isDeepStrictEqual } from 'node:util';
import {
  changeSettings,
  NO_WATCHED_FILES,
  type Watch,
  type WatchedCounts,
  type WatchSettings,
} from '@telecine/contract/domain/watch.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { WatchSettingsChange, WatchStore } from '../watches/ports.ts';
import { omitNullish, parseJsonColumn, toJsonColumn } from './columns.ts';
import { countRows, deleteRows, findRow, removeInBatches, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, hasRowLocks } from './transaction/database.ts';
import { countStates } from './watched-files.ts';

const toWatch = (row: Selectable<Schema['watches']>): Watch => ({
  ...(JSON.parse(row.settings) as WatchSettings),
  watchId: row.watch_id,
  clientId: row.client_id,
  state: row.state,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  ...omitNullish({
    sourceSince: row.source_since,
    firstScanAt: row.first_scan_at,
    unreachableSince: row.unreachable_since,
    waitingFor: row.waiting_for,
    stopped: parseJsonColumn<NonNullable<Watch['stopped']>>(row.stopped),
    lastScan: parseJsonColumn<NonNullable<Watch['lastScan']>>(row.last_scan),
  }),
});

const settingsOf = ({
  watchId: _,
  clientId: _client,
  state: _state,
  createdAt: _created,
  changedAt: _changed,
  sourceSince: _source,
  firstScanAt: _first,
  unreachableSince: _since,
  waitingFor: _waiting,
  stopped: _stopped,
  lastScan: _scan,
  ...settings
}: Watch): WatchSettings => settings;

/** Whether a change can let a watch take files that it has not looked at before. */
const matchesMore = (change: WatchSettingsChange, before: WatchSettings): boolean =>
  (change.subfolders === true && !before.subfolders) ||
  (change.patterns !== undefined && !isDeepStrictEqual(change.patterns ?? undefined, before.patterns)) ||
  (change.exclude !== undefined && !isDeepStrictEqual(change.exclude ?? undefined, before.exclude));

/** The watches of a client, or of all clients, oldest first. */
async function watchesOf(db: Kysely<Schema>, clientId?: string): Promise<readonly Watch[]> {
  let rows = db.selectFrom('watches').selectAll();
  if (clientId !== undefined) rows = rows.where('client_id', '=', clientId);
  return (await rows.orderBy('watch_id').execute()).map(toWatch);
}

/** The maximum number of rows of the ledger that one transaction deletes. */
const DELETED_ROWS = 2000;

/** Stores watches. Durable: a deleted or paused watch must not submit again after a crash. */
export function watchStore(database: Database): WatchStore {
  const { reader, write, lock } = database;
  // The state is in the SQL text, because only then SQLite uses the index of such rows.
  const running = () => reader.selectFrom('watches').where('state', '<>', sql.lit('PAUSED' as const));
  return {
    add: (watch, max) =>
      write(async (db) => {
        await lock?.(db, 'watches of client', watch.clientId);
        if ((await countRows(db, 'watches', { client_id: watch.clientId })) >= max) return false;
        const { watchId, clientId, state, createdAt, changedAt } = watch;
        await db
          .insertInto('watches')
          .values({
            watch_id: watchId,
            client_id: clientId,
            settings: JSON.stringify(settingsOf(watch)),
            state,
            created_at: createdAt,
            changed_at: changedAt,
          })
          .execute();
        return true;
      }),

    list: (clientId) => watchesOf(reader, clientId),

    async get(watchId) {
      const row = await findRow(reader, 'watches', { watch_id: watchId });
      return row && toWatch(row);
    },

    async running() {
      return (await running().selectAll().orderBy('watch_id').execute()).map(toWatch);
    },

    async hasRunning() {
      return (await running().select('watch_id').limit(1).executeTakeFirst()) !== undefined;
    },

    change: (watchId, change, at) =>
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
        await db.updateTable('watches').set(set).where('watch_id', '=', watchId).execute();
        return toWatch({ ...row, ...set });
      }),

    note: (watchId, { firstScanAt, unreachableSince, waitingFor, stopped, lastScan }) =>
      write(
        async (db) => {
          const set = {
            ...(firstScanAt !== undefined && { first_scan_at: firstScanAt }),
            ...(unreachableSince !== undefined && { unreachable_since: unreachableSince }),
            ...(waitingFor !== undefined && { waiting_for: waitingFor }),
            ...(stopped !== undefined && { stopped: stopped === null ? null : toJsonColumn(stopped) }),
            ...(lastScan !== undefined && { last_scan: toJsonColumn(lastScan) }),
          };
          await db.updateTable('watches').set(set).where('watch_id', '=', watchId).execute();
        },
        // Most notes are repeated by the next scan. The end of the first scan is not.
        { durable: firstScanAt !== undefined },
      ),

    async remove(watchId) {
      if (!(await write(async (db) => (await deleteRows(db, 'watches', { watch_id: watchId })) > 0))) return false;
      // The rows of a watch that does not exist have no effect, so a crash between these transactions leaves only garbage.
      await removeInBatches(database, DELETED_ROWS, (db) => {
        const some = db.selectFrom('watched_files').select('path').where('watch_id', '=', watchId).limit(DELETED_ROWS);
        return rowsChanged(
          db,
          db.deleteFrom('watched_files').where('watch_id', '=', watchId).where('path', 'in', some),
        );
      });
      return true;
    },

    async counts(watchIds) {
      const counts = new Map<string, WatchedCounts>(watchIds.map((id) => [id, NO_WATCHED_FILES]));
      for (const watchId of watchIds) {
        const rows = await countStates(reader, watchId);
        counts.set(watchId, {
          ...NO_WATCHED_FILES,
          ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
        });
      }
      return counts;
    },
  };
}

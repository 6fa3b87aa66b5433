import { sql } from 'kysely';
import type { CatalogueStore, WorkerRecord, WorkerReport, WorkerStore } from '../workers/ports/worker-store.ts';
import { recordsOf, toJsonColumn } from './columns.ts';
import { countRows, findRow, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

const WORKERS = recordsOf<WorkerRecord, Schema['workers']>()({
  workerId: 'worker_id',
  hostName: 'host_name',
  pid: 'pid',
  version: 'version',
  ffmpegVersion: 'ffmpeg_version',
  buildKey: 'build_key',
  catalogueKey: 'catalogue_key',
  concurrency: 'concurrency',
  processors: 'processors',
  machine: { json: 'machine' },
  sandbox: 'sandbox',
  hasFfprobe: { flag: 'has_ffprobe' },
  devices: { json: 'devices' },
  state: 'state',
  freeScratchBytes: 'free_scratch_bytes',
  load: { json: 'load' },
  failedChecks: { json: 'failed_checks' },
  startedAt: 'started_at',
  lastSeenAt: 'last_seen_at',
  drainRequestedAt: 'drain_requested_at',
});

export function workerStore({ reader, write, now }: Database): WorkerStore {
  const seen = (seconds: number) =>
    reader
      .selectFrom('workers')
      .selectAll()
      .where('last_seen_at', '>=', now(-seconds))
      .orderBy('started_at')
      .orderBy('worker_id');

  return {
    // Not durable: the next report follows within seconds.
    async report(worker, report) {
      const times = { started_at: now(), last_seen_at: now() };
      const changes = { ...changesOf(report), catalogue_key: worker.catalogueKey, last_seen_at: now() };
      const row = WORKERS.write({ ...worker, ...report, startedAt: '', lastSeenAt: '' });
      const stored = await write(
        (db) =>
          db
            .insertInto('workers')
            .values({ ...row, ...times })
            .onConflict((c) => c.column('worker_id').doUpdateSet(changes))
            .returning('last_seen_at')
            .executeTakeFirstOrThrow(),
        { durable: false },
      );
      return stored.last_seen_at;
    },

    seenWithin: async (seconds) => (await seen(seconds).execute()).map(WORKERS.read),

    seenWithinEach: async (spans) => {
      const rows = await seen(Math.max(...spans))
        .select(sql<string>`${now()}`.as('read_at'))
        .execute();
      const found = rows.map((row) => ({
        record: WORKERS.read(row),
        ageMs: Date.parse(row.read_at) - Date.parse(row.last_seen_at),
      }));
      const within = (seconds: number) =>
        found.flatMap(({ record, ageMs }) => (ageMs <= seconds * 1000 ? [record] : []));
      return mapEach(spans, within);
    },

    requestDrain: (workerId, isDraining) =>
      write(async (db) => {
        const at = sql<string | null>`coalesce(drain_requested_at, ${now()})`;
        return (
          (await updateRows(db, 'workers', { drain_requested_at: isDraining ? at : null }, { worker_id: workerId })) > 0
        );
      }),

    removeUnseen: (seconds, buildSeconds, lostSeconds = seconds) =>
      write(async (db) => {
        const isLater = sql<boolean>`(later.last_seen_at, later.worker_id) > (workers.last_seen_at, workers.worker_id)`;
        await db
          .deleteFrom('workers')
          .where('last_seen_at', '<', now(-seconds))
          .where(({ eb, or }) => or([eb('state', '=', 'stopped'), eb('last_seen_at', '<', now(-lostSeconds))]))
          .where(({ eb, exists, or, selectFrom }) =>
            or([
              eb('last_seen_at', '<', now(-buildSeconds)),
              exists(
                selectFrom('workers as later')
                  .select(sql.lit(1).as('one'))
                  .whereRef('later.catalogue_key', '=', 'workers.catalogue_key')
                  .whereRef('later.build_key', '=', 'workers.build_key')
                  .where(sql<boolean>`coalesce(later.devices, '') = coalesce(workers.devices, '')`)
                  .where(isLater),
              ),
            ]),
          )
          .execute();
        await db
          .deleteFrom('catalogues')
          .where('catalogue_key', 'not in', db.selectFrom('workers').select('catalogue_key'))
          .execute();
      }),
  };
}

export const catalogueStore = ({ reader, write }: Database): CatalogueStore => ({
  async add(key, content) {
    const row = { catalogue_key: key, content };
    await write((db) =>
      db
        .insertInto('catalogues')
        .values(row)
        .onConflict((c) => c.column('catalogue_key').doNothing())
        .execute(),
    );
  },

  has: async (key) => (await countRows(reader, 'catalogues', { catalogue_key: key })) > 0,

  read: async (key) => (await findRow(reader, 'catalogues', { catalogue_key: key }))?.content,
});

/** Maps the items of a tuple. The type of the result is a tuple of the same length. */
const mapEach = <T extends readonly number[], R>(items: T, map: (item: number) => R) =>
  items.map(map) as { readonly [K in keyof T]: R };

const changesOf = ({ state, freeScratchBytes, load, failedChecks }: WorkerReport) => ({
  state,
  free_scratch_bytes: freeScratchBytes,
  load: toJsonColumn(load),
  failed_checks: toJsonColumn(failedChecks),
});

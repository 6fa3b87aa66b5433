import { type Selectable, sql } from 'kysely';
import type { WorkerDevice } from '../domain/devices.ts';
import {
  type CatalogueStore,
  partialKeyOf,
  type WorkerDescription,
  type WorkerRecord,
  type WorkerReport,
  type WorkerStore,
} from '../workers/ports.ts';
import { omitNullish } from './omit-nullish.ts';
import type { WorkersTable } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** The repository of the processes that run jobs. */
export function workerStore({ reader, transactions, now }: Database): WorkerStore {
  const seen = (seconds: number) =>
    reader
      .selectFrom('workers')
      .selectAll()
      .where('last_seen_at', '>=', now(-seconds))
      .orderBy('started_at')
      .orderBy('worker_id');

  return {
    report: (worker, report) =>
      // A crash may undo a report: the next one follows within seconds.
      transactions.run(
        async (tx) => {
          const at = now();
          await dbOf(tx)
            .insertInto('workers')
            .values({ ...describe(worker), ...changesOf(report), started_at: at, last_seen_at: at })
            .onConflict((c) =>
              c
                .column('worker_id')
                .doUpdateSet({ ...changesOf(report), catalogue_key: worker.catalogueKey, last_seen_at: at }),
            )
            .execute();
        },
        { durable: false },
      ),

    seenWithin: async (seconds) => (await seen(seconds).execute()).map(toRecord),

    seenWithinEach: async (spans) => {
      const rows = await seen(Math.max(...spans))
        .select(sql<string>`${now()}`.as('read_at'))
        .execute();
      const found = rows.map((row) => ({
        record: toRecord(row),
        ageMs: Date.parse(row.read_at) - Date.parse(row.last_seen_at),
      }));
      const within = (seconds: number) =>
        found.flatMap(({ record, ageMs }) => (ageMs <= seconds * 1000 ? [record] : []));
      return mapEach(spans, within);
    },

    requestDrain: (workerId, isDraining) =>
      transactions.run(async (tx) => {
        const { numUpdatedRows } = await dbOf(tx)
          .updateTable('workers')
          .set((e) => ({ drain_requested_at: isDraining ? e.fn.coalesce('drain_requested_at', e.val(now())) : null }))
          .where('worker_id', '=', workerId)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    removeUnseen: (seconds, buildSeconds) =>
      transactions.run(async (tx) => {
        const db = dbOf(tx);
        const isLater = sql<boolean>`(later.last_seen_at, later.worker_id) > (workers.last_seen_at, workers.worker_id)`;
        await db
          .deleteFrom('workers')
          .where('last_seen_at', '<', now(-seconds))
          .where(({ eb, exists, or, selectFrom }) =>
            or([
              eb('last_seen_at', '<', now(-buildSeconds)),
              // Nobody can be asked what it lacks.
              eb('catalogue_key', 'like', partialKeyOf('%')),
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

/** The repository of the catalogues of ffmpeg builds. */
export function catalogueStore({ reader, transactions }: Database): CatalogueStore {
  return {
    add: (key, content) =>
      transactions.run(async (tx) => {
        await dbOf(tx)
          .insertInto('catalogues')
          .values({ catalogue_key: key, content })
          .onConflict((c) => c.column('catalogue_key').doNothing())
          .execute();
      }),

    has: async (key) => {
      const rows = await reader
        .selectFrom('catalogues')
        .select('catalogue_key')
        .where('catalogue_key', '=', key)
        .execute();
      return rows.length > 0;
    },

    read: async (key) =>
      (await reader.selectFrom('catalogues').select('content').where('catalogue_key', '=', key).executeTakeFirst())
        ?.content,
  };
}

const describe = (worker: WorkerDescription) => ({
  worker_id: worker.workerId,
  host_name: worker.hostName,
  pid: worker.pid,
  version: worker.version,
  ffmpeg_version: worker.ffmpegVersion,
  build_key: worker.buildKey,
  catalogue_key: worker.catalogueKey,
  concurrency: worker.concurrency,
  processors: worker.processors,
  sandbox: worker.sandbox,
  devices: worker.devices === undefined ? null : JSON.stringify(worker.devices),
  has_ffprobe: worker.hasFfprobe === undefined ? null : Number(worker.hasFfprobe),
});

/** Maps the items of a tuple. */
const mapEach = <T extends readonly number[], R>(items: T, map: (item: number) => R) =>
  items.map(map) as { readonly [K in keyof T]: R };

const changesOf = ({ state, freeScratchBytes }: WorkerReport) => ({ state, free_scratch_bytes: freeScratchBytes });

const toRecord = (row: Selectable<WorkersTable>): WorkerRecord => ({
  workerId: row.worker_id,
  hostName: row.host_name,
  pid: row.pid,
  version: row.version,
  ffmpegVersion: row.ffmpeg_version,
  buildKey: row.build_key,
  catalogueKey: row.catalogue_key,
  concurrency: row.concurrency,
  processors: row.processors,
  sandbox: row.sandbox,
  state: row.state,
  freeScratchBytes: row.free_scratch_bytes,
  startedAt: row.started_at,
  lastSeenAt: row.last_seen_at,
  ...omitNullish({ drainRequestedAt: row.drain_requested_at }),
  ...(row.has_ffprobe !== null && { hasFfprobe: row.has_ffprobe === 1 }),
  ...(row.devices !== null && { devices: JSON.parse(row.devices) as readonly WorkerDevice[] }),
});

import { dayOf, MEDIA_MARGIN_SECONDS, quotaExceeded } from '@telecine/contract/domain/client-limits.ts';
import type { Job, JobOutput } from '@telecine/contract/domain/job.ts';
import type { DailyUse, UsageStore } from '../jobs/ports/job-records.ts';
import { parseJsonColumn } from './columns.ts';
import { endedQueuedRow, endedRow } from './job-row.ts';
import { findRow, hasValues, updateRows } from './queries.ts';
import { type Database, type Db, dbOf } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';
import { usageOfAll } from './usage-of-all.ts';

const NOTHING: DailyUse = { jobs: 0, mediaSeconds: 0 };

const toUse = (row: { readonly jobs: number; readonly media_ms: number }): DailyUse => ({
  jobs: row.jobs,
  mediaSeconds: row.media_ms / 1000,
});

/**
 * Returns the length of the outputs of a job together, in milliseconds. If an output has many files, only its first
 * file has a length: that of the whole output.
 */
const lengthOf = (outputs: readonly Pick<JobOutput, 'mediaSeconds' | 'durationSeconds'>[]): number =>
  outputs.reduce(
    (sum, { mediaSeconds = 0, durationSeconds = mediaSeconds }) => sum + Math.round(durationSeconds * 1000),
    0,
  );

type UsageChange = Readonly<Record<'clientId' | 'day', string> & Record<'jobs' | 'ms' | 'recordBytes', number>>;

/**
 * Replaces the media seconds that a job has reserved by the length of its outputs, because the request may have stated
 * less. Throws QUOTA_EXCEEDED if this exceeds the quota of the client on the day of the job. Call this in the
 * transaction that stores the intent. Other jobs of the client wait for that transaction, so that two jobs cannot
 * exceed the quota together.
 */
export async function reserveOutputs(
  db: Db,
  { jobId, clientId, createdAt }: Pick<Job, 'jobId' | 'clientId' | 'createdAt'>,
  outputs: readonly JobOutput[],
  limit: number,
): Promise<void> {
  const ms = lengthOf(outputs);
  const job = await db
    .selectFrom('jobs')
    .select('reserved_media_ms')
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow();
  const more = ms - job.reserved_media_ms;
  if (more === 0) return;
  const total = await db
    .updateTable('client_usage')
    .set((e) => ({ media_ms: e('media_ms', '+', more) }))
    .where(hasValues<'client_usage'>({ client_id: clientId, day: dayOf(createdAt) }))
    .returning('media_ms')
    .executeTakeFirst();
  const used = ((total?.media_ms ?? 0) - ms) / 1000;
  // A job may always publish as much as it has reserved, even if the quota is smaller now.
  if (more > MEDIA_MARGIN_SECONDS * 1000 && used + ms / 1000 > limit)
    throw quotaExceeded({ name: 'media', used: Math.max(0, used), limit }, ms / 1000, createdAt);
  await updateRows(db, 'jobs', { reserved_media_ms: ms }, { job_id: jobId });
}

const addUse = compileStatement((db, p: UsageChange) =>
  db
    .insertInto('client_usage')
    .values({ client_id: p.clientId, day: p.day, jobs: p.jobs, media_ms: p.ms, record_bytes: p.recordBytes })
    .onConflict((c) =>
      c.columns(['client_id', 'day']).doUpdateSet((e) => ({
        jobs: e('client_usage.jobs', '+', e.ref('excluded.jobs')),
        media_ms: e('client_usage.media_ms', '+', e.ref('excluded.media_ms')),
        record_bytes: e('client_usage.record_bytes', '+', e.ref('excluded.record_bytes')),
      })),
    )
    .returning(['jobs', 'media_ms']),
);

const changeUse = compileStatement((db, p: UsageChange) =>
  db
    .updateTable('client_usage')
    .set((e) => ({
      jobs: e('jobs', '+', p.jobs),
      media_ms: e('media_ms', '+', p.ms),
      record_bytes: e('record_bytes', '+', p.recordBytes),
    }))
    .where(hasValues<'client_usage'>({ client_id: p.clientId, day: p.day })),
);

const readJob = compileStatement((db, p: { jobId: string }) =>
  db
    .selectFrom('jobs')
    .select(['created_at', 'started_at', 'outputs', 'reserved_media_ms', 'record_bytes'])
    .where('job_id', '=', p.jobId),
);

export function usageStore(database: Database): UsageStore {
  const { reader, write } = database;
  return {
    async reserve(tx, clientId, day, { jobs, mediaSeconds, recordBytes = 0 }) {
      const ms = Math.round(mediaSeconds * 1000);
      const { rows } = await addUse(dbOf(tx), { clientId, day, jobs, ms, recordBytes });
      return rows[0] === undefined ? NOTHING : toUse(rows[0]);
    },

    async settle(tx, ends) {
      const db = dbOf(tx);
      const changes = new Map<string, { -readonly [K in keyof UsageChange]: UsageChange[K] }>();
      for (const { jobId, clientId } of ends) {
        const job = endedRow(tx, jobId) ?? endedQueuedRow(tx, jobId) ?? (await readJob(db, { jobId })).rows[0];
        if (job === undefined) continue;
        const outputs = 'outputs' in job ? (parseJsonColumn<JobOutput[]>(job.outputs) ?? []) : [];
        const day = dayOf(job.created_at);
        const sum = changes.get(`${clientId} ${day}`) ?? { clientId, day, jobs: 0, ms: 0, recordBytes: 0 };
        sum.ms += lengthOf(outputs) - job.reserved_media_ms;
        sum.jobs -= job.started_at === null ? 1 : 0;
        sum.recordBytes += 'record_bytes' in job ? (job.record_bytes ?? 0) : 0;
        changes.set(`${clientId} ${day}`, sum);
      }
      // Sorted, so that all transactions lock the rows in the same order.
      for (const [, sum] of [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
        if (sum.ms !== 0 || sum.jobs !== 0 || sum.recordBytes !== 0) await changeUse(db, sum);
    },

    async leftFor({ jobId, clientId, createdAt }, limit) {
      const row = await reader
        .selectFrom('client_usage')
        .innerJoin('jobs', 'jobs.client_id', 'client_usage.client_id')
        .select(['media_ms', 'reserved_media_ms'])
        .where('jobs.job_id', '=', jobId)
        .where('client_usage.client_id', '=', clientId)
        .where('day', '=', dayOf(createdAt))
        .executeTakeFirst();
      if (row === undefined) return limit;
      const ofOthers = Math.max(0, row.media_ms - row.reserved_media_ms) / 1000;
      // The rest of the quota can be less than the reservation: other jobs may have published slightly more than they
      // reserved, or the quota may be smaller now.
      return Math.max(row.reserved_media_ms / 1000, limit - ofOthers);
    },

    async ofDay(clientId, day) {
      const row = await findRow(reader, 'client_usage', { client_id: clientId, day });
      return row === undefined ? NOTHING : toUse(row);
    },

    ofAll: usageOfAll(database),

    async forgetRecordsBefore(day) {
      await write((db) =>
        db
          .updateTable('client_usage')
          .set({ record_bytes: 0 })
          .where('day', '<', day)
          .where('record_bytes', '<>', 0)
          .execute(),
      );
    },

    async forgetBefore(day) {
      await write((db) => db.deleteFrom('client_usage').where('day', '<', day).execute());
    },
  };
}

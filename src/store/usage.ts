import { sql } from 'kysely';
import type { JobOutput } from '../domain/job.ts';
import { dayOf } from '../domain/quotas.ts';
import type { DailyUse, UsageStore } from '../jobs/ports/usage-store.ts';
import { parseJsonColumn } from './job-row.ts';
import type { Database } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';

const NOTHING: DailyUse = { jobs: 0, mediaSeconds: 0 };

const toUse = (row: { readonly jobs: number; readonly media_ms: number }): DailyUse => ({
  jobs: row.jobs,
  mediaSeconds: row.media_ms / 1000,
});

/** The length of a job's outputs. Of an output of many files, the first one has the length of all. */
const publishedMs = (outputs: string | null): number =>
  (parseJsonColumn<JobOutput[]>(outputs) ?? []).reduce(
    (sum, { mediaSeconds = 0, durationSeconds = mediaSeconds }) => sum + Math.round(durationSeconds * 1000),
    0,
  );

/** A count after a change. Jobs that an earlier version stored were not counted, so it could fall below 0. */
const changed = (column: 'jobs' | 'media_ms', by: number) =>
  sql<number>`case when ${sql.ref(column)} + ${by} < 0 then 0 else ${sql.ref(column)} + ${by} end`;

export function usageStore({ reader, transactions }: Database): UsageStore {
  const add = compileStatement((p: { clientId: string; day: string; jobs: number; ms: number }) =>
    reader
      .insertInto('client_usage')
      .values({ client_id: p.clientId, day: p.day, jobs: p.jobs, media_ms: p.ms })
      .onConflict((c) =>
        c.columns(['client_id', 'day']).doUpdateSet((e) => ({
          jobs: e('client_usage.jobs', '+', e.ref('excluded.jobs')),
          media_ms: e('client_usage.media_ms', '+', e.ref('excluded.media_ms')),
        })),
      )
      .returning(['jobs', 'media_ms']),
  );
  const readJob = compileStatement((p: { jobId: string }) =>
    reader
      .selectFrom('jobs')
      .select(['created_at', 'started_at', 'outputs', 'reserved_media_ms'])
      .where('job_id', '=', p.jobId),
  );
  const change = compileStatement((p: { clientId: string; day: string; jobs: number; ms: number }) =>
    reader
      .updateTable('client_usage')
      .set({ jobs: changed('jobs', p.jobs), media_ms: changed('media_ms', p.ms) })
      .where('client_id', '=', p.clientId)
      .where('day', '=', p.day),
  );

  return {
    async reserve(tx, clientId, day, { jobs, mediaSeconds }) {
      const { rows } = await add(dbOf(tx), { clientId, day, jobs, ms: Math.round(mediaSeconds * 1000) });
      return rows[0] === undefined ? NOTHING : toUse(rows[0]);
    },

    async settle(tx, { jobId, clientId }) {
      const db = dbOf(tx);
      const [job] = (await readJob(db, { jobId })).rows;
      if (job === undefined) return;
      const ms = publishedMs(job.outputs) - job.reserved_media_ms;
      const jobs = job.started_at === null ? -1 : 0;
      if (ms !== 0 || jobs !== 0) await change(db, { clientId, day: dayOf(job.created_at), jobs, ms });
    },

    async ofDay(clientId, day) {
      const row = await reader
        .selectFrom('client_usage')
        .select(['jobs', 'media_ms'])
        .where('client_id', '=', clientId)
        .where('day', '=', day)
        .executeTakeFirst();
      return row === undefined ? NOTHING : toUse(row);
    },

    forgetBefore: (day) =>
      transactions.run(async (tx) => {
        await dbOf(tx).deleteFrom('client_usage').where('day', '<', day).execute();
      }),
  };
}

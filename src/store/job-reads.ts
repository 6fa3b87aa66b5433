import { type Kysely, sql } from 'kysely';
import type { JobStore, PublishIntent } from '../jobs/ports.ts';
import { parseJsonColumn, toJob } from './job-row.ts';
import { statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

/** Reads of single jobs, and counts. */
export function jobReads(
  reader: Kysely<Schema>,
): Pick<JobStore, 'get' | 'fairnessRank' | 'countPending' | 'ticketsOf' | 'log' | 'liveScratch'> {
  const readRow = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('jobs').selectAll().where('job_id', '=', p.jobId),
  );
  const readLog = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('job_logs').select('log').where('job_id', '=', p.jobId),
  );

  return {
    async get(jobId) {
      const [row] = (await readRow(reader, { jobId })).rows;
      return row && toJob(row);
    },

    async fairnessRank(jobId) {
      const row = await reader.selectFrom('jobs').select('turn').where('job_id', '=', jobId).executeTakeFirst();
      return row?.turn;
    },

    async countPending(clientId, limit) {
      let pending = reader.selectFrom('jobs').select(sql.lit(1).as('one')).where(statusIs('PENDING')).limit(limit);
      if (clientId !== undefined) pending = pending.where('client_id', '=', clientId);
      const { n } = await reader
        .selectFrom(pending.as('pending'))
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      return n;
    },

    ticketsOf: (afterJobId, limit) =>
      reader
        .selectFrom('jobs')
        .select(['job_id as jobId', 'client_id as clientId', 'turn as fairnessRank'])
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .where('job_id', '>', afterJobId)
        .orderBy('job_id')
        .limit(limit)
        .execute(),

    async log(jobId) {
      return (await readLog(reader, { jobId })).rows[0]?.log;
    },

    async liveScratch(workersGone) {
      const running = workersGone
        ? []
        : await reader.selectFrom('jobs').select(['job_id', 'fence']).where(statusIs('PROCESSING')).execute();
      const publishing = await reader.selectFrom('jobs').select('intent').where('intent', 'is not', null).execute();
      const names = new Set(running.map((row) => `${row.job_id}.${row.fence}`));
      for (const row of publishing) {
        const intent = parseJsonColumn<PublishIntent>(row.intent);
        if (intent !== undefined) names.add(intent.scratch);
      }
      return [...names];
    },
  };
}

import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { FailedJob, HistoryCount, JobHistoryStore } from '../jobs/ports/job-records.ts';
import { parseJsonColumn } from './columns.ts';
import { statusIs } from './queries.ts';
import type { Database } from './transaction/database.ts';

export const jobHistory = ({ reader, write }: Database): JobHistoryStore => ({
  async add(all) {
    const rows = all.flatMap(({ stepSeconds, counts }) =>
      counts.map(({ at, event, code, jobs, waitedMs }) => ({
        ...{ step: stepSeconds, at, event, code: code ?? ('' as const), jobs },
        waited_ms: waitedMs,
      })),
    );
    if (rows.length === 0) return;
    await write(
      (db) =>
        db
          .insertInto('job_history')
          .values(rows)
          .onConflict((c) =>
            c.columns(['step', 'at', 'event', 'code']).doUpdateSet((e) => ({
              jobs: e('job_history.jobs', '+', e.ref('excluded.jobs')),
              waited_ms: e('job_history.waited_ms', '+', e.ref('excluded.waited_ms')),
            })),
          )
          .execute(),
      { durable: false },
    );
  },

  async read(stepSeconds, from) {
    const rows = await reader
      .selectFrom('job_history')
      .select(['at', 'event', 'code', 'jobs', 'waited_ms'])
      .where('step', '=', stepSeconds)
      .where('at', '>=', from)
      .orderBy('at')
      .execute();
    return rows.map(
      ({ at, event, code, jobs, waited_ms: waitedMs }): HistoryCount => ({
        ...{ at, event, jobs, waitedMs },
        ...(code !== '' && { code }),
      }),
    );
  },

  async lastFailed(limit) {
    const rows = await reader
      .selectFrom('jobs')
      .select(['job_id', 'client_id', 'error', 'completed_at'])
      .where(statusIs('FAILED'))
      .orderBy('job_id', 'desc')
      .limit(limit)
      .execute();
    return rows.flatMap(({ job_id, client_id, error, completed_at }): readonly FailedJob[] => {
      const code = parseJsonColumn<Failure>(error)?.code;
      if (code === undefined || completed_at === null) return [];
      return [{ jobId: job_id, clientId: client_id, code, failedAt: completed_at }];
    });
  },

  async forgetBefore(stepSeconds, from) {
    await write((db) => db.deleteFrom('job_history').where('step', '=', stepSeconds).where('at', '<', from).execute(), {
      durable: false,
    });
  },
});

import { type Kysely, sql } from 'kysely';
import { RANKS_APART } from '../domain/states.ts';
import type { JobStore, NewJob } from '../jobs/ports.ts';
import { statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileInsert, compileStatement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';

interface NewRow extends Omit<NewJob, 'retryOf'> {
  readonly retryOf: string | null;
}

/** The path of every submission. */
export function jobInserts(reader: Kysely<Schema>): Pick<JobStore, 'insert' | 'nextFairnessRank'> {
  const insertRows = compileInsert((rows: readonly NewRow[]) =>
    reader.insertInto('jobs').values(
      rows.map((row) => ({
        job_id: row.jobId,
        client_id: row.clientId,
        status: sql.lit('PENDING'),
        request: row.request,
        retry_of: row.retryOf,
        turn: row.fairnessRank,
        attempt: sql.lit(0),
        fence: sql.lit(0),
        created_at: row.createdAt,
      })),
    ),
  );
  // The last turn taken is that of the jobs that ever started: a cancelled one that never did must not count. Of those
  // that wait, the newest by its id has the last turn.
  const turns = compileStatement((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      e
        .selectFrom('jobs')
        .select((j) => j.fn.max('turn').as('turn'))
        .where('started_at', 'is not', null)
        .as('taken'),
      e
        .selectFrom('jobs')
        .select('turn')
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        .orderBy('job_id', 'desc')
        .limit(sql.lit(1))
        .as('waiting'),
    ]),
  );

  return {
    async insert(tx, jobs) {
      await insertRows(
        dbOf(tx),
        jobs.map((job) => ({ ...job, retryOf: job.retryOf ?? null })),
      );
    },

    async nextFairnessRank(tx, clientId) {
      const [last] = (await turns(dbOf(tx), { clientId })).rows;
      const soonest = (last?.taken ?? 0) + 1;
      const waiting = last?.waiting ?? null;
      return waiting === null ? soonest : Math.max(soonest, waiting + RANKS_APART);
    },
  };
}

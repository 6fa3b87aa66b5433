import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { OutputExpiries } from '../jobs/ports/job-records.ts';
import { parseJsonColumn } from './columns.ts';
import { deleteRows, findRow, updateRows } from './queries.ts';
import { type Database, type Db, dbOf } from './transaction/database.ts';

/** Stores when the outputs of a job must be removed, in the transaction that ends the job. */
export async function insertExpiry(
  db: Db,
  job: { readonly jobId: string; readonly clientId: string },
  dueAt: string,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  const files = JSON.stringify(outputs, ['path', 'fingerprint']);
  await db
    .insertInto('output_expiries')
    .values({ job_id: job.jobId, client_id: job.clientId, due_at: dueAt, outputs: files })
    .execute();
}

export function outputExpiries({ reader, write }: Database): OutputExpiries {
  return {
    due: (at, limit) =>
      reader
        .selectFrom('output_expiries')
        .select(['job_id as jobId', 'client_id as clientId'])
        .where('due_at', '<=', at)
        .orderBy('due_at')
        .orderBy('job_id')
        .limit(limit)
        .execute(),

    outputs: async (jobId) =>
      parseJsonColumn((await findRow(reader, 'output_expiries', { job_id: jobId }))?.outputs ?? null) ?? [],

    async expire(tx, job, at, outputs) {
      const db = dbOf(tx);
      const { jobId } = job;
      // Locks the job, so that it is not deleted meanwhile.
      const isThere = { job_id: jobId, status: 'COMPLETED', outputs_expired: null } as const;
      if ((await updateRows(db, 'jobs', { outputs_expire_at: at }, isThere)) === 0) return false;
      if ((await updateRows(db, 'output_expiries', { due_at: at }, { job_id: jobId })) > 0) return true;
      if (outputs !== undefined) await insertExpiry(db, job, at, outputs);
      return outputs !== undefined;
    },

    async finish(tx, jobId) {
      const db = dbOf(tx);
      if ((await deleteRows(db, 'output_expiries', { job_id: jobId })) === 0) return false;
      await updateRows(db, 'jobs', { outputs_expired: 1 }, { job_id: jobId });
      return true;
    },

    async postpone(jobId, until) {
      await write((db) => updateRows(db, 'output_expiries', { due_at: until }, { job_id: jobId }));
    },
  };
}

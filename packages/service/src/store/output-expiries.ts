import { FIRST_OUTPUTS, type JobOutput } from '@telecine/contract/domain/job.ts';
import type { Kysely } from 'kysely';
import type { OutputExpiries } from '../jobs/ports/job-records.ts';
import { deleteRows, findRow, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf } from './transaction/database.ts';

/** Stores when the outputs of a job must be removed, in the transaction that ends the job. */
export async function insertExpiry(
  db: Kysely<Schema>,
  job: { readonly jobId: string; readonly clientId: string },
  dueAt: string,
  outputs: readonly JobOutput[],
): Promise<void> {
  const files = outputs.length > FIRST_OUTPUTS ? '' : JSON.stringify(outputs, ['path', 'fingerprint']);
  await db
    .insertInto('output_expiries')
    .values({ job_id: job.jobId, client_id: job.clientId, due_at: dueAt, outputs: files })
    .execute();
}

export function outputExpiries({ reader, write }: Database): OutputExpiries {
  return {
    async due(at, limit) {
      const rows = await reader
        .selectFrom('output_expiries')
        .select(['job_id as jobId', 'client_id as clientId'])
        .where('due_at', '<=', at)
        .orderBy('due_at')
        .orderBy('job_id')
        .limit(limit)
        .execute();
      return rows;
    },

    async *outputs(jobId) {
      const row = await findRow(reader, 'output_expiries', { job_id: jobId });
      if (row === undefined) return;
      if (row.outputs !== '') return yield JSON.parse(row.outputs);
      const job = await reader.selectFrom('jobs').select('outputs').where('job_id', '=', jobId).executeTakeFirst();
      if (job !== undefined) yield JSON.parse(job.outputs ?? '[]');
      let after = job === undefined ? -1 : 0;
      // The job may be deleted meanwhile, and its outputs are then in the second table.
      for (const table of ['job_outputs', 'expiring_outputs'] as const)
        for (let part = await nextPart(reader, table, jobId, after); part !== undefined; ) {
          yield JSON.parse(part.outputs);
          after = part.first;
          part = await nextPart(reader, table, jobId, after);
        }
    },

    async finish(tx, jobId) {
      const db = dbOf(tx);
      if ((await deleteRows(db, 'output_expiries', { job_id: jobId })) === 0) return false;
      await deleteRows(db, 'expiring_outputs', { job_id: jobId });
      await updateRows(db, 'jobs', { outputs_expired: 1 }, { job_id: jobId });
      return true;
    },

    async postpone(jobId, until) {
      await write((db) => updateRows(db, 'output_expiries', { due_at: until }, { job_id: jobId }));
    },
  };
}

/** Reads the part of the outputs of a job after the one that begins at the index `after`. */
const nextPart = (db: Kysely<Schema>, table: 'job_outputs' | 'expiring_outputs', jobId: string, after: number) =>
  db
    .selectFrom(table)
    .select(['first', 'outputs'])
    .where('job_id', '=', jobId)
    .where('first', '>', after)
    .orderBy('first')
    .limit(1)
    .executeTakeFirst();

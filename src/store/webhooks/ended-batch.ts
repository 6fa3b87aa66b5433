import type { Job } from '../../domain/job.ts';
import type { WebhookOutbox } from '../../webhooks/ports.ts';
import { BATCHES } from '../batches.ts';
import { omitNullish, parseJsonColumn } from '../columns.ts';
import { type Database, hasRowLocks } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { dbOf } from '../transaction/tx.ts';

/** Reads the batch of a job that ends, if it was the last one. */
export function endedBatchReader(database: Pick<Database, 'lock' | 'reader'>): WebhookOutbox['endedBatch'] {
  const { reader } = database;
  const readCallback = compileStatement((p: { batchId: string }) =>
    reader
      .selectFrom('batches')
      .select('batch_id')
      .where('batch_id', '=', p.batchId)
      .where('callback_url', 'is not', null),
  );
  return async (tx, batchId, hasEndpoint) => {
    // Read without a lock: it never changes.
    if (!hasEndpoint && (await readCallback(dbOf(tx), { batchId })).rows.length === 0) return undefined;
    const ofBatch = () => dbOf(tx).selectFrom('jobs').where('batch_id', 'is not', null).where('batch_id', '=', batchId);
    const batch = dbOf(tx).selectFrom('batches').select(BATCHES.columns).where('batch_id', '=', batchId);
    // Started in this order. The second runs when the lock is held: it sees the ends that others committed before.
    const [row, unfinished] = await Promise.all([
      (hasRowLocks(database) ? batch.forUpdate() : batch).executeTakeFirst(),
      ofBatch().select('job_id').where('completed_at', 'is', null).limit(1).executeTakeFirst(),
    ]);
    if (row === undefined || unfinished !== undefined) return undefined;
    // Not the whole jobs: their outputs can have a hundred megabytes together. Their requests came in one body.
    const jobs = await ofBatch().select(['job_id', 'name', 'status', 'request', 'error']).orderBy('job_id').execute();
    return {
      ...BATCHES.read(row),
      jobs: jobs.map(({ job_id: jobId, name, status, request, error }) => ({
        jobId,
        status,
        request: JSON.parse(request) as Job['request'],
        ...omitNullish({ name, error: parseJsonColumn<Job['error']>(error) }),
      })),
    };
  };
}

import type { JobOfWorker, QueueControl } from '../workers/ports/worker-store.ts';
import { omitNullish } from './columns.ts';
import { chunksOf, statusIs, updateRows } from './queries.ts';
import type { Database } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

const readFlags = compileStatement((db, p: { workerId: string }) =>
  db
    .selectFrom('installation')
    .select((e) => [
      'queue_paused_at as paused',
      e.selectFrom('workers').select('drain_requested_at').where('worker_id', '=', p.workerId).as('drained'),
    ]),
);

export function queueControl({ reader, write, now }: Database): QueueControl {
  return {
    pausedAt: async () =>
      (await reader.selectFrom('installation').select('queue_paused_at').executeTakeFirst())?.queue_paused_at ??
      undefined,

    async pause() {
      await write((db) => updateRows(db, 'installation', { queue_paused_at: now() }, { queue_paused_at: null }));
    },

    async resume() {
      await write((db) => db.updateTable('installation').set({ queue_paused_at: null }).execute());
    },

    async mayClaim(workerId) {
      const [row] = (await readFlags(reader, { workerId })).rows;
      return row === undefined || (row.paused === null && row.drained === null);
    },

    async runningJobs() {
      const rows = await reader
        .selectFrom('jobs')
        .select([
          'job_id as jobId',
          'client_id as clientId',
          'phase',
          'worker_id as workerId',
          'claimed_at as claimedAt',
        ])
        .where(statusIs('PROCESSING'))
        .orderBy('job_id')
        .execute();
      return rows.map(({ jobId, clientId, phase, ...claim }) => ({
        ...{ jobId, clientId, phase: phase ?? 'STAGING' },
        ...omitNullish(claim),
      }));
    },

    async statusesOf(jobIds) {
      const found: JobOfWorker[] = [];
      for (const chunk of chunksOf(jobIds))
        found.push(
          ...(await reader
            .selectFrom('jobs')
            .select(['job_id as jobId', 'client_id as clientId', 'status'])
            .where('job_id', 'in', chunk)
            .execute()),
        );
      return found;
    },
  };
}

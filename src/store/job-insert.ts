import type { Kysely } from 'kysely';
import type { JobStore } from '../jobs/ports.ts';
import { statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { prepare } from './transaction/statement.ts';
import { inside } from './transaction/tx.ts';

/** The path of every submission. */
export function jobInsert(reader: Kysely<Schema>): Pick<JobStore, 'insert' | 'nextTurn'> {
  const insertOne = prepare(
    (p: { jobId: string; clientId: string; request: string; retryOf: string | null; turn: number; at: string }) =>
      reader.insertInto('jobs').values({
        job_id: p.jobId,
        client_id: p.clientId,
        status: 'PENDING',
        request: p.request,
        retry_of: p.retryOf,
        turn: p.turn,
        attempt: 0,
        fence: 0,
        created_at: p.at,
      }),
  );
  // The last turn taken is that of the jobs that ever started: a cancelled one that never did must not count.
  const turns = prepare((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      e
        .selectFrom('jobs')
        .select((j) => j.fn.max('turn').as('turn'))
        .where('started_at', 'is not', null)
        .as('taken'),
      e
        .selectFrom('jobs')
        .select((j) => j.fn.max('turn').as('turn'))
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        .as('waiting'),
    ]),
  );

  return {
    async insert(tx, jobs) {
      const db = inside(tx);
      for (const job of jobs)
        await insertOne(db, {
          jobId: job.jobId,
          clientId: job.clientId,
          request: JSON.stringify(job.request),
          retryOf: job.retryOf ?? null,
          turn: job.turn,
          at: job.createdAt,
        });
    },

    async nextTurn(tx, clientId) {
      const [last] = (await turns(inside(tx), { clientId })).rows;
      const soonest = (last?.taken ?? 0) + 1;
      const waiting = last?.waiting ?? null;
      // Two apart, so that a client with nothing in line comes between the turns of one with many, whose ticket for
      // an equal turn would be the older one.
      return waiting === null ? soonest : Math.max(soonest, waiting + 2);
    },
  };
}

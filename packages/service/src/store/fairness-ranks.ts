import { RANKS_APART } from '@telecine/contract/domain/queue-order.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { statusIs } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

/** Gives new jobs their fairness ranks, which decide in which order the queued jobs of all clients start. */
export function fairnessRanks({ reader, lock }: Database): Pick<JobStore, 'nextFairnessRank'> {
  // Only started jobs count: a job that was cancelled before its start used no turn of its client.
  const highestStarted = (e: ExpressionBuilder<Schema, never>) =>
    e
      .selectFrom('jobs')
      .select((j) => j.fn.max('fairness_rank').as('fairness_rank'))
      .where('started_at', 'is not', null);
  const lastRanks = compileStatement((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      highestStarted(e).as('started'),
      e
        .selectFrom('jobs')
        .select('client_id')
        .where('started_at', 'is not', null)
        .where('fairness_rank', '=', highestStarted(e))
        // Several clients often share a rank. The expression `client_id || ''` prevents the use of an index by client,
        // with which the database would read all jobs of the client.
        .where(sql`client_id || ''`, '=', p.clientId)
        .limit(sql.lit(1))
        .as('startedBy'),
      e
        .selectFrom('jobs')
        .select('fairness_rank')
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        // Jobs that wait for other jobs do not count: they get their rank when they are released.
        .where('waiting_for', 'is', null)
        .orderBy('fairness_rank', 'desc')
        .limit(sql.lit(1))
        .as('queued'),
    ]),
  );

  return {
    async nextFairnessRank(tx, clientId) {
      const db = dbOf(tx);
      // Start to lock before the ranks are read: they must be read while the lock is held.
      const locked = lock?.(db, 'rank of client', clientId);
      const [{ rows }] = await Promise.all([lastRanks(db, { clientId }), locked]);
      const [last] = rows;
      const afterStarted = (last?.started ?? 0) + (last?.startedBy === clientId ? RANKS_APART : 1);
      const queued = last?.queued ?? null;
      return queued === null ? afterStarted : Math.max(afterStarted, queued + RANKS_APART);
    },
  };
}

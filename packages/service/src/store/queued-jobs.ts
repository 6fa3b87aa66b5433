import { LANES } from '@telecine/contract/domain/lane.ts';
import { sql } from 'kysely';
import type { Ticket } from '../jobs/ports/job-queue.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { parseJsonColumn } from './columns.ts';
import type { JobRow } from './job-row.ts';
import { countOf, statusIs } from './queries.ts';
import type { Database, Db } from './transaction/database.ts';

export const TICKET_COLUMNS = ['job_id', 'client_id', 'priority', 'lane', 'weight', 'needs'] as const;

export const toTicket = (row: Pick<JobRow, (typeof TICKET_COLUMNS)[number]>): Ticket => ({
  jobId: row.job_id,
  clientId: row.client_id,
  priority: row.priority,
  lane: row.lane,
  weight: row.weight,
  needs: parseJsonColumn<string[]>(row.needs) ?? [],
});

/** The clock of the machine that stored `at` may be ahead of this one. Do not return a negative age. */
const ageSeconds = (at: string): number => Math.max(0, (Date.now() - Date.parse(at)) / 1000);

/** Reads the jobs that are queued, and the tickets that they should have. */
export const queuedJobs = ({ reader }: Pick<Database, 'reader'>) =>
  ({
    async ticketOf(jobId) {
      const row = await reader.selectFrom('jobs').select(TICKET_COLUMNS).where('job_id', '=', jobId).executeTakeFirst();
      return row && toTicket(row);
    },

    countPending(clientId, limit) {
      let pending = reader.selectFrom('jobs').select(sql.lit(1).as('one')).where(statusIs('PENDING')).limit(limit);
      if (clientId !== undefined) pending = pending.where('client_id', '=', clientId);
      return countOf(reader, pending);
    },

    async queueDepths() {
      const byLane = Map.groupBy(await countQueued(reader), ({ lane }) => lane);
      return [...byLane].map(([lane, counts]) => ({
        lane,
        jobs: counts.reduce((sum, { jobs }) => sum + jobs, 0),
        oldestSeconds: Math.max(...counts.map(({ oldest }) => ageSeconds(oldest))),
      }));
    },

    async queueDepthsOfClients() {
      return (await countQueued(reader)).map(({ oldest, ...count }) => ({
        ...count,
        oldestSeconds: ageSeconds(oldest),
      }));
    },

    async ticketsOf(afterJobId, limit) {
      const rows = await reader
        .selectFrom('jobs')
        .select(TICKET_COLUMNS)
        .where('status', 'in', ['PENDING', 'PROCESSING'])
        .where('waiting_for', 'is', null)
        .where('job_id', '>', afterJobId)
        .orderBy('job_id')
        .limit(limit)
        .execute();
      return rows.map(toTicket);
    },

    async pendingNeeds() {
      const rows = await reader
        .selectFrom('jobs')
        .select('needs')
        .distinct()
        .where(statusIs('PENDING'))
        .where('needs', 'is not', null)
        .where('waiting_for', 'is', null)
        .execute();
      return rows.map(({ needs }) => parseJsonColumn<string[]>(needs) ?? []);
    },

    pendingWith: (needs, before, limit) =>
      reader
        .selectFrom('jobs')
        .select(['job_id as jobId', 'client_id as clientId'])
        .where(statusIs('PENDING'))
        .where('needs', '=', JSON.stringify(needs))
        .where('needs', 'is not', null)
        .where('waiting_for', 'is', null)
        .where((e) => e(e.fn.coalesce('released_at', 'created_at'), '<', before))
        .limit(limit)
        .execute(),
  }) satisfies Partial<JobStore>;

/**
 * Counts the queued jobs of each client by lane. Groups only by client, so that the rows are read in the order of an
 * index. For a group by lane too, SQLite would sort them.
 */
async function countQueued(reader: Db) {
  const rows = await reader
    .selectFrom('jobs')
    .select((e) => [
      'client_id',
      ...LANES.flatMap((lane) => {
        const isInLane = e('lane', '=', sql.lit(lane));
        return [
          e.fn
            .countAll<number>()
            .filterWhere(isInLane)
            .as(`${lane}_jobs` as const),
          e.fn
            .min<string>(e.fn.coalesce('released_at', 'created_at'))
            .filterWhere(isInLane)
            .as(`${lane}_oldest` as const),
        ];
      }),
    ])
    .where(statusIs('PENDING'))
    .where('waiting_for', 'is', null)
    .groupBy('client_id')
    .execute();
  return rows
    .flatMap((row) =>
      LANES.map((lane) => ({
        ...{ lane, clientId: row.client_id },
        ...{ jobs: row[`${lane}_jobs`], oldest: row[`${lane}_oldest`] },
      })),
    )
    .filter(({ jobs }) => jobs > 0);
}

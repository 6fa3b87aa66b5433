import { type Kysely, sql } from 'kysely';
import { LANES, type Lane } from '../domain/lane.ts';
import { queuePositionOf } from '../domain/priority.ts';
import type { Ticket } from '../jobs/ports/job-queue.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { chunksOf } from './chunks-of.ts';
import { JOB_COLUMNS, type JobRow, parseJsonColumn, toJob } from './job-row.ts';
import { statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

/** The queued jobs of a client in a lane. */
interface QueuedJobs {
  readonly clientId: string;
  readonly lane: Lane;
  readonly jobs: number;
  /** When the oldest of them was queued. */
  readonly oldest: string;
}

const TICKET_COLUMNS = ['job_id', 'client_id', 'turn', 'priority', 'lane', 'weight', 'needs'] as const;

const toTicket = (row: Pick<JobRow, (typeof TICKET_COLUMNS)[number]>): Ticket => ({
  jobId: row.job_id,
  clientId: row.client_id,
  queuePosition: queuePositionOf(row.turn, row.priority),
  lane: row.lane,
  weight: row.weight,
  needs: parseJsonColumn<string[]>(row.needs) ?? [],
});

/** Clocks of several machines may differ. */
const ageSeconds = (at: string): number => Math.max(0, (Date.now() - Date.parse(at)) / 1000);

/** Reads of single jobs, and counts. */
export function jobReads(
  reader: Kysely<Schema>,
): Pick<
  JobStore,
  | 'get'
  | 'getMany'
  | 'ticketOf'
  | 'countPending'
  | 'queueDepths'
  | 'queueDepthsOfClients'
  | 'ticketsOf'
  | 'pendingNeeds'
  | 'pendingWith'
  | 'log'
  | 'liveScratch'
> {
  const readRow = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('jobs').select(JOB_COLUMNS).where('job_id', '=', p.jobId),
  );
  const readLog = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('job_logs').select('log').where('job_id', '=', p.jobId),
  );

  /**
   * Counts the queued jobs of each client by lane. It reads only an index, in its order: to group by the lane too, SQLite would
   * sort all of them.
   */
  const queued = async (): Promise<readonly QueuedJobs[]> => {
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
  };

  return {
    async get(jobId) {
      const [row] = (await readRow(reader, { jobId })).rows;
      return row && toJob(row);
    },

    async getMany(jobIds) {
      const read = (ids: readonly string[]) =>
        reader.selectFrom('jobs').select(JOB_COLUMNS).where('job_id', 'in', ids).execute();
      return (await Promise.all(chunksOf(jobIds).map(read))).flat().map(toJob);
    },

    async ticketOf(jobId) {
      const row = await reader.selectFrom('jobs').select(TICKET_COLUMNS).where('job_id', '=', jobId).executeTakeFirst();
      return row && toTicket(row);
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

    async queueDepths() {
      const byLane = Map.groupBy(await queued(), ({ lane }) => lane);
      return [...byLane].map(([lane, counts]) => ({
        lane,
        jobs: counts.reduce((sum, { jobs }) => sum + jobs, 0),
        oldestSeconds: Math.max(...counts.map(({ oldest }) => ageSeconds(oldest))),
      }));
    },

    async queueDepthsOfClients() {
      return (await queued()).map(({ oldest, ...count }) => ({ ...count, oldestSeconds: ageSeconds(oldest) }));
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

    async pendingWith(needs, before, limit) {
      const rows = await reader
        .selectFrom('jobs')
        .select(['job_id', 'client_id'])
        .where(statusIs('PENDING'))
        .where('needs', '=', JSON.stringify(needs))
        .where('needs', 'is not', null)
        .where('waiting_for', 'is', null)
        .where((e) => e(e.fn.coalesce('released_at', 'created_at'), '<', before))
        .limit(limit)
        .execute();
      return rows.map((row) => ({ jobId: row.job_id, clientId: row.client_id }));
    },

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

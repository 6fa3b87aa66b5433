import type { Failure } from '@telecine/contract/domain/failure.ts';
import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import { LANES } from '@telecine/contract/domain/lane.ts';
import { JOB_STATUSES, type JobStatus } from '@telecine/contract/domain/states.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { type Compilable, type Kysely, sql } from 'kysely';
import type { Ticket } from '../jobs/ports/job-queue.ts';
import type { JobQuery, JobStore } from '../jobs/ports/job-store.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { omitNullish, parseJsonColumn } from './columns.ts';
import { type JobRow, newestRetry, replacingRetry, SHOWN_COLUMNS, toJob } from './job-row.ts';
import { chunksOf, countOf, statusIs } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, hasRowLocks } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

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

export function jobReads(
  database: Database,
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
  | 'unfinished'
  | 'log'
  | 'liveScratch'
> {
  const { reader } = database;
  const unfinishedPage = hasRowLocks(database) ? PAGE_OF_SERVER : UNFINISHED_TURN;
  const readRow = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('jobs').select(SHOWN_COLUMNS).where('job_id', '=', p.jobId),
  );
  const readUnfinished = compileStatement((p: { clientId: string; after: string }) =>
    reader
      .selectFrom('jobs')
      .select(['job_id', 'status', shortRequest.as('request')])
      .where('client_id', '=', p.clientId)
      .where('status', 'in', ['PENDING', 'PROCESSING'])
      .where('job_id', '>', p.after)
      .orderBy('job_id')
      .limit(unfinishedPage),
  );
  const readRequest = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('jobs').select('request').where('job_id', '=', p.jobId),
  );
  const readLog = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('job_logs').select('log').where('job_id', '=', p.jobId),
  );

  /** Reads a long request in a turn of its own. undefined: the job was deleted. */
  const longRequest = async (jobId: string) => {
    await nextTurn();
    return (await readRequest(reader, { jobId })).rows[0]?.request;
  };

  /**
   * Counts the queued jobs of each client by lane. Groups only by client, so that the rows are read in the order of an
   * index. For a group by lane too, SQLite would sort them.
   */
  const queued = async () => {
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
        reader.selectFrom('jobs').select(SHOWN_COLUMNS).where('job_id', 'in', ids).execute();
      return (await Promise.all(chunksOf(jobIds).map(read))).flat().map(toJob);
    },

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

    async *unfinished(clientId) {
      for (let after = ''; ; ) {
        const { rows } = await readUnfinished(reader, { clientId, after });
        for (const [index, { job_id, status, request }] of rows.entries()) {
          if (index > 0 && index % UNFINISHED_TURN === 0) await nextTurn();
          const found = request ?? (await longRequest(job_id));
          if (found !== undefined) yield { jobId: job_id, status, request: found };
        }
        if (rows.length < unfinishedPage) return;
        after = rows.at(-1)?.job_id ?? '';
        await nextTurn();
      }
    },

    async log(jobId) {
      return (await readLog(reader, { jobId })).rows[0]?.log;
    },

    async liveScratch(workersGone) {
      const running = workersGone
        ? []
        : await reader
            .selectFrom('jobs')
            .select(['job_id', 'fence'])
            .where(statusIs('PROCESSING'))
            .unionAll(
              reader
                .selectFrom('job_chunks')
                .select(['chunk_id as job_id', 'fence'])
                .where('state', '=', sql.lit('RUNNING')),
            )
            .execute();
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

/**
 * How many requests are used in one turn of the event loop, and on SQLite also read, which blocks it. Longer ones are read one by one. Even
 * without reading it, SQLite takes 4 ms to find a row with a request of 1 MB: it compares whole rows of tables without rowid.
 */
const UNFINISHED_TURN = 25;

/**
 * How many requests are read at a time from PostgreSQL, which takes a round trip. Of 10,000 jobs, pages of 100 take a third of the time of
 * pages of 25 (0.7 s and 2.3 s on a busy machine), and larger ones hardly less.
 */
const PAGE_OF_SERVER = 100;

const shortRequest = sql<string | null>`case when octet_length(request) <= 8192 then request end`;

interface PageQuery {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** The stored size of a job in bytes. SQLite finds it at the start of the row, without reading the long texts. */
export const storedBytes = sql<number>`octet_length(request) + coalesce(octet_length(outputs), 0) + coalesce(octet_length(warnings), 0) + coalesce(octet_length(measurements), 0) + coalesce(octet_length(error), 0)`;

/** Returns a function that calls `create` when a status is first used. Each status has its own compiled statement. */
function memoizeByStatus<T>(create: (status: JobStatus) => T): (status: JobStatus) => T {
  const values = new Map<JobStatus, T>();
  return (status) => {
    const value = values.get(status) ?? create(status);
    values.set(status, value);
    return value;
  };
}

/** Creates the lists of jobs. Each reads one end of an index, so its cost does not depend on the number of jobs. */
export function jobLists(reader: Kysely<Schema>): Pick<JobStore, 'list' | 'sizes' | 'heads'> {
  const newest = (p: PageQuery) =>
    reader.selectFrom('jobs').where('job_id', '<', p.before).orderBy('job_id', 'desc').limit(p.limit);
  const ofClientWithStatus = (p: PageQuery, status: JobStatus) =>
    newest(p).where('client_id', '=', p.clientId).where(statusIs(status));

  /** Merges the newest jobs of each status. So a list without a status can use the index of the lists with a status. */
  const ofClient = (p: PageQuery) => {
    const candidates = JOB_STATUSES.map((status) =>
      reader.selectFrom(ofClientWithStatus(p, status).select('job_id').as('page')).select('page.job_id'),
    ).reduce((all, each) => all.unionAll(each));
    return newest(p).where('job_id', 'in', candidates);
  };

  const ofWatchWithStatus = (p: PageQuery, watchId: string, status: JobStatus) =>
    newest(p).where('watch_id', 'is not', null).where('watch_id', '=', watchId).where(statusIs(status));

  const ofWatch = (p: PageQuery, watchId: string) => {
    const candidates = JOB_STATUSES.map((status) =>
      reader.selectFrom(ofWatchWithStatus(p, watchId, status).select('job_id').as('page')).select('page.job_id'),
    ).reduce((all, each) => all.unionAll(each));
    return newest(p).where('job_id', 'in', candidates);
  };

  /** Creates lists that return the columns that `select` chooses. */
  const listsOf = <Row>(select: (query: ReturnType<typeof newest>) => Compilable<Row>) => {
    const compile = (build: (p: PageQuery) => ReturnType<typeof newest>) =>
      compileStatement<PageQuery, Row>((p) => select(build(p)));
    const all = compile(newest);
    const allWithStatus = memoizeByStatus((status) => compile((p) => newest(p).where(statusIs(status))));
    const ofOne = compile(ofClient);
    const ofOneWithStatus = memoizeByStatus((status) => compile((p) => ofClientWithStatus(p, status)));
    return async ({ clientId, status, watchId, limit, before = AFTER_ALL_IDS }: JobQuery): Promise<readonly Row[]> => {
      if (watchId !== undefined) {
        const p = { clientId: clientId ?? '', before, limit };
        let jobs = status === undefined ? ofWatch(p, watchId) : ofWatchWithStatus(p, watchId, status);
        if (clientId !== undefined) jobs = jobs.where('client_id', '=', clientId);
        return (await reader.executeQuery(select(jobs))).rows;
      }
      const [list, listWithStatus] = clientId === undefined ? [all, allWithStatus] : [ofOne, ofOneWithStatus];
      const statement = status === undefined ? list : listWithStatus(status);
      return (await statement(reader, { clientId: clientId ?? '', before, limit })).rows;
    };
  };
  const rowsOf = listsOf((query) => query.select(SHOWN_COLUMNS));
  const sizesOf = listsOf((query) => query.select(['job_id as jobId', storedBytes.as('bytes')]));
  const headsOf = listsOf((query) =>
    query.select([
      'job_id as jobId',
      ...(['client_id as clientId', 'status', 'error', 'outputs_expired', 'outputs_expire_at'] as const),
      storedBytes.as('bytes'),
      sql<string | null>`(${newestRetry})`.as('last_retry'),
      sql<string | null>`(${replacingRetry})`.as('retried_as'),
    ]),
  );

  return {
    list: async (query) => (await rowsOf(query)).map(toJob),
    sizes: sizesOf,
    heads: async (query) =>
      (await headsOf(query)).map(({ error, outputs_expired, outputs_expire_at, last_retry, retried_as, ...head }) => ({
        ...head,
        ...omitNullish({ code: parseJsonColumn<Failure>(error)?.code, lastRetry: last_retry }),
        isRetried: retried_as !== null,
        isExpired: outputs_expired === 1 || (outputs_expire_at !== null && Date.parse(outputs_expire_at) <= Date.now()),
      })),
  };
}

import type { Failure } from '@telecine/contract/domain/failure.ts';
import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import { JOB_STATUSES, type JobStatus } from '@telecine/contract/domain/states.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { type Compilable, sql } from 'kysely';
import type { JobQuery, JobStore } from '../jobs/ports/job-store.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { omitNullish, parseJsonColumn } from './columns.ts';
import { newestRetry, replacingRetry, SHOWN_COLUMNS, toJob } from './job-row.ts';
import { chunksOf, statusIs } from './queries.ts';
import { type Database, type Db, hasRowLocks } from './transaction/database.ts';
import { compileStatement } from './transaction/statement.ts';

const readRow = compileStatement((db, p: { jobId: string }) =>
  db.selectFrom('jobs').select(SHOWN_COLUMNS).where('job_id', '=', p.jobId),
);

const readLog = compileStatement((db, p: { jobId: string }) =>
  db.selectFrom('job_logs').select('log').where('job_id', '=', p.jobId),
);

export function jobReads(database: Database) {
  const { reader } = database;
  const unfinishedPage = hasRowLocks(database) ? PAGE_OF_SERVER : UNFINISHED_TURN;

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

    async *unfinished(clientId) {
      for (let after = ''; ; ) {
        const { rows } = await readUnfinished(reader, { clientId, after, limit: unfinishedPage });
        for (const [index, { job_id, status, request }] of rows.entries()) {
          if (index > 0 && index % UNFINISHED_TURN === 0) await nextTurn();
          const found = request ?? (await readLongRequest(reader, job_id));
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
  } satisfies Partial<JobStore>;
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

const readUnfinished = compileStatement((db, p: { clientId: string; after: string; limit: number }) =>
  db
    .selectFrom('jobs')
    .select(['job_id', 'status', shortRequest.as('request')])
    .where('client_id', '=', p.clientId)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .where('job_id', '>', p.after)
    .orderBy('job_id')
    .limit(p.limit),
);

const readRequest = compileStatement((db, p: { jobId: string }) =>
  db.selectFrom('jobs').select('request').where('job_id', '=', p.jobId),
);

/** Reads a long request in a turn of its own. undefined: the job was deleted. */
async function readLongRequest(reader: Db, jobId: string): Promise<string | undefined> {
  await nextTurn();
  return (await readRequest(reader, { jobId })).rows[0]?.request;
}

interface PageQuery {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** The stored size of a job in bytes. SQLite finds it at the start of the row, without reading the long texts. */
export const storedBytes = sql<number>`octet_length(request) + coalesce(octet_length(outputs), 0) + coalesce(octet_length(warnings), 0) + coalesce(octet_length(measurements), 0) + coalesce(octet_length(error), 0)`;

const ofEachStatus = <T>(create: (status: JobStatus) => T) =>
  Object.fromEntries(JOB_STATUSES.map((status) => [status, create(status)])) as Readonly<Record<JobStatus, T>>;

const newest = (db: Db, p: PageQuery) =>
  db.selectFrom('jobs').where('job_id', '<', p.before).orderBy('job_id', 'desc').limit(p.limit);

type Jobs = ReturnType<typeof newest>;

const ofClient = (db: Db, p: PageQuery, status: JobStatus): Jobs =>
  newest(db, p).where('client_id', '=', p.clientId).where(statusIs(status));

const ofWatch = (db: Db, p: PageQuery, watchId: string, status: JobStatus): Jobs =>
  newest(db, p).where('watch_id', 'is not', null).where('watch_id', '=', watchId).where(statusIs(status));

/** Merges the newest jobs of each status. So a list without a status can use the index of the lists with a status. */
function ofAnyStatus(db: Db, p: PageQuery, jobsWith: (status: JobStatus) => Jobs): Jobs {
  const candidates = JOB_STATUSES.map((status) =>
    db.selectFrom(jobsWith(status).select('job_id').as('page')).select('page.job_id'),
  ).reduce((all, each) => all.unionAll(each));
  return newest(db, p).where('job_id', 'in', candidates);
}

/** Creates a list of the columns that `select` chooses. */
function listOf<Row>(select: (jobs: Jobs) => Compilable<Row>) {
  const compile = (build: (db: Db, p: PageQuery) => Jobs) =>
    compileStatement<PageQuery, Row>((db, p) => select(build(db, p)));
  const all = compile(newest);
  const allWith = ofEachStatus((status) => compile((db, p) => newest(db, p).where(statusIs(status))));
  const ofOne = compile((db, p) => ofAnyStatus(db, p, (status) => ofClient(db, p, status)));
  const ofOneWith = ofEachStatus((status) => compile((db, p) => ofClient(db, p, status)));
  return async (reader: Db, query: JobQuery): Promise<readonly Row[]> => {
    const { clientId, status, watchId, limit, before = AFTER_ALL_IDS } = query;
    const p = { clientId: clientId ?? '', before, limit };
    if (watchId !== undefined) {
      const jobsWith = (one: JobStatus) => ofWatch(reader, p, watchId, one);
      let jobs = status === undefined ? ofAnyStatus(reader, p, jobsWith) : jobsWith(status);
      if (clientId !== undefined) jobs = jobs.where('client_id', '=', clientId);
      return (await reader.executeQuery(select(jobs))).rows;
    }
    const [list, listWith] = clientId === undefined ? [all, allWith] : [ofOne, ofOneWith];
    return (await (status === undefined ? list : listWith[status])(reader, p)).rows;
  };
}

const listRows = listOf((jobs) => jobs.select(SHOWN_COLUMNS));

const listSizes = listOf((jobs) => jobs.select(['job_id as jobId', storedBytes.as('bytes')]));

const listHeads = listOf((jobs) =>
  jobs.select([
    'job_id as jobId',
    ...(['client_id as clientId', 'status', 'error', 'outputs_expired', 'outputs_expire_at'] as const),
    storedBytes.as('bytes'),
    sql<string | null>`(${newestRetry})`.as('last_retry'),
    sql<string | null>`(${replacingRetry})`.as('retried_as'),
  ]),
);

/** Creates the lists of jobs. Each reads one end of an index, so its cost does not depend on the number of jobs. */
export const jobLists = (reader: Db) =>
  ({
    list: async (query) => (await listRows(reader, query)).map(toJob),
    sizes: (query) => listSizes(reader, query),
    heads: async (query) =>
      (await listHeads(reader, query)).map(
        ({ error, outputs_expired, outputs_expire_at, last_retry, retried_as, ...head }) => ({
          ...head,
          ...omitNullish({ code: parseJsonColumn<Failure>(error)?.code, lastRetry: last_retry }),
          isRetried: retried_as !== null,
          isExpired:
            outputs_expired === 1 || (outputs_expire_at !== null && Date.parse(outputs_expire_at) <= Date.now()),
        }),
      ),
  }) satisfies Partial<JobStore>;

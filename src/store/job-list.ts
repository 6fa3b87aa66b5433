import { type Compilable, type Kysely, sql } from 'kysely';
import { AFTER_ALL_IDS } from '../domain/id-order.ts';
import { JOB_STATUSES, type JobStatus } from '../domain/states.ts';
import type { JobQuery, JobStore } from '../jobs/ports/job-store.ts';
import { JOB_COLUMNS, toJob } from './job-row.ts';
import { memoizeByStatus, statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

interface PageQuery {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** What is stored of a job. It is read from the head of its row, so long texts stay on the disk. */
export const storedBytes = sql<number>`octet_length(request) + coalesce(octet_length(outputs), 0) + coalesce(octet_length(warnings), 0) + coalesce(octet_length(measurements), 0) + coalesce(octet_length(error), 0)`;

/** Each list reads one end of an index, however many jobs there are. */
export function jobLists(reader: Kysely<Schema>): Pick<JobStore, 'list' | 'sizes'> {
  const newest = (p: PageQuery) =>
    reader.selectFrom('jobs').where('job_id', '<', p.before).orderBy('job_id', 'desc').limit(p.limit);
  const ofClientWithStatus = (p: PageQuery, status: JobStatus) =>
    newest(p).where('client_id', '=', p.clientId).where(statusIs(status));

  /**
   * Merges the newest jobs of each status and returns the newest of them, so that one index serves a client's lists
   * with and without a status.
   */
  const ofClient = (p: PageQuery) => {
    const candidates = JOB_STATUSES.map((status) =>
      reader.selectFrom(ofClientWithStatus(p, status).select('job_id').as('page')).select('page.job_id'),
    ).reduce((all, each) => all.unionAll(each));
    return newest(p).where('job_id', 'in', candidates);
  };

  /** The lists of what `select` reads of each job. */
  const listsOf = <Row>(select: (query: ReturnType<typeof newest>) => Compilable<Row>) => {
    const compile = (build: (p: PageQuery) => ReturnType<typeof newest>) =>
      compileStatement<PageQuery, Row>((p) => select(build(p)));
    const all = compile(newest);
    const allWithStatus = memoizeByStatus((status) => compile((p) => newest(p).where(statusIs(status))));
    const ofOne = compile(ofClient);
    const ofOneWithStatus = memoizeByStatus((status) => compile((p) => ofClientWithStatus(p, status)));
    return async ({ clientId, status, limit, before = AFTER_ALL_IDS }: JobQuery): Promise<readonly Row[]> => {
      const [list, listWithStatus] = clientId === undefined ? [all, allWithStatus] : [ofOne, ofOneWithStatus];
      const statement = status === undefined ? list : listWithStatus(status);
      return (await statement(reader, { clientId: clientId ?? '', before, limit })).rows;
    };
  };
  const rowsOf = listsOf((query) => query.select(JOB_COLUMNS));
  const sizesOf = listsOf((query) => query.select(['job_id as jobId', storedBytes.as('bytes')]));

  return {
    list: async (query) => (await rowsOf(query)).map(toJob),
    sizes: sizesOf,
  };
}

import type { Kysely } from 'kysely';
import { AFTER_ALL_IDS } from '../domain/id-order.ts';
import { JOB_STATUSES, type JobStatus } from '../domain/states.ts';
import type { JobQuery, JobStore } from '../jobs/ports/job-store.ts';
import { type JobRow, toJob } from './job-row.ts';
import { memoizeByStatus, statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

interface PageQuery {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** Each list reads one end of an index, however many jobs there are. */
export function jobLists(reader: Kysely<Schema>): Pick<JobStore, 'list'> {
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
    return newest(p).where('job_id', 'in', candidates).selectAll();
  };

  const compile = (build: (p: PageQuery) => ReturnType<typeof ofClient>) => compileStatement<PageQuery, JobRow>(build);
  const listAll = compile((p) => newest(p).selectAll());
  const listAllWithStatus = memoizeByStatus((status) => compile((p) => newest(p).where(statusIs(status)).selectAll()));
  const listOfClient = compile(ofClient);
  const listOfClientWithStatus = memoizeByStatus((status) => compile((p) => ofClientWithStatus(p, status).selectAll()));

  const statementFor = ({ clientId, status }: JobQuery) => {
    if (clientId === undefined) return status === undefined ? listAll : listAllWithStatus(status);
    return status === undefined ? listOfClient : listOfClientWithStatus(status);
  };

  return {
    async list(query) {
      const { clientId = '', limit, before = AFTER_ALL_IDS } = query;
      const { rows } = await statementFor(query)(reader, { clientId, before, limit });
      return rows.map(toJob);
    },
  };
}

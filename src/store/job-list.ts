import type { Kysely } from 'kysely';
import type { JobStatus } from '../domain/states.ts';
import type { JobQuery, JobStore } from '../jobs/ports.ts';
import { listOfAll } from './job-list-of-all.ts';
import { type JobRow, toJob } from './job-row.ts';
import { JOB_STATUSES, memoizeByStatus, statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

/** Sorts after every job id, which is of hexadecimal digits, in every collation. */
const NEWEST = 'g';

interface Page {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** Every list is read from one end of an index, however many jobs there are. */
export function jobLists(reader: Kysely<Schema>): Pick<JobStore, 'list'> {
  const newest = (p: Page) =>
    reader.selectFrom('jobs').where('job_id', '<', p.before).orderBy('job_id', 'desc').limit(p.limit);
  const ofClient = (p: Page, status: JobStatus) =>
    newest(p).where('client_id', '=', p.clientId).where(statusIs(status));

  /** The newest of each status, and of those the newest: so one index serves a client's jobs with and without one. */
  const ofClientInAll = (p: Page) => {
    const candidates = JOB_STATUSES.map((status) =>
      reader.selectFrom(ofClient(p, status).select('job_id').as('page')).select('page.job_id'),
    ).reduce((all, each) => all.unionAll(each));
    return newest(p).where('job_id', 'in', candidates).selectAll();
  };

  const everybody = compileStatement<Page, JobRow>((p) => newest(p).selectAll());
  const ownInAll = compileStatement<Page, JobRow>((p) => ofClientInAll(p));
  const own = memoizeByStatus((status) => compileStatement<Page, JobRow>((p) => ofClient(p, status).selectAll()));
  const ofAll = listOfAll(reader);

  const read = async ({ clientId, status, limit, before = NEWEST }: JobQuery): Promise<readonly JobRow[]> => {
    if (clientId === undefined && status !== undefined) return ofAll(status, { before, limit });
    const ofOne = status === undefined ? ownInAll : own(status);
    const { rows } = await (clientId === undefined ? everybody : ofOne)(reader, {
      clientId: clientId ?? '',
      before,
      limit,
    });
    return rows;
  };

  return { list: async (query) => (await read(query)).map(toJob) };
}

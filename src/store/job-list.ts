import type { Kysely } from 'kysely';
import type { JobStatus } from '../domain/states.ts';
import type { JobStore } from '../jobs/ports.ts';
import { type JobRow, toJob } from './job-row.ts';
import { JOB_STATUSES, statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { prepare, type Statement } from './transaction/statement.ts';

/** Sorts after every job id, which is of hexadecimal digits, in every collation. */
const NEWEST = 'g';

interface Page {
  readonly clientId: string;
  readonly before: string;
  readonly limit: number;
}

/** Every list is read from one end of an index, however many jobs there are. */
export function jobList(reader: Kysely<Schema>): Pick<JobStore, 'list'> {
  const newest = (p: Page) =>
    reader.selectFrom('jobs').where('job_id', '<', p.before).orderBy('job_id', 'desc').limit(p.limit);
  const ofAll = (p: Page, status?: JobStatus) => (status ? newest(p).where(statusIs(status)) : newest(p)).selectAll();
  const ofClient = (p: Page, status: JobStatus) =>
    newest(p).where('client_id', '=', p.clientId).where(statusIs(status));

  /** The newest of each status, and of those the newest: so one index serves a client's jobs with and without one. */
  const ofClientInAll = (p: Page) => {
    const candidates = JOB_STATUSES.map((status) =>
      reader.selectFrom(ofClient(p, status).select('job_id').as('page')).select('page.job_id'),
    ).reduce((all, each) => all.unionAll(each));
    return newest(p).where('job_id', 'in', candidates).selectAll();
  };

  const statements = new Map<string, Statement<Page, JobRow>>();
  const statementFor = (one: boolean, status: JobStatus | undefined): Statement<Page, JobRow> => {
    const name = `${one} ${status}`;
    const made =
      statements.get(name) ??
      prepare<Page, JobRow>((p) => {
        if (!one) return ofAll(p, status);
        return status === undefined ? ofClientInAll(p) : ofClient(p, status).selectAll();
      });
    statements.set(name, made);
    return made;
  };

  return {
    async list({ clientId, status, limit, before }) {
      const statement = statementFor(clientId !== undefined, status);
      const { rows } = await statement(reader, { clientId: clientId ?? '', before: before ?? NEWEST, limit });
      return rows.map(toJob);
    },
  };
}

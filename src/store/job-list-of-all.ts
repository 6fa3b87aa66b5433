import { type Kysely, sql } from 'kysely';
import type { JobStatus } from '../domain/states.ts';
import type { JobRow } from './job-row.ts';
import { memoizeByStatus, statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import { compileStatement } from './transaction/statement.ts';

/** The newest `limit` jobs of a status, of all clients, that were made before the job `before`. */
export type ListOfAll = (
  status: JobStatus,
  page: { readonly before: string; readonly limit: number },
) => Promise<readonly JobRow[]>;

const OWNER = sql.ref<string>('owners.client_id');

/**
 * The index is by status and client: the newest job of each client is a seek, some 2 µs, and only the clients of the
 * newest of these can have a job on the page. Several statements: jobs that come meanwhile may be on it or not.
 */
export function listOfAll(reader: Kysely<Schema>): ListOfAll {
  const statementsOf = memoizeByStatus((status) => {
    const jobs = reader.selectFrom('jobs').where(statusIs(status));
    const firstOwner = jobs.select((e) => e.fn.min('client_id').as('client_id'));
    const heads = compileStatement((p: { before: string }) =>
      reader
        .withRecursive('owners', (db) =>
          db.selectNoFrom(firstOwner.as('client_id')).unionAll((e) =>
            e
              .selectFrom('owners')
              .select(firstOwner.where('client_id', '>', OWNER).as('client_id'))
              .where('owners.client_id', 'is not', null),
          ),
        )
        .selectFrom('owners')
        .select([
          'owners.client_id',
          jobs
            .select((e) => e.fn.max('job_id').as('job_id'))
            .where('client_id', '=', OWNER)
            .where('job_id', '<', p.before)
            .as('job_id'),
        ]),
    );
    const ofClient = compileStatement((p: { clientId: string; before: string; oldest: string; limit: number }) =>
      jobs
        .selectAll()
        .where('client_id', '=', p.clientId)
        .where('job_id', '<', p.before)
        .where('job_id', '>=', p.oldest)
        .orderBy('job_id', 'desc')
        .limit(p.limit),
    );
    return { heads, ofClient };
  });

  const read: ListOfAll = async (status, { before, limit }) => {
    const { heads, ofClient } = statementsOf(status);
    const { rows } = await heads(reader, { before });
    const newest = rows
      .flatMap(({ client_id: clientId, job_id: jobId }) =>
        clientId === null || jobId === null ? [] : [{ clientId, jobId }],
      )
      .sort((a, b) => (a.jobId < b.jobId ? 1 : -1))
      .slice(0, limit);
    const isCut = newest.length === limit;
    let oldest = isCut ? (newest.at(-1)?.jobId ?? '') : '';
    let found: JobRow[] = [];
    for (const { clientId } of newest) {
      found.push(...(await ofClient(reader, { clientId, before, oldest, limit })).rows);
      found = found.sort((a, b) => (a.job_id < b.job_id ? 1 : -1)).slice(0, limit);
      // Older ones than a full page holds are on no page: of most clients, few rows are read.
      if (found.length === limit) oldest = found.at(-1)?.job_id ?? oldest;
    }
    // One of them has left the status meanwhile; a short page would be taken for the last.
    return isCut && found.length < limit ? read(status, { before, limit }) : found;
  };
  return read;
}

import type { AuditRecord } from '@telecine/contract/domain/audit.ts';
import { type ConversionRequest, playedPath, requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { firstIdAt, timeOfId } from '@telecine/contract/domain/id-order.ts';
import { hideUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { AuditQuery, AuditStore } from '../audit/ports.ts';
import { recordsOf } from './columns.ts';
import { removeInBatches, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';
import { compileInsert } from './transaction/statement.ts';

/**
 * The maximum number of rows of one table that a page looks at. So a page takes the same time whatever the size of the
 * log, and filters need no index.
 */
const LOOKED_AT = 10_000;

/** The maximum number of records that one transaction deletes, because submissions wait for the transaction. */
const DELETE_BATCH = 1000;

const RECORDS = recordsOf<Omit<AuditRecord, 'at'>, Schema['audit']>()({
  auditId: 'audit_id',
  action: 'action',
  outcome: 'outcome',
  via: 'via',
  clientId: 'client_id',
  target: 'target',
  address: 'address',
  requestId: 'request_id',
  code: 'code',
  details: { json: 'details' },
});

const insert = compileInsert<Schema['audit']>((db, rows) =>
  db
    .insertInto('audit')
    .values(
      rows.map(
        (row) => Object.fromEntries(RECORDS.columns.map((name) => [name, row[name]])) as unknown as Schema['audit'],
      ),
    ),
);

export function auditStore({ reader, write, lock }: Database): AuditStore {
  /** Reads the records of the log and the submissions in the table of jobs, each in the order of the query. */
  const parts = (query: AuditQuery) => [loggedRecordsOf(reader, query), submissionsOf(reader, query)];

  return {
    append: (records) => write((db) => insert(db, records.map(toRow))),

    async list(query) {
      const isBefore = (a: string, b: string): boolean => (query.order === 'newest' ? a > b : a < b);
      const found = await Promise.all(parts(query));
      // Each part stops after `LOOKED_AT` rows. Show only records up to the point that both parts have reached: beyond
      // it, records of the part that stopped earlier would be missing.
      const lookedAt = found.flatMap(({ until }) => until ?? []);
      const until = lookedAt.reduce<string | undefined>(
        (least, id) => (least === undefined || isBefore(id, least) ? id : least),
        undefined,
      );
      const all = found
        .flatMap(({ records }) => records)
        .filter(({ auditId }) => until === undefined || !isBefore(until, auditId))
        .toSorted((a, b) => (isBefore(a.auditId, b.auditId) ? -1 : 1));
      const records = all.slice(0, query.limit);
      const next = all.length > query.limit ? records.at(-1)?.auditId : until;
      return { records, ...(next !== undefined && { next }) };
    },

    forgetBefore: (at) =>
      removeInBatches({ write }, DELETE_BATCH, async (db) => {
        const before = firstIdAt(at);
        // Let only one process delete at a time: two would wait for each other's row locks.
        await lock?.(db, 'old audit records', '');
        await db
          .updateTable('installation')
          .set({ audit_forgotten_before: before })
          .where('audit_forgotten_before', '<', before)
          .execute();
        const old = db
          .selectFrom('audit')
          .select('audit_id')
          .where('audit_id', '<', before)
          .orderBy('audit_id')
          .limit(DELETE_BATCH);
        return rowsChanged(db, db.deleteFrom('audit').where('audit_id', 'in', old));
      }),
  };
}

/** Adds a record to the log in the transaction of the action that it records. */
export async function insertAuditRecord(db: Db, record: AuditRecord): Promise<void> {
  await db.insertInto('audit').values(toRow(record)).execute();
}

/**
 * Records from one table, in the order of the query. `until`: the id of the last row that was looked at. Absent if
 * there are no further rows.
 */
interface Part {
  readonly records: readonly AuditRecord[];
  readonly until?: string;
}

async function loggedRecordsOf(reader: Db, query: AuditQuery): Promise<Part> {
  const { clientId, action, target, outcome, limit } = query;
  const inRange = () => reader.selectFrom('audit').$call(range(query, 'audit_id'));
  const rows = await reader
    .with('page', () => inRange().selectAll().limit(LOOKED_AT))
    .selectFrom('page')
    .selectAll()
    .where(is('client_id', clientId))
    .where(is('action', action))
    .where(is('target', target))
    .where(is('outcome', outcome))
    .orderBy('audit_id', direction(query))
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows.at(-1) : await inRange().select('audit_id').$call(lastLookedAt);
  return partOf(rows.map(toRecord), last?.audit_id);
}

/** Reads the submissions of existing jobs from the table of jobs. Submissions of deleted jobs are in the log. */
async function submissionsOf(reader: Db, query: AuditQuery): Promise<Part> {
  const { clientId, action, target, outcome = 'done', limit } = query;
  if (outcome !== 'done' || (action !== undefined && action !== 'job.submit' && action !== 'job.retry'))
    return { records: [] };
  const inRange = () => reader.selectFrom('jobs').$call(range(query, 'job_id'));
  const rows = await reader
    .with('page', () => inRange().select(['job_id', 'client_id', 'retry_of', 'submitted_by']).limit(LOOKED_AT))
    .selectFrom('page')
    .selectAll()
    .where(is(sql`coalesce(submitted_by, client_id)`, clientId))
    .where(is('job_id', target))
    .$if(action === 'job.submit', (q) => q.where('retry_of', 'is', null))
    .$if(action === 'job.retry', (q) => q.where('retry_of', 'is not', null))
    .orderBy('job_id', direction(query))
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows.at(-1) : await inRange().select('job_id').$call(lastLookedAt);
  const requests = await requestsOf(
    reader,
    rows.map((row) => row.job_id),
  );
  return partOf(
    rows.map((row) => toSubmission(row, requests.get(row.job_id))),
    last?.job_id,
  );
}

/** What was submitted: the requests of the jobs of one page, which a filter has chosen. Requests are long, so they are read only for these. */
async function requestsOf(reader: Db, jobIds: readonly string[]) {
  if (jobIds.length === 0) return new Map<string, Submitted>();
  const rows = await reader
    .selectFrom('jobs')
    .select(['job_id', 'request', 'watch_id'])
    .where('job_id', 'in', jobIds)
    .execute();
  return new Map(rows.map((row) => [row.job_id, row]));
}

type Submitted = Pick<Selectable<Schema['jobs']>, 'request' | 'watch_id'>;

/** Reads the last row of a full page. undefined: the page is not full, so there are no further rows. */
const lastLookedAt = <O>(rows: SelectQueryBuilder<Schema, never, O>) =>
  rows
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();

const partOf = (records: readonly AuditRecord[], until: string | undefined): Part => ({
  records,
  ...(until !== undefined && { until }),
});

const direction = ({ order }: AuditQuery): 'desc' | 'asc' => (order === 'newest' ? 'desc' : 'asc');

/** Limits a query to the range of ids that an audit query selects, and sorts the rows. */
const range =
  ({ from, to, after, order }: AuditQuery, id: string) =>
  <Q extends RangeQuery>(query: Q): Q => {
    let limited = query;
    if (after !== undefined) limited = limited.where(sql.ref(id), order === 'newest' ? '<' : '>', after) as Q;
    if (from !== undefined) limited = limited.where(sql.ref(id), '>=', firstIdAt(from)) as Q;
    if (to !== undefined) limited = limited.where(sql.ref(id), '<', firstIdAt(to)) as Q;
    return limited.orderBy(sql.ref(id), order === 'newest' ? 'desc' : 'asc') as Q;
  };

interface RangeQuery {
  where(column: RawBuilder<unknown>, operator: '<' | '>' | '>=', value: string): RangeQuery;
  orderBy(column: RawBuilder<unknown>, direction: 'desc' | 'asc'): RangeQuery;
}

const is = (column: string | RawBuilder<unknown>, value: string | undefined) =>
  value === undefined
    ? sql<boolean>`1 = 1`
    : sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} = ${value}`;

const toRow = ({ at: _, ...record }: AuditRecord) => RECORDS.write(record) as Schema['audit'];

const toRecord = (row: Selectable<Schema['audit']>): AuditRecord => ({
  ...RECORDS.read(row),
  at: timeOfId(row.audit_id),
});

/**
 * Converts a job to the record of its submission. The id of a job is a UUID version 7, like the id of a record, so that
 * both sort by time.
 */
const toSubmission = (
  job: Pick<Selectable<Schema['jobs']>, 'job_id' | 'client_id' | 'retry_of' | 'submitted_by'>,
  submitted: Submitted | undefined,
): AuditRecord => {
  const details = {
    ...(job.retry_of !== null && { retryOf: job.retry_of }),
    ...(job.submitted_by !== null && { client: job.client_id }),
    ...(submitted && detailsOf(submitted)),
  };
  return {
    auditId: job.job_id,
    at: timeOfId(job.job_id),
    action: job.retry_of === null ? 'job.submit' : 'job.retry',
    outcome: 'done',
    clientId: job.submitted_by ?? job.client_id,
    target: job.job_id,
    ...(Object.keys(details).length > 0 && { details }),
  };
};

/** The first output of a job, by which people know it, and the watch that has submitted it. */
function detailsOf({ request, watch_id }: Submitted): { readonly output?: string; readonly watchId?: string } {
  const conversion = JSON.parse(request) as ConversionRequest;
  const [first] = requestedOutputs(conversion);
  return {
    ...(first !== undefined && {
      output: hideUrlSecrets(
        playedPath(first.path, { ...conversion.parameters, ...conversion.outputs?.[0]?.parameters }),
      ),
    }),
    ...(watch_id !== null && { watchId: watch_id }),
  };
}

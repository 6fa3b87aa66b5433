import { FIRST_LISTED } from '@telecine/contract/domain/analysis.ts';
import { JOB_BYTES } from '@telecine/contract/domain/client-limits.ts';
import { MAX_ATTEMPTS } from '@telecine/contract/domain/failure.ts';
import { FIRST_OUTPUTS, type Job } from '@telecine/contract/domain/job.ts';
import { withFirstEntries } from '@telecine/contract/domain/measured-lists.ts';
import { type JobStatus, nextStatus } from '@telecine/contract/domain/states.ts';
import { countedBytes } from '@telecine/contract/domain/stored-files.ts';
import { type Compilable, sql, type UpdateObject } from 'kysely';
import type { Claim, JobClaims, JobOutcome } from '../jobs/ports/job-store.ts';
import { omitNullish, toJsonColumn } from './columns.ts';
import { insertParts, readIntent, splitIntent } from './job-intents.ts';
import { type JobRow, setEndedRow, toJob } from './job-row.ts';
import { otherEntries } from './long-lists.ts';
import { insertExpiry } from './output-expiries.ts';
import { excluded, hasValues, rowsChanged, statusIs } from './queries.ts';
import type { Schema } from './schema.ts';
import { reserveRoom } from './storage-size.ts';
import { type Database, type Db, dbOf } from './transaction/database.ts';
import { changedRows, compileStatement, type Statement } from './transaction/statement.ts';
import { reserveOutputs } from './usage.ts';

/**
 * Returns the status of a job after a claim. undefined: the job is finished. The job of a crashed worker is still
 * PROCESSING: treat it as requeued and then claimed.
 */
function statusAfterClaim(status: JobStatus): JobStatus | undefined {
  return nextStatus(nextStatus(status, 'requeue') ?? status, 'claim');
}

const stagingSince = (at: string): string =>
  JSON.stringify([{ phase: 'STAGING', startedAt: at }] satisfies Job['phases']);

const readRow = compileStatement((db, p: { jobId: string }) =>
  db.selectFrom('jobs').selectAll().where('job_id', '=', p.jobId),
);

const claimRow = compileStatement((db, p: JobRow & { seenFence: number; seenStatus: JobStatus }) =>
  db
    .updateTable('jobs')
    .set({
      status: p.status,
      phase: p.phase,
      phases: p.phases,
      progress: null,
      error: null,
      attempt: p.attempt,
      fence: p.fence,
      started_at: p.started_at,
      worker_id: p.worker_id,
      claimed_at: p.claimed_at,
    })
    .where(hasValues<'jobs'>({ job_id: p.job_id, fence: p.seenFence, status: p.seenStatus })),
);

/** Claims a queued job that has attempts left in one statement. This is the usual case. */
const claimQueued = compileStatement(
  (db, p: { jobId: string; at: string; phases: string | null; workerId: string | null; status: JobStatus }) =>
    db
      .updateTable('jobs')
      .set((e) => ({
        status: p.status,
        phase: 'STAGING',
        phases: p.phases,
        progress: null,
        error: null,
        attempt: e('attempt', '+', 1),
        fence: e('fence', '+', 1),
        started_at: e.fn.coalesce('started_at', e.val(p.at)),
        worker_id: p.workerId,
        claimed_at: p.at,
      }))
      .where(hasValues<'jobs'>({ job_id: p.jobId, status: 'PENDING', waiting_for: null }))
      .where('attempt', '<', MAX_ATTEMPTS)
      .returningAll(),
);

const toClaim = async (db: Db, row: JobRow, exhausted: boolean, takenFrom?: string | null): Promise<Claim> => ({
  job: toJob(row),
  fence: row.fence,
  exhausted,
  ...omitNullish({
    takenFrom,
    intent: row.intent === null ? undefined : await readIntent(db, row.job_id, row.intent),
    storageDownSince: row.storage_down_since,
  }),
});

/**
 * Tries to claim a job that `claimQueued` could not claim. Returns 'changed' if another transaction changed the row
 * after it was read, which can happen only on PostgreSQL.
 */
async function tryClaim(
  db: Db,
  jobId: string,
  at: string,
  workerId: string | undefined,
): Promise<Claim | undefined | 'changed'> {
  const [seen] = (await readRow(db, { jobId })).rows;
  const status = seen && statusAfterClaim(seen.status);
  // Do not claim a job that waits for other jobs. It should have no ticket, but an operator may have restored one.
  if (seen === undefined || status === undefined || seen.waiting_for !== null) return undefined;
  const exhausted = seen.attempt >= MAX_ATTEMPTS;
  const row: JobRow = {
    ...seen,
    status,
    phase: 'STAGING',
    phases: stagingSince(at),
    progress: null,
    error: null,
    attempt: exhausted ? seen.attempt : seen.attempt + 1,
    fence: seen.fence + 1,
    started_at: seen.started_at ?? at,
    worker_id: workerId ?? null,
    claimed_at: at,
  };
  if (!changedRows(await claimRow(db, { ...row, seenFence: seen.fence, seenStatus: seen.status }))) return 'changed';
  return toClaim(db, row, exhausted, seen.status === 'PROCESSING' ? seen.worker_id : undefined);
}

export const jobClaims = ({ reader }: Pick<Database, 'reader'>) =>
  ({
    async statusOf({ job, fence }) {
      const ofClaim = hasValues<'jobs'>({ job_id: job.jobId, fence });
      return (await reader.selectFrom('jobs').select('status').where(ofClaim).executeTakeFirst())?.status;
    },

    async claim(tx, jobId, at, workerId) {
      const db = dbOf(tx);
      const status = statusAfterClaim('PENDING') ?? 'PROCESSING';
      const [queued] = (
        await claimQueued(db, { jobId, at, phases: stagingSince(at), workerId: workerId ?? null, status })
      ).rows;
      if (queued !== undefined) return toClaim(db, queued, false);
      let claim = await tryClaim(db, jobId, at, workerId);
      while (claim === 'changed') claim = await tryClaim(db, jobId, at, workerId);
      return claim;
    },
  }) satisfies Partial<JobClaims>;

/** Columns that a worker writes, with their values. */
type ClaimedColumns = Partial<Omit<JobRow, 'job_id' | 'fence'>>;

/**
 * Returns a function that writes columns to the row of a claimed job. The function resolves to the row, or to undefined
 * if the claim is lost. It compiles one statement for each set of columns.
 */
function claimedWrites<Row>(
  returning: (update: ReturnType<typeof updateClaimed>) => Compilable<Row>,
): (db: Db, claim: Claim, set: ClaimedColumns) => Promise<Row | undefined> {
  type Values = ClaimedColumns & { readonly job_id: string; readonly fence: number };
  const byColumns = new Map<string, Statement<Values, Row>>();
  const compile = (columns: readonly (keyof ClaimedColumns)[]) =>
    compileStatement((db, p: Values) =>
      returning(updateClaimed(db, p).set(Object.fromEntries(columns.map((column) => [column, p[column]])))),
    );
  return async (db, { job, fence }, set) => {
    const columns = Object.keys(set) as (keyof ClaimedColumns)[];
    const key = columns.join(' ');
    const statement = byColumns.get(key) ?? compile(columns);
    byColumns.set(key, statement);
    return (await statement(db, { ...set, job_id: job.jobId, fence })).rows[0];
  };
}

/** Updates the row of a job, if the claim with this fence is still valid. */
const updateClaimed = (db: Db, { job_id, fence }: { readonly job_id: string; readonly fence: number }) =>
  db.updateTable('jobs').where(hasValues<'jobs'>({ job_id, fence })).where(statusIs('PROCESSING'));

/** Sets columns of a claimed job. Resolves to false if the claim is lost. */
const hasUpdated = async (db: Db, { job, fence }: Claim, set: UpdateObject<Schema, 'jobs'>): Promise<boolean> =>
  (await rowsChanged(db, updateClaimed(db, { job_id: job.jobId, fence }).set(set))) > 0;

/** Returns when the outputs of a job that ends at `at` expire. undefined: they do not expire. */
function expiryOf(outcome: JobOutcome, at: string): string | undefined {
  if (outcome.status !== 'COMPLETED' || outcome.lifetimeSeconds === undefined) return undefined;
  return new Date(Date.parse(at) + outcome.lifetimeSeconds * 1000).toISOString();
}

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

const writeClaimed = claimedWrites((update) => update.returning('cancel_requested_at'));

const endClaimed = claimedWrites((update) => update.returningAll());

const upsertLog = compileStatement((db, p: { jobId: string; log: string }) =>
  db
    .insertInto('job_logs')
    .values({ job_id: p.jobId, log: p.log })
    .onConflict((c) => c.column('job_id').doUpdateSet(excluded('log'))),
);

const writeLog = async (db: Db, jobId: string, log: string): Promise<void> => {
  if (log !== '') await upsertLog(db, { jobId, log });
};

/** Returns the writes of a worker to a job that it has claimed. */
export function workerWrites(database: Database) {
  const { transactions, write } = database;
  return {
    progress: (claim, { phase, phases, progress, log }) =>
      write(
        async (db) => {
          const row = await writeClaimed(db, claim, {
            phase,
            progress: toJsonColumn(progress),
            ...(phases && { phases: JSON.stringify(phases) }),
            // The attempt has its inputs, so the outage that an earlier one met has ended.
            ...(phases && phase !== 'STAGING' && { storage_down_since: null }),
          });
          if (row === undefined) return undefined;
          if (log !== undefined) await writeLog(db, claim.job.jobId, log);
          return { cancelRequested: row.cancel_requested_at !== null };
        },
        { durable: false },
      ),

    async recordIntent(claim, intent, { storage, media } = {}) {
      const { row: stored, parts } = await splitIntent(intent);
      return transactions.run(async (tx) => {
        const row = await writeClaimed(dbOf(tx), claim, { phase: 'PUBLISHING', intent: stored });
        if (row === undefined) return false;
        await insertParts(dbOf(tx), claim.job.jobId, parts);
        if (intent.abandoned === true) return true;
        if (media !== undefined) await reserveOutputs(dbOf(tx), claim.job, intent.outputs, media);
        const bytes = countedBytes(intent.outputs);
        await reserveRoom(database, dbOf(tx), claim.job.clientId, intent.scratch, bytes, storage);
        return true;
      });
    },

    async end(tx, claim, outcome, at, log) {
      const db = dbOf(tx);
      const expireAt = expiryOf(outcome, at);
      const { outputs, measurements } = { outputs: [], measurements: undefined, ...outcome };
      const result = {
        outputs: outcome.status === 'COMPLETED' ? toJsonColumn(outputs.slice(0, FIRST_OUTPUTS)) : null,
        measurements: toJsonColumn(measurements && withFirstEntries(measurements, FIRST_LISTED)),
        error: 'error' in outcome ? toJsonColumn(outcome.error) : null,
      };
      const others = otherEntries(claim.job.jobId, outputs, measurements);
      const bytes = 2 * bytesOf(Object.values(result)) + bytesOf([log, ...others.texts]) - JOB_BYTES;
      const { warnings: earlier = [] } = claim.job;
      const warnings = outcome.warnings && JSON.stringify([...earlier, ...outcome.warnings]);
      const request = outcome.request && JSON.stringify(outcome.request);
      const row = await endClaimed(db, claim, {
        status: outcome.status,
        phase: null,
        intent: null,
        completed_at: at,
        ...(outcome.status === 'COMPLETED' && { progress: toJsonColumn({ percent: 100 }) }),
        ...result,
        ...(outputs.length > FIRST_OUTPUTS && { output_count: outputs.length }),
        ...(bytes > 0 && { record_bytes: bytes }),
        ...(outcome.phases && { phases: JSON.stringify(outcome.phases) }),
        ...(expireAt !== undefined && { outputs_expire_at: expireAt }),
        ...(warnings !== undefined && { warnings }),
        ...(request !== undefined && { request }),
      });
      if (row === undefined) return false;
      const addedBy = (text: string | undefined, before: unknown): number =>
        text === undefined ? 0 : bytesOf([text]) - bytesOf([toJsonColumn(before)]);
      const added = addedBy(warnings, claim.job.warnings) + addedBy(request, claim.job.request);
      // The column leaves out the warnings and the request, which are in the row too.
      setEndedRow(tx, { ...row, record_bytes: Math.max(0, bytes) + 2 * added });
      await writeLog(db, claim.job.jobId, log);
      await others.insert(db);
      if (expireAt !== undefined) await insertExpiry(db, claim.job, expireAt, outputs);
      return true;
    },

    requeue: (tx, claim, { keepAttempt, reason, storageDownSince }) =>
      hasUpdated(dbOf(tx), claim, {
        status: 'PENDING',
        phase: null,
        phases: null,
        progress: null,
        error: toJsonColumn(reason),
        ...(storageDownSince !== undefined && { storage_down_since: storageDownSince }),
        intent: null,
        attempt: keepAttempt ? sql.ref('attempt') : sql`attempt - 1`,
      }),

    // Write an absolute number, because this write is repeated if the reply to its commit is lost.
    uncountAttempt: (claim, storageDownSince) =>
      write((db) => hasUpdated(db, claim, { attempt: claim.job.attempt - 1, storage_down_since: storageDownSince })),

    setNeeds: (tx, claim, needs) => hasUpdated(dbOf(tx), claim, { needs: JSON.stringify(needs) }),
  } satisfies Partial<JobClaims>;
}

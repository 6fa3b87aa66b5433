import { type Compilable, type Kysely, sql } from 'kysely';
import { FIRST_LISTED } from '../domain/analysis.ts';
import { FIRST_OUTPUTS } from '../domain/job.ts';
import { withFirstEntries } from '../domain/measured-lists.ts';
import { countedFiles } from '../domain/stored-files.ts';
import type { Claim, JobClaims, JobOutcome } from '../jobs/ports/job-store.ts';
import { compileCount } from './count-files.ts';
import { countInSteps } from './count-in-steps.ts';
import { setEndedRow } from './ended-rows.ts';
import { insertOtherEntries } from './job-measurements.ts';
import { insertOtherOutputs } from './job-outputs.ts';
import { type JobRow, toJsonColumn } from './job-row.ts';
import { statusIs } from './job-status.ts';
import { insertExpiry } from './output-expiries.ts';
import type { Schema } from './schema.ts';
import { type Database, hasRowLocks } from './transaction/database.ts';
import { compileStatement, type Statement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';
import { reserveOutputs } from './usage.ts';

/** The columns that a write of a worker sets, with their values. */
type ClaimedColumns = Partial<Omit<JobRow, 'job_id' | 'fence'>>;

/**
 * Returns a function that writes columns to the row of a claimed job. It resolves to what the statement returns of the row, or to undefined
 * if the claim is lost. There are few sets of columns, so the statement of each is compiled once.
 */
function claimedWrites<Row>(
  reader: Kysely<Schema>,
  returning: (update: ReturnType<typeof updateClaimed>) => Compilable<Row>,
): (db: Kysely<Schema>, claim: Claim, set: ClaimedColumns) => Promise<Row | undefined> {
  type Values = ClaimedColumns & { readonly job_id: string; readonly fence: number };
  const byColumns = new Map<string, Statement<Values, Row>>();
  const compile = (columns: readonly (keyof ClaimedColumns)[]) =>
    compileStatement((p: Values) =>
      returning(updateClaimed(reader, p).set(Object.fromEntries(columns.map((column) => [column, p[column]])))),
    );
  return async (db, { job, fence }, set) => {
    const columns = Object.keys(set) as (keyof ClaimedColumns)[];
    const key = columns.join(' ');
    const statement = byColumns.get(key) ?? compile(columns);
    byColumns.set(key, statement);
    return (await statement(db, { ...set, job_id: job.jobId, fence })).rows[0];
  };
}

/** Updates the row of a claimed job. Updates nothing if the claim is lost. */
const updateClaimed = (db: Kysely<Schema>, { job_id, fence }: { readonly job_id: string; readonly fence: number }) =>
  db.updateTable('jobs').where('job_id', '=', job_id).where('fence', '=', fence).where(statusIs('PROCESSING'));

const keyOf = ({ job, fence }: Claim) => ({ job_id: job.jobId, fence });

/** Whether a claim is valid. Nobody else can claim the job before the transaction ends. */
async function holdClaim(database: Database, db: Kysely<Schema>, { job, fence }: Claim): Promise<boolean> {
  const row = db
    .selectFrom('jobs')
    .select('job_id')
    .where('job_id', '=', job.jobId)
    .where('fence', '=', fence)
    .where(statusIs('PROCESSING'));
  return (await (hasRowLocks(database) ? row.forShare() : row).executeTakeFirst()) !== undefined;
}

/** When the outputs of a job expire that ends at `at`. Undefined if they do not. */
function expiryOf(outcome: JobOutcome, at: string): string | undefined {
  if (outcome.status !== 'COMPLETED' || outcome.lifetimeSeconds === undefined) return undefined;
  return new Date(Date.parse(at) + outcome.lifetimeSeconds * 1000).toISOString();
}

/** The writes of a worker to the job that it has claimed. */
export function workerWrites(
  database: Database,
): Pick<JobClaims, 'progress' | 'recordIntent' | 'end' | 'requeue' | 'uncountAttempt' | 'setNeeds'> {
  const { reader, transactions } = database;
  const countFiles = compileCount(database);
  const writeClaimed = claimedWrites(reader, (update) => update.returning('cancel_requested_at'));
  const endClaimed = claimedWrites(reader, (update) => update.returningAll());
  const upsertLog = compileStatement((p: { jobId: string; log: string }) =>
    reader
      .insertInto('job_logs')
      .values({ job_id: p.jobId, log: p.log })
      .onConflict((c) => c.column('job_id').doUpdateSet((e) => ({ log: e.ref('excluded.log') }))),
  );
  const writeLog = async (db: Kysely<Schema>, jobId: string, log: string): Promise<void> => {
    if (log !== '') await upsertLog(db, { jobId, log });
  };
  return {
    progress(claim, { phase, phases, progress, log }) {
      return transactions.run(
        async (tx) => {
          const db = dbOf(tx);
          const row = await writeClaimed(db, claim, {
            phase,
            progress: toJsonColumn(progress),
            ...(phases && { phases: JSON.stringify(phases) }),
          });
          if (row === undefined) return undefined;
          if (log !== undefined) await writeLog(db, claim.job.jobId, log);
          return { cancelRequested: row.cancel_requested_at !== null };
        },
        { durable: false },
      );
    },

    async recordIntent(claim, intent, { storage, media } = {}) {
      const files = intent.abandoned === true ? [] : countedFiles(intent.outputs);
      const options = { version: intent.scratch, limit: storage };
      const count = countInSteps(database, countFiles, claim.job.clientId, files, options);
      const stored = JSON.stringify(intent);
      const isRecorded = await transactions.run(async (tx) => {
        const row = await writeClaimed(dbOf(tx), claim, { phase: 'PUBLISHING', intent: stored });
        if (row === undefined) return false;
        if (intent.abandoned === true) return true;
        if (media !== undefined) await reserveOutputs(dbOf(tx), claim.job, intent.outputs, media);
        await count.begin(tx);
        return true;
      });
      return isRecorded && count.finish((tx) => holdClaim(database, dbOf(tx), claim));
    },

    async end(tx, claim, outcome, at, log) {
      const db = dbOf(tx);
      const expireAt = expiryOf(outcome, at);
      const row = await endClaimed(db, claim, {
        status: outcome.status,
        phase: null,
        intent: null,
        completed_at: at,
        ...(outcome.status === 'COMPLETED'
          ? {
              progress: toJsonColumn({ percent: 100 }),
              outputs: toJsonColumn(outcome.outputs.slice(0, FIRST_OUTPUTS)),
              ...(outcome.outputs.length > FIRST_OUTPUTS && { output_count: outcome.outputs.length }),
              measurements: toJsonColumn(outcome.measurements && withFirstEntries(outcome.measurements, FIRST_LISTED)),
            }
          : { error: toJsonColumn(outcome.error) }),
        ...(outcome.phases && { phases: JSON.stringify(outcome.phases) }),
        ...(expireAt !== undefined && { outputs_expire_at: expireAt }),
        ...(outcome.warnings && { warnings: JSON.stringify([...(claim.job.warnings ?? []), ...outcome.warnings]) }),
      });
      if (row === undefined) return false;
      setEndedRow(tx, row);
      await writeLog(db, claim.job.jobId, log);
      if (outcome.status === 'COMPLETED') {
        await insertOtherOutputs(db, claim.job.jobId, outcome.outputs);
        await insertOtherEntries(db, claim.job.jobId, outcome.measurements);
      }
      if (expireAt !== undefined && outcome.status === 'COMPLETED')
        await insertExpiry(db, claim.job, expireAt, outcome.outputs);
      return true;
    },

    async requeue(tx, claim, { keepAttempt, reason, storageDownSince }) {
      const { numUpdatedRows } = await updateClaimed(dbOf(tx), keyOf(claim))
        .set({
          status: 'PENDING',
          phase: null,
          phases: null,
          progress: null,
          error: toJsonColumn(reason),
          ...(storageDownSince !== undefined && { storage_down_since: storageDownSince }),
          intent: null,
          attempt: keepAttempt ? sql.ref('attempt') : sql`attempt - 1`,
        })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    uncountAttempt(claim, storageDownSince) {
      return transactions.run(async (tx) => {
        const { numUpdatedRows } = await updateClaimed(dbOf(tx), keyOf(claim))
          // Not relative, because the write is repeated if the reply to its commit is lost.
          .set({ attempt: claim.job.attempt - 1, storage_down_since: storageDownSince })
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      });
    },

    async setNeeds(tx, claim, needs) {
      const { numUpdatedRows } = await updateClaimed(dbOf(tx), keyOf(claim))
        .set({ needs: JSON.stringify(needs) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

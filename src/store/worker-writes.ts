import { type Kysely, sql } from 'kysely';
import { FIRST_LISTED } from '../domain/analysis.ts';
import { FIRST_OUTPUTS } from '../domain/job.ts';
import { withFirstEntries } from '../domain/measured-lists.ts';
import { countedFiles } from '../domain/stored-files.ts';
import type { Claim, JobClaims, JobOutcome } from '../jobs/ports/job-claims.ts';
import { countInSteps } from './count-in-steps.ts';
import { setEndedRow } from './ended-rows.ts';
import { insertOtherEntries } from './job-measurements.ts';
import { insertOtherOutputs } from './job-outputs.ts';
import { toJsonColumn } from './job-row.ts';
import { statusIs } from './job-status.ts';
import { insertExpiry } from './output-expiries.ts';
import type { Schema } from './schema.ts';
import { type Database, hasRowLocks } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';
import { reserveOutputs } from './usage.ts';

/** Updates the row of a claimed job. Updates nothing if the claim is lost. */
const updateClaimed = (db: Kysely<Schema>, { job, fence }: Claim) =>
  db.updateTable('jobs').where('job_id', '=', job.jobId).where('fence', '=', fence).where(statusIs('PROCESSING'));

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

async function writeLog(db: Kysely<Schema>, jobId: string, log: string): Promise<void> {
  if (log === '') return;
  await db
    .insertInto('job_logs')
    .values({ job_id: jobId, log })
    .onConflict((c) => c.column('job_id').doUpdateSet({ log }))
    .execute();
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
  const { transactions } = database;
  return {
    progress(claim, { phase, phases, progress, log }) {
      return transactions.run(
        async (tx) => {
          const db = dbOf(tx);
          const row = await updateClaimed(db, claim)
            .set({ phase, progress: toJsonColumn(progress), ...(phases && { phases: JSON.stringify(phases) }) })
            .returning('cancel_requested_at')
            .executeTakeFirst();
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
      const count = countInSteps(database, claim.job.clientId, files, options);
      const stored = JSON.stringify(intent);
      const isRecorded = await transactions.run(async (tx) => {
        const { numUpdatedRows } = await updateClaimed(dbOf(tx), claim)
          .set({ phase: 'PUBLISHING', intent: stored })
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
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
      const row = await updateClaimed(db, claim)
        .set({
          status: outcome.status,
          phase: null,
          intent: null,
          completed_at: at,
          ...(outcome.status === 'COMPLETED'
            ? {
                progress: toJsonColumn({ percent: 100 }),
                outputs: toJsonColumn(outcome.outputs.slice(0, FIRST_OUTPUTS)),
                ...(outcome.outputs.length > FIRST_OUTPUTS && { output_count: outcome.outputs.length }),
                measurements: toJsonColumn(
                  outcome.measurements && withFirstEntries(outcome.measurements, FIRST_LISTED),
                ),
              }
            : { error: toJsonColumn(outcome.error) }),
          ...(outcome.phases && { phases: JSON.stringify(outcome.phases) }),
          ...(expireAt !== undefined && { outputs_expire_at: expireAt }),
          ...(outcome.warnings && { warnings: JSON.stringify([...(claim.job.warnings ?? []), ...outcome.warnings]) }),
        })
        .returningAll()
        .executeTakeFirst();
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
      const { numUpdatedRows } = await updateClaimed(dbOf(tx), claim)
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
        const { numUpdatedRows } = await updateClaimed(dbOf(tx), claim)
          // Not relative, because the write is repeated if the reply to its commit is lost.
          .set({ attempt: claim.job.attempt - 1, storage_down_since: storageDownSince })
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      });
    },

    async setNeeds(tx, claim, needs) {
      const { numUpdatedRows } = await updateClaimed(dbOf(tx), claim)
        .set({ needs: JSON.stringify(needs) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

import type { Kysely } from 'kysely';
import { MAX_ATTEMPTS } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import { type JobStatus, nextStatus } from '../domain/states.ts';
import type { Claim, JobClaims } from '../jobs/ports/job-store.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { type JobRow, parseJsonColumn, toJob } from './job-row.ts';
import { omitNullish } from './omit-nullish.ts';
import type { Schema } from './schema.ts';
import { changedRows, compileStatement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';

/**
 * Returns the status after a claim, or undefined if the job is finished. A job of a crashed worker becomes PENDING
 * first.
 */
function statusAfterClaim(status: JobStatus): JobStatus | undefined {
  return nextStatus(nextStatus(status, 'requeue') ?? status, 'claim');
}

const stagingSince = (at: string): string =>
  JSON.stringify([{ phase: 'STAGING', startedAt: at }] satisfies Job['phases']);

export function jobClaims(reader: Kysely<Schema>): Pick<JobClaims, 'claim' | 'statusOf'> {
  const readRow = compileStatement((p: { jobId: string }) =>
    reader.selectFrom('jobs').selectAll().where('job_id', '=', p.jobId),
  );
  const claimRow = compileStatement((p: JobRow & { seenFence: number; seenStatus: JobStatus }) =>
    reader
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
      .where('job_id', '=', p.job_id)
      .where('fence', '=', p.seenFence)
      .where('status', '=', p.seenStatus),
  );

  /** A queued job that has attempts left, as nearly all have, is claimed in one statement. */
  const claimQueued = compileStatement(
    (p: { jobId: string; at: string; phases: string | null; workerId: string | null; status: JobStatus }) =>
      reader
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
        .where('job_id', '=', p.jobId)
        .where('status', '=', 'PENDING')
        .where('attempt', '<', MAX_ATTEMPTS)
        .where('waiting_for', 'is', null)
        .returningAll(),
  );

  const toClaim = (row: JobRow, exhausted: boolean): Claim => ({
    job: toJob(row),
    fence: row.fence,
    exhausted,
    ...omitNullish({
      intent: parseJsonColumn<PublishIntent>(row.intent),
      storageDownSince: row.storage_down_since,
    }),
  });

  /** Returns 'changed' if another transaction changed the row after the read. That can happen on PostgreSQL only. */
  async function tryClaim(
    db: Kysely<Schema>,
    jobId: string,
    at: string,
    workerId: string | undefined,
  ): Promise<Claim | undefined | 'changed'> {
    const [seen] = (await readRow(db, { jobId })).rows;
    const status = seen && statusAfterClaim(seen.status);
    // A job that waits for others has no ticket; an earlier version may have restored one.
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
    return toClaim(row, exhausted);
  }

  return {
    async statusOf({ job, fence }) {
      const row = await reader
        .selectFrom('jobs')
        .select('status')
        .where('job_id', '=', job.jobId)
        .where('fence', '=', fence)
        .executeTakeFirst();
      return row?.status;
    },

    async claim(tx, jobId, at, workerId) {
      const db = dbOf(tx);
      const status = statusAfterClaim('PENDING') ?? 'PROCESSING';
      const [queued] = (
        await claimQueued(db, { jobId, at, phases: stagingSince(at), workerId: workerId ?? null, status })
      ).rows;
      if (queued !== undefined) return toClaim(queued, false);
      let claim = await tryClaim(db, jobId, at, workerId);
      while (claim === 'changed') claim = await tryClaim(db, jobId, at, workerId);
      return claim;
    },
  };
}

import { dayOf, JOB_BYTES } from '@telecine/contract/domain/client-limits.ts';
import { sql } from 'kysely';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { toJsonColumn } from './columns.ts';
import { jobClaims, workerWrites } from './job-claims.ts';
import { jobInserts } from './job-inserts.ts';
import { jobLists, jobReads } from './job-reads.ts';
import { jobRetention } from './job-retention.ts';
import { setEndedQueued } from './job-row.ts';
import { jobSearch } from './job-search.ts';
import { listReads } from './long-lists.ts';
import { deleteRows, FINISHED_STATUSES, updateRows } from './queries.ts';
import { queuedJobs, TICKET_COLUMNS, toTicket } from './queued-jobs.ts';
import { type Database, dbOf } from './transaction/database.ts';

export function jobStore(database: Database): JobStore {
  return {
    ...jobInserts(database),
    ...jobReads(database),
    ...queuedJobs(database),
    ...listReads(database.reader),
    ...jobLists(database.reader),
    ...jobSearch(database),
    ...jobClaims(database),
    ...workerWrites(database),
    ...jobRetention(database),

    async endPending(tx, jobIds, status, error, at) {
      const set = { status, error: toJsonColumn(error), completed_at: at, intent: null, waiting_for: null };
      const ended = await dbOf(tx)
        .updateTable('jobs')
        .set(set)
        .where('job_id', 'in', jobIds)
        .where('status', '=', 'PENDING')
        .returning([...TICKET_COLUMNS, 'watch_id', 'batch_id', 'created_at', 'started_at', 'reserved_media_ms'])
        .returning(sql<boolean | 0 | 1>`request like '%"callbackUrl"%'`.as('has_callback'))
        .execute();
      setEndedQueued(tx, ended);
      return ended.map(toTicket);
    },

    requestCancel: (tx, jobIds, at) =>
      dbOf(tx)
        .updateTable('jobs')
        .set({ cancel_requested_at: sql<string>`coalesce(cancel_requested_at, ${at})` })
        .where('job_id', 'in', jobIds)
        .where('status', '=', 'PROCESSING')
        .returning(['job_id as jobId', 'client_id as clientId'])
        .execute(),

    async remove(tx, jobId) {
      const db = dbOf(tx);
      const job = await db
        .deleteFrom('jobs')
        .where('job_id', '=', jobId)
        .where('status', 'in', FINISHED_STATUSES)
        .returning(['client_id', 'created_at'])
        .returning(
          sql<number>`${JOB_BYTES} + 2 * octet_length(request || coalesce(warnings, '')) + coalesce(record_bytes, 0)`.as(
            'bytes',
          ),
        )
        .executeTakeFirst();
      if (job === undefined) return false;
      await deleteRows(db, 'job_logs', { job_id: jobId });
      const { client_id, created_at, bytes } = job;
      const left = sql<number>`record_bytes - ${Number(bytes)}`;
      const freed = { record_bytes: sql<number>`case when ${left} < 0 then 0 else ${left} end` };
      await updateRows(db, 'client_usage', freed, { client_id, day: dayOf(created_at) });
      return true;
    },
  };
}

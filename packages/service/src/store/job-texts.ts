import type { JobTexts, JobToSearch, ReadPosition } from '../jobs/ports/job-records.ts';
import { chunksOf, excluded, updateRows } from './queries.ts';
import type { Database } from './transaction/database.ts';

const toJob = (row: {
  readonly job_id: string;
  readonly client_id: string;
  readonly name: string | null;
  readonly request: string;
  readonly error: string | null;
}): JobToSearch => ({
  jobId: row.job_id,
  clientId: row.client_id,
  request: JSON.parse(row.request),
  ...(row.name !== null && { name: row.name }),
  ...(row.error !== null && { error: JSON.parse(row.error) }),
});

const toRow = ({ number, jobId, open }: ReadPosition) => ({
  ...{ number, job_id: jobId },
  open_changes: JSON.stringify(open.map((one) => [one.number, one.jobId])),
});

const toOpen = (text: string): ReadPosition['open'] =>
  (JSON.parse(text) as [number, string][]).map(([number, jobId]) => ({ number, jobId }));

export function jobTexts({ reader, write }: Database): JobTexts {
  return {
    async position() {
      const row = await reader.selectFrom('job_text_position').selectAll().executeTakeFirstOrThrow();
      return { number: row.number, jobId: row.job_id, open: toOpen(row.open_changes) };
    },

    async jobs(jobIds) {
      if (jobIds.length === 0) return [];
      const columns = ['job_id', 'client_id', 'name', 'request', 'error'] as const;
      return (await reader.selectFrom('jobs').select(columns).where('job_id', 'in', jobIds).execute()).map(toJob);
    },

    store: ({ from, to }, texts, deletedIds) =>
      write(async (db) => {
        const moved = await updateRows(db, 'job_text_position', toRow(to), toRow(from));
        if (moved === 0) return false;
        const rows = texts.map(({ jobId, clientId, content }) => ({ job_id: jobId, client_id: clientId, content }));
        for (const chunk of chunksOf(rows))
          await db
            .insertInto('job_texts')
            .values(chunk)
            .onConflict((conflict) => conflict.column('job_id').doUpdateSet(excluded('content')))
            .execute();
        for (const chunk of chunksOf(deletedIds))
          await db.deleteFrom('job_texts').where('job_id', 'in', chunk).execute();
        return true;
      }),
  };
}

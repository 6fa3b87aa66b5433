import type { Kysely } from 'kysely';
import { FIRST_OUTPUTS, type JobOutput } from '../domain/job.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { chunksOf } from './chunks-of.ts';
import { parseJsonColumn } from './job-row.ts';
import { entriesOfParts, listParts } from './list-parts.ts';
import type { Schema } from './schema.ts';

/** The most outputs of one stored part. Reads rely on it: a larger value is safe, a smaller one needs a migration. */
const PART_OUTPUTS = 100;

/**
 * Stores the outputs of a job after the first part, which its row has. All in one turn of the event loop, although 9,900 take
 * some milliseconds: other transactions would wait for each turn.
 */
export async function insertOtherOutputs(
  db: Kysely<Schema>,
  jobId: string,
  outputs: readonly JobOutput[],
): Promise<void> {
  const rows = listParts(outputs, FIRST_OUTPUTS, PART_OUTPUTS).map(({ first, entries }) => ({
    job_id: jobId,
    first,
    outputs: entries,
  }));
  for (const chunk of chunksOf(rows)) await db.insertInto('job_outputs').values(chunk).execute();
}

/** Reads parts of the outputs of a job. */
export const outputReads = (reader: Kysely<Schema>): Pick<JobStore, 'outputs'> => ({
  async outputs(jobId, first, count) {
    const job = await reader
      .selectFrom('jobs')
      .select(['outputs', 'output_count'])
      .where('job_id', '=', jobId)
      .executeTakeFirst();
    const stored = parseJsonColumn<readonly JobOutput[]>(job?.outputs ?? null) ?? [];
    const end = first + count;
    if ((job?.output_count ?? null) === null || end <= stored.length) return stored.slice(first, end);
    const parts = await reader
      .selectFrom('job_outputs')
      .select(['first', 'outputs as entries'])
      .where('job_id', '=', jobId)
      .where('first', '>', first - PART_OUTPUTS)
      .where('first', '<', end)
      .orderBy('first')
      .execute();
    return [...stored.slice(first, end), ...entriesOfParts<JobOutput>(parts, first, end)];
  },
});

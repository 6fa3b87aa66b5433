import type { Kysely } from 'kysely';
import { FIRST_LISTED, type Measurements } from '../domain/analysis.ts';
import { MEASURED_LISTS, type MeasuredEntry, measuredList } from '../domain/measured-lists.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { chunksOf } from './chunks-of.ts';
import { parseJsonColumn } from './job-row.ts';
import { entriesOfParts, listParts } from './list-parts.ts';
import type { Schema } from './schema.ts';

/** The most entries of one stored part. Reads rely on it: a larger value is safe, a smaller one needs a migration. */
const PART_ENTRIES = 1000;

/** Stores the entries of measured lists after the first ones, which the row of the job has. */
export async function insertOtherEntries(
  db: Kysely<Schema>,
  jobId: string,
  measurements: Measurements | undefined,
): Promise<void> {
  const rows = MEASURED_LISTS.flatMap((list) => {
    const { entries = [] } = (measurements && measuredList(measurements, list)) ?? {};
    return listParts(entries, FIRST_LISTED, PART_ENTRIES).map((part) => ({ job_id: jobId, list, ...part }));
  });
  for (const chunk of chunksOf(rows)) await db.insertInto('job_measurements').values(chunk).execute();
}

/** Reads parts of the measured lists of a job. */
export const measurementReads = (reader: Kysely<Schema>): Pick<JobStore, 'measured'> => ({
  async measured(jobId, list, first, count) {
    const job = await reader.selectFrom('jobs').select('measurements').where('job_id', '=', jobId).executeTakeFirst();
    const all = parseJsonColumn<Measurements>(job?.measurements ?? null);
    const stored = (all && measuredList(all, list)?.entries) ?? [];
    const end = first + count;
    if (end <= stored.length) return stored.slice(first, end);
    const parts = await reader
      .selectFrom('job_measurements')
      .select(['first', 'entries'])
      .where('job_id', '=', jobId)
      .where('list', '=', list)
      .where('first', '>', first - PART_ENTRIES)
      .where('first', '<', end)
      .orderBy('first')
      .execute();
    return [...stored.slice(first, end), ...entriesOfParts<MeasuredEntry>(parts, first, end)];
  },
});

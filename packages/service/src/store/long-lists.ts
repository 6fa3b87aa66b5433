import { FIRST_LISTED, type Measurements } from '@telecine/contract/domain/analysis.ts';
import { FIRST_OUTPUTS, type JobOutput } from '@telecine/contract/domain/job.ts';
import { MEASURED_LISTS, type MeasuredEntry, measuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { Kysely } from 'kysely';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { parseJsonColumn } from './columns.ts';
import { chunksOf } from './queries.ts';
import type { Schema } from './schema.ts';

/** The most entries of one stored part. Reads rely on it: a larger value is safe, a smaller one needs a migration. */
const PART = { outputs: 100, measured: 1000 };

/** A part of a list that is stored in a row of its own. */
interface ListPart {
  /** The index of its first entry in the list. */
  readonly first: number;
  /** Its entries as JSON. */
  readonly entries: string;
}

/** The parts of a list from the entry `first` on. The row of the job has the entries before it. */
function listParts(all: readonly unknown[], first: number, size: number): readonly ListPart[] {
  const parts: ListPart[] = [];
  for (let at = first; at < all.length; at += size)
    parts.push({ first: at, entries: JSON.stringify(all.slice(at, at + size)) });
  return parts;
}

/** The entries from `first` to before `end` of a list that begins with `stored` and goes on with parts, in their order. */
const entriesBetween = <T>(stored: readonly T[], parts: readonly ListPart[], first: number, end: number) => [
  ...stored.slice(first, end),
  ...parts.flatMap((part) =>
    (JSON.parse(part.entries) as readonly T[]).slice(Math.max(0, first - part.first), end - part.first),
  ),
];

/**
 * Stores the outputs and measured entries of a job after the first ones, which are in its row. In one turn of the event
 * loop, because other transactions would wait for each turn.
 */
export async function insertOtherEntries(
  db: Kysely<Schema>,
  jobId: string,
  outputs: readonly JobOutput[],
  measurements: Measurements | undefined,
): Promise<void> {
  const others = listParts(outputs, FIRST_OUTPUTS, PART.outputs).map(({ first, entries }) => {
    return { job_id: jobId, first, outputs: entries };
  });
  for (const chunk of chunksOf(others)) await db.insertInto('job_outputs').values(chunk).execute();
  const measured = MEASURED_LISTS.flatMap((list) => {
    const { entries = [] } = (measurements && measuredList(measurements, list)) ?? {};
    return listParts(entries, FIRST_LISTED, PART.measured).map((part) => ({ job_id: jobId, list, ...part }));
  });
  for (const chunk of chunksOf(measured)) await db.insertInto('job_measurements').values(chunk).execute();
}

/** Reads parts of the outputs and of the measured lists of a job. */
export const listReads = (reader: Kysely<Schema>): Pick<JobStore, 'outputs' | 'measured'> => ({
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
      .where('first', '>', first - PART.outputs)
      .where('first', '<', end)
      .orderBy('first')
      .execute();
    return entriesBetween(stored, parts, first, end);
  },

  async measured(jobId, list, first, count) {
    const job = await reader.selectFrom('jobs').select('measurements').where('job_id', '=', jobId).executeTakeFirst();
    const all = parseJsonColumn<Measurements>(job?.measurements ?? null);
    const stored: readonly MeasuredEntry[] = (all && measuredList(all, list)?.entries) ?? [];
    const end = first + count;
    if (end <= stored.length) return stored.slice(first, end);
    const parts = await reader
      .selectFrom('job_measurements')
      .select(['first', 'entries'])
      .where('job_id', '=', jobId)
      .where('list', '=', list)
      .where('first', '>', first - PART.measured)
      .where('first', '<', end)
      .orderBy('first')
      .execute();
    return entriesBetween(stored, parts, first, end);
  },
});

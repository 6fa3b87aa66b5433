import { FIRST_LISTED, type Measurements } from '@telecine/contract/domain/analysis.ts';
import { FIRST_OUTPUTS, type JobOutput } from '@telecine/contract/domain/job.ts';
import { MEASURED_LISTS, type MeasuredEntry, measuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { parseJsonColumn } from './columns.ts';
import { pathBounds } from './path-bounds.ts';
import { chunksOf } from './queries.ts';
import type { Db } from './transaction/database.ts';

/**
 * The maximum number of entries in one stored part. Reads rely on it to find a part: a larger number is safe, but a
 * smaller one needs a migration.
 */
const PART = { outputs: 100, measured: 1000 };

/** A part of a list, which is stored in its own row. */
interface ListPart {
  /** The index of the first entry of this part in the list. */
  readonly first: number;
  /** The entries of this part as JSON. */
  readonly entries: string;
}

/** Splits the entries of a list from index `first` on into parts. The earlier entries are in the row of the job. */
function listParts(all: readonly unknown[], first: number, size: number): readonly ListPart[] {
  const parts: ListPart[] = [];
  for (let at = first; at < all.length; at += size)
    parts.push({ first: at, entries: JSON.stringify(all.slice(at, at + size)) });
  return parts;
}

/**
 * Returns the entries of a list from index `first` to before `end`. `stored`: the first entries, from the row of the
 * job. `parts`: the following parts, in order.
 */
const entriesBetween = <T>(stored: readonly T[], parts: readonly ListPart[], first: number, end: number) => [
  ...stored.slice(first, end),
  ...parts.flatMap((part) =>
    (JSON.parse(part.entries) as readonly T[]).slice(Math.max(0, first - part.first), end - part.first),
  ),
];

/**
 * Returns the texts of the outputs and measured entries that do not fit into the row of a job, and the function that stores them. It runs
 * in one turn of the event loop, because other transactions would wait for each further turn.
 */
export function otherEntries(jobId: string, outputs: readonly JobOutput[], measurements: Measurements | undefined) {
  const others = listParts(outputs, FIRST_OUTPUTS, PART.outputs).map(({ first, entries }) => {
    const { lowest, highest } = pathBounds(outputs.slice(first, first + PART.outputs).map(({ path }) => path));
    return { job_id: jobId, first, outputs: entries, lowest_path: lowest, highest_path: highest };
  });
  const measured = MEASURED_LISTS.flatMap((list) => {
    const { entries = [] } = (measurements && measuredList(measurements, list)) ?? {};
    return listParts(entries, FIRST_LISTED, PART.measured).map((part) => ({ job_id: jobId, list, ...part }));
  });
  return {
    texts: [...others.map((part) => part.outputs), ...measured.map((part) => part.entries)],
    async insert(db: Db): Promise<void> {
      for (const chunk of chunksOf(others)) await db.insertInto('job_outputs').values(chunk).execute();
      for (const chunk of chunksOf(measured)) await db.insertInto('job_measurements').values(chunk).execute();
    },
  };
}

/** Reads ranges of the outputs and of the measured lists of a job. */
export const listReads = (reader: Db): Pick<JobStore, 'outputs' | 'outputsNear' | 'measured'> => ({
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

  async outputsNear(jobId, path) {
    const parts = await reader
      .selectFrom('job_outputs')
      .select('outputs')
      .where('job_id', '=', jobId)
      .where('highest_path', '>=', path)
      .where('lowest_path', '<=', path)
      .execute();
    return parts.flatMap(({ outputs }) => JSON.parse(outputs) as readonly JobOutput[]);
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

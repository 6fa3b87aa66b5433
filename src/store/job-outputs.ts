import type { Kysely } from 'kysely';
import { FIRST_OUTPUTS, type JobOutput } from '../domain/job.ts';
import { inSteps } from '../domain/steps.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { parseJsonColumn } from './job-row.ts';
import type { Schema } from './schema.ts';

/** The parts that are stored in one turn of the event loop. It takes about a millisecond. */
const PARTS_AT_ONCE = 10;

/** Stores the outputs of a job after the first part, which its row has. */
export async function insertOtherOutputs(
  db: Kysely<Schema>,
  jobId: string,
  outputs: readonly JobOutput[],
): Promise<void> {
  const firsts = Array.from({ length: Math.ceil(outputs.length / FIRST_OUTPUTS) }, (_, part) => part * FIRST_OUTPUTS);
  for await (const some of inSteps(firsts.slice(1), PARTS_AT_ONCE))
    await db
      .insertInto('job_outputs')
      .values(
        some.map((first) => ({
          ...{ job_id: jobId, first },
          outputs: JSON.stringify(outputs.slice(first, first + FIRST_OUTPUTS)),
        })),
      )
      .execute();
}

/** Deletes what `insertOtherOutputs` stored. */
export const deleteOtherOutputs = (db: Kysely<Schema>, jobIds: readonly string[]) =>
  db.deleteFrom('job_outputs').where('job_id', 'in', jobIds).execute();

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
      .select(['first', 'outputs'])
      .where('job_id', '=', jobId)
      .where('first', '>', first - FIRST_OUTPUTS)
      .where('first', '<', end)
      .orderBy('first')
      .execute();
    const others = parts.flatMap((part) =>
      (JSON.parse(part.outputs) as readonly JobOutput[]).slice(Math.max(0, first - part.first), end - part.first),
    );
    return [...stored.slice(first, end), ...others];
  },
});

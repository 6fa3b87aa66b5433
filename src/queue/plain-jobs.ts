import { sql } from 'kysely';
import { ONE_SLOT } from '../domain/lane.ts';
import { queuePositionOf } from '../domain/priority.ts';
import { RANKS_APART } from '../domain/states.ts';
import type { PlainJob } from '../jobs/ports/job-queue.ts';
import { ORDINARY_QUEUE, queueName } from './queue-name.ts';
import type { Db } from './ready-heads.ts';

/** Stores new jobs with their tickets on PostgreSQL, by the function `telecine_insert_jobs`. */
export async function insertPlainJobs(db: Db, inOrder: readonly PlainJob[], createdAt: string): Promise<void> {
  const byClient = Map.groupBy(inOrder, ({ clientId }) => clientId);
  // In one order everywhere: a rank locks its client, and two transactions must not wait for each other.
  const clients = [...byClient.keys()].toSorted();
  const jobs = clients.flatMap((client) => byClient.get(client) ?? []);
  // Ids and JSON have no line breaks. The driver escapes an array text by text, which takes 2 µs a job.
  const lines = (of: (job: PlainJob) => string) => sql`string_to_array(${jobs.map(of).join('\n')}, chr(10))`;
  const all = <T>(of: (job: PlainJob) => T): readonly T[] => jobs.map(of);
  /** null stands for the usual value of each job. */
  const unlessUsual = <T>(usual: T, of: (job: PlainJob) => T): readonly T[] | null =>
    jobs.some((job) => of(job) !== usual) ? all(of) : null;
  await sql`select telecine_insert_jobs(
    ${clients}, ${unlessUsual(clients[0], ({ clientId }) => clientId)},
    ${lines(({ jobId }) => jobId)}, ${lines(({ request }) => request)}, ${createdAt}, ${RANKS_APART},
    ${unlessUsual(ORDINARY_QUEUE as string, ({ lane }) => queueName({ lane, needs: [] }))},
    ${unlessUsual('full', ({ lane }) => lane as string)}, ${unlessUsual(ONE_SLOT, ({ weight }) => weight)},
    ${unlessUsual(0, ({ priority = 0 }) => priority)}, ${unlessUsual(0, ({ priority = 0 }) => queuePositionOf(0, priority))},
    ${unlessUsual<string | null>(null, ({ warnings = null }) => warnings)},
    ${unlessUsual<string | null>(null, ({ traceParent = null }) => traceParent)})`.execute(db);
}

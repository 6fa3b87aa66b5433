import type { Requirements } from '../../domain/lane.ts';
import { RANKS_APART } from '../../domain/states.ts';
import type { IdempotencyKey } from '../operations.ts';
import type { IdempotencyRecord, IdempotencyStore, JobQueue, JobStore, NewJob, Tx } from '../ports.ts';

/** A checked request, ready to be stored as a job. */
export interface JobToInsert extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** JSON of the ConversionRequest. */
  readonly request: string;
  readonly retryOf?: string;
  /** JSON of the warnings about the request. Absent if there are none. */
  readonly warnings?: string;
  /** `notBefore`: uses of the key before this time do not count. */
  readonly idempotency?: IdempotencyKey & { readonly notBefore: string };
}

export interface InsertJobsDeps {
  readonly jobs: Pick<JobStore, 'insert' | 'nextFairnessRank'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly idempotency: Pick<IdempotencyStore, 'insert'>;
  readonly now: () => Date;
}

/**
 * Stores jobs, each with its ticket and its idempotency key. If the key of a job was used before, does not store that
 * job. Returns the earlier use, or undefined, for each job.
 */
export async function insertJobs(
  deps: InsertJobsDeps,
  tx: Tx,
  jobs: readonly JobToInsert[],
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  const createdAt = deps.now().toISOString();
  const ranks = new Map<string, number>();
  // In one order everywhere: a rank locks its client, and two transactions must not wait for each other.
  for (const clientId of new Set(jobs.map((job) => job.clientId).toSorted()))
    ranks.set(clientId, await deps.jobs.nextFairnessRank(tx, clientId));
  const earlierUses: (IdempotencyRecord | undefined)[] = [];
  const newJobs: NewJob[] = [];
  for (const { idempotency, ...job } of jobs) {
    const { jobId, clientId } = job;
    const earlier =
      idempotency &&
      (await deps.idempotency.insert(tx, { ...idempotency, clientId, jobId, at: createdAt }, idempotency.notBefore));
    earlierUses.push(earlier);
    if (earlier !== undefined) continue;
    const fairnessRank = ranks.get(clientId) ?? 0;
    ranks.set(clientId, fairnessRank + RANKS_APART);
    newJobs.push({ ...job, createdAt, fairnessRank });
  }
  await deps.jobs.insert(tx, newJobs);
  await deps.queue.enqueue(
    tx,
    newJobs.map(({ jobId, clientId, fairnessRank, lane, needs }) => ({ jobId, clientId, fairnessRank, lane, needs })),
  );
  return earlierUses;
}

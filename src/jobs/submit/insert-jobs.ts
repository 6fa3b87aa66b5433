import { queuePositionOf } from '../../domain/priority.ts';
import { RANKS_APART } from '../../domain/states.ts';
import type { IdempotencyKey } from '../operations.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { IdempotencyRecord, IdempotencyStore, UsageStore } from '../ports/job-records.ts';
import type { JobStore, NewJob } from '../ports/job-store.ts';
import type { Tx } from '../ports/transactions.ts';
import { type DailyQuotas, type QuotaRequest, reserveQuotas } from './reserve-quotas.ts';

/** A checked request, ready to be stored as a job. */
export interface JobToInsert extends Omit<NewJob, 'fairnessRank' | 'createdAt'> {
  /** The daily quotas of its client. Absent if it has none. */
  readonly quotas?: DailyQuotas | undefined;
  /** `notBefore`: uses of the key before this time do not count. */
  readonly idempotency?: (IdempotencyKey & { readonly notBefore: string }) | undefined;
}

export interface InsertJobsDeps {
  readonly jobs: Pick<JobStore, 'insert' | 'nextFairnessRank'>;
  readonly queue: Pick<JobQueue, 'enqueue' | 'insertPlainJobs'>;
  readonly idempotency: Pick<IdempotencyStore, 'insert'>;
  readonly usage: Pick<UsageStore, 'reserve'>;
  readonly now: () => Date;
}

const NO_QUOTAS: DailyQuotas = {};

/** Stores the idempotency keys of jobs. Returns the earlier uses of the keys, by the index of the job. */
async function insertKeys(
  keys: InsertJobsDeps['idempotency'],
  tx: Tx,
  jobs: readonly JobToInsert[],
  at: string,
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  // Most jobs have no key. A promise for each job would take a tenth of the processor time that storing it takes.
  if (jobs.every(({ idempotency }) => idempotency === undefined)) return [];
  return Promise.all(
    jobs.map(
      ({ idempotency, clientId, jobId }) =>
        idempotency && keys.insert(tx, { ...idempotency, clientId, jobId, at }, idempotency.notBefore),
    ),
  );
}

/**
 * Stores jobs, each with its ticket and its idempotency key. If the key of a job was used before, does not store that
 * job. Returns the earlier uses of the keys, by the index of the job. Throws QUOTA_EXCEEDED, for all of them, if they are more than a
 * quota allows. Starts statements together that do not need each other's results: an engine may send them in one round
 * trip.
 */
export async function insertJobs(
  deps: InsertJobsDeps,
  tx: Tx,
  jobs: readonly JobToInsert[],
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  const createdAt = deps.now().toISOString();
  // In one order everywhere: a rank locks its client, and two transactions must not wait for each other.
  const clientIds = [...new Set(jobs.map(({ clientId }) => clientId))].toSorted();
  const [firstRanks, earlierUses] = await Promise.all([
    Promise.all(clientIds.map((clientId) => deps.jobs.nextFairnessRank(tx, clientId))),
    insertKeys(deps.idempotency, tx, jobs, createdAt),
  ]);
  const ranks = new Map(clientIds.map((clientId, index) => [clientId, firstRanks[index] ?? 0]));
  const newJobs: NewJob[] = [];
  const submissions: QuotaRequest[] = [];
  for (const [index, job] of jobs.entries()) {
    if (earlierUses[index] !== undefined) continue;
    const { clientId, quotas = NO_QUOTAS } = job;
    const fairnessRank = ranks.get(clientId) ?? 0;
    if (job.waitingFor === undefined) {
      ranks.set(clientId, fairnessRank + RANKS_APART);
      newJobs.push({ ...job, createdAt, fairnessRank });
    } else {
      // It gets its rank when it is released. Until then, jobs that are submitted later count as if it did not exist.
      newJobs.push({ ...job, createdAt, fairnessRank: fairnessRank - RANKS_APART });
    }
    submissions.push({ clientId, quotas, mediaSeconds: job.reservedMediaSeconds ?? 0 });
  }
  const ready = newJobs.filter(({ waitingFor }) => waitingFor === undefined);
  const tickets = ready.map(({ jobId, clientId, fairnessRank, priority = 0, lane, weight, needs }) => ({
    jobId,
    clientId,
    queuePosition: queuePositionOf(fairnessRank, priority),
    lane,
    weight,
    needs,
  }));
  const [, , checkReserved] = await Promise.all([
    deps.jobs.insert(tx, newJobs),
    deps.queue.enqueue(tx, tickets),
    reserveQuotas(deps.usage, tx, submissions, createdAt),
  ]);
  checkReserved();
  return earlierUses;
}

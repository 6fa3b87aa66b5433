import type { Kysely } from 'kysely';
import type { Metadata } from '../../packages/contract/src/domain/conversion.ts';
import type { Failure } from '../../packages/contract/src/domain/failure.ts';
import { ORDINARY, type Requirements } from '../../packages/contract/src/domain/lane.ts';
import { type EndJobDeps, endJob, endQueued, type JobToEnd } from '../../packages/service/src/jobs/end-job.ts';
import type { Delivery, JobQueue, TakeRequest } from '../../packages/service/src/jobs/ports/job-queue.ts';
import type { Claim } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { insertJobs, type JobToInsert } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import type { Schema } from '../../packages/service/src/store/schema.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';

/** A database engine that the contract suites run on. */
export interface Engine {
  readonly name: string;
  /** The shortest lease of the engine that is long enough for the steps of a test on a busy machine. */
  readonly leaseSeconds: number;
  /** How long after its end an expired lease may be noticed. */
  readonly noticeSeconds: number;
  /** Whether transactions run at the same time, so that none waits for another one to end. */
  readonly isConcurrent: boolean;
  /** Opens an empty store, which is closed after the test. `shortLeases`: leases last `leaseSeconds`. */
  open(options?: { readonly shortLeases?: boolean }): Promise<World>;
  /** Opens an empty store alone, which takes half as long with PostgreSQL. */
  openStore(): Promise<World['store']>;
}

/** A store and its queue. */
export interface World {
  readonly store: Omit<Store, 'database'>;
  readonly queue: JobQueue;
}

export const AT = '2026-11-20T10:00:00.000Z';

export const REQUEST = {
  input: 'in.mov',
  output: 'out.mp4',
  parameters: { 'c:v': 'libx264', map: ['0:v', '0:a'] },
  llmId: 'agent',
};

/**
 * Runs `unit` in a transaction that stays open until the returned function is called. Only for engines that run
 * transactions at the same time.
 */
export async function holdOpen({ store }: World, unit: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const [isRun, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = store.transactions.run(async (tx) => {
    await unit(tx);
    isRun.resolve();
    await mayCommit.promise;
  });
  await Promise.race([isRun.promise, held]);
  return () => {
    mayCommit.resolve();
    return held;
  };
}

/** Runs statements in a transaction, to see or to change what is stored. */
export const inDatabase = <T>({ store }: World, unit: (db: Kysely<Schema>) => Promise<T>): Promise<T> =>
  store.transactions.run((tx) => unit(dbOf(tx)));

/** Stores jobs with their tickets in one transaction, as submissions do. Returns their ids, oldest first. */
export function submitMany(
  world: World,
  clientId: string,
  count: number,
  requirements: Requirements = ORDINARY,
  metadata?: Metadata,
): Promise<string[]> {
  const { store, queue } = world;
  const jobs = Array.from({ length: count }, () => ({
    jobId: newJobId(),
    clientId,
    request: JSON.stringify(REQUEST),
    ...requirements,
    ...(metadata && { metadata }),
  }));
  const deps = { ...store, queue, now: () => new Date(AT) };
  return store.transactions.run(async (tx) => {
    await insertJobs(deps, tx, jobs);
    return jobs.map(({ jobId }) => jobId);
  });
}

export async function submitOne(
  world: World,
  clientId = 'amy',
  requirements = ORDINARY,
  metadata?: Metadata,
): Promise<string> {
  const [jobId] = await submitMany(world, clientId, 1, requirements, metadata);
  if (jobId === undefined) throw new Error('No job was stored.');
  return jobId;
}

/** What a worker can run. By default everything. */
export type Offer = Pick<TakeRequest, 'lanes' | 'has' | 'leaveFor'>;

export const ANYTHING: Offer = { lanes: ['full', 'light', 'fetch'], has: () => true };

export const take = (
  { store, queue }: World,
  slots = 1,
  perClient = Number.POSITIVE_INFINITY,
  offer = ANYTHING,
): Promise<readonly Delivery[]> => store.transactions.run((tx) => queue.take(tx, { slots, perClient, ...offer }));

export const claim = ({ store }: World, jobId: string, at = AT): Promise<Claim | undefined> =>
  store.transactions.run((tx) => store.jobs.claim(tx, jobId, at));

/** Like `claim`, but throws if there is nothing to claim. */
export async function mustClaim(world: World, jobId: string, at = AT): Promise<Claim> {
  const result = await claim(world, jobId, at);
  if (result === undefined) throw new Error(`Job ${jobId} could not be claimed.`);
  return result;
}

/** Takes and claims the next job, as a worker does. */
export async function startNext(world: World, perClient?: number): Promise<Delivery | undefined> {
  const [delivery] = await take(world, 1, perClient);
  if (delivery !== undefined) await mustClaim(world, delivery.jobId);
  return delivery;
}

/** A job to end: a running one, or a queued one with the error that it gets. */
export type AnyEnd =
  | JobToEnd
  | { readonly queued: { readonly jobId: string; readonly clientId?: string }; readonly error: Failure };

/** Ends a job. Resolves to whether it did. */
export const endAny = async (deps: EndJobDeps, end: AnyEnd): Promise<boolean> =>
  'queued' in end ? (await endQueued(deps, [end.queued], end.error)).length > 0 : endJob(deps, end);

/** A checked request of a client, ready to be stored. */
export const jobToInsert = (clientId: string, more: Partial<JobToInsert> = {}): JobToInsert => ({
  jobId: newJobId(),
  clientId,
  request: JSON.stringify({ input: 'a.mp4', output: 'b.mp4' }),
  ...ORDINARY,
  ...more,
});

import { v7 as uuid } from 'uuid';
import type { Caller } from '../../src/domain/client.ts';
import type { Claim, Delivery, JobQueue } from '../../src/jobs/ports.ts';
import type { Store } from '../../src/store/open.ts';

/** A database that the contract suites run on: one more engine is one more of these. */
export interface Engine {
  readonly name: string;
  /** An empty store of its own, closed after the test by the suite. */
  open(now?: () => Date): Promise<World>;
}

/** A store with its queue, and what a submission, a hand-over and an ending are made of. */
export interface World {
  readonly store: Store;
  readonly queue: JobQueue;
}

export const AT = '2026-11-20T10:00:00.000Z';

export const REQUEST = {
  input: 'in.mov',
  output: 'out.mp4',
  parameters: { 'c:v': 'libx264', map: ['0:v', '0:a'] },
  llmId: 'agent',
};

type ClientId = Caller['clientId'];

/** Stores so many jobs of a client with their tickets, as submissions do, in one transaction; returns their ids. */
export function submitMany({ store, queue }: World, clientId: ClientId, count: number): Promise<string[]> {
  return store.transactions.run(async (tx) => {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const jobId = uuid();
      const fairnessRank = await store.jobs.nextFairnessRank(tx, clientId);
      await store.jobs.insert(tx, [{ jobId, clientId, request: JSON.stringify(REQUEST), fairnessRank, createdAt: AT }]);
      await queue.enqueue(tx, [{ jobId, clientId, fairnessRank }]);
      ids.push(jobId);
    }
    return ids;
  });
}

export async function submitOne(world: World, clientId: ClientId = 'amy'): Promise<string> {
  const [jobId] = await submitMany(world, clientId, 1);
  if (jobId === undefined) throw new Error('Nothing was submitted.');
  return jobId;
}

export const take = ({ store, queue }: World, slots = 1, perClient = 100): Promise<readonly Delivery[]> =>
  store.transactions.run((tx) => queue.take(tx, slots, perClient));

export const claim = ({ store }: World, jobId: string, at = AT): Promise<Claim | undefined> =>
  store.transactions.run((tx) => store.jobs.claim(tx, jobId, at));

/** A claim that must be there. */
export async function claimed(world: World, jobId: string, at = AT): Promise<Claim> {
  const got = await claim(world, jobId, at);
  if (got === undefined) throw new Error(`Job ${jobId} could not be claimed.`);
  return got;
}

/** Takes the first in line and starts it, as a worker does; undefined when nothing may be taken. */
export async function startNext(world: World, perClient = 100): Promise<Delivery | undefined> {
  const [delivery] = await take(world, 1, perClient);
  if (delivery !== undefined) await claimed(world, delivery.jobId);
  return delivery;
}

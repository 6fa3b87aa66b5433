import { expect, test } from 'vitest';
import type { Delivery, TakeRequest } from '../ports/job-queue.ts';
import type { Claim } from '../ports/job-store.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { claimJobs } from './claim-jobs.ts';

const transactions: Transactions = { run: (unit) => unit({} as Tx) };

const request: TakeRequest = { slots: 1, perClient: 1, lanes: ['full'], has: () => true };

test('takes no ticket if the transaction waited so long that leases of running jobs may have ended', async () => {
  let takes = 0;
  const deps = {
    transactions,
    queue: {
      take: async () => {
        takes += 1;
        return [];
      },
      remove: async () => true,
    },
    jobs: { claim: async () => undefined },
    now: () => new Date(),
  };
  expect(await claimJobs(deps, [request], 0)).toEqual({ claimed: [], more: true });
  expect(takes).toBe(0);
  expect(await claimJobs(deps, [request], 60_000)).toEqual({ claimed: [], more: false });
  expect(takes).toBe(1);
});

test('gives back the ticket of a job that it leaves to others, and claims the next one when it is called again', async () => {
  const tickets = ['left', 'next'].map((jobId) => ({ jobId, needs: [], lane: 'full' }) as unknown as Delivery);
  const claimed: string[] = [];
  const deps = {
    transactions,
    queue: { take: async () => tickets.splice(0, 1), remove: async () => Promise.reject(new Error('Its job exists.')) },
    jobs: {
      claim: async (_: Tx, jobId: string) => {
        claimed.push(jobId);
        return { job: { jobId } } as unknown as Claim;
      },
    },
    leave: async (_: Tx, { jobId }: Delivery) => jobId === 'left',
    now: () => new Date(),
  };
  expect(await claimJobs(deps, [request], 60_000)).toEqual({ claimed: [], more: true });
  expect((await claimJobs(deps, [request], 60_000)).claimed).toHaveLength(1);
  expect(claimed).toEqual(['next']);
});

test.each(['chunk:1', 'chunk:2'])('removes the ticket of a chunk that is gone, with the need %s', async (need) => {
  const removed: string[] = [];
  const tickets = [
    { jobId: 'chunk', clientId: 'one', lane: 'full', weight: 100, needs: [need] } as unknown as Delivery,
  ];
  const deps = {
    transactions,
    queue: {
      take: async () => tickets.splice(0),
      remove: async (_: Tx, { jobId }: Delivery) => removed.push(jobId) > 0,
    },
    jobs: {
      claim: async () => {
        throw new Error('The ticket is not of a job.');
      },
    },
    chunks: { claim: async () => undefined },
    now: () => new Date(),
  };
  expect(await claimJobs(deps, [request], 60_000)).toEqual({ claimed: [], more: true });
  expect(removed).toEqual(['chunk']);
});

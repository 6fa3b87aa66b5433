import { expect, test } from 'vitest';
import type { TakeRequest } from '../ports/job-queue.ts';
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

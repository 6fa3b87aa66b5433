import type { Failure } from '@telecine/contract/domain/failure.ts';
import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { expect, test } from 'vitest';
import type { Transactions, Tx } from './ports/transactions.ts';
import { unmetNeeds } from './queue-upkeep.ts';

/** `queued`: the needs of queued jobs, by id. A live worker meets the needs in `met`. */
function world(queued: Readonly<Record<string, readonly string[]>>) {
  const jobs = new Map(Object.entries(queued));
  const failed = new Map<string, Failure>();
  const state = { uptime: 1000, met: [] as readonly string[] };
  const transactions: Transactions = { run: (unit) => unit({} as Tx) };
  const check = unmetNeeds({
    transactions,
    jobs: {
      pendingNeeds: async () => [...new Set([...jobs.values()])],
      pendingWith: async (needs) =>
        [...jobs].flatMap(([jobId, own]) => (String(own) === String(needs) ? [{ jobId, clientId: 'amy' }] : [])),
      end: async () => true,
      endPending: async (_tx, jobIds, status, error) => {
        expect(status).toBe('FAILED');
        for (const jobId of jobIds) failed.set(jobId, error);
        return jobIds
          .filter((jobId) => jobs.delete(jobId))
          .map((jobId) => ({ jobId, clientId: 'amy', priority: 0, ...ORDINARY }));
      },
    },
    queue: { remove: async () => true, withdraw: async () => {} },
    changes: { publish: () => {} },
    now: () => new Date(),
    isMet: async (needs) => needs.every((need) => state.met.includes(need)),
    limitSeconds: 60,
    uptimeSeconds: () => state.uptime,
  });
  return { state, check, failed };
}

const LIBX = ['encoder:libx'];

test('a job fails once no worker has had what it needs for the whole limit, and says what that is', async () => {
  const { state, check, failed } = world({ a: LIBX, b: LIBX, c: ['filter:y'] });
  state.met = ['filter:y'];
  await check();
  state.uptime += 59;
  await check();
  expect(failed.size).toBe(0);
  state.uptime += 1;
  await check();
  expect([...failed.keys()]).toEqual(['a', 'b']);
  expect(failed.get('a')).toMatchObject({
    code: 'NO_WORKER',
    message: 'The job needs a worker with encoder libx, and no such worker ran for 60 s.',
  });
});

test('the time starts anew when a worker had it meanwhile', async () => {
  const { state, check, failed } = world({ a: LIBX });
  await check();
  state.uptime += 50;
  state.met = LIBX;
  await check();
  state.met = [];
  state.uptime += 50;
  await check();
  state.uptime += 59;
  await check();
  expect(failed.size).toBe(0);
  state.uptime += 1;
  await check();
  expect([...failed.keys()]).toEqual(['a']);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SERVICE_LEASE, serviceLease } from './service-lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that shows that it is alive. `calls`: the writes of its lease. */
async function alive() {
  const calls: string[] = [];
  const state = { isNeeded: true, isDown: false, lost: 0 };
  const lease = serviceLease(
    {
      leases: {
        take: async ({ name }) => {
          if (state.isDown) throw new Error('down');
          calls.push(`take ${name}`);
          return true;
        },
        release: async ({ name }) => void calls.push(`release ${name}`),
      },
      holder: 'me',
      monotonic: () => Date.now(),
      isNeeded: () => state.isNeeded,
      onLost: () => {
        state.lost += 1;
      },
      onError: () => {},
    },
    SERVICE_LEASE,
  );
  await lease.keep();
  return { lease, calls, state };
}

test('after a kill, another service sees within 30 s that the lease has ended', () => {
  expect(SERVICE_LEASE.seconds * 1000 + SERVICE_LEASE.lookMs).toBeLessThan(30_000);
  // One renewal may fail.
  expect(2 * SERVICE_LEASE.renewMs).toBeLessThan(SERVICE_LEASE.seconds * 1000);
});

test('a service writes six times a minute, for however many watches', async () => {
  const { lease, calls } = await alive();
  for (let watches = 0; watches < 20; watches += 1) await lease.keep();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(Array.from({ length: 7 }, () => 'take watcher/me'));
});

test('a service without a watch of its own writes nothing, until it has one again', async () => {
  const { lease, calls, state } = await alive();
  state.isNeeded = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(['take watcher/me', 'release watcher/me']);
  state.isNeeded = true;
  await lease.keep();
  await lease.end();
  expect(calls.slice(2)).toEqual(['take watcher/me', 'release watcher/me']);
});

test('a service that could not renew its lease in time notices that others may have taken over', async () => {
  const { state } = await alive();
  state.isDown = true;
  await vi.advanceTimersByTimeAsync(20_000);
  state.isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.lost).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.lost).toBe(1);
});

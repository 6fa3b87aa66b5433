import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Lease, Leases } from '../../packages/service/src/files/ports.ts';
import { lockName, uploadLocks } from '../../packages/service/src/files/upload-locks.ts';

const never = new AbortController().signal;
const nothing = () => {};

/** Leases of one process, by its clock. `before`: awaited by each `take`. */
function memoryLeases(before: (lease: Lease) => Promise<void> = async () => {}) {
  const held = new Map<string, { readonly holder: string; readonly endsAt: number }>();
  const isHeld = (name: string, by?: string) => {
    const lease = held.get(name);
    return lease !== undefined && lease.endsAt > Date.now() && lease.holder !== by;
  };
  let takes = 0;
  const leases: Pick<Leases, 'take' | 'release' | 'anyHeld'> = {
    take: async (lease, seconds) => {
      takes += 1;
      await before(lease);
      if (isHeld(lease.name, lease.holder)) return false;
      held.set(lease.name, { holder: lease.holder, endsAt: Date.now() + seconds * 1000 });
      return true;
    },
    release: async ({ name, holder }) => {
      if (held.get(name)?.holder === holder) held.delete(name);
    },
    anyHeld: async (names) => names.some((name) => isHeld(name)),
  };
  return { leases: leases as Leases, isHeld, takes: () => takes };
}

afterEach(() => {
  vi.useRealTimers();
});

test('a lock that is released during its renewal stays released', async () => {
  vi.useFakeTimers();
  let renewal: { readonly end: () => void } | undefined;
  let isSlow = false;
  const { leases, isHeld } = memoryLeases(async () => {
    if (isSlow) await new Promise<void>((end) => (renewal = { end }));
  });
  const lock = await uploadLocks(leases)('film', never, nothing);
  isSlow = true;
  await vi.advanceTimersByTimeAsync(3000);
  expect(renewal).toBeDefined();
  const released = lock.release();
  await vi.advanceTimersByTimeAsync(0);
  renewal?.end();
  await released;
  await vi.advanceTimersByTimeAsync(0);
  expect(isHeld(lockName('film'))).toBe(false);
});

test('a request whose lock another one has taken may not write', async () => {
  vi.useFakeTimers();
  const { leases } = memoryLeases();
  const lock = await uploadLocks(leases)('film', never, nothing);
  lock.assertHeld();
  vi.setSystemTime(Date.now() + 11_000);
  await uploadLocks(leases)('film', never, nothing);
  expect(() => lock.assertHeld()).toThrow('Another request');
});

test('every waiting request of another service asks the holder to end, also after the first one has ended', async () => {
  const { leases } = memoryLeases();
  let asked = 0;
  const holder = await uploadLocks(leases)('film', never, () => {
    asked += 1;
  });
  const first = new AbortController();
  const gone = uploadLocks(leases)('film', first.signal, nothing).catch(() => undefined);
  const second = uploadLocks(leases)('film', never, nothing);
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), 4000);
  first.abort();
  await gone;
  const before = asked;
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before), 4000);
  await holder.release();
  await (await second).release();
});

test('a few requests of a process wait for an upload, and more are rejected at once', async () => {
  const { leases } = memoryLeases();
  const locks = uploadLocks(leases);
  const holder = await locks('film', never, nothing);
  const end = new AbortController();
  const all = Array.from({ length: 20 }, () => locks('film', end.signal, nothing).catch((error: unknown) => error));
  const rejected = await Promise.race([Promise.all(all.slice(4)), delay(1000)]);
  expect(rejected).toHaveLength(16);
  expect(rejected).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'UPLOAD_LOCKED' })]));
  end.abort();
  await Promise.all(all);
  await holder.release();
  await (await locks('film', never, nothing)).release();
});

import { afterEach, expect, test, vi } from 'vitest';
import type { Lease, Leases } from '../../packages/service/src/files/ports.ts';
import { lockName, lockUpload } from '../../packages/service/src/files/upload-locks.ts';

const nothing = () => {};

/** Leases of one process, by its clock. `before`: awaited by each `take`. */
function memoryLeases(before: (lease: Lease) => Promise<void> = async () => {}) {
  const held = new Map<string, { readonly holder: string; readonly endsAt: number }>();
  const isHeld = (name: string, by?: string) => {
    const lease = held.get(name);
    return lease !== undefined && lease.endsAt > Date.now() && lease.holder !== by;
  };
  const leases: Pick<Leases, 'take' | 'release' | 'anyHeld'> = {
    take: async (lease, seconds) => {
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
  return { leases: leases as Leases, isHeld };
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
  const lock = await lockUpload(leases, 'film', nothing);
  isSlow = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(renewal).toBeDefined();
  const released = lock.release();
  await vi.advanceTimersByTimeAsync(0);
  renewal?.end();
  await released;
  await vi.advanceTimersByTimeAsync(0);
  expect(isHeld(lockName('film'))).toBe(false);
});

test('a request for a locked upload is rejected at once, asks the holder to end, and gets the lock then', async () => {
  vi.useFakeTimers();
  const { leases } = memoryLeases();
  let asked = 0;
  const holder = await lockUpload(leases, 'film', () => {
    asked += 1;
  });
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toBe(0);
  await expect(lockUpload(leases, 'film', nothing)).rejects.toMatchObject({
    code: 'UPLOAD_LOCKED',
    retryAfterSeconds: 1,
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(1);
  await holder.release();
  const next = await lockUpload(leases, 'film', () => expect.unreachable('nobody wants the lock any more'));
  await vi.advanceTimersByTimeAsync(2000);
  await next.release();
});

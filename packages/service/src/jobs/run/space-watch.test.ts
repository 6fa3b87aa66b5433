import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Scratch } from '../ports/media-store.ts';
import { createSpaceWatch } from './space-watch.ts';

beforeEach(() => void vi.useFakeTimers());

const MIN = 100;
const scratch = (name: string): Scratch => ({ name });

/** A fake disk of 1,000 bytes that counts the bytes written by each conversion. */
function disk() {
  const written = new Map<string, number>();
  const hidden = new Set<string>();
  const deleted = new Map<string, number>();
  const delays = new Map<string, number>();
  /** The bytes that other programs wrote. */
  let foreign = 0;
  const used = () => [...written.values(), ...deleted.values()].reduce((sum, bytes) => sum + bytes, foreign);
  const watch = createSpaceWatch(
    {
      freeBytes: async () => 1000 - used(),
      scratchUsage: async ({ name }) => {
        await sleep(delays.get(name) ?? 0);
        if (hidden.has(name)) throw new JobFailed({ code: 'LIMIT_EXCEEDED', message: 'too deep' });
        return { bytes: written.get(name) ?? 0, files: 1 };
      },
    },
    MIN,
  );
  const start = (name: string, policy: ClientLimits = {}) => {
    const watched = watch.watch(scratch(name), policy, 1000 - used());
    watched.countDeletedFiles(async () => deleted.get(name) ?? 0);
    return {
      ...watched,
      write: (n: number) => written.set(name, n),
      writeDeleted: (n: number) => deleted.set(name, n),
    };
  };
  const writeForeign = (n: number) => {
    foreign = n;
  };
  const delayCounts = (name: string, ms: number) => delays.set(name, ms);
  return { start, writeForeign, delayCounts, hide: (name: string) => hidden.add(name) };
}

const sleep = async (ms: number): Promise<void> => {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
};

test('stops the largest conversion if disk space is short; the others continue once its files are removed', async () => {
  const { start } = disk();
  const [small, large] = [start('small'), start('large')];
  small.write(300);
  large.write(600);
  await vi.advanceTimersByTimeAsync(2000);
  expect([small.signal.aborted, large.signal.aborted]).toEqual([false, false]);

  large.write(601);
  await vi.advanceTimersByTimeAsync(250);
  expect([small.signal.aborted, large.signal.aborted]).toEqual([false, true]);
  // It takes a while until the conversion has stopped and its files are removed.
  await vi.advanceTimersByTimeAsync(5000);
  large.end();
  await vi.advanceTimersByTimeAsync(500);
  large.write(0);
  await vi.advanceTimersByTimeAsync(5000);
  expect(small.signal.aborted).toBe(false);
});

test('counts the deleted files that a conversion holds open', async () => {
  const { start } = disk();
  const [honest, hiding] = [start('honest'), start('hiding')];
  honest.write(300);
  hiding.writeDeleted(601);
  await vi.advanceTimersByTimeAsync(250);
  expect([honest.signal.aborted, hiding.signal.aborted]).toEqual([false, true]);
  // The deleted files disappear with ffmpeg, but the conversion did fill the disk.
  hiding.writeDeleted(0);
  expect([await honest.hasFilledDisk(), await hiding.hasFilledDisk()]).toEqual([true, true]);

  const [within, beyond] = [start('within', { scratch: 300 }), start('beyond', { scratch: 300 })];
  within.writeDeleted(1);
  beyond.writeDeleted(301);
  await vi.advanceTimersByTimeAsync(250);
  expect([within.signal.aborted, beyond.signal.aborted]).toEqual([false, true]);
});

test('stops a conversion above its limit within seconds, also after a count that took long', async () => {
  const { start, delayCounts } = disk();
  const watched = start('busy', { scratch: 300 });
  delayCounts('busy', 5000);
  await vi.advanceTimersByTimeAsync(5500);
  delayCounts('busy', 0);
  watched.write(301);
  await vi.advanceTimersByTimeAsync(10_500);
  expect(watched.signal.aborted).toBe(true);
});

test('blames no conversion for disk space that others took', async () => {
  const { start, writeForeign } = disk();
  const [one, other] = [start('one'), start('other')];
  one.write(100);
  other.write(120);
  writeForeign(690);
  await vi.advanceTimersByTimeAsync(2000);
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false]);
  // Half of the reserve is used.
  writeForeign(740);
  await vi.advanceTimersByTimeAsync(250);
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, true]);
  expect(await other.hasFilledDisk()).toBe(false);
});

test('stops a conversion that cannot be measured, and no other one in its place', async () => {
  const { start, hide } = disk();
  const [honest, hidden] = [start('honest'), start('hidden')];
  honest.write(300);
  hidden.write(100);
  await vi.advanceTimersByTimeAsync(2000);
  hide('hidden');
  hidden.write(650);
  await vi.advanceTimersByTimeAsync(250);
  expect([honest.signal.aborted, hidden.signal.aborted]).toEqual([false, true]);
  expect(hidden.signal.reason).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('a conversion that cannot be measured is stopped even if much disk space is free', async () => {
  const { start, hide } = disk();
  const [other, hidden] = [start('other'), start('hidden')];
  hide('hidden');
  await vi.advanceTimersByTimeAsync(1000);
  expect([other.signal.aborted, hidden.signal.aborted]).toEqual([false, true]);
});

test('counts a conversion in its first second only if it could exceed a limit by then', async () => {
  const { start, hide } = disk();
  const [without, small] = [start('without', { scratch: 10 ** 12 }), start('small', { scratch: 10 ** 8 })];
  hide('without');
  hide('small');
  await vi.advanceTimersByTimeAsync(750);
  expect([without.signal.aborted, small.signal.aborted]).toEqual([false, true]);
});

test('stops the next conversion if stopping one did not free enough disk space', async () => {
  const { start } = disk();
  const [first, second] = [start('first'), start('second')];
  first.write(500);
  second.write(460);
  await vi.advanceTimersByTimeAsync(250);
  first.end();
  await vi.advanceTimersByTimeAsync(1500);
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
});

test('stops a conversion over its limit, however much disk space is free', async () => {
  const { start } = disk();
  const [one, other] = [start('one', { scratch: 300 }), start('other', { scratch: 400 })];
  one.write(300);
  other.write(301);
  await vi.advanceTimersByTimeAsync(1000);
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false]);
  one.write(301);
  await vi.advanceTimersByTimeAsync(250);
  expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
  expect(one.signal.reason).toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('300 B') });
});

test('has no timer while no conversion runs', () => {
  const { start } = disk();
  start('only').end();
  expect(vi.getTimerCount()).toBe(0);
});

test('remembers that the disk was full, whoever filled it', async () => {
  const { start, writeForeign } = disk();
  const [before, later] = [start('before'), start('later')];
  expect(await before.hasMetFullDisk()).toBe(false);
  later.end();
  writeForeign(940);
  await vi.advanceTimersByTimeAsync(300);
  expect(await later.hasMetFullDisk(), 'it is full now').toBe(true);
  writeForeign(0);
  expect(await before.hasMetFullDisk()).toBe(true);
  expect(await later.hasMetFullDisk()).toBe(false);
  expect(before.signal.aborted).toBe(false);
});

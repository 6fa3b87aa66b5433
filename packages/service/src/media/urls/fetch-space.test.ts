import { expect, test } from 'vitest';
import { fetchSpace } from './fetch-space.ts';

/** A disk to which fetches write. 100 bytes must stay free. */
function openDisk(freeBytes: number) {
  const disk = { freeBytes };
  const clock = { ms: 0 };
  const space = fetchSpace({ freeBytes: async () => disk.freeBytes, minFreeBytes: 100, now: () => clock.ms });
  const announce = (bytes: number, owner?: string) => {
    const file = { written: 0, missing: bytes };
    const share = space.open(() => file, owner);
    const write = (written: number): void => {
      file.written += written;
      file.missing -= written;
      disk.freeBytes -= written;
    };
    const remove = (): void => {
      disk.freeBytes += file.written;
      share.end();
    };
    return { ...share, write, remove, announceMore: (more: number) => (file.missing += more) };
  };
  return { disk, clock, announce, mayBegin: space.mayBegin };
}

test('of fetches that begin at the same time, only those that fit together begin', async () => {
  const { announce } = openDisk(1000);
  const shares = [announce(500), announce(500), announce(300), announce(901)];
  expect(await Promise.all(shares.map(({ check }) => check(false)))).toEqual(['fits', 'taken', 'fits', 'full']);
});

test('what a fetch has written no longer counts as announced, and a fetch that has ended no longer counts', async () => {
  const { announce } = openDisk(1000);
  const [first, second, third] = [announce(500), announce(500), announce(400)];
  expect(await first.check(false)).toBe('fits');
  first.write(400);
  expect(await second.check(false)).toBe('taken');
  expect(await third.check(false)).toBe('fits');
  first.end();
  third.end();
  expect(await second.check(false)).toBe('fits');
});

test('if something else fills the disk, the fetches that began first go on', async () => {
  const { disk, announce } = openDisk(1000);
  const [first, second] = [announce(400), announce(400)];
  for (const { check } of [first, second]) expect(await check(false)).toBe('fits');
  disk.freeBytes -= 300;
  expect([await first.check(false), await second.check(false)]).toEqual(['fits', 'taken']);
});

test('a fetch that grows leaves others what they have announced, and so does one whose size is unknown', async () => {
  const { disk, announce } = openDisk(1000);
  const [growing, unknown, other] = [announce(100), announce(0), announce(700)];
  expect(await growing.check(false)).toBe('fits');
  expect(await unknown.check(true)).toBe('fits');
  expect(await other.check(false)).toBe('fits');
  growing.announceMore(101);
  expect(await growing.check(false)).toBe('taken');
  disk.freeBytes -= 101;
  expect(await unknown.check(true)).toBe('taken');
});

test('a fetch that was given up holds nothing', async () => {
  const { announce } = openDisk(1000);
  const [late, other] = [announce(500), announce(900)];
  const checked = late.check(false);
  late.end();
  await checked;
  expect(await other.check(false)).toBe('fits');
});

test('a fetch that fits alone waits for another one until its files are removed, and one that never fits fails at once', async () => {
  const { announce } = openDisk(1000);
  const [first, second, third] = [announce(500), announce(501), announce(901)];
  expect(await first.check(false)).toBe('fits');
  for (const written of [1, 399, 100]) {
    first.write(written);
    expect([await second.check(false), await third.check(false)]).toEqual(['taken', 'full']);
  }
  first.remove();
  expect(await second.check(false)).toBe('fits');
});

test('fetches that share the disk beside something that fills it do not both fail', async () => {
  const { disk, announce } = openDisk(1000);
  const [first, second] = [announce(450), announce(450)];
  for (const { check } of [first, second]) expect(await check(false)).toBe('fits');
  for (const { write } of [first, second]) write(200);
  disk.freeBytes -= 300;
  expect([await first.check(false), await second.check(false)]).toEqual(['taken', 'taken']);
  second.remove();
  expect(await first.check(false)).toBe('fits');
});

test('a large fetch that waits keeps its turn before small ones that begin later, so that its wait ends', async () => {
  const { announce, mayBegin } = openDisk(1000);
  const [small, large] = [announce(300, 'small'), announce(700, 'large')];
  expect([await small.check(false), await large.check(false)]).toEqual(['fits', 'taken']);
  large.end();
  const [later, beside] = [announce(300, 'later'), announce(100, 'beside')];
  expect([await later.check(false), await beside.check(false)]).toEqual(['taken', 'taken']);
  expect(await mayBegin('large')).toBe(false);
  small.end();
  expect([await mayBegin('later'), await mayBegin('large'), await mayBegin('unknown')]).toEqual([false, true, true]);
  expect(await announce(300, 'later').check(false)).toBe('taken');
  // The space for all 700 bytes stays reserved, even if the job announces its files one after the other.
  const again = announce(100, 'large');
  expect(await again.check(false)).toBe('fits');
  expect(await announce(300, 'later').check(false)).toBe('taken');
  again.announceMore(600);
  expect(await again.check(false)).toBe('fits');
  expect(await announce(200, 'new').check(false), 'a job that waits for longer goes first').toBe('taken');
  again.end();
  expect(await announce(300, 'later').check(false)).toBe('fits');
});

test('a large fetch whose job comes back late, because all workers are busy, keeps its next turn for longer', async () => {
  const { announce, clock } = openDisk(1000);
  const attempt = async (ms: number) => {
    clock.ms = ms;
    return announce(700, 'large').check(false);
  };
  const small = announce(400, 'small');
  expect([await small.check(false), await attempt(0)]).toEqual(['fits', 'taken']);
  expect(await attempt(300_000)).toBe('taken');
  clock.ms = 800_000;
  const later = announce(300, 'later');
  expect(await later.check(false)).toBe('taken');
  small.end();
  expect(await attempt(850_000)).toBe('fits');
});

test('a fetch whose job never comes back keeps its turn for two minutes', async () => {
  const { announce, clock } = openDisk(1000);
  const small = announce(300, 'small');
  expect([await small.check(false), await announce(700, 'cancelled').check(false)]).toEqual(['fits', 'taken']);
  clock.ms = 119_000;
  expect(await announce(500, 'later').check(false)).toBe('taken');
  clock.ms = 120_000;
  expect(await announce(500, 'later').check(false)).toBe('fits');
});

import { expect, test } from 'vitest';
import { fetchSpace } from './fetch-space.ts';

/** A disk to which fetches write. 100 bytes must stay free. */
function openDisk(freeBytes: number) {
  const disk = { freeBytes };
  const space = fetchSpace({ freeBytes: async () => disk.freeBytes, minFreeBytes: 100 });
  const announce = (bytes: number) => {
    const file = { written: 0, missing: bytes };
    const share = space.open(() => file);
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
  return { disk, announce };
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

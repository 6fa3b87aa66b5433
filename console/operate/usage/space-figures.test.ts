import { expect, test } from 'vitest';
import { shareText, spaceFigures, spaceShares } from './space-figures.ts';

const total = { clients: 2, storedBytes: 80e9, binBytes: 5e9 };

test('the parts of a disk add up to its size, and the free space has its share', () => {
  const disk = { totalBytes: 100e9, freeBytes: 9.9e9, otherBytes: 5.1e9 };
  expect(spaceFigures({ disk, total }).map(({ name, value, detail }) => [name, value, detail])).toEqual([
    ['Files of clients', '80\u00a0GB', undefined],
    ['Bins', '5\u00a0GB', undefined],
    ['Other data', '5.1\u00a0GB', undefined],
    ['Free', '9.9\u00a0GB', '9\u00a0% of 100\u00a0GB'],
  ]);
});

test('less than 20 % of free space is low', () => {
  const isLow = (freeBytes: number) =>
    spaceFigures({ disk: { totalBytes: 100, freeBytes, otherBytes: 0 }, total }).at(-1)?.isLow;
  expect([isLow(19), isLow(20)]).toEqual([true, false]);
});

test('media in a bucket have no free space', () => {
  expect(spaceFigures({ total }).map(({ name }) => name)).toEqual(['Files of clients', 'Bins']);
});

test('the shares of the disk add up to its size in the order of the figures, and there are none for a bucket', () => {
  const total = { storedBytes: 3, binBytes: 2, clients: 1 };
  const disk = { totalBytes: 10, freeBytes: 4, otherBytes: 1 };
  const shares = spaceShares({ disk, total });
  expect(shares.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(10);
  expect(shares.map(({ part }) => part)).toEqual(spaceFigures({ disk, total }).map(({ part }) => part));
  expect(spaceShares({ total })).toEqual([]);
});

test('a share that is too small to be drawn says so', () => {
  const disk = { totalBytes: 100e9, freeBytes: 50e9, otherBytes: 50e9 };
  const details = (storedBytes: number) =>
    spaceFigures({ disk, total: { clients: 1, storedBytes, binBytes: 0 } }).map(({ detail }) => detail);
  expect(details(8e6)[0]).toBe('<0.1\u00a0% of the disk');
  expect(details(1e9)[0]).toBeUndefined();
  expect(details(0)[0]).toBeUndefined();
});

test('a client that has stored something has a share, however small', () => {
  expect(shareText(7e6, 10e6)).toBe('70\u00a0%');
  expect(shareText(1, 10e9)).toBe('<1\u00a0%');
  expect(shareText(0, 10e9)).toBe('0\u00a0%');
  expect(shareText(0, 0)).toBe('0\u00a0%');
});

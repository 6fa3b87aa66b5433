import { expect, test } from 'vitest';
import { spaceFigures } from './space-figures.ts';

const total = { clients: 2, storedBytes: 80e9, binBytes: 5e9 };

test('the parts of a disk add up to its size, and the free space has its share', () => {
  const disk = { totalBytes: 100e9, freeBytes: 9.9e9, otherBytes: 5.1e9 };
  expect(spaceFigures({ disk, total })).toEqual([
    ['Disk', '100 GB'],
    ['Files of clients', '80 GB'],
    ['Bins', '5 GB'],
    ['Other data', '5.1 GB'],
    ['Free', '9.9 GB (9 %)'],
  ]);
});

test('media in a bucket have no free space', () => {
  expect(spaceFigures({ total })).toEqual([
    ['Files of clients', '80 GB'],
    ['Bins', '5 GB'],
  ]);
});

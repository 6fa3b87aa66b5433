import { expect, test } from 'vitest';
import { readRange } from './file-transfer.ts';

const bytes = (first: number, last: number) => ({ first, last });

test.each([
  ['bytes=0-0', bytes(0, 0)],
  ['bytes=0-', bytes(0, 99)],
  ['bytes=10-19', bytes(10, 19)],
  ['bytes=90-1000', bytes(90, 99)],
  ['bytes=99-', bytes(99, 99)],
  ['bytes=-1', bytes(99, 99)],
  ['bytes=-100', bytes(0, 99)],
  ['bytes=-1000', bytes(0, 99)],
  ['Bytes = 1 - 2 ', bytes(1, 2)],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
])('reads a range of a file of 100 bytes: %s is %o', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=20-10',
  'bytes=0-1,5-6',
  'items=0-1',
  'bytes=0x1-2',
])('sends the whole file for %s', (header) => {
  expect(readRange(header, 100)).toBeUndefined();
});

test('an empty file satisfies no range', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readRange('bytes=-1', 0)).toBe('unsatisfiable');
});

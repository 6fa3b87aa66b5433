import { expect, test } from 'vitest';
import { bytesInFlight } from './request-holds.ts';

type Holders = Parameters<ReturnType<typeof bytesInFlight>['add']>[0];

/** Adds the bytes if they fit. */
function limited(limit: number) {
  const bytes = bytesInFlight(limit);
  const hold = (holders: Holders, count: number): boolean => {
    const fits = bytes.fits(holders, count);
    if (fits) bytes.add(holders, count);
    return fits;
  };
  return { ...bytes, hold };
}

const alice = [{ key: 'alice', part: 1 / 2 }];
const bob = [{ key: 'bob', part: 1 / 2 }];
const carol = [{ key: 'carol', part: 1 / 2 }];

test('a caller can hold half of the bytes, and others the rest', () => {
  const bytes = limited(100);
  expect([bytes.hold(alice, 30), bytes.hold(alice, 20), bytes.hold(alice, 1)]).toEqual([true, true, false]);
  expect([bytes.hold(bob, 50), bytes.hold(carol, 1)]).toEqual([true, false]);
  bytes.remove(alice, 20);
  expect([bytes.hold(carol, 1), bytes.hold(alice, 20)]).toEqual([true, true]);
});

test('a body or a reply that is larger than the limit fits alone', () => {
  const bytes = limited(100);
  expect([bytes.hold(alice, 500), bytes.hold(alice, 1), bytes.hold(bob, 1)]).toEqual([true, false, false]);
  bytes.remove(alice, 500);
  expect(bytes.hold(bob, 60)).toBe(true);
});

test('bytes that are in memory already count, although there is no room', () => {
  const bytes = limited(100);
  bytes.add(alice, 300);
  expect(bytes.hold(bob, 1)).toBe(false);
  bytes.remove(alice, 300);
  expect(bytes.hold(bob, 1)).toBe(true);
});

test('several holders of the same bytes have their parts, and none of them more', () => {
  const bytes = limited(100);
  const all = { key: 'all', part: 0.3 };
  const [first, second] = ['first', 'second'].map((key) => [{ key, part: 0.2 }, all]) as [
    (typeof all)[],
    (typeof all)[],
  ];
  expect([bytes.hold(first, 20), bytes.hold(first, 1)]).toEqual([true, false]);
  expect([bytes.hold(second, 10), bytes.hold(second, 1), bytes.hold(alice, 50)]).toEqual([true, false, true]);
  bytes.remove(first, 20);
  expect([bytes.hold(second, 10), bytes.hold(first, 10), bytes.hold(first, 1)]).toEqual([true, true, false]);
});

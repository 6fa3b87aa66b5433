import { expect, test } from 'vitest';
import { bytesInFlight } from './request-holds.ts';

const alice = [{ key: 'alice', part: 1 / 2 }];
const bob = [{ key: 'bob', part: 1 / 2 }];
const carol = [{ key: 'carol', part: 1 / 2 }];

test('a caller can hold half of the bytes, and others the rest', () => {
  const bytes = bytesInFlight(100);
  expect([bytes.hold(alice, 30), bytes.hold(alice, 20), bytes.hold(alice, 1)]).toEqual([true, true, false]);
  expect([bytes.hold(bob, 50), bytes.hold(carol, 1)]).toEqual([true, false]);
  bytes.release(alice, 20);
  expect([bytes.hold(carol, 1), bytes.hold(alice, 20)]).toEqual([true, true]);
});

test('a body or a reply that is larger than the limit fits alone', () => {
  const bytes = bytesInFlight(100);
  expect([bytes.hold(alice, 500), bytes.hold(alice, 1), bytes.hold(bob, 1)]).toEqual([true, false, false]);
  bytes.release(alice, 500);
  expect(bytes.hold(bob, 60)).toBe(true);
});

test('bytes that are in memory already count, although there is no room', () => {
  const bytes = bytesInFlight(100);
  bytes.force(alice, 300);
  expect(bytes.hold(bob, 1)).toBe(false);
  bytes.release(alice, 300);
  expect(bytes.hold(bob, 1)).toBe(true);
});

test('several holders of the same bytes have their parts, and none of them more', () => {
  const bytes = bytesInFlight(100);
  const all = { key: 'all', part: 0.3 };
  const [first, second] = ['first', 'second'].map((key) => [{ key, part: 0.2 }, all]) as [
    (typeof all)[],
    (typeof all)[],
  ];
  expect([bytes.hold(first, 20), bytes.hold(first, 1)]).toEqual([true, false]);
  expect([bytes.hold(second, 10), bytes.hold(second, 1), bytes.hold(alice, 50)]).toEqual([true, false, true]);
  bytes.release(first, 20);
  expect([bytes.hold(second, 10), bytes.hold(first, 10), bytes.hold(first, 1)]).toEqual([true, true, false]);
});

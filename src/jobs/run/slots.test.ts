import { expect, test } from 'vitest';
import { freeSlots } from './slots.ts';

test('a worker has its slots for any job, and one more for a light job', () => {
  expect(freeSlots(2, [], [])).toEqual({ any: 2, light: 1 });
  expect(freeSlots(2, ['full', 'full'], ['full', 'full'])).toEqual({ any: 0, light: 1 });
});

test('a light job occupies the reserved slot first', () => {
  expect(freeSlots(2, ['light'], ['light'])).toEqual({ any: 2, light: 0 });
  expect(freeSlots(2, ['light', 'full'], ['light', 'full'])).toEqual({ any: 1, light: 0 });
  expect(freeSlots(2, ['light', 'light', 'light'], ['light', 'light', 'light'])).toEqual({ any: 0, light: 0 });
});

test('jobs that are being published leave their slots free, but at most as many as there are slots', () => {
  expect(freeSlots(2, [], ['full', 'full', 'full'])).toEqual({ any: 1, light: 1 });
  expect(freeSlots(2, [], ['full', 'full', 'full', 'full'])).toEqual({ any: 0, light: 1 });
  expect(freeSlots(2, [], ['light', 'light'])).toEqual({ any: 2, light: 0 });
});

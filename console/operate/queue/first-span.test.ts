import { expect, test } from 'vitest';
import { firstSpan } from './first-span.ts';
import type { Span } from './history-span.ts';

/** A history in which each span has this number of points with a job. */
const history = (counts: Readonly<Partial<Record<Span, number>>>) => async (span: Span) => ({
  points: Array.from({ length: 10 }, (_, index) => ({
    accepted: index < (counts[span] ?? 0) ? 1 : 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
  })),
});

test('a history opens with the shortest span whose plots have a shape', async () => {
  expect(await firstSpan(history({ hour: 6, day: 8, week: 1, month: 1 }))).toBe('hour');
  // One job in the last hour says less than the day before it.
  expect(await firstSpan(history({ hour: 1, day: 8, week: 2, month: 2 }))).toBe('day');
});

test('a history with few jobs opens with the shortest span that has one', async () => {
  expect(await firstSpan(history({ week: 1, month: 2 }))).toBe('week');
  expect(await firstSpan(history({}))).toBe('hour');
});

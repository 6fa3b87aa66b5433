import { expect, test } from 'vitest';
import { isExpected } from './expected-delivery.ts';

const NOW = Date.parse('2026-11-27T18:00:00Z');

test('the result of an attempt that is near is expected', () => {
  expect(isExpected({ state: 'PENDING', nextAttemptAt: '2026-11-27T18:00:30Z' }, NOW)).toBe(true);
  expect(isExpected({ state: 'PENDING', nextAttemptAt: '2026-11-27T17:59:30Z' }, NOW)).toBe(true);
  expect(isExpected({ state: 'PENDING', nextAttemptAt: '2026-11-27T18:05:00Z' }, NOW)).toBe(false);
});

test('no result is expected of an attempt that is long overdue, nor after the last one', () => {
  expect(isExpected({ state: 'PENDING', nextAttemptAt: '2026-11-27T17:50:00Z' }, NOW)).toBe(false);
  expect(isExpected({ state: 'FAILED' }, NOW)).toBe(false);
});

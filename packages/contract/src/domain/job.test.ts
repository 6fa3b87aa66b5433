import { expect, test } from 'vitest';
import { isFirstAttempt } from './job.ts';

const at = (startedAt: string) => [{ phase: 'STAGING', startedAt }] as const;

test('an attempt after one that did not count is not the first, although it has the same number', () => {
  expect(isFirstAttempt({ startedAt: '2026-11-20T10:00:00Z', phases: at('2026-11-20T10:00:00Z') })).toBe(true);
  expect(isFirstAttempt({ startedAt: '2026-11-20T10:00:00Z', phases: at('2026-11-20T10:00:09Z') })).toBe(false);
});

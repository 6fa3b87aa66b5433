import { expect, test } from 'vitest';
import { lastUseText } from './last-use-text.ts';

test('the last use of a client is not more exact than it is stored', () => {
  const now = Date.parse('2026-11-27T18:00:00Z');
  expect(lastUseText('2026-11-27T17:59:59Z', now)).toBe('in the last hour');
  expect(lastUseText('2026-11-27T17:00:01Z', now)).toBe('in the last hour');
  expect(lastUseText('2026-11-27T17:00:00Z', now)).toBe('1\u00a0h ago');
  expect(lastUseText('2026-11-24T18:00:00Z', now)).toBe('3\u00a0d ago');
});

test('the last use of a client whose service has a clock ahead is in the last hour', () => {
  expect(lastUseText('2026-11-27T18:00:30Z', Date.parse('2026-11-27T18:00:00Z'))).toBe('in the last hour');
});

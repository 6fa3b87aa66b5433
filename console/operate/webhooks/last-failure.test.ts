import { expect, test } from 'vitest';
import { lastFailure } from './last-failure.ts';

const attempt = (at: string, error?: string) => ({
  at,
  seconds: 1,
  ...(error === undefined ? { status: 204 } : { error }),
});

test('the reason is that of the latest failed attempt, also if an older delivery was tried again later', () => {
  const deliveries = [
    { attempts: [] },
    { attempts: [attempt('2026-01-01T10:00:00Z', 'It replied 500.')] },
    { attempts: [attempt('2026-01-01T09:00:00Z', 'It replied 404.'), attempt('2026-01-01T11:00:00Z', 'No address.')] },
  ];
  expect(lastFailure(deliveries)).toBe('No address.');
});

test('without a failed attempt there is no reason', () => {
  expect(lastFailure([{ attempts: [attempt('2026-01-01T10:00:00Z')] }, { attempts: [] }])).toBeUndefined();
});

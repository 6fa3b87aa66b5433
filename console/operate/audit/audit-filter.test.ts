import { expect, test } from 'vitest';
import { auditQueryOf, isDay, queryOfTime, readAuditFilter, TIMES, timeChoiceOf } from './audit-filter.ts';

test('a filter is read from an address, without what it does not know', () => {
  const query = { action: 'job.cancel', outcome: 'lost', client: ' shop ', target: 42, from: '2026-01-31', to: 'soon' };
  expect(readAuditFilter(query)).toEqual({ action: 'job.cancel', client: 'shop', target: '42', from: '2026-01-31' });
});

test('days begin and end where the reader is', () => {
  const { from, to, client } = auditQueryOf({ client: 'shop', from: '2026-01-31', to: '2026-01-31' });
  expect(client).toBe('shop');
  expect(new Date(String(from)).getHours()).toBe(0);
  expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(86_400_000);
});

test('the last hour ends now, and has no days', () => {
  const filter = readAuditFilter({ latest: 'hour', from: '2026-01-31', to: '2026-01-31' });
  expect(filter).toEqual({ latest: 'hour' });
  expect(auditQueryOf(filter, new Date('2026-01-31T00:30:00Z'))).toEqual({ from: '2026-01-30T23:30:00.000Z' });
  expect(readAuditFilter({ latest: 'century' })).toEqual({});
});

test.each(TIMES)('the choice "$name" is chosen again when its address is opened', ({ value }) => {
  const now = new Date('2026-01-31T12:00:00');
  const days = value === 'days' ? { from: '2026-01-30', to: '2026-01-31' } : {};
  expect(timeChoiceOf(readAuditFilter({ ...days, ...queryOfTime(value, now) }), now)).toBe(value);
});

test('a shared address of today keeps the day', () => {
  const now = new Date('2026-01-31T12:00:00');
  const today = readAuditFilter({ action: '', ...queryOfTime('today', now) });
  expect(today).toEqual({ from: '2026-01-31' });
  expect(timeChoiceOf(today, new Date('2026-02-01T12:00:00'))).toBe('days');
});

test('a day that no calendar has is ignored', () => {
  expect(readAuditFilter({ from: '2026-02-30', to: '2026-13-01' })).toEqual({});
  expect(['2026-02-30', '2026-13-01', '2026-1-31', 'soon', ''].filter(isDay)).toEqual([]);
  expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true);
});

import { expect, test } from 'vitest';
import { isActiveAt } from './active-hours.ts';

const AT = (text: string): Date => new Date(text);
const NIGHT = [{ days: ['mon', 'tue'] as const, from: '22:00', to: '06:00' }];

test('a watch without active hours is always active', () => {
  expect(isActiveAt(undefined, undefined, AT('2026-11-23T03:00:00Z'))).toBe(true);
});

test.each([
  ['2026-11-23T21:59:00Z', false],
  ['2026-11-23T22:00:00Z', true],
  ['2026-11-24T05:59:00Z', true],
  ['2026-11-24T06:00:00Z', false],
  // The hours that begin on Tuesday end on Wednesday morning, and none begin on Wednesday.
  ['2026-11-25T05:00:00Z', true],
  ['2026-11-25T23:00:00Z', false],
  ['2026-11-23T05:00:00Z', false],
])('hours over midnight belong to the day on which they begin: %s', (at, isActive) => {
  expect(isActiveAt(NIGHT, undefined, AT(at))).toBe(isActive);
});

test('hours are by the clock of their time zone, also after it has changed', () => {
  const hours = [{ from: '08:00', to: '09:00' }];
  expect(isActiveAt(hours, 'Europe/Berlin', AT('2026-01-05T07:30:00Z'))).toBe(true);
  expect(isActiveAt(hours, 'Europe/Berlin', AT('2026-07-06T07:30:00Z'))).toBe(false);
  expect(isActiveAt(hours, 'Europe/Berlin', AT('2026-07-06T06:30:00Z'))).toBe(true);
});

test('equal times are a whole day, and several hours count together', () => {
  expect(isActiveAt([{ days: ['sun'], from: '00:00', to: '00:00' }], undefined, AT('2026-11-22T13:00:00Z'))).toBe(true);
  const hours = [
    { from: '01:00', to: '02:00' },
    { from: '12:00', to: '14:00' },
  ];
  expect(isActiveAt(hours, undefined, AT('2026-11-22T13:00:00Z'))).toBe(true);
  expect(isActiveAt(hours, undefined, AT('2026-11-22T11:00:00Z'))).toBe(false);
});

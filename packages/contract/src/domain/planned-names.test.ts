import { expect, test } from 'vitest';
import { isPlannedName, type PlannedName } from './planned-names.ts';

const NUMBER = { any: 'number' } as const;
const DATE = { any: 'date' } as const;

test.each<[PlannedName, string]>([
  [['a.mp4'], 'a.mp4'],
  [['seg', NUMBER, '.ts'], 'seg0007.ts'],
  [['seg', NUMBER, '.ts'], 'seg-3.ts'],
  [['1', NUMBER, '.ts'], '11.ts'],
  [[DATE, '_', NUMBER, '.ts'], '2026-11-20_3.ts'],
  [[DATE, '-', DATE, '.ts'], 'September-04-2.ts'],
  [['v', { oneOf: ['1', '11'] }, '/', NUMBER, '.ts'], 'v11/4.ts'],
])('%j names %s', (parts, name) => expect(isPlannedName([['other'], parts], name)).toBe(true));

test.each<[PlannedName, string]>([
  [['a.mp4'], 'a.mp4x'],
  [['a.mp4'], 'xa.mp4'],
  [['seg', NUMBER, '.ts'], 'seg.ts'],
  [['seg', NUMBER, '.ts'], 'seg1x.ts'],
  [['seg', NUMBER, '.ts'], 'seg1.ts\n'],
  [['seg', NUMBER, '.ts'], 'seg1.ts\n.ts'],
  [[DATE, '.ts'], '../a.ts'],
  [[DATE, '.ts'], '.ts'],
  [['v', { oneOf: ['high'] }, '.m3u8'], 'vlow.m3u8'],
])('%j does not name %j', (parts, name) => expect(isPlannedName([parts], name)).toBe(false));

test('a name that nearly matches many counters is decided at once', () => {
  const parts = Array.from({ length: 120 }, () => NUMBER);
  expect(isPlannedName([[...parts, 'x']], '1'.repeat(255))).toBe(false);
});

import { expect, test } from 'vitest';
import { WATCH_LIMITS } from '../domain/watch.ts';
import { newWatchBody, watchRetryBody, watchScanBody } from './watch.ts';

const REQUEST = { output: 'out/{name}.mp4' };
const HOURS = { days: ['mon'], from: '22:00', to: '06:00' };
const { nameLength, patterns, patternLength, settleSeconds, maxUnfinished, activeHours, retriedPaths, eventRecords } =
  WATCH_LIMITS;

const watch = (settings: object) => newWatchBody.safeParse({ folder: 'in/', request: REQUEST, ...settings });
const repeat = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

test.each<[string, number, number, (size: number) => { readonly success: boolean }]>([
  ['characters in a name', 1, nameLength, (size) => watch({ name: 'x'.repeat(size) })],
  ['patterns', 1, patterns, (size) => watch({ patterns: repeat(size, '*.mov') })],
  ['characters in a pattern', 1, patternLength, (size) => watch({ patterns: ['x'.repeat(size)] })],
  ['seconds to settle', settleSeconds.min, settleSeconds.max, (size) => watch({ settleSeconds: size })],
  ['unfinished jobs', maxUnfinished.min, maxUnfinished.max, (size) => watch({ maxUnfinished: size })],
  ['hours', 1, activeHours, (size) => watch({ activeHours: repeat(size, HOURS), timeZone: 'UTC' })],
  ['paths to retry', 1, retriedPaths, (size) => watchRetryBody.safeParse({ paths: repeat(size, 'in/a.mov') })],
])('a watch has as many %s as its limits allow: from %i to %i', (_what, least, most, parse) => {
  const sizes = [least - 1, least, most, most + 1];
  expect(sizes.map((size) => parse(size).success)).toEqual([false, true, true, false]);
});

test('an event of a bucket has as many records as the limit allows', () => {
  const isAllowed = (size: number): boolean =>
    watchScanBody.safeParse({ Records: repeat(size, { s3: { object: { key: 'in/a.mov' } } }) }).success;
  expect([eventRecords, eventRecords + 1].map(isAllowed)).toEqual([true, false]);
});

test.each([
  ['MinIO or AWS', (key: string) => ({ Records: [{ s3: { object: { key } } }] })],
  ['EventBridge', (key: string) => ({ detail: { object: { key } } })],
])('an event of %s names a key of S3 with all its encoding, and nothing longer', (_server, eventOf) => {
  const isAllowed = (key: string): boolean => watchScanBody.safeParse(eventOf(key)).success;
  expect(isAllowed(`in/${'%C3'.repeat(1021)}`)).toBe(true);
  expect(isAllowed(`in/${'x'.repeat(4096)}`)).toBe(false);
});

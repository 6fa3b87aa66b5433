import { expect, test } from 'vitest';
import { WATCH_LIMITS } from '../domain/watch.ts';
import { newWatchBody, watchRetryBody } from './watch.ts';

const REQUEST = { output: 'out/{name}.mp4' };
const { nameLength, patterns, patternLength, settleSeconds, maxUnfinished, every, retriedPaths } = WATCH_LIMITS;

const watch = (settings: object) => newWatchBody.safeParse({ folder: 'in/', request: REQUEST, ...settings });
const repeat = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

test.each<[string, number, number, (size: number) => { readonly success: boolean }]>([
  ['characters in a name', 1, nameLength, (size) => watch({ name: 'x'.repeat(size) })],
  ['patterns', 1, patterns, (size) => watch({ patterns: repeat(size, '*.mov') })],
  ['characters in a pattern', 1, patternLength, (size) => watch({ patterns: ['x'.repeat(size)] })],
  ['seconds to settle', settleSeconds.min, settleSeconds.max, (size) => watch({ settleSeconds: size })],
  ['unfinished jobs', maxUnfinished.min, maxUnfinished.max, (size) => watch({ maxUnfinished: size })],
  ['excluded patterns', 1, patterns, (size) => watch({ exclude: repeat(size, '*.mov') })],
  ['seconds between lists', every.min, every.max, (size) => watch({ every: size })],
  ['paths to retry', 1, retriedPaths, (size) => watchRetryBody.safeParse({ paths: repeat(size, 'in/a.mov') })],
])('a watch has as many %s as its limits allow: from %i to %i', (_what, least, most, parse) => {
  const sizes = [least - 1, least, most, most + 1];
  expect(sizes.map((size) => parse(size).success)).toEqual([false, true, true, false]);
});

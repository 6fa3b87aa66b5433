import { expect, test } from 'vitest';
import { parseRelease, releaseSupport } from './build.ts';

test.each<[string, readonly [number, number] | undefined, string]>([
  ['5.1.9-0+deb12u1', [5, 1], 'supported'],
  ['n7.1', [7, 1], 'supported'],
  ['8.0-full_build-www.gyan.dev', [8, 0], 'supported'],
  ['4.4.2-0ubuntu0.22.04.1', [4, 4], 'too old'],
  ['5.0.1', [5, 0], 'too old'],
  ['N-47683-g0e8eb07980-static', undefined, 'unknown'],
  ['2024-05-01-git-96449cfeae', undefined, 'unknown'],
])('reads the release of %s', (version, release, age) => {
  expect(parseRelease(version)).toEqual(release);
  expect(releaseSupport(release === undefined ? {} : { release })).toBe(age);
});

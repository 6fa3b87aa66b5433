import { expect, test } from 'vitest';
import { isSupported, parseRelease } from './build.ts';

test.each<[string, readonly [number, number] | undefined, boolean]>([
  ['5.1.9-0+deb12u1', [5, 1], true],
  ['n7.1', [7, 1], true],
  ['8.0-full_build-www.gyan.dev', [8, 0], true],
  ['4.4.2-0ubuntu0.22.04.1', [4, 4], false],
  ['5.0.1', [5, 0], false],
  ['N-47683-g0e8eb07980-static', undefined, false],
  ['2024-05-01-git-96449cfeae', undefined, false],
])('reads the release of %s', (version, release, supported) => {
  expect(parseRelease(version)).toEqual(release);
  expect(isSupported(`ffmpeg version ${version} Copyright`)).toBe(supported);
});

test.each([
  ['59. 37.100', true],
  ['61.  3.100', true],
  ['59. 18.100', false],
  ['58.134.100', false],
])('a snapshot with libavcodec %s is as new as ffmpeg 5.1: %s', (libavcodec, supported) => {
  const text = `ffmpeg version N-47683-g0e8eb07980\nlibavutil      99. 28.100 / 57. 28.100\nlibavcodec     ${libavcodec} / 59. 37.100\n`;
  expect(isSupported(text)).toBe(supported);
});

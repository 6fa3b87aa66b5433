import { expect, test } from 'vitest';
import { partLength, partStart } from './part-length.ts';

test.each([
  [undefined, 60],
  [{ r: '25' }, 60],
  [{ ss: '10' }, 50],
  [{ ss: '0:10', to: '0:25.5' }, 15.5],
  [{ ss: '10', t: '5', to: '12' }, 5],
  [{ to: '90' }, 60],
  [{ ss: '70' }, 60],
  [{ ss: 'soon', t: 'long' }, 60],
  [{ sseof: '-10' }, 60],
])('of a film of a minute with the options %j, %d seconds are converted', (options, seconds) => {
  expect(partLength(60, options)).toBe(seconds);
});

test.each([
  [{}, 60, 0],
  [{ ss: '0:10.5' }, undefined, 10.5],
  [{ sseof: '-10.1' }, 60, 49.9],
  // As ffmpeg: it seeks only to a known time inside the file, and prefers `ss`.
  [{ sseof: '-10' }, undefined, 0],
  [{ sseof: '-70' }, 60, 0],
  [{ ss: '5', sseof: '-10' }, 60, 5],
])('the part of the options %j of an input of %s seconds begins at %d s', (options, duration, start) => {
  expect(partStart(options, duration)).toBe(start);
});

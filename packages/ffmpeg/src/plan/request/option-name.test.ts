import { expect, test } from 'vitest';
import { isNameError, parseOptionName, printOptionName } from './option-name.ts';

test.each([
  ['c:v', 'c:v'],
  ['codec', 'c'],
  ['codec:a:1', 'c:a:1'],
  ['vcodec', 'c:v'],
  ['acodec', 'c:a'],
  ['scodec', 'c:s'],
  ['vf', 'filter:v'],
  ['af', 'filter:a'],
  ['lavfi', 'filter_complex'],
  ['vframes', 'frames:v'],
  ['vb', 'b:v'],
  ['ab', 'b:a'],
  ['b', 'b:v'],
  ['b:a', 'b:a'],
  ['qscale', 'q:v'],
  ['qscale:a', 'q:a'],
  ['aq', 'q:a'],
  ['vtag', 'tag:v'],
  ['absf', 'bsf:a'],
  ['profile', 'profile:v'],
  ['channel_layout', 'ch_layout'],
  ['x264-params', 'x264-params'],
  ['metadata:s:a:0', 'metadata:s:a:0'],
])('parses %s as %s', (key, canonical) => {
  const name = parseOptionName(key);
  expect(isNameError(name) ? name : printOptionName(name)).toBe(canonical);
});

test.each(['', '-', '--', '-vf', 'c:', ':v', 'c v', '/map', 'a=b', 'vf:0', 'c\n', 'ä'])(
  'rejects the option name %j',
  (key) => {
    expect(isNameError(parseOptionName(key))).toBe(true);
  },
);

import { expect, test } from 'vitest';
import { missingOf } from './probe-media.ts';

test.each([
  ['in/a.mp4', { path: './in/a.mp4', field: '/input' }],
  ['b.mp4', { path: 'b.mp4', field: '/reference' }],
  ['other.mp4', undefined],
  [undefined, undefined],
])('a failure about the input %s is about %j of the call', (path, file) => {
  expect(missingOf(path, { input: './in/a.mp4', reference: 'b.mp4' })).toEqual(file);
});

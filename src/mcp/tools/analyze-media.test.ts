import { expect, test } from 'vitest';
import { missingOf } from './analyze-media.ts';

test.each([
  ['Input "in/a.mp4" does not exist in your media root.', { path: './in/a.mp4', field: '/input' }],
  ['Input "b.mp4" does not exist in your media root.', { path: 'b.mp4', field: '/reference' }],
  ['Input "b.mp4" does not exist in your media root, but "in/a.mp4" does.', { path: 'b.mp4', field: '/reference' }],
  ['The file was removed.', undefined],
])('the message %s is about %j', (message, file) => {
  expect(missingOf(message, { input: './in/a.mp4', reference: 'b.mp4' })).toEqual(file);
});

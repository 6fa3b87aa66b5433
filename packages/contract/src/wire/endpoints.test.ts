import { expect, test } from 'vitest';
import { pathOf } from './endpoints.ts';

test('escapes parameters, and keeps the slashes of paths', () => {
  expect(pathOf('getJob', { jobId: 'a/b' })).toBe('/api/conversion/a%2Fb');
  expect(pathOf('downloadFile', { path: 'a b/ü%.mp4' })).toBe('/api/files/a%20b/%C3%BC%25.mp4');
  expect(pathOf('downloadFile', { path: 'a/..b/...' })).toBe('/api/files/a/..b/...');
});

test.for(['..', '.', '../clients/shop', 'a/../../clients', 'a/./b', 'a/..'])(
  'rejects %s, which would lead to another operation',
  (path) => {
    expect(() => pathOf('downloadFile', { path })).toThrow(RangeError);
  },
);

test.for(['..', '.'])('rejects the id %s', (jobId) => {
  expect(() => pathOf('getJob', { jobId })).toThrow(RangeError);
});

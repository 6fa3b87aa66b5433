import { expect, test } from 'vitest';
import { fileVersion } from './file-version.ts';

const MODIFIED = 'Wed, 01 Jul 2026 10:00:00 GMT';
const LATER = 'Wed, 01 Jul 2026 10:01:00 GMT';

test('a strong ETag names the version of a file, whatever its date', () => {
  expect(fileVersion({ etag: '"a"' })).toBe('"a"');
  expect(fileVersion({ etag: '"a"', 'last-modified': MODIFIED, date: LATER })).toBe('"a"');
});

test.each(['W/"a"', 'a', '"a', '"a b"', ''])('the ETag %j names no version, and its date does not either', (etag) => {
  expect(fileVersion({ etag, 'last-modified': MODIFIED, date: LATER })).toBe(undefined);
});

test('a date of a minute ago names the version of a file without an ETag', () => {
  expect(fileVersion({ 'last-modified': MODIFIED, date: LATER })).toBe(MODIFIED);
});

test.each([
  ['that is newer', { 'last-modified': MODIFIED, date: 'Wed, 01 Jul 2026 10:00:59 GMT' }],
  ['without the time of the reply', { 'last-modified': MODIFIED }],
  ['in another format', { 'last-modified': '2026-07-01T10:00:00Z', date: LATER }],
  ['with a line of its own', { 'last-modified': `${MODIFIED}\r\nx: y`, date: LATER }],
])('a date %s names no version', (_what, headers) => {
  expect(fileVersion(headers)).toBe(undefined);
});

test('a server may name no version at all', () => {
  expect(fileVersion({})).toBe(undefined);
});

import { expect, test } from 'vitest';
import { partOfFile } from './fetch-file.ts';

const expected = { from: 5, etag: '"a"', total: 10 };

test('a whole file has a size and an ETag if the server sends them', () => {
  expect(partOfFile({ status: 200, headers: { 'content-length': '10', etag: '"a"' } })).toEqual({
    from: 0,
    total: 10,
    etag: '"a"',
  });
  expect(partOfFile({ status: 200, headers: {} })).toEqual({ from: 0, total: undefined, etag: undefined });
});

test.each(['W/"a"', 'a', '"a', '"a b"', ''])('a file with the ETag %j cannot be continued', (etag) => {
  expect(partOfFile({ status: 200, headers: { etag } })?.etag).toBe(undefined);
});

test('the rest of a file continues it', () => {
  const headers = { 'content-range': 'bytes 5-9/10', etag: '"a"' };
  expect(partOfFile({ status: 206, headers }, expected)).toEqual({ from: 5, total: 10, etag: '"a"' });
  expect(partOfFile({ status: 206, headers }, { ...expected, total: undefined })?.total).toBe(10);
  expect(partOfFile({ status: 206, headers: { ...headers, 'content-range': 'bytes 5-9/*' } }, expected)?.total).toBe(
    10,
  );
});

test('another version of the whole file begins it again', () => {
  expect(partOfFile({ status: 200, headers: { etag: '"b"', 'content-length': '7' } }, expected)).toEqual({
    from: 0,
    total: 7,
    etag: '"b"',
  });
});

test.each([
  ['of another place', { 'content-range': 'bytes 4-9/10', etag: '"a"' }],
  ['of a larger file', { 'content-range': 'bytes 5-9/11', etag: '"a"' }],
  ['of another version', { 'content-range': 'bytes 5-9/10', etag: '"b"' }],
  ['of a version that is not named', { 'content-range': 'bytes 5-9/10' }],
  ['of a version with a weak ETag', { 'content-range': 'bytes 5-9/10', etag: 'W/"a"' }],
  ['that ends before it begins', { 'content-range': 'bytes 5-4/10', etag: '"a"' }],
  ['without a range', { etag: '"a"' }],
  ['in another unit', { 'content-range': 'lines 5-9/10' }],
])('a part %s does not continue a file', (_what, headers) => {
  expect(partOfFile({ status: 206, headers: headers as Record<string, string> }, expected)).toBe(undefined);
});

test('a part does not continue a file whose size nobody says', () => {
  const headers = { 'content-range': 'bytes 5-9/*', etag: '"a"' };
  expect(partOfFile({ status: 206, headers }, { ...expected, total: undefined })).toBe(undefined);
});

test('a part that was not asked for is not the file', () => {
  expect(partOfFile({ status: 206, headers: { 'content-range': 'bytes 0-9/10' } })).toBe(undefined);
});

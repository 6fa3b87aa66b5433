import { expect, test } from 'vitest';
import { partOfFile, rangeHeaders } from './file-requests.ts';

const expected = { from: 5, version: '"a"', total: 10 };

test('a whole file has a size and a version if the server sends them', () => {
  expect(partOfFile({ status: 200, headers: { 'content-length': '10', etag: '"a"' } })).toEqual({
    from: 0,
    total: 10,
    version: '"a"',
  });
  expect(partOfFile({ status: 200, headers: {} })).toEqual({ from: 0, total: undefined, version: undefined });
});

test('the rest of a file continues it', () => {
  const headers = { 'content-range': 'bytes 5-9/10', etag: '"a"' };
  expect(partOfFile({ status: 206, headers }, expected)).toEqual({ from: 5, total: 10, version: '"a"' });
  expect(partOfFile({ status: 206, headers }, { ...expected, total: undefined })?.total).toBe(10);
  expect(partOfFile({ status: 206, headers: { ...headers, 'content-range': 'bytes 5-9/*' } }, expected)?.total).toBe(
    10,
  );
});

test('another version of the whole file begins it again', () => {
  expect(partOfFile({ status: 200, headers: { etag: '"b"', 'content-length': '7' } }, expected)).toEqual({
    from: 0,
    total: 7,
    version: '"b"',
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

test('a first part of a file may have any version that the server names, and must have one', () => {
  const first = { from: 0, version: undefined, total: undefined };
  const headers = { 'content-range': 'bytes 0-0/10' };
  expect(partOfFile({ status: 206, headers: { ...headers, etag: '"a"' } }, first)).toEqual({
    from: 0,
    total: 10,
    version: '"a"',
  });
  expect(partOfFile({ status: 206, headers }, first)).toBe(undefined);
});

test('a part is requested on the condition that the version is still the same', () => {
  expect(rangeHeaders({ from: 5, version: '"a"' })).toEqual({ range: 'bytes=5-', 'if-range': '"a"' });
  expect(rangeHeaders({ from: 0, version: undefined })).toEqual({ range: 'bytes=0-' });
});

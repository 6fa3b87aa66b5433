import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { contentKind, HEAD_BYTES, partOfFile, retryAfterMs } from './fetch-file.ts';

test.each([
  ['#EXTM3U\n#EXT-X-VERSION:3\n', 'an HLS playlist'],
  ['\ufeff#EXTM3U\n', 'an HLS playlist'],
  ['<?xml version="1.0"?>\n<!-- made by x -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">', 'a DASH manifest'],
  ['<?xml version="1.0"?><SmoothStreamingMedia MajorVersion="2">', 'a Smooth Streaming manifest'],
  ['ffconcat version 1.0\nfile a.mp4\n', 'a list of files for ffmpeg (concat)'],
  ["# my files\nfile '/etc/passwd'\nfile 'b.mp4'\n", 'a list of files for ffmpeg (concat)'],
  ['file a.mp4', 'a list of files for ffmpeg (concat)'],
  ['v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n', 'a description of a stream (SDP)'],
  ['[playlist]\nFile1=a.mp3\n', 'a playlist (PLS)'],
  ['<!DOCTYPE html><html><body>Log in', 'a web page'],
  ['\n<html lang="en">', 'a web page'],
])('%j is no media file', (text, kind) => {
  expect(contentKind(Buffer.from(text))).toBe(kind);
});

test.each([
  ['an MP4', Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2', 'latin1')],
  ['an SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">')],
  ['subtitles', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nfile a.mp4\n')],
  ['WebVTT', Buffer.from('WEBVTT\n\nfile')],
  ['an ASS script', Buffer.from('[Script Info]\nTitle: a\n')],
  ['nothing', Buffer.alloc(0)],
])('%s may be media', (_name, head) => {
  expect(contentKind(head)).toBe(undefined);
});

test.each([
  ['<!---->'],
  ['<!---->\n'],
  ['<!-- '],
  ['<?xml?>'],
  ['<?xml'],
  ['#\n'],
  ['# '],
  [' '],
  ['\n'],
  ["file '"],
  ['file '],
])(
  'reads a head of nothing but %j at once',
  (part) => {
    // Only a pattern that backtracks without limit takes longer; it would block the service for all clients.
    const head = Buffer.from(part.repeat(HEAD_BYTES)).subarray(0, HEAD_BYTES);
    const script = `
    import { contentKind } from ${JSON.stringify(new URL('./fetch-file.ts', import.meta.url).href)};
    contentKind(Buffer.from('${head.toString('base64')}', 'base64'));`;
    const { signal, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    expect({ signal, status }).toEqual({ signal: null, status: 0 });
  },
  15_000,
);

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

const NOW = new Date('2026-01-01T00:00:00Z');

test.each([
  ['5', 5000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['-1', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s means %s ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});

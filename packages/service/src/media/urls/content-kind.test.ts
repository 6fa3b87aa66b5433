import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { contentKind, HEAD_BYTES } from './content-kind.ts';

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

test('reads a head of nothing but one part at once', () => {
  // Only a pattern that backtracks without limit takes longer; it would block the service for all clients.
  const parts = ['<!---->', '<!---->\n', '<!-- ', '<?xml?>', '<?xml', '#\n', '# ', ' ', '\n', "file '", 'file '];
  const script = `
    import { contentKind } from ${JSON.stringify(new URL('./content-kind.ts', import.meta.url).href)};
    for (const part of ${JSON.stringify(parts)}) {
      console.log(JSON.stringify(part));
      contentKind(Buffer.from(part.repeat(${HEAD_BYTES})).subarray(0, ${HEAD_BYTES}));
    }`;
  const { signal, status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  expect({ signal, status }, stdout).toEqual({ signal: null, status: 0 });
}, 15_000);

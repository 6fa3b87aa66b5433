import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedLines } from '../../../../test/fixtures/recorded.ts';
import { parseLogLine } from './log-line.ts';
import { ReadableLog } from './readable-log.ts';

function readable(lines: readonly string[]): string {
  const log = new ReadableLog();
  for (const line of lines) log.add(parseLogLine(line));
  return log.text();
}

const recordings = readdirSync(join(import.meta.dirname, '../../../../test/fixtures/ffmpeg-output'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -4));

test('contains inputs, streams, encoder statistics and the summary', () => {
  const log = readable(recordedLines('h264-aac'));
  expect(log).toContain("Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'in/0.mp4':\n");
  expect(log).toContain('  Duration: 00:00:30.02, start: 0.000000, bitrate: 1103 kb/s\n');
  expect(log).toContain("Output #0, mp4, to 'out/a.mp4':\n");
  expect(log).toMatch(/^ {2}Stream #0:1\(und\): Audio: aac \(LC\) .* 5\.1, fltp/m);
  expect(log).toMatch(/^\[libx264\] frame P:\d+ +Avg QP/m);
  expect(log).toMatch(/^video:\d+kB audio:\d+kB/m);
});

test('omits the protocol before file names', () => {
  const log = readable([
    "[info] Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:in/0.mp4':",
    "[info] Output #0, mp4, to 'file:out/a b.mp4':",
    '[error] file:in/1.mp4: Invalid data found when processing input',
    "[error] Input #0, mov, from 'file:/etc/passwd':",
  ]);
  expect(log).toBe(
    "Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'in/0.mp4':\n" +
      "Output #0, mp4, to 'out/a b.mp4':\n" +
      '[error] in/1.mp4: Invalid data found when processing input\n' +
      '1 other line omitted\n',
  );
});

test.each(['x265', 'svtav1'])('contains the statistics of %s, which does not use ffmpeg’s logger', (name) => {
  expect(readable(recordedLines(name))).toMatch(/^(x265 \[info\]|Svt\[info\]): /m);
});

test.each(recordings)('%s: contains no tags, memory addresses or host paths', (name) => {
  const log = readable(recordedLines(name));
  expect(log).not.toMatch(/handler_name|vendor_id|title +:|comment|Lena Stolze|secret/);
  expect(log).not.toMatch(/@ 0x/);
  expect(log).not.toMatch(/(^|[\s'"])\/\w/m);
});

test.each([
  ['truncated', 'moov atom not found'],
  ['truncated', 'in/trunc.mp4: Invalid data found when processing input'],
  ['unknown-encoder', "Unknown encoder 'nosuch'"],
  ['webm-h264', 'Only VP8 or VP9 or AV1 video'],
  ['no-stream', "Stream map '0:5' matches no streams."],
  ['no-filter', "No such filter: 'nosuch'"],
  ['odd-size', 'width not divisible by 2 (853x481)'],
  ['no-space', 'Error writing trailer of out/y.mp4: No space left on device'],
  ['no-memory', 'Resource temporarily unavailable'],
  ['bad-value', 'Error setting option crf to value abc.'],
])('%s: the reason can be read: %s', (name, reason) => {
  expect(readable(recordedLines(name))).toContain(reason);
});

test('counts but does not show media text, host paths and unknown lines', () => {
  const log = readable([
    '[error] root:x:0:0:root:/root:/bin/bash',
    "[Parsed_movie_0 @ 0x55d0] [error] Failed to avformat_open_input '/etc/passwd'",
    '[error] Unable to parse option value "/etc/shadow" as size',
    "[info] Input #0, mp4, from '/srv/media/a.mp4':",
    '[libx264 @ 0x55d0] [info] see /var/lib/telecine/x.log',
  ]);
  expect(log).toBe('5 other lines omitted\n');
});

test('omits ffmpeg’s message about the progress period', () => {
  const log = readable(['[info] ffmpeg stats and -progress period set to 0.5.', '[info] Conversion failed!']);
  expect(log).toBe('Conversion failed!\n');
});

test('removes control characters', () => {
  const log = readable(["[info] Output #0, mp4, to 'out/a\u001b[2J\u202eb.mp4':"]);
  expect(log).toBe("Output #0, mp4, to 'out/a [2J b.mp4':\n");
});

test('keeps the start and the end of a long log within 64 KiB and counts the omitted lines', () => {
  const flood = Array.from(
    { length: 20_000 },
    (_, i) => `[h264 @ 0x55d0] [error] error while decoding MB ${i} 0, bytestream 5`,
  );
  const log = readable(["[info] Input #0, mp4, from 'in/0.mp4':", ...flood, '[info] Conversion failed!']);
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(64 * 1024);
  expect(log).toMatch(/^Input #0/);
  expect(log).toMatch(/\nConversion failed!\n\d+ other lines omitted\n$/);
  const shown = log.split('\n').length - 2;
  expect(Number(/(\d+) other/.exec(log)?.[1]) + shown).toBe(flood.length + 2);
});

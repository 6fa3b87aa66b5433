import { expect, test } from 'vitest';
import { LogLineReader } from './log-line.ts';

const read = (...raw: readonly string[]) => {
  const reader = new LogLineReader();
  return [...raw.flatMap((one) => reader.feed(one)), ...reader.end()].map(({ level, text }) => `${level}: ${text}`);
};
const GREEN = '\u001b[0;32m';
const RED = '\u001b[1;31m';

test('a stream line goes on after the messages of other threads', () => {
  expect(
    read(
      `[info]   Stream #0:0${GREEN}w:160 h:120 pixfmt:yuv420p`,
      `${RED}[error] ${RED}no frame!`,
      `[info] : Video: mpeg1video, yuv420p(progressive), ${RED}again`,
      '[info] 160x120, 25 fps',
      '[info]   Metadata:',
    ),
  ).toEqual([
    'verbose: w:160 h:120 pixfmt:yuv420p',
    'error: no frame!',
    'error: again',
    'info:   Stream #0:0: Video: mpeg1video, yuv420p(progressive), 160x120, 25 fps',
    'info:   Metadata:',
  ]);
});

test('a line whose rest never comes is a line of its own', () => {
  expect(read(`[info]   Stream #0:0${RED}no frame!`)).toEqual(['error: no frame!', 'info:   Stream #0:0']);
  const others = Array.from({ length: 30 }, (_one, index) => `${RED}[error] ${RED}${index}`);
  const lines = read(`[info]   Stream #0:0${RED}no frame!`, ...others, '[info]   Metadata:');
  expect(lines).toContain('info:   Stream #0:0');
  expect(lines.at(-1)).toBe('info:   Metadata:');
});

test('lines that nothing splits stay as they are', () => {
  expect(read('[info]   Stream #0:0: Video: h264', '[info] : no rest')).toEqual([
    'info:   Stream #0:0: Video: h264',
    'info: : no rest',
  ]);
});

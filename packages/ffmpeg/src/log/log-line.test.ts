import { expect, test } from 'vitest';
import { parseLogLine, parseLogLines } from './log-line.ts';

test.each([
  ['[info]   Duration: N/A', { level: 'info', component: undefined, text: '  Duration: N/A' }],
  ['[h264 @ 0x55d0] [error] no frame!', { level: 'error', component: 'h264', text: 'no frame!' }],
  ['[swscaler @ 0x1] [swscaler @ 0x2] [warning] w', { level: 'warning', component: 'swscaler', text: 'w' }],
  ['[in#0/mov,mp4 @ 0x5] [fatal] f', { level: 'fatal', component: 'in#0/mov,mp4', text: 'f' }],
  ['x265 [info]: frame I', { level: undefined, component: undefined, text: 'x265 [info]: frame I' }],
])('parses %s', (raw, line) => {
  expect(parseLogLine(raw)).toEqual({ ...line, isColored: false });
});

test('colour codes are removed, and mark lines that ffmpeg itself wrote', () => {
  const error = '\u001b[0m\u001b[1;35m[NULL @ 0x56] \u001b[0m\u001b[1;31m[error] \u001b[0m\u001b[1;31mnot found';
  expect(parseLogLine(error)).toEqual({ level: 'error', component: 'NULL', text: 'not found', isColored: true });
  const many = '\u001b[48;5;0m\u001b[38;5;196m[error] \u001b[0m\u001b[48;5;0m\u001b[38;5;196mnot found';
  expect(parseLogLine(many)).toMatchObject({ text: 'not found', isColored: true });
  // The code that ends the previous colour is at the beginning.
  const after = parseLogLine('\u001b[0m[info]   Duration: N/A');
  expect(after).toEqual({ level: 'info', component: undefined, text: '  Duration: N/A', isColored: false });
});

test('a message that another thread writes into a line is a line of its own, with the level of its colour', () => {
  const head = '[info]   Stream #0:0(und): Video: h264, 25 fps, ';
  const message = 'Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option';
  for (const color of ['\u001b[1;31m', '\u001b[48;5;0m\u001b[38;5;196m'])
    expect(parseLogLines(`\u001b[0m${head}${color}${message}`)).toEqual([
      { level: 'info', component: undefined, text: '  Stream #0:0(und): Video: h264, 25 fps, ', isColored: false },
      { level: 'error', component: undefined, text: message, isColored: true },
    ]);
  expect(parseLogLines(`${head}${message}`)).toHaveLength(1);
  expect(parseLogLines('\u001b[1;31m[error] \u001b[0m\u001b[1;31mnot found')).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { emptyOutput } from './classify.ts';
import { parseLogLine } from './log-line.ts';

const line = (level: 'warning' | 'error', component: string, text: string) =>
  parseLogLine(`[${component} @ 0x1] \u001b[1;31m[${level}] \u001b[0m\u001b[1;31m${text}\u001b[0m`);
const noFrames = (component: string) =>
  line('warning', component, 'No filtered frames for output stream, trying to initialize anyway.');
const notOpened = (component: string) =>
  line(
    'error',
    component,
    'Error while opening encoder - maybe incorrect parameters such as bit_rate, rate, width or height.',
  );
const range = line(
  'error',
  'mjpeg',
  'Non full-range YUV is non-standard, set strict_std_compliance to at most unofficial to use it.',
);
const ended = (component: string) => line('error', component, 'Could not open encoder before EOF');

/** Lines of ffmpeg 7.1. */
test.each([
  ['JPEG', 0, [noFrames('vf#0:0'), range, notOpened('vost#0:0/mjpeg'), ended('vost#0:0/mjpeg')]],
  [
    'MPEG-2 beside a sound',
    1,
    [
      noFrames('af#1:1'),
      noFrames('vf#1:0'),
      line('error', 'mpeg2video', 'MPEG-1/2 does not support 12800/1 fps'),
      notOpened('vost#1:0/mpeg2video'),
    ],
  ],
  ['GIF', 0, [noFrames('vf#0:0'), line('error', 'out#0/gif', 'Error writing trailer: Invalid argument')]],
  [
    'WebP',
    0,
    [
      noFrames('vf#0:0'),
      line('error', 'libwebp encoder', 'WebPAnimEncoderAssemble() failed with error: 1'),
      line('error', 'vost#0:0/libwebp_anim', 'Error submitting video frame to the encoder'),
      line('error', 'vost#0:0/libwebp_anim', 'Error flushing encoder: Cannot allocate memory'),
    ],
  ],
  ['a stream of a complex graph', 0, [noFrames('vo0->#0:0'), range, notOpened('vost#0:0/mjpeg')]],
  ['a stream of a complex graph that ends silently', 2, [ended('vost#2:0/mjpeg')]],
] as const)('a failure is due to a stream without frames: %s', (_title, output, lines) => {
  expect(emptyOutput(lines)).toBe(output);
});

test.each([
  ['an encoder that rejects its settings', [range, notOpened('vost#0:0/mjpeg'), ended('vost#0:0/mjpeg')]],
  [
    'an error before the stream ends',
    [line('error', 'vf#0:0', 'Error reinitializing filters!'), noFrames('vf#0:0'), notOpened('vost#0:0/mjpeg')],
  ],
  ['an encoder of another stream', [noFrames('af#0:1'), range, notOpened('vost#0:0/mjpeg')]],
  ['an encoder of another output', [noFrames('vf#1:0'), range, notOpened('vost#0:0/mjpeg')]],
  ['none', [noFrames('vf#0:0')]],
])('a failure has another reason: %s', (_title, lines) => {
  expect(emptyOutput(lines)).toBeUndefined();
});

test('text of the media explains nothing', () => {
  const forged = parseLogLine(
    '[vf#0:0 @ 0x1] [warning] No filtered frames for output stream, trying to initialize anyway.',
  );
  expect(emptyOutput([forged, range, notOpened('vost#0:0/mjpeg')])).toBeUndefined();
});

import { expect, test } from 'vitest';
import { findExistingFrames } from './file-names.ts';

test.each<[sent: string, names: readonly string[], pattern: string, start: number, last: string]>([
  ['frame_%d.png', ['frame_001.png', 'frame_002.png', 'frame_010.png'], 'frame_%03d.png', 1, 'frame_010.png'],
  ['frame_%d.png', ['frame_001.png', 'frame_002.png', 'frame_120.png'], 'frame_%03d.png', 1, 'frame_120.png'],
  ['frame_%04d.png', ['frame_8.png', 'frame_9.png', 'frame_10.png'], 'frame_%d.png', 8, 'frame_10.png'],
  ['frame_%03d.png', ['frame_07.png', 'frame_08.png', 'notes.txt'], 'frame_%02d.png', 7, 'frame_08.png'],
  ['IMG%03d.JPG', ['img001.jpg', 'img002.jpg'], 'img%03d.jpg', 1, 'img002.jpg'],
  ['100%%-%d.png', ['100%-01.png', '100%-02.png'], '100%%-%02d.png', 1, '100%-02.png'],
  ['frame_%d.png', ['frame_100.png', 'frame_101.png'], 'frame_%d.png', 100, 'frame_101.png'],
])('%s means the pattern of the files %j', (sent, names, pattern, start, last) => {
  expect(findExistingFrames(sent, names)).toMatchObject({ pattern, start, last });
});

test.each(['frame.png', 'frame_%d.png', '%d.png'])('%s means no file that is named otherwise', (sent) => {
  expect(findExistingFrames(sent, ['frame_.png', 'frame_a1.png', 'frame_001.jpg', 'x1.png'])).toBeUndefined();
});

import { expect, test } from 'vitest';
import { shareFor, withLessVideo } from './fit-size.ts';

test('a file that is too large gets fewer bits of video, and keeps its audio', () => {
  const share = shareFor(7_900_000, 8_100_000, 6_000_000);
  expect(share * 6_000_000 + 2_100_000).toBeCloseTo(7_900_000, 3);
  // Without the bytes of the video, all streams count.
  expect(shareFor(4_000_000, 8_000_000, 0)).toBe(0.5);
});

test('the bit rate of the video is lowered to whole kilobits', () => {
  const argv = ['-i', 'in/0.mp4', '-c:v', 'libx264', '-b:v', '740k', '-b:a', '96k', 'out/0.mp4'];
  expect(withLessVideo(argv, 0.98)).toEqual({ argv: argv.with(5, '725k'), kilobits: 725 });
});

test.each([
  ['the audio alone is too large', ['-b:v', '740k'], -0.1],
  ['nothing would be left', ['-b:v', '1k'], 0.9],
  ['the streams are copied', ['-c', 'copy', 'out/0.mp4'], 0.9],
])('no bit rate is lowered if %s', (_why, argv, share) => {
  expect(withLessVideo(argv, share)).toBeUndefined();
});

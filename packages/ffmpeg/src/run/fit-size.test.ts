import { expect, test } from 'vitest';
import { passFor, shareFor, withLessVideo } from './fit-size.ts';

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

const LAST = {
  argv: ['-b:v', '740k', 'out/0.mp4'],
  ...{ seconds: 60, leftSeconds: 3600, videoBytes: 8_000_000, earlier: [] as number[] },
};

test('a file that is too large is encoded again, while this makes it smaller', () => {
  expect(passFor(8_000_000, 9_000_000, LAST)).toMatchObject({ argv: ['-b:v', '636k', 'out/0.mp4'], bytes: 9_000_000 });
  expect(passFor(8_000_000, 8_500_000, { ...LAST, earlier: [9_000_000] })).toHaveProperty('argv');
});

test.each<[why: string, last: Partial<typeof LAST>, message: string, fix: string]>([
  ['it is not smaller than the one before', { earlier: [9_020_000] }, ', although it was', '"size": 9.18, a smaller'],
  ['it was encoded again three times', { earlier: [12e6, 11e6, 10e6] }, ', although it was', '"size": 9.18, a smaller'],
  ['a pass takes longer than the job has left', { leftSeconds: 50 }, ', and the job has no time', '"size": 9.18, a'],
  ['all but the video is too large', { videoBytes: 900_000 }, '. Without its video, it has 8100000.', 'a lower "b:a"'],
])('a file that is too large fails if %s', (_why, last, message, fix) => {
  expect(passFor(8_000_000, 9_000_000, { ...LAST, ...last })).toMatchObject({
    failure: {
      code: 'UNSUPPORTED',
      message: expect.stringContaining(`The file has 9000000 bytes, and may have 8000000${message}`),
      fix: expect.stringContaining(fix),
      about: { isTooLarge: true },
    },
  });
});

import { expect, test } from 'vitest';
import { showMeasurements } from './measurements-text.ts';

test('each measurement is a line, with what it found below', () => {
  const lines = showMeasurements({
    loudness: { integratedLufs: -20.1, rangeLu: 5.6, truePeakDbtp: null },
    silence: { count: 1, totalSeconds: 2.4, intervals: [{ start: 27.6, end: 30 }] },
    black: { count: 0, totalSeconds: 0, intervals: [] },
    crop: null,
    bitrate: { mean: 1_103_000, max: 2_000_400, maxAt: 3, intervalSeconds: 1, values: [1] },
    ssim: { mean: 0.98, min: 0.9, minAt: 1.2 },
    psnr: null,
    errors: {
      verdict: 'damaged',
      message: 'The data is damaged. The audio is lost or damaged from 1 s to 2 s.',
      count: 3,
      audio: { count: 1, totalSeconds: 1, intervals: [{ start: 1, end: 2 }] },
    },
  });
  expect(lines).toEqual([
    'loudness  -20.1 LUFS, range 5.6 LU, true peak none',
    'silence   1 part, 2.4 s in all',
    '  27.6 s to 30 s',
    'black     none',
    'crop      the whole image is black',
    'bitrate   1103 kb/s on average, most 2000 kb/s at 3 s',
    'ssim      0.98 on average, least 0.9 at 1.2 s',
    'psnr      all frames are equal',
    'errors    The data is damaged. The audio is lost or damaged from 1 s to 2 s.',
    '  audio  1 s to 2 s',
  ]);
});

test('a long list ends with how many entries are not shown', () => {
  const changes = Array.from({ length: 25 }, (_, at) => ({ at, score: 20 }));
  const lines = showMeasurements({ scenes: { count: 25, changes } });
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe('  … and 15 more: --all prints them, and --json has them');
  expect(showMeasurements({ scenes: { count: 25, changes } }, { most: Number.POSITIVE_INFINITY })).toHaveLength(26);
});

test('says which settings were used', () => {
  const settings = { silence: { noiseDb: -60, minSeconds: 2 } };
  expect(showMeasurements({ silence: { count: 0, totalSeconds: 0, intervals: [] } }, { settings })).toEqual([
    'silence  none (noiseDb -60, minSeconds 2)',
  ]);
});

test('a measurement of a newer service is shown as it is', () => {
  expect(showMeasurements({ flicker: { hz: 50 } } as never)).toEqual(['flicker  {"hz":50}']);
});

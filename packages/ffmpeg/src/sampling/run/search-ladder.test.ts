import { expect, test } from 'vitest';
import { ladderWarnings } from './search-ladder.ts';

test('a ladder above its highest bit rate has a warning', () => {
  const rung = { width: 320, height: 180, value: 40, score: 0.8, bitsPerSecond: 90_000 };
  expect(ladderWarnings({ maxBitrate: 50_000 }, [rung])).toMatchObject([
    {
      ...{ field: '/ladder/maxBitrate', code: 'QUALITY_MISSED' },
      message: expect.stringContaining('about 90 kb/s: nothing that was tried has at most "maxBitrate" (50 kb/s)'),
      fix: expect.stringContaining('at least 180000'),
    },
  ]);
  expect(ladderWarnings({ maxBitrate: 90_000 }, [rung])).toEqual([]);
  expect(ladderWarnings({}, [rung])).toEqual([]);
});

import { expect, test } from 'vitest';
import { statesMeasuredRates } from './playlists.ts';

const OLDER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=70400,RESOLUTION=320x180\na.m3u8\n';
const NEWER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1929882,AVERAGE-BANDWIDTH=1900000,RESOLUTION=320x180\na.m3u8\n';

test('a master playlist with averages states rates that were measured', () => {
  expect(statesMeasuredRates(OLDER)).toBe(false);
  expect(statesMeasuredRates(NEWER)).toBe(true);
  expect(statesMeasuredRates('#EXTM3U\n#EXTINF:6,\na0.ts\n')).toBeUndefined();
});

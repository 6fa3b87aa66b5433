import { expect, test } from 'vitest';
import { longestInManifest, longestInPlaylist } from './segment-times.ts';

test('reads the longest segment of a playlist', () => {
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXTINF:6.875000,\na0.ts\n#EXTINF:3.875000,\na1.ts\n';
  expect(longestInPlaylist(playlist)).toBe(6.875);
  expect(longestInPlaylist('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n')).toBeUndefined();
});

/** As ffmpeg 5.1 writes it. */
const timeline = (scale: number, segments: readonly number[]): string =>
  `<SegmentTemplate timescale="${scale}" initialization="i.m4s" startNumber="1"><SegmentTimeline>
    ${segments.map((d, index) => `<S ${index === 0 ? 't="0" ' : ''}d="${d}" />`).join('\n')}
  </SegmentTimeline></SegmentTemplate>`;
const set = (type: string, content: string): string =>
  `<AdaptationSet id="0" contentType="${type}" startWithSAP="1"><Representation id="0">${content}</Representation></AdaptationSet>`;

test('reads the longest segment of the picture in a manifest', () => {
  const sound = set('audio', timeline(48000, [960_000]));
  expect(longestInManifest(`<MPD>${set('video', timeline(12800, [128_000, 25_600]))}${sound}</MPD>`)).toBe(10);
  expect(longestInManifest(`<MPD>${sound}</MPD>`)).toBeUndefined();
});

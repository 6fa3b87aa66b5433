import { expect, test } from 'vitest';
import { timesInManifest, timesInPlaylist } from './playlists.ts';

test('reads the longest segment of a playlist, and all of them', () => {
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXTINF:6.875000,\na0.ts\n#EXTINF:3.875000,\na1.ts\n';
  expect(timesInPlaylist(playlist)).toEqual({ longest: 6.875, total: 10.75 });
  expect(timesInPlaylist('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n')).toEqual({});
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
  const film = `<MPD mediaPresentationDuration="PT1M2.5S">${set('video', timeline(12800, [128_000, 25_600]))}${sound}</MPD>`;
  expect(timesInManifest(film)).toEqual({ longest: 10, total: 62.5 });
  expect(timesInManifest(`<MPD>${sound}</MPD>`)).toEqual({});
});

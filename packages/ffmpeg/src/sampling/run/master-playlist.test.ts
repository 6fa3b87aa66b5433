import { describe, expect, test } from 'vitest';
import { playlistsIn, withMeasuredRates } from './master-playlist.ts';
import { parseMediaPlaylist, ratesOf } from './media-rates.ts';

const MEDIA = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="init_0.mp4"
#EXTINF:4.000000,
a_00.m4s
#EXTINF:1.500000,
a_01.m4s
#EXT-X-ENDLIST
`;

// As ffmpeg 5.1 writes it.
const MASTER = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_audio",NAME="audio_2",DEFAULT=YES,URI="a_audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=620400,RESOLUTION=426x240,CODECS="avc1.42c015,mp4a.40.2",AUDIO="group_audio"
a_0.m3u8

#EXT-X-STREAM-INF:BANDWIDTH=290400,RESOLUTION=214x120,CODECS="avc1.42c00c,mp4a.40.2",AUDIO="group_audio"
a_1.m3u8

#EXT-X-STREAM-INF:BANDWIDTH=70400,CODECS="mp4a.40.2",AUDIO="group_audio"
a_audio.m3u8

`;

describe('a media playlist', () => {
  test('lists its segments', () => {
    expect(parseMediaPlaylist(MEDIA)).toEqual({
      targetSeconds: 4,
      segments: [
        { uri: 'a_00.m4s', seconds: 4 },
        { uri: 'a_01.m4s', seconds: 1.5 },
      ],
    });
  });

  test('a segment can be a part of a file, and lines can end with a carriage return', () => {
    const text =
      '#EXT-X-TARGETDURATION:2\r\n#EXTINF:2,\r\n#EXT-X-BYTERANGE:1234@50\r\nall.m4s\r\n#EXTINF:1,\r\nb.m4s\r\n';
    expect(parseMediaPlaylist(text).segments).toEqual([
      { uri: 'all.m4s', seconds: 2, bytes: 1234 },
      { uri: 'b.m4s', seconds: 1 },
    ]);
  });

  test('a file without segments has none', () => {
    expect(parseMediaPlaylist('')).toEqual({ targetSeconds: 0, segments: [] });
    expect(ratesOf(0, [])).toEqual({ peak: 0, average: 0 });
  });
});

describe('the peak', () => {
  const segment = (seconds: number, kilobits: number) => ({ seconds, bytes: (seconds * kilobits * 1000) / 8 });

  test('it is the highest rate of segments as long as the target', () => {
    const rates = ratesOf(4, [segment(4, 100), segment(4, 300), segment(4, 200)]);
    expect(rates.peak).toBeCloseTo(300_000);
    expect(rates.average).toBeCloseTo(200_000);
  });

  test('a segment shorter than half of the target counts only with its neighbours', () => {
    const { peak } = ratesOf(4, [segment(4, 100), segment(1, 1000)]);
    expect(peak).toBeCloseTo((4 * 100_000 + 1_000_000) / 5);
    // Both together are longer than one and a half of the target.
    expect(ratesOf(4, [segment(5.5, 100), segment(1, 1000)]).peak).toBeCloseTo((5.5 * 100_000 + 1_000_000) / 6.5);
  });
});

describe('a master playlist', () => {
  const rates = new Map([
    ['a_0.m3u8', { peak: 500_000.4, average: 400_000 }],
    ['a_1.m3u8', { peak: 200_000, average: 150_000 }],
    ['a_audio.m3u8', { peak: 66_000, average: 64_000 }],
  ]);

  test('names its playlists', () => {
    expect(playlistsIn(MASTER)).toEqual(['a_0.m3u8', 'a_1.m3u8', 'a_audio.m3u8']);
  });

  test('gets the peak and the average of each variant with its audio', () => {
    const { text, variants } = withMeasuredRates(MASTER, rates);
    expect(text.split('\n').filter((line) => line.includes('STREAM-INF'))).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=566001,AVERAGE-BANDWIDTH=464000,RESOLUTION=426x240,CODECS="avc1.42c015,mp4a.40.2",AUDIO="group_audio"',
      '#EXT-X-STREAM-INF:BANDWIDTH=266000,AVERAGE-BANDWIDTH=214000,RESOLUTION=214x120,CODECS="avc1.42c00c,mp4a.40.2",AUDIO="group_audio"',
      '#EXT-X-STREAM-INF:BANDWIDTH=66000,AVERAGE-BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="group_audio"',
    ]);
    expect(text.replaceAll(/BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+/g, '')).toBe(MASTER.replaceAll(/BANDWIDTH=\d+/g, ''));
    expect(variants).toEqual([
      { uri: 'a_0.m3u8', resolution: '426x240', bandwidth: 566_001, averageBandwidth: 464_000 },
      { uri: 'a_1.m3u8', resolution: '214x120', bandwidth: 266_000, averageBandwidth: 214_000 },
      { uri: 'a_audio.m3u8', bandwidth: 66_000, averageBandwidth: 64_000 },
    ]);
  });

  test('rates that a newer ffmpeg has written are replaced', () => {
    const newer = '#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=2,RESOLUTION=426x240\na_0.m3u8\n';
    const { text } = withMeasuredRates(newer, rates);
    expect(text).toBe('#EXT-X-STREAM-INF:BANDWIDTH=500001,AVERAGE-BANDWIDTH=400000,RESOLUTION=426x240\na_0.m3u8\n');
    const last = '#EXT-X-STREAM-INF:RESOLUTION=426x240,BANDWIDTH=1,AVERAGE-BANDWIDTH=2\na_0.m3u8\n';
    expect(withMeasuredRates(last, rates).text).toContain(
      'RESOLUTION=426x240,BANDWIDTH=500001,AVERAGE-BANDWIDTH=400000\n',
    );
  });

  test('a variant whose segments are unknown keeps what ffmpeg wrote', () => {
    const { text, variants } = withMeasuredRates(MASTER, new Map([['a_0.m3u8', { peak: 1, average: 1 }]]));
    expect(text).toBe(MASTER);
    expect(variants).toEqual([]);
  });
});

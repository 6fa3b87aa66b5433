import { expect, test } from 'vitest';
import { type HlsVersion, readFiles, readVersions, versionNames } from './hls-versions.ts';

const MASTER = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_A",NAME="eng",URI="a/eng.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=413600,AVERAGE-BANDWIDTH=376000,RESOLUTION=284x160,CODECS="avc1.64000c,mp4a.40.2"

160/index.m3u8
#EXT-X-STREAM-INF:CODECS="BANDWIDTH=1,x",BANDWIDTH=1778000,RESOLUTION=854x480
480%20p/index.m3u8
`;

const namesOf = (versions: readonly HlsVersion[]): readonly string[] => [...versionNames(versions).values()];

test('the versions of a master playlist are listed, the best first, with what it says about them', () => {
  expect(readVersions(MASTER, 'hls/film.m3u8')).toEqual([
    { path: 'hls/480 p/index.m3u8', height: 480, bandwidth: 1_778_000 },
    { path: 'hls/160/index.m3u8', height: 160, bandwidth: 413_600, averageBandwidth: 376_000 },
  ]);
});

test('a playlist of segments has no versions, and each of its files is named once', () => {
  const text = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\n../s/0.m4s\n#EXTINF:4,\n../s/0.m4s\n#EXT-X-ENDLIST\n';
  expect(readVersions(text, 'hls/film.m3u8')).toEqual([]);
  expect(readFiles(text, 'hls/v/film.m3u8')).toEqual(['hls/v/init.mp4', 'hls/s/0.m4s']);
});

test('versions elsewhere, and addresses that are none, are left out', () => {
  const stream = '#EXT-X-STREAM-INF:BANDWIDTH=1\n';
  expect(readVersions(`${stream}https://example.com/a.m3u8\n${stream}%E0%A4%A.m3u8\n`, 'a/b.m3u8')).toEqual([]);
  expect(readFiles('http://[\n', 'a/b.m3u8')).toEqual([]);
});

test('an audio rendition that is also a version is called "Audio only"', () => {
  const audio = '#EXT-X-STREAM-INF:BANDWIDTH=114120,CODECS="mp4a.40.2",AUDIO="group_A"\na/eng.m3u8\n';
  const [, , found] = readVersions(`${MASTER}${audio}`, 'hls/film.m3u8');
  expect(found).toEqual({ path: 'hls/a/eng.m3u8', bandwidth: 114_120, isAudioOnly: true });
  expect(found && namesOf([found])).toEqual(['Audio only']);
});

test('a name that looks like another attribute does not make a rendition of subtitles one of audio', () => {
  const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,NAME="TYPE=AUDIO,x",URI="a/index.m3u8"\n';
  const version = (name: string) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${name}/index.m3u8\n`;
  const found = readVersions(`${subtitles}${version('a')}${version('b')}`, 'film.m3u8');
  expect(found.map(({ isAudioOnly }) => isAudioOnly)).toEqual([undefined, undefined]);
});

test('a version is called by its height, or by its playlist', () => {
  const versions = [{ path: 'hls/0.m3u8', height: 480, bandwidth: 600_000 }, { path: 'hls/sound.m3u8' }];
  expect(namesOf(versions)).toEqual(['480p', 'sound.m3u8']);
});

test('versions of the same height are told apart by their bit rates, and others stay as short', () => {
  const versions = [
    { path: '0.m3u8', height: 80, bandwidth: 600_000 },
    { path: '1.m3u8', height: 80, bandwidth: 300_000 },
    { path: '2.m3u8', height: 40, bandwidth: 100_000 },
  ];
  expect(namesOf(versions)).toEqual(['80p, 600\u00a0kbit/s', '80p, 300\u00a0kbit/s', '40p']);
});

test('versions of the same height and bit rate are told apart by their playlists', () => {
  const same = { height: 80, bandwidth: 300_000 };
  const versions = ['hevc/0.m3u8', 'h264/0.m3u8'].map((path) => ({ path, ...same }));
  expect(namesOf(versions)).toEqual(['80p, 300\u00a0kbit/s, hevc/0.m3u8', '80p, 300\u00a0kbit/s, h264/0.m3u8']);
});

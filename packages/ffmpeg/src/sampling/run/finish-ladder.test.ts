import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { finishLadder, ladderWarnings, measureVariants, parsePlaylist } from './finish-ladder.ts';

const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=640x360
a_0.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=50,RESOLUTION=320x180
a_1.m3u8
`;
const MEDIA = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2.000000,\na.ts\n#EXT-X-ENDLIST\n';

const RUNGS = [
  { width: 640, height: 360, value: 20, score: 0.98, bitsPerSecond: 4000 },
  { width: 320, height: 180, value: 30, score: 0.9, bitsPerSecond: 2000 },
];

/** Finishes a ladder of these media playlists. Returns its result, and the master playlist after it. */
async function finish(playlists: Readonly<Record<string, string>>) {
  const dir = await mkdtemp(join(tmpdir(), 'telecine-ladder-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const out = join(dir, 'out');
  await mkdir(out);
  for (const [name, text] of Object.entries({ 'a.m3u8': MASTER, 'a.ts': 'x'.repeat(1000), ...playlists }))
    await writeFile(join(out, name), text);
  const names = [['a.m3u8'], ['a_', { any: 'number' }, '.m3u8'], ['a.ts']];
  const c = { dir, plan: { outputs: [{ subfolder: '', manifest: 'a.m3u8', names }] } } as unknown as PreparedRun;
  const found = { metric: 'ssim', target: 0.98, option: 'crf', rungs: RUNGS, tried: RUNGS, hasAudio: false } as const;
  return { result: await finishLadder(c, found), master: await readFile(join(out, 'a.m3u8'), 'utf8') };
}

test('all rungs get their measured rates', async () => {
  const { result, master } = await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': MEDIA });
  expect(result?.rungs.map(({ bandwidth }) => bandwidth)).toEqual([4000, 4000]);
  expect(master.match(/BANDWIDTH=4000,AVERAGE-BANDWIDTH=4000/g)?.length).toBe(2);
});

test('with one unreadable playlist, all rungs keep what ffmpeg wrote', async () => {
  expect(await finish({ 'a_0.m3u8': MEDIA })).toEqual({ result: undefined, master: MASTER });
  const missing = MEDIA.replace('a.ts', 'b.ts');
  expect(await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': missing })).toEqual({ result: undefined, master: MASTER });
  const many = `#EXTM3U\n${'#EXTINF:1,\na.ts\n'.repeat(50_001)}`;
  expect(await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': many })).toEqual({ result: undefined, master: MASTER });
});

const TWO_SEGMENTS = `#EXTM3U
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
const WITH_AUDIO = `#EXTM3U
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
    expect(parsePlaylist(TWO_SEGMENTS)).toEqual({
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
    expect(parsePlaylist(text).segments).toEqual([
      { uri: 'all.m4s', seconds: 2, bytes: 1234 },
      { uri: 'b.m4s', seconds: 1 },
    ]);
  });

  test('a file without segments has none', () => {
    expect(parsePlaylist('')).toEqual({ targetSeconds: 0, segments: [] });
  });
});

test('the peak is the highest rate of a segment that is at least half as long as the target', async () => {
  const [long, short] = [2, 0.5].map((seconds) => `#EXTINF:${seconds},\n#EXT-X-BYTERANGE:1000\na.ts\n`);
  const { result } = await finish({ 'a_0.m3u8': `#EXT-X-TARGETDURATION:2\n${long}${short}`, 'a_1.m3u8': MEDIA });
  expect(result?.rungs[0]).toMatchObject({ bandwidth: 6400, averageBandwidth: 6400 });
});

describe('a master playlist', () => {
  const rates = new Map([
    ['a_0.m3u8', { peak: 500_000.4, average: 400_000 }],
    ['a_1.m3u8', { peak: 200_000, average: 150_000 }],
    ['a_audio.m3u8', { peak: 66_000, average: 64_000 }],
  ]);
  const measured = (master: string, known = rates) => measureVariants(master, async (uri) => known.get(uri));

  test('gets the peak and the average of each variant with its audio', async () => {
    const { text = '', videos } = (await measured(WITH_AUDIO)) ?? {};
    expect(text.split('\n').filter((line) => line.includes('STREAM-INF'))).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=566001,AVERAGE-BANDWIDTH=464000,RESOLUTION=426x240,CODECS="avc1.42c015,mp4a.40.2",AUDIO="group_audio"',
      '#EXT-X-STREAM-INF:BANDWIDTH=266000,AVERAGE-BANDWIDTH=214000,RESOLUTION=214x120,CODECS="avc1.42c00c,mp4a.40.2",AUDIO="group_audio"',
      '#EXT-X-STREAM-INF:BANDWIDTH=66000,AVERAGE-BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="group_audio"',
    ]);
    expect(text.replaceAll(/BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+/g, '')).toBe(
      WITH_AUDIO.replaceAll(/BANDWIDTH=\d+/g, ''),
    );
    expect(videos).toEqual([
      { bandwidth: 566_001, averageBandwidth: 464_000 },
      { bandwidth: 266_000, averageBandwidth: 214_000 },
    ]);
  });

  test('rates that a newer ffmpeg has written are replaced', async () => {
    const newer = '#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=2,RESOLUTION=426x240\na_0.m3u8\n';
    expect((await measured(newer))?.text).toBe(
      '#EXT-X-STREAM-INF:BANDWIDTH=500001,AVERAGE-BANDWIDTH=400000,RESOLUTION=426x240\na_0.m3u8\n',
    );
    const last = '#EXT-X-STREAM-INF:RESOLUTION=426x240,BANDWIDTH=1,AVERAGE-BANDWIDTH=2\na_0.m3u8\n';
    expect((await measured(last))?.text).toContain('RESOLUTION=426x240,BANDWIDTH=500001,AVERAGE-BANDWIDTH=400000\n');
  });

  test('is not changed if the segments of a variant are unknown', async () => {
    expect(await measured(WITH_AUDIO, new Map([['a_0.m3u8', { peak: 1, average: 1 }]]))).toBeUndefined();
  });
});

test('a ladder above its highest bit rate has a warning', () => {
  const rung = { width: 320, height: 180, value: 40, score: 0.8, bitsPerSecond: 90_000 };
  expect(ladderWarnings({ maxBitrate: 50_000 }, { rungs: [rung] })).toMatchObject([
    {
      ...{ field: '/ladder/maxBitrate', code: 'QUALITY_MISSED' },
      message: expect.stringContaining('about 90 kb/s: nothing that was tried has at most "maxBitrate" (50 kb/s)'),
      fix: expect.stringContaining('at least 180000'),
    },
  ]);
  expect(ladderWarnings({ maxBitrate: 90_000 }, { rungs: [rung] })).toEqual([]);
  expect(ladderWarnings({}, { rungs: [rung] })).toEqual([]);
});

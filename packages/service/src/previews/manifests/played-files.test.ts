import { Readable } from 'node:stream';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import type { OpenFile } from '../../files/ports.ts';
import { playedFiles } from './played-files.ts';

/** A folder with files. `files`: the text or the size of each file, by path. `state.open`: how many files are open. */
function folder(files: Readonly<Record<string, string | number>>) {
  const state = { open: 0 };
  const open = async (path: string): Promise<OpenFile> => {
    const content = files[path];
    if (content === undefined) throw new Problem('FILE_NOT_FOUND', `There is no "${path}".`);
    state.open += 1;
    const close = async (): Promise<void> => {
      state.open -= 1;
    };
    return {
      ...{ path: path as MediaPath, modifiedAt: new Date(0), fingerprint: path, isOutput: () => true, close },
      sizeBytes: typeof content === 'number' ? content : content.length,
      read: () => {
        state.open -= 1;
        return Readable.from([Buffer.from(String(content))]);
      },
    };
  };
  return { open, state };
}

type Files = Parameters<typeof folder>[0];

async function played(files: Files, manifest: string, kind: 'video' | 'audio' = 'video') {
  const { open, state } = folder(files);
  const found = await playedFiles(await open(manifest), kind, open, NEVER).finally(() => expect(state.open).toBe(0));
  return found.map(({ path }) => path);
}

const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=284x160,CODECS="avc1.64000c,mp4a.40.2"
low/s.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=854x480,CODECS="avc1.64001e,mp4a.40.2"
high/s.m3u8
`;
const SEGMENTS = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4,
s 0.m4s
#EXTINF:4,
s1.m4s
#EXT-X-ENDLIST
`;
const stream = (name: string, size: number): Files => ({
  [`hls/${name}/s.m3u8`]: SEGMENTS,
  ...{ [`hls/${name}/init.mp4`]: 1, [`hls/${name}/s 0.m4s`]: size, [`hls/${name}/s1.m4s`]: size },
});
const HLS = { 'hls/master.m3u8': MASTER, ...stream('low', 10), ...stream('high', 100) };

test('of HLS, plays the best rendition with its init segment, and the smallest one for sound alone', async () => {
  expect(await played(HLS, 'hls/master.m3u8')).toEqual(['hls/high/init.mp4', 'hls/high/s 0.m4s', 'hls/high/s1.m4s']);
  expect(await played(HLS, 'hls/master.m3u8', 'audio')).toContain('hls/low/s1.m4s');
  expect(await played(HLS, 'hls/low/s.m3u8')).toHaveLength(3);
});

test('takes a smaller rendition of a film that is too large, and names the size of one that has none', async () => {
  const large = { ...HLS, ...stream('high', 2 ** 29) };
  expect(await played(large, 'hls/master.m3u8')).toContain('hls/low/s1.m4s');
  await expect(played(large, 'hls/high/s.m3u8')).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('A preview reads at most 537 MB (512 MiB)'),
  });
});

test('segments that are parts of one file are that file', async () => {
  const text =
    '#EXTM3U\n#EXT-X-VERSION:4\n#EXTINF:4,\n#EXT-X-BYTERANGE:9@0\na.ts\n#EXTINF:4,\n#EXT-X-BYTERANGE:9@9\na.ts\n';
  expect(await played({ 'a.m3u8': text, 'a.ts': 18 }, 'a.m3u8')).toEqual(['a.ts']);
});

test('sound in a rendition of its own is played for sound, and not for pictures', async () => {
  const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="sound.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.64000c,mp4a.40.2",AUDIO="a"
film.m3u8
`;
  const list = (name: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${name}\n`;
  const files = {
    ...{ 'm.m3u8': master, 'sound.m3u8': list('s.aac'), 'film.m3u8': list('f.ts'), 's.aac': 1, 'f.ts': 1 },
  };
  expect(await played(files, 'm.m3u8', 'audio')).toEqual(['s.aac']);
  expect(await played(files, 'm.m3u8')).toEqual(['f.ts']);
});

const mpd = (inside: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT8.5S"><Period>${inside}</Period></MPD>`;
const TEMPLATE =
  'timescale="1000" initialization="init-$RepresentationID$.m4s" media="chunk-$RepresentationID$-$Number%05d$.m4s" startNumber="1"';
const SETS = `
<AdaptationSet contentType="video"><Representation id="0" mimeType="video/mp4" bandwidth="900">
  <SegmentTemplate ${TEMPLATE}><SegmentTimeline><S t="0" d="4000" r="1"/><S d="500"/></SegmentTimeline></SegmentTemplate>
</Representation></AdaptationSet>
<AdaptationSet contentType="audio"><SegmentTemplate ${TEMPLATE} duration="5000"/>
  <Representation id="1" mimeType="audio/mp4" bandwidth="100"/></AdaptationSet>`;
const chunks = (id: number, count: number): Files =>
  Object.fromEntries([
    [`init-${id}.m4s`, 1],
    ...Array.from({ length: count }, (_, at) => [`chunk-${id}-0000${at + 1}.m4s`, 1] as const),
  ]);

test('of DASH, plays the segments of a timeline, and those of a duration', async () => {
  const files = { 'a.mpd': mpd(SETS), ...chunks(0, 3), ...chunks(1, 2) };
  expect(await played(files, 'a.mpd')).toEqual(Object.keys(chunks(0, 3)));
  expect(await played(files, 'a.mpd', 'audio')).toEqual(Object.keys(chunks(1, 2)));
});

test('of DASH in one file for each rendition, plays that file', async () => {
  const one = mpd(
    '<AdaptationSet mimeType="video/mp4"><Representation id="0" bandwidth="9"><BaseURL>v/film.mp4</BaseURL></Representation></AdaptationSet>',
  );
  expect(await played({ 'd/a.mpd': one, 'd/v/film.mp4': 5 }, 'd/a.mpd')).toEqual(['d/v/film.mp4']);
  await expect(played({ 'd/a.mpd': one, 'd/v/film.mp4': 5 }, 'd/a.mpd', 'audio')).rejects.toMatchObject({
    message: '"d/a.mpd" has no audio stream.',
  });
});

const segmentsOf = (uri: string, more = '') => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${more}#EXTINF:4,\n${uri}\n`;

test.each([
  ['another host', segmentsOf('https://cdn.example/a.ts'), 'UNSUPPORTED', 'names files at "cdn.example"'],
  ['another host without a protocol', segmentsOf('//cdn.example/a.ts'), 'UNSUPPORTED', 'names files at "cdn.example"'],
  ['a file of the machine', segmentsOf('file:///etc/passwd'), 'UNSUPPORTED', 'names files at "file://"'],
  ['a missing file', segmentsOf('b.ts'), 'INPUT_INVALID', 'names "h/b.ts", which is missing'],
  ['a file above the media root', segmentsOf('../../../etc/passwd'), 'INPUT_INVALID', 'names "etc/passwd", which'],
  ['a key', segmentsOf('a.ts', '#EXT-X-KEY:METHOD=AES-128,URI="k"\n'), 'UNSUPPORTED', 'are encrypted'],
  ['nothing', '#EXTM3U\n#EXT-X-TARGETDURATION:4\n', 'INPUT_INVALID', 'names no segment'],
  ['songs', '#EXTM3U\na.ts\n', 'INPUT_INVALID', 'is not a readable manifest of HLS or DASH'],
  ['broken XML', '<MPD ><Period', 'INPUT_INVALID', 'is not a readable manifest of HLS or DASH'],
] as const)('a manifest that names %s is an error that says so', async (_what, text, code, message) => {
  await expect(played({ 'h/m.m3u8': text, 'h/a.ts': 1 }, 'h/m.m3u8')).rejects.toMatchObject({
    ...{ code, message: expect.stringContaining(message) },
    errors: [{ field: '/path', fix: expect.stringContaining('.') }],
  });
});

const endless = mpd(
  SETS.replace('d="4000" r="1"', 'd="4000" r="999999999999"').replace('duration="5000"', 'duration="1"'),
);

test('a manifest of more tags than are read is an error that says so', async () => {
  const text = mpd(`${REPRESENTATION.repeat(200)}${'<a/>'.repeat(100_000)}`);
  await expect(played({ 'a.mpd': text }, 'a.mpd')).rejects.toMatchObject({
    message: expect.stringContaining('too many tags or attributes'),
  });
});

const REPRESENTATION =
  '<Representation id="9" mimeType="video/mp4"><SegmentTemplate media="$Number$" duration="1"/></Representation>';

test('a manifest of more segments than are read is an error that says so', async () => {
  for (const kind of ['video', 'audio'] as const)
    await expect(played({ 'a.mpd': endless }, 'a.mpd', kind)).rejects.toMatchObject({
      message: expect.stringContaining('more than 2000 segments'),
    });
});

test('of very many renditions that are too large, ten are tried', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `r${at}`);
  const master = names.map((name, at) => `#EXT-X-STREAM-INF:BANDWIDTH=${at + 1}\n${name}.m3u8\n`).join('');
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`${name}.m3u8`, segmentsOf(`${name}.ts`)],
      [`${name}.ts`, 2 ** 30],
    ]),
  );
  const opened: string[] = [];
  const { open } = folder({ ...files, 'm.m3u8': `#EXTM3U\n${master}` });
  const openAndList = (path: string) => {
    opened.push(path);
    return open(path);
  };
  const found = playedFiles(await open('m.m3u8'), 'video', openAndList, NEVER);
  await expect(found).rejects.toMatchObject({ message: expect.stringContaining('are 1.07 GB together') });
  expect(opened.filter((path) => path.endsWith('.ts'))).toHaveLength(10);
  expect(opened, 'the smallest one').toContain('r0.ts');
});

test('a playlist of HLS is read as players read it', async () => {
  const files = { 'a.m4s': 1, 'b.m4s': 1, 'c.m4s': 1, 'one.mp4': 1, 'two.mp4': 1 };
  const text = [
    ...['\ufeff#EXTM3U', '#EXT-X-TARGETDURATION:4', '', '# a comment', '#EXT-X-KEY:METHOD=NONE'],
    ...['#EXT-X-MAP:URI="one.mp4",BYTERANGE="9@0"', '#EXTINF:4, a title', 'a.m4s?t=1', '#EXT-X-DISCONTINUITY'],
    ...['#EXT-X-MAP:URI="one.mp4"', '#EXTINF:4,', 'b.m4s', '#EXT-X-MAP:URI="two.mp4"', '#EXTINF:4,', 'c.m4s'],
  ].join('\r\n');
  expect(await played({ ...files, 'a.m3u8': text }, 'a.m3u8')).toEqual([
    ...['one.mp4', 'a.m4s', 'b.m4s', 'two.mp4', 'c.m4s'],
  ]);
});

test('segments with a key of a rights management are encrypted', async () => {
  const text = segmentsOf(
    'a.ts',
    '#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.apple.streamingkeydelivery",URI="skd://k"\n',
  );
  await expect(played({ 'a.m3u8': text, 'a.ts': 1 }, 'a.m3u8')).rejects.toMatchObject({
    message: expect.stringContaining('are encrypted'),
  });
});

test('the duration of DASH may have days', async () => {
  const days = mpd(SETS).replace('PT8.5S', 'P0Y0M0DT0H0M8.500S');
  expect(await played({ 'a.mpd': days, ...chunks(1, 2) }, 'a.mpd', 'audio')).toEqual(Object.keys(chunks(1, 2)));
});

test('an abort ends the reading of a manifest, and opens none of its files', async () => {
  const long = `<MPD>${'<Period/>'.repeat(10_000)}</MPD>`;
  const cancelled = AbortSignal.abort(new Error('cancelled'));
  for (const files of [{ 'm.m3u8': SEGMENTS, 'init.mp4': 1 }, { 'm.m3u8': long }]) {
    const { open, state } = folder(files);
    const opened: string[] = [];
    const found = playedFiles(
      await open('m.m3u8'),
      'video',
      (path) => {
        opened.push(path);
        return open(path);
      },
      cancelled,
    );
    await expect(found).rejects.toThrow('cancelled');
    expect(opened).toEqual([]);
    expect(state.open).toBe(0);
  }
});

import { randomBytes } from 'node:crypto';
import { mkdir, watch, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ExpectStatic } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { adminClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { writePictures } from '../support/conversion-media.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { sampled } from '../support/sampled.ts';
import type { TestServer } from '../support/server.ts';
import { onDisk } from '../support/test-engines.ts';
import { tools } from '../support/tools.ts';
import { putTracks } from '../support/tracks.ts';

const start = commonServer();
let filled: Promise<unknown> | undefined;
const test = needs('ffmpeg').concurrent;
/** The test function for conversions in the sandbox. */
const sandboxed = needs('sandbox').concurrent;

const MOVIE = 'movie.mp4';

const put = (root: string) =>
  Promise.all([putSmallMovie(root, 3, MOVIE), writePictures(join(root, 'picture.png'), 1), putTracks(root)]);

async function ready() {
  const shared = await start();
  const { media } = shared.server;
  filled ??= media.fill(put);
  await filled;
  return { ...shared, media };
}

/** The audit log of a job, which only an administrator may read. */
async function auditOf(server: TestServer, jobId: string, expect: ExpectStatic): Promise<unknown> {
  const admin = await adminClient(server);
  const { status, body } = await admin.request(`/api/audit?target=${jobId}`);
  expect({ status, namesJob: JSON.stringify(body).includes(jobId) }).toEqual({ status: 200, namesJob: true });
  return body;
}

const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', g: '12', 'c:a': 'aac' };

const HLS = { ...SMALL, hls_time: '1', hls_playlist_type: 'vod', hls_segment_filename: 'part_%02d.ts' };

test('HLS publishes the manifest at the output path, next to its segments', { tags: 'long' }, async ({ expect }) => {
  const { own, media } = await ready();
  const job = await own.run({ input: MOVIE, output: 'hls/stream.m3u8', parameters: HLS });
  expect(job.error).toBeUndefined();
  const names = await media.list('hls');
  expect(names.filter((name) => name.endsWith('.ts')).length).toBeGreaterThanOrEqual(3);
  const manifest = (await media.get('hls/stream.m3u8')).toString();
  const listed = manifest.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect([...listed, 'stream.m3u8'].sort()).toEqual(names);
  expect(manifest).toContain('#EXT-X-ENDLIST');

  const [main, ...siblings] = job.outputs ?? [];
  expect(main).toMatchObject({ path: 'hls/stream.m3u8', streams: [{ codec: 'h264' }, { codec: 'aac' }] });
  expect(siblings.map(({ path }) => path).sort()).toEqual(listed.map((name) => `hls/${name}`).sort());
  for (const { path, sizeBytes } of job.outputs ?? []) expect((await media.get(path)).length).toBe(sizeBytes);

  const folder = await media.localFolder('hls');
  const found = await probe(join(folder, 'stream.m3u8'));
  expect(found.formats).toContain('hls');
  expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.2);
  expect(Math.abs((main?.durationSeconds ?? 0) - 3)).toBeLessThan(0.2);
  expect(await decodesWithoutErrors(join(folder, 'part_00.ts'))).toBe(true);
});

/** The names of new files in a folder, in the order of their appearance, up to `last`. */
async function appearances(folder: string, last: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const { filename } of watch(folder, { persistent: false })) {
    if (filename !== null) names.add(filename);
    if (filename === last) break;
  }
  return [...names];
}

onDisk('A bucket cannot be watched. media-s3-faults.test.ts tests the order on S3.', 'ffmpeg').concurrent(
  'HLS publishes the manifest last',
  async ({ expect }) => {
    const { server, own, media } = await ready();
    const folder = join(server.mediaRoot, 'watched');
    await mkdir(folder);
    const appeared = appearances(folder, 'stream.m3u8');
    await own.run({ input: MOVIE, output: 'watched/stream.m3u8', parameters: HLS });
    expect(await appeared).toEqual(expect.arrayContaining([...(await media.list('watched'))]));
    expect((await appeared).at(-1)).toBe('stream.m3u8');
  },
);

test('DASH publishes the manifest and all files that it names', { tags: 'long' }, async ({ expect }) => {
  const { own, media } = await ready();
  const job = await own.run({
    input: MOVIE,
    output: 'dash/stream.mpd',
    parameters: { ...SMALL, seg_duration: '1', t: '2' },
  });
  expect(job.error).toBeUndefined();
  expect(await media.list('dash')).toEqual((job.outputs ?? []).map(({ path }) => path.slice(5)).sort());
  expect(job.outputs?.[0]?.path).toBe('dash/stream.mpd');
  expect((await probe(join(await media.localFolder('dash'), 'stream.mpd'))).formats).toContain('dash');
});

/** The URIs of a playlist, including those in its tags. */
const namedIn = (playlist: string): readonly string[] =>
  playlist.split('\n').flatMap((line) => (line.startsWith('#') ? (/URI="([^"]*)"/.exec(line)?.[1] ?? []) : line || []));

interface PackagingCase {
  readonly title: string;
  /** Default: the movie. */
  readonly input?: string;
  readonly output: string;
  readonly format?: string;
  readonly parameters: Record<string, string | readonly string[]>;
  /** The path of the main output. */
  readonly main: string;
  /** The last files, in the order of their appearance: a playlist follows the files that it names. */
  readonly last: readonly string[];
  /** The codecs of the streams that ffprobe must find, for each playlist. */
  readonly codecs: Readonly<Record<string, readonly string[]>>;
  /** Matches the names of all other files, such as segments. */
  readonly segments: RegExp;
}

const TWO_VARIANTS = { map: ['0:v', '0:a', '0:v', '0:a'], 'b:v:0': '300k', 'b:v:1': '100k', 's:v:1': '160x90' };
const AV = ['h264', 'aac'];

const PUBLISHED: readonly PackagingCase[] = [
  {
    title: 'HLS publishes a playlist per variant, then the master playlist',
    output: 'ladder/stream_%v.m3u8',
    parameters: {
      ...SMALL,
      ...TWO_VARIANTS,
      hls_time: '1',
      var_stream_map: 'v:0,a:0 v:1,a:1',
      master_pl_name: 'master.m3u8',
    },
    main: 'ladder/master.m3u8',
    last: ['ladder/stream_0.m3u8', 'ladder/stream_1.m3u8', 'ladder/master.m3u8'],
    codecs: { 'ladder/master.m3u8': [...AV, ...AV], 'ladder/stream_1.m3u8': AV },
    segments: /^ladder\/stream_[01]\d\.ts$/,
  },
  {
    title: 'HLS publishes each named variant in its own folder, as fMP4',
    output: 'folders/v%v/index.m3u8',
    parameters: {
      ...{ ...SMALL, ...TWO_VARIANTS, hls_time: '1', hls_segment_type: 'fmp4', master_pl_name: 'master.m3u8' },
      ...{ var_stream_map: 'v:0,a:0,name:high v:1,a:1,name:low' },
    },
    main: 'folders/master.m3u8',
    last: ['folders/vhigh/index.m3u8', 'folders/vlow/index.m3u8', 'folders/master.m3u8'],
    codecs: { 'folders/master.m3u8': [...AV, ...AV], 'folders/vlow/index.m3u8': AV },
    segments: /^folders\/v(?:high|low)\/(?:index\d+\.m4s|init\w*\.mp4)$/,
  },
  {
    title: 'HLS takes an output without %v as the master playlist of the variants',
    output: 'marked/index.m3u8',
    parameters: {
      ...{ ...SMALL, ...TWO_VARIANTS, hls_time: '1', var_stream_map: 'v:0,a:0 v:1,a:1' },
      hls_segment_filename: 'parts/%v_%03d.ts',
    },
    main: 'marked/index.m3u8',
    last: ['marked/index_0.m3u8', 'marked/index_1.m3u8', 'marked/index.m3u8'],
    codecs: { 'marked/index.m3u8': [...AV, ...AV] },
    segments: /^marked\/parts\/[01]_\d{3}\.ts$/,
  },
  {
    title: 'HLS publishes audio in two languages and subtitles as separate renditions',
    input: 'tracks.mkv',
    output: 'groups/%v/index.m3u8',
    parameters: {
      ...{ ...SMALL, map: ['0:v', '0:a:0', '0:a:1', '0:s:0'], 'c:s': 'webvtt', hls_time: '1' },
      var_stream_map:
        'v:0,agroup:sound,s:0,sgroup:words,name:picture a:0,agroup:sound,language:eng,name:eng a:1,agroup:sound,language:deu,name:deu',
      master_pl_name: 'master.m3u8',
    },
    main: 'groups/master.m3u8',
    last: [
      ...['groups/deu/index.m3u8', 'groups/eng/index.m3u8', 'groups/picture/index.m3u8'],
      ...['groups/picture/index_vtt.m3u8', 'groups/master.m3u8'],
    ],
    codecs: { 'groups/picture/index.m3u8': ['h264'], 'groups/deu/index.m3u8': ['aac'] },
    segments: /^groups\/(?:deu|eng|picture)\/index\d+\.(?:ts|vtt)$/,
  },
  {
    title: 'HLS publishes variants without a master playlist',
    output: 'plain/r%v.m3u8',
    parameters: { ...SMALL, ...TWO_VARIANTS, hls_time: '1', var_stream_map: 'v:0,a:0 v:1,a:1' },
    main: 'plain/r0.m3u8',
    last: ['plain/r0.m3u8', 'plain/r1.m3u8'],
    codecs: { 'plain/r1.m3u8': AV },
    segments: /^plain\/r\d+\.ts$/,
  },
  {
    title: 'HLS publishes fMP4 segments in a subfolder that is named as on a command line',
    output: 'below/index.m3u8',
    parameters: {
      ...{ ...SMALL, hls_time: '1', hls_segment_type: 'fmp4', hls_flags: 'independent_segments+temp_file' },
      ...{ hls_segment_filename: 'below/seg/%03d.m4s', hls_fmp4_init_filename: 'seg/init.mp4' },
    },
    main: 'below/index.m3u8',
    last: ['below/index.m3u8'],
    codecs: { 'below/index.m3u8': AV },
    segments: /^below\/seg\/(?:\d{3}\.m4s|init\.mp4)$/,
  },
  {
    title: 'HLS publishes a single file with byte ranges',
    output: 'single/index.m3u8',
    parameters: { ...SMALL, hls_time: '1', hls_flags: 'single_file' },
    main: 'single/index.m3u8',
    last: ['single/index.m3u8'],
    codecs: { 'single/index.m3u8': AV },
    segments: /^single\/index\.ts$/,
  },
  {
    title: 'DASH publishes HLS playlists for the same segments in a subfolder',
    output: 'both/stream.mpd',
    parameters: {
      ...{ ...SMALL, seg_duration: '1', hls_playlist: '1', init_seg_name: 'seg/i$RepresentationID$.m4s' },
      media_seg_name: 'seg/$RepresentationID$-$Number%05d$.m4s',
    },
    main: 'both/stream.mpd',
    last: ['both/master.m3u8', 'both/media_0.m3u8', 'both/media_1.m3u8', 'both/stream.mpd'],
    codecs: { 'both/stream.mpd': AV, 'both/media_0.m3u8': ['h264'] },
    segments: /^both\/seg\/(?:i\d|\d-\d{5})\.m4s$/,
  },
  {
    title: 'publishes segments, then their list',
    output: 'cut/p_%03d.ts',
    format: 'segment',
    parameters: { ...SMALL, segment_time: '1', segment_list: 'list.m3u8', segment_list_type: 'm3u8' },
    main: 'cut/list.m3u8',
    last: ['cut/list.m3u8'],
    codecs: { 'cut/p_000.ts': AV, 'cut/p_001.ts': AV },
    segments: /^cut\/p_\d{3}\.ts$/,
  },
  {
    title: 'publishes segments without a list',
    output: 'cut-alone/p_%03d.mkv',
    format: 'segment',
    parameters: { ...SMALL, segment_time: '1', reset_timestamps: '1' },
    main: 'cut-alone/p_000.mkv',
    last: [],
    codecs: { 'cut-alone/p_001.mkv': AV },
    segments: /^cut-alone\/p_\d{3}\.mkv$/,
  },
];

test.for(sampled(PUBLISHED, PUBLISHED.length))('$title', async (one, { expect }) => {
  const { own, media } = await ready();
  const { input = MOVIE, output, parameters, format, main, last, codecs, segments } = one;
  const request = { input, output, parameters, ...(format === undefined ? {} : { format }) };
  const job = await own.run(request);
  expect(job.error).toBeUndefined();
  const [first, ...others] = (job.outputs ?? []).map(({ path }) => path);
  expect(first).toBe(main);
  const paths = [main, ...others];
  const rest = paths.filter((path) => !last.includes(path));
  expect(rest.length).toBeGreaterThanOrEqual(last.length === 0 || segments.source.includes('index\\.ts') ? 1 : 2);
  for (const path of rest) expect(path).toMatch(segments);
  // All but the first are in the order in which they appeared.
  expect(others.filter((path) => last.includes(path))).toEqual(last.filter((path) => path !== main));
  expect(others.slice(0, rest.filter((path) => path !== main).length)).toEqual(rest.filter((path) => path !== main));

  const folder = dirname(output.replace(/\/[^/]*%v\/.*/, '/x'));
  expect((await media.list(folder)).map((path) => join(folder, path)).sort()).toEqual(paths.toSorted());

  for (const path of paths.filter((name) => name.endsWith('.m3u8'))) {
    const named = namedIn((await media.get(path)).toString());
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(paths, `named in ${path}`).toContain(join(dirname(path), name));
  }
  const local = await media.localFolder(folder);
  for (const [path, expected] of Object.entries(codecs)) {
    const file = join(local, relative(folder, path));
    const { streams } = await probe(file);
    expect(streams.map(({ codec_name: codec }) => codec)).toEqual(expected);
    expect(await decodesWithoutErrors(file)).toBe(true);
  }

  expect(await own.run(request)).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
  await media.put(main, 'replaced');
  expect(await own.run({ ...request, parameters: { ...parameters, y: '' } })).toMatchObject({ status: 'COMPLETED' });
  expect((await media.get(main)).toString()).not.toBe('replaced');
});

sandboxed('writes every frame to a picture, numbered from 1', async ({ expect }) => {
  const { own, media } = await ready();
  const job = await own.run({
    input: MOVIE,
    output: 'pictures/p-%03d.png',
    parameters: { vf: 'fps=4,scale=160:-2', t: '2' },
  });
  expect(job.error).toBeUndefined();
  const wanted = Array.from({ length: 8 }, (_, i) => `p-00${i + 1}.png`);
  expect(await media.list('pictures')).toEqual(wanted);
  expect(job.outputs?.map(({ path }) => path)).toEqual(wanted.map((name) => `pictures/${name}`));
  expect((await probe(await media.local('pictures/p-008.png'))).streams).toMatchObject([
    { codec_name: 'png', width: 160 },
  ]);
});

test('publishes nothing if one of the files exists, and fails with OUTPUT_EXISTS', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, media } = await ready();
  const request = {
    input: MOVIE,
    output: 'taken/stream.m3u8',
    parameters: { ...SMALL, hls_time: '1', hls_segment_filename: 'part_%02d.ts' },
  };
  const before = Buffer.from('precious');
  await media.put('taken/part_01.ts', before);
  const job = await own.run(request);
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
  expect(job.error?.message).toContain('taken/part_01.ts');
  expect(await media.list('taken')).toEqual(['part_01.ts']);
  expect(before.equals(await media.get('taken/part_01.ts'))).toBe(true);

  const replacing = { ...request, parameters: { ...request.parameters, y: '' } };
  expect(await own.run(replacing), '"y" replaces no sibling while the output does not exist').toMatchObject({
    error: { code: 'OUTPUT_EXISTS' },
  });
  await media.remove('taken/part_01.ts');
  expect(await own.run(request)).toMatchObject({ status: 'COMPLETED' });
  await media.put('taken/part_01.ts', before);
  expect(await own.run(replacing), '"y" replaces siblings when the output exists').toMatchObject({
    status: 'COMPLETED',
  });
  expect(before.equals(await media.get('taken/part_01.ts'))).toBe(false);
});

test('reads a file whose name equals the pattern as one file, not as a sequence', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, media } = await ready();
  await media.put('frame%03d.png', await media.get('picture.png'));
  const job = await own.run({ input: 'frame%03d.png', output: 'frames-out/a.jpg' });
  expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ streams: [{ codec: 'mjpeg', width: 320 }] }] });
});

test.for(sampled(['100% – "x" \'y\'.png', 'a:b%.jpg', '%.png', '$Number$ %% [0].png'], 4))(
  'accepts a picture with the name %s',
  async (name, { expect }) => {
    const { own, media } = await ready();
    const job = await own.run({ input: MOVIE, output: `odd/${name}`, parameters: { 'frames:v': '1' } });
    expect(job.error).toBeUndefined();
    expect((await probe(await media.local(`odd/${name}`))).streams).toMatchObject([{ width: 214 }]);
  },
);

const PLAYLISTS = ['50% "off": \'x\'.m3u8', '-f.m3u8', '日本.m3u8'];

test.for(PLAYLISTS)('accepts a playlist with the name %s', { tags: 'long' }, async (name, { expect }) => {
  const { own, media } = await ready();
  const folder = `playlists/${PLAYLISTS.indexOf(name)}`;
  const job = await own.run({ input: MOVIE, output: `${folder}/${name}`, parameters: { c: 'copy' } });
  expect(job.error).toBeUndefined();
  const listed = (await media.get(`${folder}/${name}`))
    .toString()
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  expect([...listed, name].sort()).toEqual(await media.list(folder));
});

/** The decoded frames of a playlist. Throws if it does not play. */
async function framesOf(playlist: string): Promise<string> {
  const read = ['-v', 'error', '-xerror', '-allowed_extensions', 'ALL', '-i', playlist];
  const { ok, text } = await command(tools().ffmpegPath, [...read, '-f', 'framemd5', '-']);
  if (!ok) throw new Error(text);
  return text.replaceAll(/^#.*\n/gm, '');
}

const VOD = { c: 'copy', hls_time: '1', hls_list_size: '0' };

test('encrypted HLS plays with the key of the job, as ffmpeg packages it, and not without', async ({ expect }) => {
  const { server, own, media } = await ready();
  const keyOf = async (jobId: string, token = own.token) => {
    const reply = await fetch(`${server.url}/api/conversion/${jobId}/key`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: reply.status, cache: reply.headers.get('cache-control'), key: Buffer.from(await reply.bytes()) };
  };
  const textOf = async (path: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${own.token}` } })).text();
  const request = { input: MOVIE, output: 'locked/index.m3u8', parameters: VOD, encrypt: { keyUri: 'film.key' } };
  const job = await own.run(request);
  expect({ error: job.error, warnings: job.warnings }).toEqual({ error: undefined, warnings: undefined });
  const { status, cache, key } = await keyOf(job.jobId);
  expect({ status, cache, bytes: key.length }).toEqual({ status: 200, cache: 'no-store', bytes: 16 });

  const folder = await media.localFolder('locked');
  const playlist = join(folder, 'index.m3u8');
  await expect(framesOf(playlist)).rejects.toThrow();
  await writeFile(join(folder, 'film.key'), randomBytes(16));
  await expect(framesOf(playlist)).rejects.toThrow();
  await writeFile(join(folder, 'film.key'), key);
  const bare = join(folder, 'bare.m3u8');
  const options = Object.entries(VOD).flatMap(([name, value]) => [`-${name}`, value]);
  expect(
    await command(tools().ffmpegPath, ['-v', 'error', '-i', await media.local(MOVIE), ...options, bare]),
  ).toMatchObject({ ok: true });
  expect(await framesOf(playlist)).toBe(await framesOf(bare));

  // Everything else that clients and operators read of it.
  const said = [server.log()];
  for (const path of ['', '/log', '/events']) said.push(await textOf(`/api/conversion/${job.jobId}${path}`));
  said.push(await textOf('/api/conversion?limit=200'), JSON.stringify(await auditOf(server, job.jobId, expect)));
  for (const text of said)
    for (const form of ['hex', 'base64'] as const) expect(text).not.toContain(key.toString(form));
  expect(said.filter((text) => text.includes(job.jobId)).length, 'it is about this job').toBeGreaterThan(3);

  // A retry encrypts with the same key, which players may have already.
  const retry = await own.request<{ jobId: string }>(`/api/conversion/${job.jobId}/retry`, { method: 'POST' });
  expect((await keyOf(retry.body.jobId)).key.equals(key)).toBe(true);
  await own.wait(retry.body.jobId);

  const plain = await own.accept({ input: MOVIE, output: 'unlocked.mp4', parameters: { c: 'copy' } });
  expect((await keyOf(plain)).status).toBe(404);
  await own.wait(plain);
});

test('variants and outputs share a key of the client, which nothing shows', { tags: 'long' }, async ({ expect }) => {
  const { server, own, media } = await ready();
  const key = randomBytes(16).toString('hex');
  const iv = 'A1B2C3D4E5F60718293A4B5C6D7E8F90';
  const keyUri = 'https://keys.example.com/film?id=7';
  const ladder = { map: ['0:v', '0:a', '0:v', '0:a'], var_stream_map: 'v:0,a:0 v:1,a:1' };
  const request = {
    input: MOVIE,
    outputs: [
      { output: 'shared/a/index.m3u8', parameters: { ...VOD, ...ladder } },
      { output: 'shared/b/index.m3u8', parameters: VOD },
      { output: 'shared/poster.jpg', parameters: { 'frames:v': '1' } },
    ],
    encrypt: { keyUri, key: key.toUpperCase(), iv },
  };
  const dryRun = await own.request('/api/conversion?dryRun=true', { body: request });
  const job = await own.run(request);
  expect({ error: job.error, warnings: job.warnings }).toEqual({ error: undefined, warnings: undefined });
  expect(job).toMatchObject({ encrypt: { keyUri, iv: iv.toLowerCase() }, links: { key: expect.any(String) } });
  const tag = `#EXT-X-KEY:METHOD=AES-128,URI="${keyUri}",IV=0x${iv.toLowerCase()}`;
  for (const name of ['a/index_0', 'a/index_1', 'b/index'])
    expect((await media.get(`shared/${name}.m3u8`)).toString()).toContain(tag);
  const segment = (job.outputs ?? []).find(({ path }) => path.endsWith('.ts'));
  // MPEG-TS begins with the byte 0x47 every 188 bytes.
  expect((await media.get(segment?.path ?? ''))[188]).not.toBe(0x47);

  const places = {
    job,
    dryRun: dryRun.body,
    list: await own.list(),
    log: await own.log(job.jobId),
    audit: await auditOf(server, job.jobId, expect),
    operatorsLog: server.log(),
    files: (await Promise.all((await media.list('shared')).map((name) => media.get(`shared/${name}`)))).map((file) =>
      file.toString('latin1'),
    ),
  };
  const secrets = [key, key.toUpperCase(), Buffer.from(key, 'hex').toString('latin1')];
  for (const [place, content] of Object.entries(places))
    for (const secret of secrets)
      expect(JSON.stringify(content).includes(JSON.stringify(secret).slice(1, -1)), place).toBe(false);
});

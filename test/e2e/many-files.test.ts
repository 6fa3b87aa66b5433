import { mkdir, readdir, readFile, rm, stat, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { conversionMedia } from '../support/conversion-media.ts';
import { needs } from '../support/needs.ts';
import { decodesClean, probe } from '../support/probe.ts';
import { sharedServer } from '../support/shared-server.ts';
import { MEDIA } from './conversion-cases.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
let media: Promise<void> | undefined;
const test = needs('ffmpeg').concurrent;
/** Filters and two passes are for a service with a sandbox. */
const sandboxed = needs('sandbox').concurrent;

async function ready() {
  const shared = await start();
  media ??= conversionMedia(shared.server.mediaRoot);
  await media;
  return { ...shared, at: (path: string) => join(shared.server.mediaRoot, path) };
}

const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', s: '320x180', g: '12', 'c:a': 'aac' };

/** Notes the names that appear in a folder, in their order, until `last` does. */
async function appearances(folder: string, last: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const { filename } of watch(folder, { persistent: false })) {
    if (filename !== null) names.add(filename);
    if (filename === last) break;
  }
  return [...names];
}

test('HLS: the manifest stands at the output, all segments beside it, and it appears last', async () => {
  const { admin, at } = await ready();
  await mkdir(at('hls'));
  const appeared = appearances(at('hls'), 'stream.m3u8');
  const job = await admin.run({
    input: MEDIA.movie,
    output: 'hls/stream.m3u8',
    parameters: { ...SMALL, hls_time: '1', hls_playlist_type: 'vod', hls_segment_filename: 'part_%02d.ts' },
  });
  expect(job.error).toBeUndefined();
  const names = (await readdir(at('hls'))).sort();
  expect(names.filter((name) => name.endsWith('.ts')).length).toBeGreaterThanOrEqual(3);
  const manifest = await readFile(at('hls/stream.m3u8'), 'utf8');
  const listed = manifest.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect([...listed, 'stream.m3u8'].sort()).toEqual(names);
  expect(manifest).toContain('#EXT-X-ENDLIST');

  const [main, ...siblings] = job.outputs ?? [];
  expect(main).toMatchObject({ path: 'hls/stream.m3u8', streams: [{ codec: 'h264' }, { codec: 'aac' }] });
  expect(siblings.map(({ path }) => path).sort()).toEqual(listed.map((name) => `hls/${name}`).sort());
  for (const { path, sizeBytes } of job.outputs ?? []) expect((await stat(at(path))).size).toBe(sizeBytes);
  expect(await appeared).toEqual(expect.arrayContaining(names));
  expect((await appeared).at(-1)).toBe('stream.m3u8');

  const found = await probe(at('hls/stream.m3u8'));
  expect(found.formats).toContain('hls');
  expect(Math.abs((found.durationSeconds ?? 0) - 3.1)).toBeLessThan(0.2);
  expect(Math.abs((main?.durationSeconds ?? 0) - 3.1)).toBeLessThan(0.2);
  expect(await decodesClean(at('hls/part_00.ts'))).toBe(true);
});

test('DASH: the manifest and what it names', async () => {
  const { admin, at } = await ready();
  const job = await admin.run({
    input: MEDIA.movie,
    output: 'dash/stream.mpd',
    parameters: { ...SMALL, seg_duration: '1', t: '2' },
  });
  expect(job.error).toBeUndefined();
  expect((await readdir(at('dash'))).sort()).toEqual((job.outputs ?? []).map(({ path }) => path.slice(5)).sort());
  expect(job.outputs?.[0]?.path).toBe('dash/stream.mpd');
  expect((await probe(at('dash/stream.mpd'))).formats).toContain('dash');
});

sandboxed('numbered pictures: every frame, counted from one, the first one first', async () => {
  const { admin, at } = await ready();
  const job = await admin.run({
    input: MEDIA.movie,
    output: 'pictures/p-%03d.png',
    parameters: { vf: 'fps=4,scale=160:-2', t: '2' },
  });
  expect(job.error).toBeUndefined();
  const wanted = Array.from({ length: 8 }, (_, i) => `p-00${i + 1}.png`);
  expect((await readdir(at('pictures'))).sort()).toEqual(wanted);
  expect(job.outputs?.map(({ path }) => path)).toEqual(wanted.map((name) => `pictures/${name}`));
  expect((await probe(at('pictures/p-008.png'))).streams).toMatchObject([{ codec_name: 'png', width: 160 }]);
});

test('a sibling that exists is a collision: OUTPUT_EXISTS, and nothing appears', async () => {
  const { admin, at } = await ready();
  const request = {
    input: MEDIA.movie,
    output: 'taken/stream.m3u8',
    parameters: { ...SMALL, hls_time: '1', hls_segment_filename: 'part_%02d.ts' },
  };
  await admin.run({ input: MEDIA.sound, output: 'taken/part_01.ts', parameters: { 'c:a': 'mp2' } });
  const before = await readFile(at('taken/part_01.ts'));
  const job = await admin.run(request);
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
  expect(job.error?.message).toContain('taken/part_01.ts');
  expect(await readdir(at('taken'))).toEqual(['part_01.ts']);
  expect(before.equals(await readFile(at('taken/part_01.ts')))).toBe(true);

  const replacing = { ...request, parameters: { ...request.parameters, y: '' } };
  expect(await admin.run(replacing), 'the output itself is new').toMatchObject({ error: { code: 'OUTPUT_EXISTS' } });
  await rm(at('taken/part_01.ts'));
  expect(await admin.run(request)).toMatchObject({ status: 'COMPLETED' });
  await writeFile(at('taken/part_01.ts'), before);
  expect(await admin.run(replacing), 'now it is done again').toMatchObject({ status: 'COMPLETED' });
  expect(before.equals(await readFile(at('taken/part_01.ts')))).toBe(false);
});

test('a file of exactly the name of a pattern is that file, not a sequence', async () => {
  const { admin, at } = await ready();
  await writeFile(at('frames/one%03d.png'), await readFile(at(MEDIA.picture)));
  const job = await admin.run({ input: 'frames/one%03d.png', output: 'frames-out/a.jpg' });
  expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ streams: [{ codec: 'mjpeg', width: 320 }] }] });
});

test.for(['100% – "x" \'y\'.png', 'a:b%.jpg', '%.png', '$Number$ %% [0].png'])(
  'a picture may be called %s',
  async (name) => {
    const { admin, at } = await ready();
    const job = await admin.run({ input: MEDIA.movie, output: `odd/${name}`, parameters: { 'frames:v': '1' } });
    expect(job.error).toBeUndefined();
    expect((await probe(at(`odd/${name}`))).streams).toMatchObject([{ width: 854 }]);
  },
);

const PLAYLISTS = ['50% "off": \'x\'.m3u8', '-f.m3u8', '日本.m3u8'];

test.for(PLAYLISTS)('a playlist may be called %s', async (name) => {
  const { admin, at } = await ready();
  const folder = `playlists/${PLAYLISTS.indexOf(name)}`;
  const job = await admin.run({ input: MEDIA.movie, output: `${folder}/${name}`, parameters: { c: 'copy' } });
  expect(job.error).toBeUndefined();
  const listed = (await readFile(at(`${folder}/${name}`), 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
  expect([...listed, name].sort()).toEqual((await readdir(at(folder))).sort());
});

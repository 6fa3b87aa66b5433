import { mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { commonServer } from '../support/common-server.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { sampled } from '../support/sampled.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const QUICK = { parameters: { 'c:a': 'copy' } };

/** Names that shells, ffmpeg, URLs or patterns read as something else. */
const ODD_NAMES = [
  'spaces and  tabs are kept .flac',
  '"double", \'single\' and `back` quotes.flac',
  '100% of it.flac',
  '%03d.flac',
  '12:30: noon.flac',
  '-i.flac',
  '--.flac',
  '-y',
  'C:\\temp\\x.flac',
  'pipe:0',
  'concat:a|b.flac',
  'a&b;c|d>e<f$(g)`h`.flac',
  '[0:v] {glob,} *?.flac',
  '#hash?query=1&x.flac',
  '日本語 – ünïcödé 🎧.flac',
  'e\u0301 decomposed.flac',
  '.hidden',
  '~',
  '...flac',
];

test.for(sampled(ODD_NAMES, ODD_NAMES.length))(
  'accepts an input and an output with the name %s',
  async (name, { expect }) => {
    const { server, own } = await start();
    const folder = `odd/${ODD_NAMES.indexOf(name)}`;
    await putSample(server.mediaRoot, 'flac', `${folder}/${name}`);
    const job = await own.run({
      input: `${folder}/${name}`,
      output: `${folder}/out/${name}`,
      format: 'flac',
      ...QUICK,
    });
    expect(job.error).toBeUndefined();
    expect(await readdir(join(server.mediaRoot, folder, 'out'))).toEqual([name]);
    expect(job.outputs).toMatchObject([{ path: `${folder}/out/${name}`, streams: [{ codec: 'flac' }] }]);
    expect((await probe(join(server.mediaRoot, folder, 'out', name))).durationSeconds).toBeCloseTo(12.27, 1);
  },
);

test('a path counts from the media root, with or without a leading slash or the path prefix', async ({ expect }) => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'mp3', 'in/song.mp3');
  const root = await realpath(server.mediaRoot);
  const spellings: readonly (readonly [input: string, output: string, lands: string])[] = [
    ['in/song.mp3', 'relative/a.mka', 'relative/a.mka'],
    ['/in/song.mp3', '/slash/a.mka', 'slash/a.mka'],
    [`${root}/in/song.mp3`, `${root}/host/a.mka`, 'host/a.mka'],
    ['./in//../in/./song.mp3', 'x/../dots/./a.mka', 'dots/a.mka'],
    ['//in///song.mp3', '///slashes//a.mka', 'slashes/a.mka'],
  ];
  await Promise.all(
    spellings.map(async ([input, output, lands]) => {
      const job = await own.run({ input, output, ...QUICK });
      expect(job).toMatchObject({ status: 'COMPLETED', input, output, outputs: [{ path: lands }] });
      expect((await probe(join(root, lands))).streams).toMatchObject([{ codec_name: 'mp3' }]);
    }),
  );
});

test('creates missing folders of an output', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'mp3', 'deep.mp3');
  const output = 'a/b/c/d/e/f/g/deep.mka';
  expect(await own.run({ input: 'deep.mp3', output, ...QUICK })).toMatchObject({ status: 'COMPLETED' });
  expect((await stat(join(server.mediaRoot, output))).isFile()).toBe(true);
});

test('follows symlinks inside the media root', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'mp3', 'real/song.mp3');
  await mkdir(join(server.mediaRoot, 'links'));
  await symlink('../real/song.mp3', join(server.mediaRoot, 'links/song.mp3'));
  await symlink('../real', join(server.mediaRoot, 'links/folder'));
  const job = await own.run({ input: 'links/song.mp3', output: 'links/folder/a.mka', ...QUICK });
  expect(job.error).toBeUndefined();
  expect(await readdir(join(server.mediaRoot, 'real'))).toEqual(expect.arrayContaining(['a.mka', 'song.mp3']));
});

test('accepts an input that appears after the job was accepted', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await start();
  const slow = { input: 'long.mp4', output: 'long.webm', parameters: { 'c:v': 'libvpx-vp9', t: '20' } };
  await putSample(server.mediaRoot, '1080p', 'long.mp4');
  const busy = await Promise.all([0, 1].map((i) => own.accept({ ...slow, output: `long-${i}.webm` })));
  // An encoded film, because a copy or a few seconds would not wait for them.
  const film = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', t: '6', an: '' };
  const jobId = await own.accept({ input: 'late.mp4', output: 'late.mkv', parameters: film });
  await putSample(server.mediaRoot, '480p', 'late.mp4');
  for (const id of busy) await own.request(`/api/conversion/${id}/cancel`, { method: 'POST' });
  expect(await own.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
});

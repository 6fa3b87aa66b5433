import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, type ExpectStatic } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { onDisk } from '../support/test-engines.ts';
import { tools } from '../support/tools.ts';

const run = promisify(execFile);
const start = commonServer();
const test = needs('ffmpeg').concurrent;
const probesFirst = onDisk('elsewhere, inputs are probed only when the job runs', 'ffmpeg').concurrent;
let filled: Promise<unknown> | undefined;
let bare: string;

beforeAll(async () => {
  bare = await mkdtemp(join(tmpdir(), 'telecine-bare-'));
});
afterAll(() => rm(bare, { recursive: true }));

const ffmpeg = (args: readonly string[], cwd: string) =>
  run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args], { cwd });

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const AAC = ['-c:a', 'aac', '-b:a', '96k'];

/** Clips of a film: two of one kind, others of other sizes, rates and sounds, and a picture. */
async function put(root: string): Promise<void> {
  const scene = (from: string, filter: string, ...more: readonly string[]) =>
    ffmpeg(['-ss', from, '-t', '2', '-i', samplePath('480p'), '-vf', filter, ...X264, ...more], root);
  const same = ['-g', '12', ...AAC, '-ac', '2', '-frames:v', '48'];
  await Promise.all([
    scene('4', 'scale=320:180,setsar=1', ...same, 'a.mp4'),
    scene('12', 'scale=320:180,setsar=1', ...same, 'b.mp4'),
    scene('8', 'scale=240:180,setsar=1,fps=25', ...AAC, '-ac', '1', '-ar', '44100', 'small.mp4'),
    scene('10', 'scale=180:320,setsar=1', '-an', 'mute.mp4'),
    ffmpeg(
      ['-ss', '6', '-t', '1.5', '-i', samplePath('480p'), '-vn', '-ac', '2', '-c:a', 'libmp3lame', 'one.mp3'],
      root,
    ),
    ffmpeg(['-ss', '9', '-t', '1', '-i', samplePath('480p'), '-vn', '-ac', '1', '-ar', '22050', 'two.wav'], root),
    ffmpeg(['-f', 'lavfi', '-i', 'sine=f=440:r=16000:d=1', '-f', 's16le', 'voice.pcm'], root),
    ffmpeg(['-f', 'lavfi', '-i', 'testsrc=s=200x100', '-frames:v', '1', 'card.png'], root),
  ]);
  await ffmpeg(['-ss', '0.7', '-i', 'b.mp4', '-c', 'copy', 'hidden.mp4'], root);
}

async function ready() {
  const shared = await start();
  filled ??= put(bare).then(() => shared.server.media.fill((root) => cp(bare, root, { recursive: true })));
  await filled;
  return shared;
}

/** A checksum of every decoded frame of a file, and of its times. */
async function frames(file: string): Promise<string> {
  const args = ['-v', 'error', '-nostdin', '-i', file, '-map', '0', '-f', 'framemd5', '-'];
  return (await run(tools().ffmpegPath, args)).stdout;
}

/** How many pictures and samples of a channel are in a file, and in which format the pictures are. */
async function lengths(file: string) {
  const listed = await frames(file);
  const of = (stream: number): readonly string[][] =>
    listed
      .split('\n')
      .filter((line) => line.startsWith(`${stream},`))
      .map((line) => line.split(','));
  const isFilm = listed.includes('#media_type 0: video');
  const [pictures, sounds] = isFilm ? [of(0), of(1)] : [[], of(0)];
  return { pictures: pictures.length, samples: sounds.reduce((sum, [, , , duration]) => sum + Number(duration), 0) };
}

interface Row {
  readonly title: string;
  readonly request: ConversionRequest;
  /** The list of files that somebody writes for ffmpeg. */
  readonly list?: readonly string[];
  /** What somebody types: the same conversion. */
  readonly command: readonly string[];
}

const CONCAT = ['-f', 'concat', '-safe', '0', '-i', 'LIST'];
const FIT = 'pad=320:180:-1:-1,setsar=1';

const ROWS: readonly Row[] = [
  {
    title: 'joins films of one kind without encoding',
    request: { inputs: ['a.mp4', 'b.mp4', 'a.mp4'], join: 'copy', output: 'copy/three.mp4' },
    list: ["file 'a.mp4'", "file 'b.mp4'", "file 'a.mp4'"],
    command: [...CONCAT, '-c', 'copy', 'out.mp4'],
  },
  {
    title: 'joins parts of films without encoding',
    request: {
      inputs: [
        { input: 'a.mp4', parameters: { t: '1' } },
        { input: 'b.mp4', parameters: { ss: '0.5', to: '1.5' } },
      ],
      join: 'copy',
      output: 'copy/parts.mkv',
    },
    list: ["file 'a.mp4'", 'outpoint 1', "file 'b.mp4'", 'inpoint 0.5', 'outpoint 1.5'],
    command: [...CONCAT, '-c', 'copy', 'out.mkv'],
  },
  {
    title: 'joins films of other sizes, rates and sounds, with filters for the joined video',
    request: {
      inputs: ['a.mp4', 'small.mp4', 'mute.mp4', { input: 'card.png', duration: '0.8' }],
      join: 'encode',
      output: 'encode/all.mkv',
      parameters: { vf: 'hflip', af: 'volume=0.5', 'c:v': 'ffv1', 'c:a': 'flac' },
    },
    command: [
      ...['-i', 'a.mp4', '-i', 'small.mp4', '-i', 'mute.mp4', '-loop', '1', '-t', '0.8', '-i', 'card.png'],
      '-filter_complex',
      `[0:v]fps=25[v0];[1:v]scale=240:180,${FIT}[v1];[2:v]scale=102:180,${FIT},fps=25[v2];` +
        `[3:v]scale=320:160,${FIT},fps=25,format=yuv420p[v3];` +
        '[1:a]aformat=sample_rates=48000:channel_layouts=stereo[a1];' +
        'anullsrc=r=48000:cl=stereo,atrim=duration=1.96[a2];anullsrc=r=48000:cl=stereo,atrim=duration=0.8[a3];' +
        '[v0][0:a][v1][a1][v2][a2][v3][a3]concat=n=4:v=1:a=1[v][a];[v]hflip[w];[a]volume=0.5[b]',
      ...['-map', '[w]', '-map', '[b]', '-c:v', 'ffv1', '-c:a', 'flac', 'out.mkv'],
    ],
  },
  {
    title: 'joins sounds of other kinds',
    request: { inputs: ['one.mp3', 'two.wav'], join: 'encode', output: 'encode/sound.flac' },
    command: [
      ...['-i', 'one.mp3', '-i', 'two.wav', '-filter_complex'],
      '[1:a]aformat=sample_rates=48000:channel_layouts=stereo[b];[0:a][b]concat=n=2:v=0:a=1',
      'out.flac',
    ],
  },
  {
    title: 'joins samples without a header, as their options describe them',
    request: {
      inputs: ['one.mp3', { input: 'voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } }],
      join: 'encode',
      output: 'encode/samples.flac',
    },
    command: [
      ...['-i', 'one.mp3', '-f', 's16le', '-ar', '16000', '-ac', '1', '-i', 'voice.pcm', '-filter_complex'],
      '[1:a]aformat=sample_rates=48000:channel_layouts=stereo[b];[0:a][b]concat=n=2:v=0:a=1',
      'out.flac',
    ],
  },
  {
    title: 'puts a colour card before a film',
    request: {
      inputs: [
        { source: 'color=c=red', duration: '1' },
        { input: 'a.mp4', parameters: { ss: '0.3', t: '1' } },
      ],
      join: 'encode',
      output: 'encode/card.mkv',
      parameters: { 'c:v': 'ffv1', 'c:a': 'flac' },
    },
    command: [
      ...['-f', 'lavfi', '-t', '1', '-i', 'color=c=red:s=320x180:r=24', '-ss', '0.3', '-t', '1', '-i', 'a.mp4'],
      '-filter_complex',
      '[0:v]scale=320:180,format=yuv420p,setsar=1[v0];anullsrc=r=48000:cl=stereo,atrim=duration=0.958333[a0];' +
        '[v0][a0][1:v][1:a]concat=n=2:v=1:a=1[v][a]',
      ...['-map', '[v]', '-map', '[a]', '-c:v', 'ffv1', '-c:a', 'flac', 'out.mkv'],
    ],
  },
  {
    title: 'adds silence to a film without sound',
    request: {
      inputs: ['mute.mp4', { source: 'anullsrc=r=48000:cl=stereo' }],
      output: 'source/silent.mp4',
      parameters: { 'c:v': 'copy', 'c:a': 'aac', shortest: '' },
    },
    command: [
      ...['-i', 'mute.mp4', '-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo'],
      ...['-c:v', 'copy', '-c:a', 'aac', '-shortest', 'out.mp4'],
    ],
  },
  {
    title: 'makes a film of a test picture and a tone alone',
    request: {
      inputs: [
        { source: 'testsrc2=s=160x90:r=10', duration: '1' },
        { source: 'sine=f=440', duration: '1' },
      ],
      output: 'source/test.mkv',
      parameters: { 'c:v': 'ffv1', 'c:a': 'flac' },
    },
    command: [
      ...['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=s=160x90:r=10', '-f', 'lavfi', '-t', '1', '-i', 'sine=f=440'],
      ...['-c:v', 'ffv1', '-c:a', 'flac', 'out.mkv'],
    ],
  },
];

async function sameAsBare({ request, list, command }: Row, expect: ExpectStatic): Promise<void> {
  const { server, own } = await ready();
  const job = await own.run(request);
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const folder = await mkdtemp(join(bare, 'row-'));
  const file = join(bare, `${folder.slice(-6)}.txt`);
  if (list !== undefined) await writeFile(file, list.join('\n'));
  const other = join(folder, command.at(-1) ?? '');
  await ffmpeg([...command.slice(0, -1).map((word) => (word === 'LIST' ? file : word)), other], bare);
  expect(await frames(await server.media.local(String(request.output)))).toBe(await frames(other));
}

test.for(sampled(ROWS, 8))('$title', (row, { expect }) => sameAsBare(row, expect));

test('fades clips of other sizes, rates and sounds into each other, with as much sound as picture', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, own } = await ready();
  const inputs = ['a.mp4', { input: 'small.mp4', crossfade: '0.5' }, { input: 'mute.mp4', crossfade: '0.4' }, 'b.mp4'];
  const parameters = { 'c:v': 'ffv1', 'c:a': 'flac' };
  const job = await own.run({ inputs, join: 'encode', output: 'fade/all.mkv', parameters });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { pictures, samples } = await lengths(await server.media.local('fade/all.mkv'));
  // Four clips of 2 s at 25 frames a second.
  expect(Math.abs(pictures - (8 - 0.9) * 25)).toBeLessThanOrEqual(4);
  expect(samples).toBe(Math.round((pictures * 48_000) / 25));
});

test('fades sounds into each other', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await ready();
  const inputs = ['one.mp3', { input: 'two.wav', crossfade: '0.25' }];
  const job = await own.run({ inputs, join: 'encode', output: 'fade/sound.flac' });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { samples } = await lengths(await server.media.local('fade/sound.flac'));
  expect(Math.abs(samples / 48_000 - 2.25)).toBeLessThan(0.06);
});

test('says once that a crossfade of a recipe is shorter, at its argument', { tags: 'long' }, async ({ expect }) => {
  const { own } = await ready();
  const preset = { name: 'join', arguments: { crossfade: 30 } };
  const job = await own.run({ inputs: ['a.mp4', 'b.mp4'], output: 'fade/once.mp4', preset });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toMatchObject([{ code: 'SHORTER_CROSSFADE', field: '/preset/arguments/crossfade' }]);
});

probesFirst('says before the run which clip does not fit, and to which', { tags: 'long' }, async ({ expect }) => {
  const { own } = await ready();
  const request = { inputs: ['a.mp4', 'small.mp4'], join: 'copy', output: 'no/different.mp4' } as const;
  const { status, body } = await own.request('/api/conversion?dryRun=true', { body: request });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [{ field: '/inputs/1', code: 'DIFFERENT_INPUTS', message: expect.stringContaining('"join": "encode"') }],
  });
  const reason = /small\.mp4.* cannot follow .*a\.mp4.* video of 240x180.* but the first has video of 320x180/;
  expect(JSON.stringify(body)).toMatch(reason);
  // A submission reads no file, so the job says the same.
  expect((await own.run(request)).error).toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(reason),
  });
});

test('looks into clips that earlier jobs make, and fails before ffmpeg runs if they do not fit', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, own } = await ready();
  const requests = [
    {
      name: 'clip',
      input: 'b.mp4',
      output: 'late/clip.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90' },
    },
    { name: 'copy', after: ['clip'], inputs: ['a.mp4', 'late/clip.mp4'], join: 'copy', output: 'late/copy.mp4' },
    {
      name: 'encode',
      after: ['clip'],
      inputs: ['a.mp4', 'late/clip.mp4'],
      join: 'encode',
      output: 'late/all.mp4',
      parameters: { preset: 'ultrafast' },
    },
  ];
  const { status, body } = await own.request<{ jobs: { jobId: string }[] }>('/api/conversions', {
    body: { requests },
  });
  expect(status).toBe(202);
  const [, copy, encode] = body.jobs.map(({ jobId }) => jobId);
  const [copied, encoded] = await Promise.all([own.wait(copy ?? ''), own.wait(encode ?? '')]);
  expect(copied.error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('"join": "encode"') });
  expect(copied.error?.message).toContain('"late/clip.mp4" cannot follow "a.mp4"');
  expect(encoded.error).toBeUndefined();
  expect(encoded.outputs?.[0]).toMatchObject({ durationSeconds: expect.closeTo(4, 0) });
  expect(await server.media.list('late')).toEqual(['all.mp4', 'clip.mp4']);
});

test('begins a copied clip at a key frame, also before its hidden start, and says so', { tags: 'long' }, async ({
  expect,
}) => {
  const { server, own } = await ready();
  const inputs = ['a.mp4', 'hidden.mp4', { input: 'b.mp4', parameters: { ss: '0.8' } }];
  const job = await own.run({ inputs, join: 'copy', output: 'keys/out.mp4' });
  expect(job.error).toBeUndefined();
  expect(job.warnings?.map(({ field, code }) => `${field} ${code}`)).toEqual([
    '/inputs/1 EARLIER_START',
    '/inputs/2/input EARLIER_START',
  ]);
  const { stdout } = await run(tools().ffprobePath, [
    ...'-v error -select_streams v -show_entries packet=dts -of csv=p=0'.split(' '),
    await server.media.local('keys/out.mp4'),
  ]);
  const times = stdout.trim().split('\n').map(Number);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

probesFirst('reads no list of a client, and no file that a list names', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await ready();
  await server.media.put('list.mp4', "ffconcat version 1.0\nfile 'b.mp4'\n");
  const request = { inputs: ['a.mp4', 'list.mp4'], join: 'copy', output: 'no/list.mp4' } as const;
  const { status, body } = await own.request('/api/conversion?dryRun=true', { body: request });
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: [{ field: '/inputs/1', code: 'UNSUPPORTED' }] });
  expect((await own.run(request)).error).toMatchObject({ code: 'UNSUPPORTED' });
});

probesFirst(
  'a dry run shows the graph for the clips that are there, and says what it assumes of others',
  async ({ expect }) => {
    const { own } = await ready();
    const dryRun = async (inputs: readonly string[]) => {
      const { body } = await own.request<{
        argv: string[][];
        warnings: { code: string }[];
        plan: { inputs: unknown[] };
      }>('/api/conversion?dryRun=true', { body: { inputs, join: 'encode', output: 'no/dry.mp4' } });
      return body;
    };
    const known = await dryRun(['a.mp4', 'small.mp4']);
    expect(known.argv[0]?.join(' ')).toMatch(/scale=width=240:height=180:[^;]+,pad=width=320:height=180/);
    expect(known.warnings).toEqual([]);
    const unknown = await dryRun(['a.mp4', 'later.mp4']);
    expect(unknown.warnings.map(({ code }) => code)).toEqual(['ASSUMED_MEDIA', 'INPUT_NOT_FOUND']);
    expect(unknown.argv[0]?.join(' ')).toContain('1920');
  },
);

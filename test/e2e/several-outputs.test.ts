import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, type ExpectStatic } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';
import { putTracks } from '../support/tracks.ts';

const run = promisify(execFile);
const start = commonServer();
const test = needs('ffmpeg').concurrent;
const sandboxed = needs('sandbox').concurrent;
let filled: Promise<unknown> | undefined;
let bare: string;

beforeAll(async () => {
  bare = await mkdtemp(join(tmpdir(), 'telecine-bare-'));
});
afterAll(() => rm(bare, { recursive: true }));

/** Puts the same inputs into the media root and beside the outputs of bare ffmpeg. */
const put = (root: string) => Promise.all([putSmallMovie(root, 3, 'small.mp4'), putTracks(root)]);

async function ready() {
  const shared = await start();
  filled ??= Promise.all([shared.server.media.fill(put), put(bare)]);
  await filled;
  return shared;
}

/** A checksum of every decoded frame of a file, and of its times. */
async function frames(file: string): Promise<string> {
  const args = ['-v', 'error', '-nostdin', '-i', file, '-map', '0', '-map', '-0:s', '-f', 'framemd5', '-'];
  return (await run(tools().ffmpegPath, args)).stdout;
}

interface Row {
  readonly title: string;
  readonly request: ConversionRequest;
  /** What somebody types: the same conversion, without the global options of a script. */
  readonly command: string;
}

const X264 = { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'aac' };

const ROWS: readonly Row[] = [
  {
    title: 'a poster, the sound and a film for the web of one decoding',
    request: {
      input: 'small.mp4',
      outputs: [
        { output: 'web/film.mp4', parameters: { ...X264, vf: 'scale=160:-2', movflags: '+faststart' } },
        { output: 'web/film.m4a', parameters: { vn: '', 'c:a': 'aac', 'b:a': '96k', ac: '2' } },
        { output: 'web/poster.jpg', parameters: { ss: '1', 'frames:v': '1', 'q:v': '3' } },
      ],
    },
    command:
      '-i small.mp4 -c:v libx264 -preset ultrafast -c:a aac -vf scale=160:-2 -movflags +faststart film.mp4 ' +
      '-vn -c:a aac -b:a 96k -ac 2 film.m4a -ss 1 -frames:v 1 -q:v 3 -update 1 poster.jpg',
  },
  {
    title: 'each audio track in a file of its own, and all tracks in another',
    request: {
      input: 'tracks.mkv',
      outputs: [
        { output: 'tracks/eng.flac', parameters: { map: '0:a:0', 'c:a': 'flac' } },
        { output: 'tracks/deu.mka', parameters: { map: '0:a:m:language:deu' } },
        { output: 'tracks/all.mkv', parameters: { map: '0' } },
      ],
      parameters: { c: 'copy' },
    },
    command:
      '-i tracks.mkv -c copy -map 0:a:0 -c:a flac eng.flac -c copy -map 0:a:m:language:deu deu.mka -c copy -map 0 all.mkv',
  },
];

const LADDER: Row = {
  title: 'a ladder of three renditions from one filtergraph, with shared options',
  request: {
    input: 'small.mp4',
    outputs: [
      { output: 'ladder/120.mp4', parameters: { map: ['[a]', '0:a'], 'b:v': '800k' } },
      { output: 'ladder/90.mp4', parameters: { map: ['[b]', '0:a'], 'b:v': '400k' } },
      { output: 'ladder/60.mp4', parameters: { map: ['[c]', '0:a'], 'b:v': '200k', 'b:a': '64k' } },
    ],
    parameters: {
      ...X264,
      filter_complex: '[0:v]split=3[x][y][z];[x]scale=-2:120[a];[y]scale=-2:90[b];[z]scale=-2:60[c]',
      g: '48',
      keyint_min: '48',
      sc_threshold: '0',
    },
  },
  command:
    '-i small.mp4 -filter_complex [0:v]split=3[x][y][z];[x]scale=-2:120[a];[y]scale=-2:90[b];[z]scale=-2:60[c] ' +
    ['120 a 800k 128k', '90 b 400k 128k', '60 c 200k 64k']
      .map((row) => {
        const [height, label, video, audio] = row.split(' ');
        const shared = '-c:v libx264 -preset ultrafast -c:a aac -g 48 -keyint_min 48 -sc_threshold 0';
        const sound = audio === '128k' ? '' : ` -b:a ${audio}`;
        return `${shared} -map [${label}] -map 0:a -b:v ${video}${sound} ${height}.mp4`;
      })
      .join(' '),
};

async function sameAsBare({ request, command }: Row, expect: ExpectStatic): Promise<void> {
  const { server, own } = await ready();
  const job = await own.run(request);
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  expect(job.output).toBeUndefined();
  const paths = (request.outputs ?? []).map(({ output }) => output);
  expect(job.requestedOutputs).toEqual(request.outputs);
  expect(job.outputs?.map(({ path }) => path)).toEqual(paths);
  const folder = await mkdtemp(join(bare, 'row-'));
  const words = command.split(' ').map((word) => (/^\w+\.\w+$/.test(word) ? join(folder, word) : word));
  words[1] = join(bare, command.split(' ')[1] ?? '');
  await run(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...words]);
  for (const [index, path] of paths.entries()) {
    const file = await server.media.local(path);
    const other = join(folder, path.slice(path.lastIndexOf('/') + 1));
    expect(await frames(file), path).toBe(await frames(other));
    const { stdout } = await run(tools().ffprobePath, [
      '-v',
      'error',
      '-show_entries',
      'format=duration',
      '-of',
      'json',
      other,
    ]);
    const { duration } = (JSON.parse(stdout) as { format: { duration?: string } }).format;
    const shown = job.outputs?.[index]?.durationSeconds;
    if (path.endsWith('.jpg')) expect(shown).toBeUndefined();
    else expect(shown, path).toBeCloseTo(Number(duration), 2);
  }
}

test.for(sampled(ROWS, 2))('$title', (row, { expect }) => sameAsBare(row, expect));
sandboxed(LADDER.title, { tags: 'long' }, ({ expect }) => sameAsBare(LADDER, expect));

test('an HLS playlist and its segments appear beside a poster', { tags: 'long' }, async ({ expect }) => {
  const { server, own } = await ready();
  const job = await own.run({
    input: 'small.mp4',
    outputs: [
      { output: 'both/poster.jpg', parameters: { 'frames:v': '1' } },
      { output: 'both/index.m3u8', parameters: { ...X264, g: '24', hls_time: '1', hls_playlist_type: 'vod' } },
    ],
  });
  expect(job.error).toBeUndefined();
  expect(job.outputs?.slice(0, 2).map(({ path }) => path)).toEqual(['both/poster.jpg', 'both/index.m3u8']);
  expect(await server.media.list('both')).toEqual(['index.m3u8', 'index0.ts', 'index1.ts', 'index2.ts', 'poster.jpg']);
});

test('an output that gets nothing fails the job with its path, and nothing is published', { tags: 'long' }, async ({
  expect,
}) => {
  const { server, own } = await ready();
  for (const [output, parameters] of [
    ['late.mkv', { ss: '60', c: 'copy' }],
    ['late.jpg', { ss: '60', 'frames:v': '1' }],
    ['late.m4a', { ss: '60', vn: '' }],
  ] as const) {
    const job = await own.run({
      input: 'small.mp4',
      outputs: [
        { output: 'empty/film.mp4', parameters: { c: 'copy' } },
        { output: `empty/${output}`, parameters },
      ],
    });
    expect(job.error?.message, output).toContain(`Output "empty/${output}"`);
    expect(job.error?.message, output).toMatch(/3(?:\.\d+)? s/);
  }
  expect(await server.media.list('empty')).toEqual([]);
});

test('an output that exists fails the job before it starts, and the others are not published', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, own } = await ready();
  await server.media.put('exists/b.mkv', 'mine');
  const outputs = [
    { output: 'exists/a.mkv', parameters: { c: 'copy' } },
    { output: 'exists/b.mkv', parameters: { c: 'copy' } },
  ];
  const job = await own.run({ input: 'small.mp4', outputs });
  expect(job.error).toMatchObject({ code: 'OUTPUT_EXISTS' });
  expect(await server.media.list('exists')).toEqual(['b.mkv']);
  const replaced = await own.run({ input: 'small.mp4', outputs, parameters: { y: '' } });
  expect(replaced.status).toBe('COMPLETED');
  expect((await server.media.get('exists/b.mkv')).length).toBeGreaterThan(1000);
});

test('a warning about the run has the field of its output', { tags: 'long' }, async ({ expect }) => {
  const { own } = await ready();
  const job = await own.run({
    input: 'small.mp4',
    outputs: [
      { output: 'fields/a.mp4', parameters: { ...X264 } },
      { output: 'fields/b.mp4', parameters: { ...X264, vf: 'fade=out:st=9:d=1' } },
    ],
  });
  expect(job.warnings).toMatchObject([{ field: '/outputs/1/parameters/vf', code: 'NO_EFFECT' }]);
});

test('a codec that an output cannot hold fails the job with the path of that output', { tags: 'long' }, async ({
  expect,
}) => {
  const { own } = await ready();
  const job = await own.run({
    input: 'tracks.mkv',
    outputs: [
      { output: 'held/a.mkv', parameters: { c: 'copy' } },
      { output: 'held/b.wav', parameters: { c: 'copy', map: '0:s:0' } },
    ],
  });
  expect(job.error?.message).toContain('Output "held/b.wav": ');
});

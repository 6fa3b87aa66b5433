import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ByteRange, rangeBytes } from '../../packages/contract/src/domain/byte-ranges.ts';
import { chunkArgv, chunkFile } from '../../packages/ffmpeg/src/chunks/chunk-argvs.ts';
import { familyIn } from '../../packages/ffmpeg/src/chunks/chunk-plans.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { cutSource, ffmpegIn } from '../support/run-chunks.ts';

const test = needs('ffmpeg');

/** Makes a copy of a file that has only these bytes. The others are zeros. */
async function copyBytes(from: string, to: string, ranges: readonly ByteRange[]): Promise<void> {
  const bytes = await readFile(from);
  await using copy = await open(to, 'w');
  await copy.truncate(bytes.length);
  for (const [begin, end] of ranges) await copy.write(bytes, begin, end - begin, begin);
}

/** Copies two minutes of a small film into a container. */
async function makeLong(dir: string, name: string, more: readonly string[]): Promise<void> {
  await putSmallMovie(dir, 12, 'film.mp4');
  const loop = ['-nostdin', '-v', 'error', '-stream_loop', '9', '-i', 'film.mp4', '-c', 'copy'];
  await ffmpegIn(dir, [...loop, ...more, `in/${name}`]);
}

/** ffmpeg reads so much of any file to find its streams. */
const STREAMS_BYTES = 5_600_000;

interface Source {
  readonly what: string;
  readonly name: string;
  readonly more?: readonly string[];
  readonly tags?: 'long';
}

const SOURCES: readonly Source[] = [
  { what: 'mp4', name: '0.mp4' },
  { what: 'mp4 with the index in front', name: '0.mp4', more: ['-movflags', '+faststart'], tags: 'long' },
  { what: 'mov', name: '0.mov', tags: 'long' },
  { what: 'mkv', name: '0.mkv', tags: 'long' },
  { what: 'mkv with the index in front', name: '0.mkv', more: ['-reserve_index_space', '50k'], tags: 'long' },
];

for (const { what, name, more = [], tags = [] } of SOURCES)
  test(`a chunk of ${what} is made from its bytes as from the whole file`, { tags }, async () => {
    const dir = await testFolder('chunk-bytes');
    for (const folder of ['in', 'out', 'pass']) await mkdir(join(dir, folder));
    await makeLong(dir, name, more);
    const parameters = { 'c:v': 'libx264', preset: 'ultrafast', crf: '30', vf: 'scale=128:-2', 'c:a': 'aac' };
    const { chunks: planned } = wholePlan({ input: name, output: 'o.mp4', parameters }, { chunks: true });
    if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
    const run = await cutSource(dir, planned, { seconds: 10 });
    if ('whole' in run) throw new Error(run.whole);
    const family = familyIn(planned, 0);
    const input = join(dir, 'in', name);
    const { size } = await stat(input);
    await rename(input, join(dir, 'whole'));
    const middle = run.chunks.filter(({ index }) => index % 6 === 0);
    const chunks = [...middle, run.chunks.at(-1)].flatMap((chunk) => chunk ?? []);
    expect(chunks.length).toBeGreaterThan(2);
    const encode = async (chunk: (typeof chunks)[number], bytes: readonly ByteRange[]): Promise<Buffer> => {
      await copyBytes(join(dir, 'whole'), input, bytes);
      const log = await ffmpegIn(dir, chunkArgv(planned, family, chunk, { threads: 1 }));
      expect(log).not.toMatch(/\[(?:error|fatal)\]/);
      const made = join(dir, chunkFile(family, chunk.index));
      const encoded = await readFile(made);
      await rm(made);
      return encoded;
    };
    for (const chunk of chunks) {
      const { bytes: { ranges: bytes } = { ranges: [] } } = chunk;
      expect(rangeBytes(bytes)).toBeGreaterThan(0);
      expect(rangeBytes(bytes)).toBeLessThan(STREAMS_BYTES + size / 3);
      const expected = await encode(chunk, [[0, size]]);
      expect((await encode(chunk, bytes)).equals(expected), JSON.stringify(bytes)).toBe(true);
    }
  });

test('the bytes of a chunk of a fragmented file are not known, because its headers are between the frames', async () => {
  const dir = await testFolder('chunk-bytes');
  for (const folder of ['in', 'out', 'pass']) await mkdir(join(dir, folder));
  await makeLong(dir, '0.mp4', ['-movflags', '+frag_keyframe+empty_moov']);
  const request = { input: '0.mp4', output: 'o.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } };
  const { chunks: planned } = wholePlan(request, { chunks: true });
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  const run = await cutSource(dir, planned, { seconds: 20 });
  if ('whole' in run) throw new Error(run.whole);
  expect(run.chunks.length).toBeGreaterThan(5);
  expect(run.chunks.filter(({ bytes }) => bytes !== undefined)).toEqual([]);
});

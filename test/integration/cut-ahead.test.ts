import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type ByteRange, rangeBytes } from '../../packages/contract/src/domain/byte-ranges.ts';
import type { ChunkPart } from '../../packages/ffmpeg/src/chunks/chunk-plans.ts';
import { bytesToCut, type CutOptions, cutInput } from '../../packages/service/src/jobs/ffmpeg/cut-input.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const execute = promisify(execFile);

/** Encodes the film small, with a key frame every two seconds. */
async function smallMovie(name: string, ...flags: readonly string[]): Promise<string> {
  const folder = await makeOnce(`small-${name}`, async (dir) => {
    const common = ['-v', 'error', '-i', MOVIE, '-r', '25', '-g', '50', '-c:a', 'aac', '-ac', '1'];
    await execute(tools().ffmpegPath, [...common, ...flags, join(dir, name)]);
  });
  return join(folder, name);
}

/** Copies a film again and again, for so many seconds. */
async function looped(movie: string, name: string, seconds: number, ...flags: readonly string[]): Promise<string> {
  const folder = await makeOnce(`looped-${name}`, async (dir) => {
    const copied = ['-t', `${seconds}`, '-c', 'copy', ...flags, join(dir, name)];
    await execute(tools().ffmpegPath, ['-v', 'error', '-stream_loop', '-1', '-i', movie, ...copied]);
  });
  return join(folder, name);
}

/** Five minutes in which encoding and showing have other orders, with audio. */
async function longMovie(name: string): Promise<string> {
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast'];
  const once = await smallMovie('once.mp4', '-vf', 'scale=96:54', ...encoder);
  const flags = name === 'fragments.mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : [];
  return looped(once, name, 300, ...flags);
}

/** Cuts a movie. Returns the parts of each batch, and the shares. */
async function cut(movie: string, more: Partial<CutOptions> = {}) {
  const extension = movie.split('.').at(-1);
  const parameters = { 'c:v': 'libx264', crf: '23', 'c:a': 'aac' };
  const plan = wholePlan({ input: `a.${extension}`, output: 'b.mp4', parameters }, { chunks: true });
  const planned = plan.chunks;
  if (planned === undefined || 'whole' in planned) throw new Error('The conversion runs whole.');
  const dir = await scratch();
  const run = conversion(NO_SANDBOX, dir, plan, { mounts: [{ logical: planned.input, hostPath: movie }] });
  const batches: (readonly ChunkPart[])[] = [];
  const shares: number[] = [];
  const reason = await cutInput(
    { ...run, ffprobePath: tools().ffprobePath },
    {
      ...{ planned, lengthsOf: () => ({ seconds: 20 }), mostSeconds: Number.POSITIVE_INFINITY, stored: [] },
      fileBytes: (await stat(movie)).size,
      onParts: (parts, share) => {
        batches.push(parts);
        shares.push(share);
      },
      ...more,
    },
  );
  return { batches, shares, reason };
}

/** The members of parts that are the same whether the whole list was read before. Parts that are cut early may name more bytes: where the packets end is not known yet. */
const comparable = (parts: readonly ChunkPart[]) =>
  parts.map(({ lengthSeconds: _, ...part }) => {
    if (part.chunk === undefined) return part;
    const { bytes: _bytes, ...chunk } = part.chunk;
    return { ...part, chunk };
  });

test.for(sampled(['long.mp4', 'fragments.mp4', 'long.mkv', 'long.ts'], 4))(
  'the first chunks of %s are cut while the rest is read, as if all had been read',
  async (name) => {
    const movie = await longMovie(name);
    const whole = await cut(movie, { fileBytes: undefined });
    expect(whole).toMatchObject({ reason: undefined, shares: [1] });
    const ahead = await cut(movie);
    expect(ahead.reason).toBeUndefined();
    expect(ahead.batches.length).toBeGreaterThan(2);
    expect(ahead.shares[0]).toBeLessThan(0.3);
    expect(ahead.shares.at(-1)).toBe(1);
    expect(comparable(ahead.batches.flat())).toEqual(comparable(whole.batches.flat()));
  },
);

test('after a crash, an input is cut from where the stored parts end', async () => {
  const movie = await longMovie('long.mp4');
  const { batches } = await cut(movie);
  const [first = [], ...others] = batches;
  const resumed = await cut(movie, { stored: first });
  expect(comparable(resumed.batches.flat())).toEqual(comparable(others.flat()));
  // All other workers have left, so that "auto" would not cut the input now.
  const whole = 'Only one worker can convert the input.';
  const alone = await cut(movie, { stored: first, lengthsOf: () => ({ whole }) });
  expect(alone.reason).toBeUndefined();
  const ofVideo = ({ chunk }: ChunkPart) => chunk ?? [];
  expect([...first, ...alone.batches.flat()].flatMap(ofVideo).map(({ index }) => index)).toEqual(
    batches
      .flat()
      .flatMap(ofVideo)
      .map(({ index }) => index),
  );
});

const LARGE = ['last.mp4', 'front.mp4', 'edited.mov', 'hevc.mp4'] as const;

/** A film of which most is not in the first 5.5 MB, with the index at either end or with an edit list. */
async function largeMovie(name: (typeof LARGE)[number]): Promise<string> {
  if (name === 'hevc.mp4') {
    const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:qp=2'];
    return looped(await smallMovie('hevc.mp4', '-vf', 'scale=96:54', ...encoder), 'large-hevc.mp4', 540);
  }
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '2'];
  const once = await smallMovie('h264.mp4', '-vf', 'scale=192:108', ...encoder);
  const flags = { 'last.mp4': [], 'front.mp4': ['-movflags', '+faststart'], 'edited.mov': ['-ss', '1.3'] }[name];
  return looped(once, `large-${name}`, 200, ...flags);
}

/** A copy of a film with only the bytes that show where to cut it, and how many these are. */
async function copyOfIndex(movie: string) {
  const { size } = await stat(movie);
  const path = join(await scratch(), `index.${movie.split('.').at(-1)}`);
  await using source = await open(movie);
  await using copy = await open(path, 'w');
  await copy.truncate(size);
  const wanted = (ranges: readonly ByteRange[]) => bytesToCut(path, size, ranges);
  for (let copied: readonly ByteRange[] = [[0, 64]]; ; ) {
    for (const [from, to] of copied) {
      const { buffer, bytesRead } = await source.read(Buffer.alloc(to - from), 0, to - from, from);
      await copy.write(buffer, 0, bytesRead, from);
    }
    const needed = await wanted(copied);
    if (needed === undefined) return undefined;
    if (JSON.stringify(needed) === JSON.stringify(copied)) return { path, share: rangeBytes(copied) / size };
    copied = needed;
  }
}

test.for(sampled(LARGE, LARGE.length))('the index of large-%s alone shows the same cuts as all of it', async (name) => {
  const movie = await largeMovie(name);
  const index = await copyOfIndex(movie);
  expect(index?.share).toBeLessThan(0.7);
  const whole = await cut(movie, { fileBytes: undefined });
  const ofIndex = await cut(index?.path ?? '', { fileBytes: undefined, isIndexOnly: true });
  expect(whole.batches.flat().length).toBeGreaterThan(3);
  expect(ofIndex).toEqual(whole);
});

test('fragments have no index', { tags: 'long' }, async () => {
  expect(await copyOfIndex(await longMovie('fragments.mp4'))).toBeUndefined();
});

test('an input that is longer than the client may convert has no chunks', async () => {
  const { batches, reason } = await cut(await longMovie('long.mp4'), { mostSeconds: 200 });
  expect(reason).toEqual({ whole: expect.stringMatching(/longer than the client may/) });
  expect(batches).toEqual([]);
});

import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { cutAtKeyFrames } from '@telecine/ffmpeg/chunks/cuts.ts';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { autoLength, chunkLength } from './chunk-length.ts';

const TEMPLATES: ChunkTemplates = {
  ...{ input: 'in/0.mp4', argv: [], extension: 'mp4', videos: 1 },
  ...{ outputs: [], joinHead: [], svtLevels: false, hasSegments: false, keepsFrames: true },
};

const workersWith = (slots: readonly number[]) => slots.map((concurrency) => ({ concurrency }));

const auto = (slots: readonly number[], length: number, running?: number) =>
  autoLength(length, workersWith(slots), running);

test('with one worker, one slot or a short input, "auto" runs whole', () => {
  expect(auto([8], 3600)).toEqual({ whole: 'Only one worker can convert the input.' });
  expect(auto([1, 1], 3600, 1)).toEqual({ whole: 'The client may run one job at a time.' });
  expect(auto([1, 1], 599.9)).toEqual({
    whole: 'The input has 599 s. With "auto", chunks need at least 600 s.',
  });
  expect(auto([1, 1], 600)).toEqual(expect.any(Number));
});

test('workers on one machine do not share an input', () => {
  const on = (machines: readonly string[]) => machines.map((id) => ({ concurrency: 1, machine: { id, cpus: '0-7' } }));
  expect(autoLength(1800, on(['a', 'a', 'a']))).toEqual({ whole: expect.stringContaining('on one machine') });
  expect(autoLength(1800, on(['a', 'a', 'b']))).toEqual(expect.any(Number));
});

test('a length in seconds is kept, on any number of workers', async () => {
  const lengthOf = await chunkLength({ seconds: 7 }, { sharingWorkers: async () => workersWith([1]) });
  expect(lengthOf(20)).toBe(7);
});

test('each slot gets several chunks, of at least 15 and at most 60 seconds', async () => {
  const lengthOf = await chunkLength('auto', { sharingWorkers: async () => workersWith([1, 1, 1, 1]) });
  expect([lengthOf(640), lengthOf(7200)]).toEqual([20, 60]);
  expect(auto([8, 8], 640)).toBe(15);
  expect(auto([8, 8], 640, 4)).toBe(20);
});

/** The lengths of the chunks that a video with a key frame every second is cut into. */
function cut(length: number, seconds: number): readonly number[] {
  const video = { index: 0, type: 'video', codec: 'h264', isCover: false, disposition: [] };
  const micros = Float64Array.from({ length }, (_, at) => at * 1e6);
  const source = { streams: [video], video, micros, keyMicros: micros, sourceMicros: 0, lengthSeconds: length };
  const run = resultOf(cutAtKeyFrames(TEMPLATES, source, seconds));
  if ('whole' in run) throw new Error(run.whole);
  return run.chunks.map(({ frames }) => frames);
}

/** A random number from 0 to 1 that is the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The seconds that a chunk costs besides its frames: starts of ffmpeg and ffprobe, and writes to the database. */
const OVERHEAD = 0.3;

/**
 * Simulates how long workers with one slot encode a video that takes one of them its own length. Each takes the next chunk when
 * it is free. The work in a second of video varies by half.
 */
function simulate(workers: number, chunks: readonly number[]): { readonly work: number; readonly took: number } {
  const random = randomNumbers(workers);
  const costs = chunks.map((seconds) => seconds * (0.5 + random()));
  const free = Array.from({ length: workers }, () => 0);
  for (const cost of costs) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + cost + OVERHEAD;
  }
  return { work: costs.reduce((sum, cost) => sum + cost, 0), took: Math.max(...free) };
}

describe.each([2, 4, 8, 16, 32, 64])('with %i workers', (workers) => {
  test.each([
    [20, workers <= 8 ? 0.88 : workers <= 16 ? 0.8 : 0.5],
    [60, workers <= 16 ? 0.92 : 0.8],
    [240, workers <= 16 ? 0.94 : 0.87],
  ])('%i minutes keep them busy for at least %f of the time', (minutes, share) => {
    const seconds = auto(
      Array.from({ length: workers }, () => 1),
      minutes * 60,
    );
    if (typeof seconds !== 'number') throw new Error(seconds.whole);
    const chunks = cut(minutes * 60, seconds);
    expect(chunks.reduce((sum, one) => sum + one, 0)).toBe(minutes * 60);
    const { work, took } = simulate(workers, chunks);
    expect(work / workers / took).toBeGreaterThanOrEqual(share);
  });
});

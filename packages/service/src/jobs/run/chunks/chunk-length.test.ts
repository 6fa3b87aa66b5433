import { describe, expect, test } from 'vitest';
import { chunkLengths } from './chunk-length.ts';

const auto = async (slots: readonly number[], length: number, running?: number) =>
  (await chunkLengths('auto', { slotsOfWorkers: async () => slots }, running))(length);

test('with one worker, one slot or a short input, "auto" runs whole', async () => {
  expect(await auto([8], 3600)).toBeUndefined();
  expect(await auto([1, 1], 3600, 1)).toBeUndefined();
  expect(await auto([1, 1], 119)).toBeUndefined();
});

test('a length in seconds is kept, on any number of workers', async () => {
  const lengths = await chunkLengths({ seconds: 7 }, { slotsOfWorkers: async () => [1] });
  expect(lengths(20)).toEqual({ seconds: 7 });
});

test('the last chunks are shorter', async () => {
  expect(await auto([1, 1, 1, 1], 640)).toEqual({ seconds: 40, end: { span: 160, seconds: 10 } });
});

/** The lengths of the chunks that a video is cut into. */
function cut(length: number, { seconds, end }: NonNullable<Awaited<ReturnType<typeof auto>>>): number[] {
  const chunks: number[] = [];
  for (let left = length; left > 0; left -= chunks.at(-1) ?? left)
    chunks.push(Math.min(left, end !== undefined && left <= end.span ? end.seconds : seconds));
  return chunks;
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
    [20, workers <= 16 ? 0.9 : 0.5],
    [60, workers <= 32 ? 0.93 : 0.85],
    [240, 0.94],
  ])('%i minutes keep them busy', async (minutes, share) => {
    const lengths = await auto(
      Array.from({ length: workers }, () => 1),
      minutes * 60,
    );
    if (lengths === undefined) throw new Error('It runs whole.');
    const { work, took } = simulate(workers, cut(minutes * 60, lengths));
    expect(work / workers / took).toBeGreaterThanOrEqual(share);
  });
});

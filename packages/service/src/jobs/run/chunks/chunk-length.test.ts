import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { cutChunks } from '@telecine/ffmpeg/chunks/cut-points.ts';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../../../../../test/support/result-of-steps.ts';
import { type ChunkLengths, isWhole } from '../../ports/chunk-maker.ts';
import { chunkForecast, chunkLengths } from './chunk-length.ts';

const TEMPLATES: ChunkTemplates = {
  input: 'in/0.mp4',
  families: [{ argv: [], extension: 'mp4', videos: 1 }],
  outputs: [],
  joinHead: [],
  svtLevels: false,
  countsFromReadStreams: false,
  frameRateModes: ['cfr'],
  cutsAtKeyFrames: false,
};

const workersWith = (slots: readonly number[]) => slots.map((concurrency) => ({ concurrency }));

const lengthsOf = (slots: readonly number[], running?: number) =>
  chunkLengths('auto', { sharingWorkers: async () => workersWith(slots) }, running);

const auto = async (slots: readonly number[], length: number, running?: number) =>
  (await lengthsOf(slots, running))(length);

test('with one worker, one slot or a short input, "auto" runs whole', async () => {
  expect(await auto([8], 3600)).toEqual({ whole: 'Only one worker can convert the input.' });
  expect(await auto([1, 1], 3600, 1)).toEqual({ whole: 'The client may run one job at a time.' });
  expect(await auto([1, 1], 599.9)).toEqual({
    whole: 'The input has 599 s. With "auto", chunks need at least 600 s.',
  });
  expect(await auto([1, 1], 600)).toHaveProperty('seconds');
});

test('a dry run is told how many workers share the input', async () => {
  const says = chunkForecast(() => workersWith([2, 2]));
  expect(await says(undefined, 640, undefined, [])).toEqual({
    shared: '2 workers with 4 slots share the input, in chunks of about 40 s.',
    workers: 2,
  });
  expect(await says(undefined, 640, 3, [])).toMatchObject({ shared: expect.stringContaining('with 3 slots') });
  expect(await says(undefined, 60, undefined, [])).toHaveProperty('whole');
  // With a length in seconds, one worker encodes all chunks, also if no worker is known.
  expect(await chunkForecast(() => [])(30, 1800, undefined, [])).toMatchObject({ workers: 0 });
});

test('workers on one machine do not share an input, for a dry run and for the worker of the job', async () => {
  const on = (machines: readonly string[]) => machines.map((id) => ({ concurrency: 1, machine: { id, cpus: '0-7' } }));
  const dryRun = (machines: readonly string[]) => chunkForecast(() => on(machines))(undefined, 1800, undefined, []);
  const worker = async (machines: readonly string[]) =>
    (await chunkLengths('auto', { sharingWorkers: async () => on(machines) }))(1800);
  for (const says of [dryRun, worker]) {
    expect(await says(['a', 'a', 'a'])).toEqual({ whole: expect.stringContaining('on one machine') });
    expect(await says(['a', 'a', 'b'])).not.toHaveProperty('whole');
  }
});

test('a length in seconds is kept, on any number of workers', async () => {
  const lengths = await chunkLengths({ seconds: 7 }, { sharingWorkers: async () => workersWith([1]) });
  expect(lengths(20)).toEqual({ seconds: 7 });
});

test('the last chunks are shorter', async () => {
  expect(await auto([1, 1, 1, 1], 640)).toEqual({ seconds: 40, end: { span: 160, seconds: 10 } });
});

/** The lengths of the chunks that a video with a frame every second is cut into. */
function cut(length: number, lengths: ChunkLengths): readonly number[] {
  const video = {
    index: 0,
    type: 'video',
    codec: 'h264',
    isCover: false,
    disposition: [],
    hasLanguage: false,
    realRate: 1,
    averageRate: 1,
  };
  const work = cutChunks(
    TEMPLATES,
    {
      ...{ format: 'mov', streams: [video], video, timeBase: [1, 1], startMicros: 0, beginsWithoutKeyFrame: false },
      ticks: Float64Array.from({ length }, (_, at) => at),
      durations: new Float64Array(length).fill(1),
      keys: new Uint8Array(length).fill(1),
    },
    lengths,
  );
  const run = resultOf(work);
  if ('whole' in run) throw new Error(run.whole);
  return run.chunks.map(({ frames = Number.NaN }) => frames);
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
    [20, workers <= 16 ? 0.88 : 0.5],
    [60, workers <= 32 ? 0.92 : 0.85],
    [240, 0.94],
  ])('%i minutes keep them busy for at least %f of the time', async (minutes, share) => {
    const lengths = await auto(
      Array.from({ length: workers }, () => 1),
      minutes * 60,
    );
    if (isWhole(lengths)) throw new Error(lengths.whole);
    const chunks = cut(minutes * 60, lengths);
    expect(chunks.reduce((sum, seconds) => sum + seconds, 0)).toBe(minutes * 60);
    const { work, took } = simulate(workers, chunks);
    expect(work / workers / took).toBeGreaterThanOrEqual(share);
  });
});

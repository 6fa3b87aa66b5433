import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { cutChunks } from '@telecine/ffmpeg/chunks/cut-points.ts';
import type { ChunkWork } from '@telecine/ffmpeg/estimate/chunk-gain.ts';
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

const workersWith = (slots: readonly number[], processors = 4) =>
  slots.map((concurrency) => ({ concurrency, processors }));

const lengthsOf = (slots: readonly number[], running?: number, processors?: number) =>
  chunkLengths('auto', { sharingWorkers: async () => workersWith(slots, processors) }, running);

const auto = async (slots: readonly number[], length: number, running?: number) =>
  (await lengthsOf(slots, running))(length, undefined);

const forecast = (slots: readonly number[], processors?: number) => chunkForecast(() => workersWith(slots, processors));

test('with one worker, one slot or a short input, "auto" runs whole', async () => {
  expect(await auto([8], 3600)).toEqual({ whole: 'Only one worker can convert the input.' });
  expect(await auto([1, 1], 3600, 1)).toEqual({ whole: 'The client may run one job at a time.' });
  expect(await auto([1, 1], 119.9)).toEqual({
    whole: 'The input has 119 s. With "auto", chunks need at least 120 s.',
  });
});

test('a dry run is told how many workers share the input', async () => {
  const says = forecast([2, 2]);
  expect(await says(undefined, 640, undefined, undefined, [])).toEqual({
    shared: '2 workers with 4 slots share the input, in chunks of about 40 s.',
  });
  expect(await says(undefined, 640, 3, undefined, [])).toMatchObject({
    shared: expect.stringContaining('with 3 slots'),
  });
  expect(await says(undefined, 60, undefined, undefined, [])).toHaveProperty('whole');
});

/** Half an hour that one worker with four cores encodes in about 1000 s. */
const LONG: ChunkWork = {
  whole: { kind: 'x264-large', processorSeconds: 3400, copySeconds: 0 },
  ...{ sharedSeconds: 3378, leastSeconds: 0, searchSeconds: 0, restSeconds: 22 },
  ...{ inputBytes: 1e9, outputBytes: 1e9 },
};

test('"auto" runs whole if what workers cannot share takes most of the time, and a dry run says both times', async () => {
  const says = forecast([1, 1]);
  expect(await says(undefined, 1800, undefined, LONG, [])).toHaveProperty('shared');
  const light = { ...LONG, whole: { ...LONG.whole, processorSeconds: 34 }, sharedSeconds: 12 };
  expect(await says(undefined, 1800, undefined, light, [])).toEqual({
    whole: expect.stringMatching(/^Chunks would save too little: .* takes 22 s whole, and \d\d s in chunks\.$/),
  });
  const lengths = await lengthsOf([1, 1]);
  expect(isWhole(lengths(1800, light))).toBe(true);
  expect(isWhole(lengths(1800, LONG))).toBe(false);
});

test('chunks take a share of the time of the whole, by the workers that are there', async () => {
  const shareOf = async (slots: readonly number[], wanted?: number, running?: number) => {
    const found = await forecast(slots)(wanted, 1800, running, LONG, []);
    return 'share' in found ? found.share : found;
  };
  expect(await shareOf([1, 1])).toBeCloseTo(0.5, 1);
  expect(await shareOf([1, 1, 1, 1], 30)).toBeCloseTo(0.27, 1);
  // With a length in seconds, one worker encodes all chunks, also if no worker is known.
  for (const slots of [[1], []]) expect(await shareOf(slots, 30)).toBeGreaterThan(1);
  expect(await shareOf([1, 1, 1, 1], 30, 1)).toBeGreaterThan(0.9);
});

test('the share of the time is by the processors of the workers, not of the process that answers', async () => {
  // The streams besides the video take 300 s on any machine, so faster workers save less.
  const mixed = { ...LONG, restSeconds: 300 };
  const shareOf = async (processors: number) => {
    const found = await forecast([1, 1, 1, 1], processors)(30, 1800, undefined, mixed, []);
    return 'share' in found ? found.share : found;
  };
  expect(await shareOf(16)).toBeGreaterThan(Number(await shareOf(2)) * 1.2);
});

test('"auto" compares the times on the workers that share the input, on any worker', async () => {
  // The streams besides the video take 700 s on any machine: with few cores, it is the video that takes the time.
  const mixed = { ...LONG, restSeconds: 700 };
  expect(isWhole((await lengthsOf([1, 1], undefined, 2))(1800, mixed))).toBe(false);
  expect(isWhole((await lengthsOf([1, 1], undefined, 64))(1800, mixed))).toBe(true);
});

test('three workers on one machine have its cores together, for a dry run and for the worker of the job', async () => {
  const on = (machines: readonly string[]) =>
    workersWith([1, 1, 1], 8).map((one, at) => ({ ...one, machine: { id: machines[at] ?? '', cpus: '0-7' } }));
  const dryRun = (machines: readonly string[]) =>
    chunkForecast(() => on(machines))(undefined, 1800, undefined, LONG, []);
  const worker = async (machines: readonly string[]) =>
    (await chunkLengths('auto', { sharingWorkers: async () => on(machines) }))(1800, LONG);
  for (const says of [dryRun, worker]) {
    expect(await says(['a', 'a', 'a'])).toEqual({ whole: expect.stringContaining('save too little') });
    expect(await says(['a', 'b', 'c'])).not.toHaveProperty('whole');
  }
});

test('the time and the reason of "auto" count the same chunks, with the shorter ones at the end', async () => {
  // A chunk costs 0.3 s besides its frames. With two slots and 600 s: 8 chunks of 60 s and 8 of 15 s.
  const tiny = {
    ...LONG,
    whole: { ...LONG.whole, processorSeconds: 40 },
    sharedSeconds: 3,
    ...{ restSeconds: 0, inputBytes: 0 },
  };
  const auto = await forecast([1, 1], 1)(undefined, 600, undefined, tiny, []);
  expect(auto).toHaveProperty('share');
  const ofCount = await forecast([1, 1], 1)(600 / 16, 600, undefined, tiny, []);
  expect('share' in auto && auto.share).toBeCloseTo(Number('share' in ofCount && ofCount.share), 6);
});

test('a length in seconds is kept, on any number of workers', async () => {
  const lengths = await chunkLengths({ seconds: 7 }, { sharingWorkers: async () => workersWith([1]) });
  expect(lengths(20, undefined)).toEqual({ seconds: 7 });
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

import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { expect, test } from 'vitest';
import type { StagedInput } from '../../ports/media-store.ts';
import { ChunkUnfit } from './encode-chunk.ts';
import { createWholeInputs, InputReplaced, type WholeInputs, withNeededBytes } from './needed-bytes.ts';

const BYTES = [[0, 100]] as const;
const part = { sizeBytes: 1000, isPartial: true } as unknown as StagedInput;
const whole = { sizeBytes: 1000 } as unknown as StagedInput;
const failure = (code: 'FFMPEG_FAILED' | 'NO_SPACE') => ({ code, message: 'It failed.' });

/** The bytes of each call. The call with a part throws `error`. */
async function callsWith(
  error: unknown,
  {
    isCopied = true,
    signal = new AbortController().signal,
    known = createWholeInputs(),
    mayCopyAll = true,
  }: {
    readonly isCopied?: boolean;
    readonly signal?: AbortSignal;
    readonly known?: WholeInputs;
    readonly mayCopyAll?: boolean;
  } = {},
) {
  const calls: unknown[] = [];
  const result = await withNeededBytes(BYTES, { jobId: 'job', known, signal, mayCopyAll }, async (bytes, report) => {
    calls.push(bytes);
    if (!report([bytes !== undefined && isCopied ? part : whole]) && bytes === undefined) return 'encoded';
    throw error;
  }).catch((thrown: unknown) => thrown);
  return { calls, result };
}

test.each([
  new JobFailed(failure('FFMPEG_FAILED')),
  new ChunkUnfit('Chunk 3 has 10 frames instead of 20.'),
  new InputReplaced('The input was replaced.'),
])('after %s from a part of the input, the whole input is copied', async (error) => {
  expect(await callsWith(error)).toEqual({ calls: [BYTES, undefined], result: 'encoded' });
});

test.each([new JobFailed(failure('NO_SPACE')), new StorageDown(failure('FFMPEG_FAILED')), new Error('a defect')])(
  '%s has another cause',
  async (error) => {
    expect(await callsWith(error)).toEqual({ calls: [BYTES], result: error });
  },
);

test('a failure with the whole input is final, and so is any after a stop', async () => {
  const error = new JobFailed(failure('FFMPEG_FAILED'));
  expect(await callsWith(error, { isCopied: false })).toEqual({ calls: [BYTES], result: error });
  expect(await callsWith(error, { signal: AbortSignal.abort() })).toEqual({ calls: [BYTES], result: error });
});

test('the next chunk of a job for which a part did not suffice gets the whole input at once', async () => {
  const known = createWholeInputs();
  const error = new ChunkUnfit('Bytes of the input are damaged, or were not copied.');
  expect((await callsWith(error, { known })).calls).toEqual([BYTES, undefined]);
  expect((await callsWith(error, { known })).calls).toEqual([undefined]);
});

test('a job whose chunk fails with the whole input too is not remembered', async () => {
  const known = createWholeInputs();
  const error = new JobFailed(failure('FFMPEG_FAILED'));
  const { signal } = new AbortController();
  await withNeededBytes(BYTES, { jobId: 'job', known, signal, mayCopyAll: true }, async (_, report) => {
    report([part]);
    throw error;
  }).catch(() => undefined);
  expect(known.has('job')).toBe(false);
});

test('the whole of an input at a URL is not fetched for a chunk: the worker of the job encodes it, and the next ones', async () => {
  const known = createWholeInputs();
  const failed = new ChunkUnfit('Bytes of the input are damaged, or were not copied.');
  const options = { known, mayCopyAll: false };
  expect(await callsWith(failed, options)).toEqual({ calls: [BYTES], result: expect.any(JobFailed) });
  expect(await callsWith(failed, options)).toEqual({ calls: [], result: expect.any(JobFailed) });
});

test('only the latest jobs are remembered', () => {
  const known = createWholeInputs();
  for (let job = 0; job <= 100; job++) known.add(`job ${job}`);
  expect([known.has('job 0'), known.has('job 1'), known.has('job 100')]).toEqual([false, true, true]);
});

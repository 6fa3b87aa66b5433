import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { expect, test } from 'vitest';
import type { ChunkMaker, PlannedChunk } from '../../ports/chunk-maker.ts';
import { writeTask } from './chunk-task.ts';
import { type ChunkToEncode, ChunkUnfit, type EncodeDeps, encodeChunk, encodedSeconds } from './encode-chunk.ts';

const chunkWith = (passes: number) => ({
  start: 90,
  seconds: 10,
  plan: { passes: Array.from({ length: passes }, () => []) },
});

test('a chunk with two passes has half of its progress after the first one', () => {
  const done = (passes: number, ...percents: readonly number[]) =>
    percents.map((percent) => Math.round(encodedSeconds(percent, chunkWith(passes)) * 10) / 10);
  expect(done(1, 0, 90, 95, 100)).toEqual([0, 0, 5, 10]);
  expect(done(2, 0, 45, 47.5, 50, 95, 97.5, 100)).toEqual([0, 0, 2.5, 5, 5, 7.5, 10]);
});

/** What is thrown if ffmpeg fails. */
async function thrownFor(failure: Failure, chunk: Pick<PlannedChunk, 'hasShare'>, watched = new AbortController()) {
  const deps = {
    chunkMaker: async () => ({ chunkOf: () => ({ ...chunkWith(2), ...chunk }) }) as unknown as ChunkMaker,
    space: { watch: () => ({ signal: watched.signal, countDeletedFiles: () => undefined, end: () => undefined }) },
    convert: async () => ({ ok: false, failure, log: '' }),
  } as unknown as EncodeDeps;
  const task = writeTask({ planKey: '', inputKey: '', part: '', seconds: 1 });
  return await encodeChunk(deps, {
    job: { jobId: 'job' },
    claim: { chunk: { chunkId: 'chunk', task }, fence: 1 },
    staged: { policy: {}, signal: new AbortController().signal },
    onProgress: () => undefined,
  } as unknown as ChunkToEncode).catch((thrown: unknown) => thrown);
}

const FAILED: Failure = { code: 'FFMPEG_FAILED', message: 'ffmpeg failed.' };
const FULL: Failure = { code: 'NO_SPACE', message: 'The disk is full.' };

test('a job runs whole if an encoder fails with the bit rate of a chunk', async () => {
  expect(await thrownFor(FAILED, { hasShare: true })).toBeInstanceOf(ChunkUnfit);
});

test('a job fails if a chunk fails for another reason', async () => {
  expect(await thrownFor(FAILED, { hasShare: false })).toBeInstanceOf(JobFailed);
  expect(await thrownFor(FULL, { hasShare: true })).toMatchObject({ failure: FULL });
  const watched = new AbortController();
  watched.abort(FULL);
  expect(await thrownFor(FAILED, { hasShare: true }, watched)).toMatchObject({ failure: FULL });
});

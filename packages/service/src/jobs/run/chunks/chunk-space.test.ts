import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { expect, test } from 'vitest';
import type { Chunk, ChunkState } from '../../ports/chunk-store.ts';
import { checkChunkSpace } from './chunk-space.ts';
import { writeTask } from './chunk-task.ts';

const PART = { output: 0, run: { hasRest: [true], sourceMicros: 0, disposition: [] }, threads: 1, lengthSeconds: 10 };

const chunkOf = (bytes: number | undefined, state: ChunkState = 'DONE'): Chunk => ({
  ...{ chunkId: 'chunk', jobId: 'job', clientId: 'client', place: 0, state, fence: 1, doneSeconds: 0 },
  task: writeTask({ planKey: '', inputKey: '', part: PART, seconds: 10 }),
  ...(bytes !== undefined && { facts: JSON.stringify({ facts: { seconds: 10 }, warnings: [], bytes }) }),
});

function failureOf(scratch: number | undefined, ...chunks: readonly Chunk[]): unknown {
  try {
    checkChunkSpace(chunks, scratch === undefined ? {} : { scratch });
    return undefined;
  } catch (error) {
    return error instanceof JobFailed ? error.failure : error;
  }
}

test('a job fails before all chunks are encoded if these and the output exceed the limit', () =>
  expect(failureOf(10_000_000, chunkOf(3_000_000), chunkOf(3_000_000), chunkOf(undefined, 'READY'))).toEqual({
    code: 'LIMIT_EXCEEDED',
    message: '2 of 3 chunks have 6 MB; together with the output, they need more than 10 MB (limit "scratch").',
    fix: expect.stringContaining('Send "chunks": "off"'),
  }));

test('chunks that fit with their output go on', () => {
  expect(failureOf(10_000_000, chunkOf(3_000_000), chunkOf(2_000_000), chunkOf(undefined, 'RUNNING'))).toBeUndefined();
  expect(failureOf(undefined, chunkOf(3_000_000_000))).toBeUndefined();
});

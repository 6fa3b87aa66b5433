import { AttemptDeferred, type Failure, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { runChunk } from './run-chunk.ts';

const failure = { code: 'NO_SPACE', message: 'There is no room.', fix: 'Wait.' } as const;

/** Runs a chunk of which the first step fails, and returns what is stored. */
async function storedAfter(error: Error, unready?: Failure): Promise<readonly unknown[]> {
  const stored: unknown[] = [];
  const store =
    (what: string) =>
    async (...args: readonly unknown[]) =>
      stored.push([what, ...args.slice(2)]) > 0;
  const deps = {
    transactions: { run: (work: (tx: never) => unknown) => work(undefined as never) },
    queue: { requeue: store('requeue'), remove: store('remove') },
    chunks: { giveBack: store('give back'), fail: store('fail') },
    jobs: { get: () => Promise.reject(error) },
    drainLimit: NEVER,
    machineFailure: async () => unready,
    onInternalError: (_jobId: unknown, reported: unknown) => stored.push(['report', reported]),
  };
  const slot = { release: () => stored.push(['release']) };
  const claim = { chunk: { jobId: 'job', chunkId: 'chunk', task: '{}' }, fence: 1 };
  await runChunk(deps as never, { chunk: claim, delivery: {} } as never, new AbortController(), slot as never);
  return stored;
}

test('a chunk for which this worker has no room now goes back for another worker', async () => {
  expect(await storedAfter(new AttemptDeferred(failure))).toEqual([['requeue', 5], ['give back'], ['release']]);
});

test('a chunk whose conversion fails is stored with its failure', async () => {
  expect(await storedAfter(new JobFailed(failure))).toEqual([['remove'], ['fail', failure], ['release']]);
});

test('a chunk that fails on a machine that is not ready goes back for another worker', async () => {
  const unready = { code: 'NO_WORKER', message: 'The clock is wrong.' } as const;
  expect(await storedAfter(new JobFailed(failure), unready)).toEqual([['requeue', 5], ['give back'], ['release']]);
});

test('an outage longer than a worker waits for costs a chunk nothing', async () => {
  expect(await storedAfter(new StorageDown(failure))).toEqual([['requeue', 5], ['give back'], ['release']]);
});

test.each([
  ['a sample', { sample: {} }, true],
  ['a part', { part: {} }, false],
])('the copy of an input may stay for the next one only of %s', async (_what, task, isReadAgain) => {
  const staged: unknown[] = [];
  const deps = {
    jobs: { get: async () => ({ jobId: 'job', clientId: 'client', request: {} }) },
    clientContextOf: async () => ({ policy: {} }),
    planner: async () => ({ inputs: [], errors: [] }),
    chunkMaker: async () => ({ planKeyOf: () => 'plan' }),
    media: {
      freeBytes: async () => 1,
      openScratch: async () => ({ name: 'chunk.1' }),
      stage: async (...args: readonly unknown[]) => {
        staged.push(args[4]);
        throw new AttemptDeferred(failure);
      },
      discard: async () => undefined,
    },
    minFreeBytes: 1,
    transactions: { run: async () => true },
    drainLimit: NEVER,
  };
  const chunk = { jobId: 'job', chunkId: 'chunk', task: JSON.stringify({ planKey: 'plan', ...task }) };
  const slot = { release: () => undefined };
  const work = { chunk: { chunk, fence: 1 }, delivery: {} };
  await runChunk(deps as never, work as never, new AbortController(), slot as never);
  expect(staged).toMatchObject([{ isReadAgain }]);
});

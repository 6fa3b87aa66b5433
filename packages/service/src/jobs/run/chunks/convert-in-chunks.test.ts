import type { Plan } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { Chunk } from '../../ports/chunk-store.ts';
import { writeTask } from './chunk-task.ts';
import { type ChunkedConversion, type ChunkedDeps, convertInChunks } from './convert-in-chunks.ts';

/** The outcome of a job whose chunks are encoded and do not fit together. */
async function outcomeOf(more: Partial<Plan>) {
  const task = writeTask({ planKey: 'plan', inputKey: 'input', part: 'first', seconds: 10 });
  const facts = JSON.stringify({ facts: '', warnings: [] });
  const chunk = { chunkId: 'chunk', jobId: 'job', place: 0, task, state: 'DONE', fence: 1, facts } as Chunk;
  const stored = [chunk];
  const plan = { inputs: [], chunks: {}, ...more } as unknown as Plan;
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      partsToReplace: () => ({ whole: 'The chunks would miss "b:v".' }),
      wholeOf: (whole: Plan, part: string) => ({ ...whole, passes: [[part]] }),
    }),
    transactions: { run: (unit: (tx: unknown) => unknown) => unit({}) },
    chunks: {
      list: async () => [...stored],
      claimNext: async () => undefined,
      takeFree: async () => [],
      remove: async () => stored.splice(0),
      fileIds: async () => new Set(),
    },
    chunkFiles: { remove: async () => undefined },
    changes: { publish: () => undefined },
    media: {},
  } as unknown as ChunkedDeps;
  const outcome = await convertInChunks(deps, {
    claim: { job: { jobId: 'job' } },
    staged: { plan, inputs: [], signal: new AbortController().signal },
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  return { outcome, stored };
}

test('a job that runs whole after its chunks takes over the frame size that they have', async () => {
  const { outcome, stored } = await outcomeOf({ frameSize: {} as Plan['frameSize'] & object });
  expect(outcome).toMatchObject({ whole: 'The chunks would miss "b:v".', plan: { passes: [['first']] } });
  expect(stored).toEqual([]);
});

test('without a choice of the frame size, a job that runs whole after its chunks has its own plan', async () => {
  expect((await outcomeOf({})).outcome).toEqual({ whole: 'The chunks would miss "b:v".' });
});

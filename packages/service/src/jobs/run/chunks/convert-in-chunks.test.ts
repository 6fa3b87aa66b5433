import type { Plan } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { CutOptions } from '../../ports/chunk-maker.ts';
import type { Chunk, NewChunk } from '../../ports/chunk-store.ts';
import { readTask, writeTask } from './chunk-task.ts';
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
      isCut: () => true,
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

test('the first chunks are encoded while the input is still being cut', async () => {
  const events: string[] = [];
  const stored: Chunk[] = [];
  const firstEncoded = Promise.withResolvers<void>();
  const finish = (chunk: Chunk): void => {
    stored[chunk.place] = { ...chunk, state: 'DONE', facts: JSON.stringify({ facts: '', warnings: [] }) };
    events.push(`encoded ${readTask(chunk).part}`);
    firstEncoded.resolve();
  };
  const tickets: string[] = [];
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      isCut: (parts: readonly string[]) => parts.includes('last'),
      cut: async (_: unknown, _lengths: unknown, { onParts }: CutOptions) => {
        onParts(['first', 'second'], 0.5);
        await firstEncoded.promise;
        events.push('cut');
        onParts(['last'], 1);
      },
      chunkOf: (_: unknown, part: string) => ({ name: part, seconds: 10, plan: {}, isTrial: false }),
      searchBySamples: async (_: unknown, parts: readonly string[]) => parts,
      check: async () => ({ facts: '' }),
      partsToReplace: () => [],
      join: (_: unknown, parts: readonly string[]) => {
        events.push(`joined ${parts.join(' ')}`);
        return { whole: 'The test ends here.' };
      },
    }),
    transactions: { run: (unit: (tx: unknown) => unknown) => unit({}) },
    chunks: {
      list: async () => [...stored],
      highestRank: async () => undefined,
      insert: async (_: unknown, _claim: unknown, chunks: readonly NewChunk[]) =>
        stored.push(...chunks.map((chunk) => ({ ...chunk, state: 'READY' as const, fence: 0, doneSeconds: 0 }))),
      claimNext: async () => {
        const chunk = stored.find(({ state }) => state === 'READY');
        if (chunk !== undefined) finish(chunk);
        return undefined;
      },
      remove: async () => stored.splice(0),
      fileIds: async () => new Set(),
    },
    jobs: { ticketOf: async () => undefined, nextFairnessRank: async () => 1 },
    queue: {
      enqueue: async (_: unknown, all: readonly { jobId: string }[]) => tickets.push(...all.map((one) => one.jobId)),
    },
    chunkFiles: { remove: async () => undefined, link: async () => true },
    changes: { publish: () => undefined },
    media: {},
  } as unknown as ChunkedDeps;
  await convertInChunks(deps, {
    claim: { job: { jobId: 'job', clientId: 'client', request: {} } },
    staged: { plan: { inputs: [], chunks: {} }, policy: {}, inputs: [], signal: new AbortController().signal },
    needs: [],
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  expect(events[0]).toBe('encoded first');
  expect(events.indexOf('cut')).toBeLessThan(events.indexOf('encoded last'));
  expect(events.at(-1)).toBe('joined first second last');
  // The worker of the job begins with the first chunk itself.
  expect(tickets).toHaveLength(2);
});

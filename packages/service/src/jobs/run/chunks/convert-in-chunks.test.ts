import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { Chunk, NewChunk } from '../../ports/chunk-store.ts';
import { readTask, writeTask } from './chunk-task.ts';
import { type ChunkedConversion, type ChunkedDeps, convertInChunks } from './convert-in-chunks.ts';

/** The outcome of a job whose chunks are encoded and do not fit together. `failure`: they are joined, and the join fails. */
async function outcomeOf(more: Partial<Plan>, failure?: Failure) {
  const task = writeTask({ planKey: 'plan', inputKey: 'input', part: 'first', seconds: 10 });
  const facts = JSON.stringify({ facts: '', warnings: [] });
  const chunk = { chunkId: 'chunk', jobId: 'job', place: 0, task, state: 'DONE', fence: 1, facts } as Chunk;
  const stored = [chunk];
  const plan = { inputs: [], chunks: {}, ...more } as unknown as Plan;
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      chunkOf: (_: unknown, part: string) => ({ name: part }),
      join: () => (failure ? plan : { whole: 'Chunk 2 has other headers than the first.' }),
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
    chunkFiles: { remove: async () => undefined, link: async () => true },
    convert: async () => ({ ok: false, failure, log: '', raw: '' }),
    space: { watch: () => ({ signal: new AbortController().signal, end: () => undefined }) },
    changes: { publish: () => undefined },
    media: {},
  } as unknown as ChunkedDeps;
  const outcome = await convertInChunks(deps, {
    claim: { job: { jobId: 'job' } },
    staged: { plan, policy: {}, inputs: [], signal: new AbortController().signal },
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  return { outcome, stored };
}

test('a job that runs whole after its chunks takes over the frame size that they have', async () => {
  const { outcome, stored } = await outcomeOf({ frameSize: {} as Plan['frameSize'] & object });
  expect(outcome).toMatchObject({ whole: 'Chunk 2 has other headers than the first.', plan: { passes: [['first']] } });
  expect(stored).toEqual([]);
});

test.each<Failure>([
  { code: 'UNSUPPORTED', message: 'The format cannot hold the codec.' },
  { code: 'NO_SPACE', message: 'The disk is full.' },
])('a job whose chunks cannot be joined fails with the cause: $code', async (failure) => {
  expect((await outcomeOf({}, failure)).outcome).toMatchObject({ outcome: { ok: false, failure } });
});

test('without a choice of the frame size, a job that runs whole after its chunks has its own plan', async () => {
  expect((await outcomeOf({})).outcome).toEqual({ whole: 'Chunk 2 has other headers than the first.' });
});

const FOUND = JSON.stringify({ facts: '', warnings: [] });

/** Converts a job of which some chunks are encoded already. `cut` gives the parts. Returns what happened in order, and the number of tickets. */
async function convert(
  earlier: readonly string[],
  cut: () => readonly string[],
  {
    policy = {},
    facts = FOUND,
    url,
  }: { readonly policy?: ClientLimits; readonly facts?: string; readonly url?: string } = {},
) {
  const events: string[] = [];
  const taskOf = (part: string) => writeTask({ planKey: 'plan', inputKey: 'input', part, seconds: 10 });
  const stored: Chunk[] = earlier.map((part, place) => ({
    ...{ chunkId: part, jobId: 'job', clientId: 'client', place, task: taskOf(part) },
    ...{ state: 'DONE', fence: 1, doneSeconds: 10, facts },
  }));
  const tickets: string[] = [];
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      cut: async () => cut(),
      chunkOf: (_: unknown, part: string) => ({ name: part, seconds: 10, plan: {} }),
      searchBySamples: async (_: unknown, parts: readonly string[]) => parts,
      join: (_: unknown, parts: readonly string[]) => {
        events.push(`joined ${parts.join(' ')}`);
        return { whole: 'The test ends here.' };
      },
    }),
    transactions: { run: (unit: (tx: unknown) => unknown) => unit({}) },
    chunks: {
      list: async () => [...stored],
      takeFree: async () => [],
      insert: async (_: unknown, _claim: unknown, chunks: readonly NewChunk[]) => {
        stored.push(...chunks.map((chunk) => ({ ...chunk, state: 'READY' as const, fence: 0, doneSeconds: 0 })));
      },
      claimNext: async () => {
        const chunk = stored.find(({ state }) => state === 'READY');
        if (chunk === undefined) return undefined;
        stored[chunk.place] = { ...chunk, state: 'DONE', facts };
        events.push(`encoded ${readTask(chunk).part}`);
        return undefined;
      },
      remove: async () => stored.splice(0),
      fileIds: async () => new Set(),
    },
    jobs: { ticketOf: async () => undefined },
    queue: {
      enqueue: async (_: unknown, all: readonly { readonly jobId: string }[]) =>
        tickets.push(...all.map(({ jobId }) => jobId)),
    },
    chunkFiles: { remove: async () => undefined, link: async () => true },
    changes: { publish: () => undefined },
    media: {},
  } as unknown as ChunkedDeps;
  const inputs = [{ path: 'a.mp4', logical: 'in/0.mp4', ...(url !== undefined && { url }) }];
  await convertInChunks(deps, {
    claim: { job: { jobId: 'job', clientId: 'client', request: {} } },
    staged: { plan: { inputs, chunks: {} }, policy, inputs: [], signal: new AbortController().signal },
    needs: [],
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  return { events, tickets: tickets.length };
}

const THREE = () => ['first', 'second', 'last'];

test('other workers get tickets for all chunks but the first, which the worker of the job begins with', async () => {
  const { events, tickets } = await convert([], THREE);
  expect(events).toEqual(['encoded first', 'encoded second', 'encoded last', 'joined first second last']);
  expect(tickets).toBe(2);
});

test('the chunks of an input at a URL are encoded by the worker of the job, which has fetched it', async () => {
  const { events, tickets } = await convert([], THREE, { url: 'https://example.com/a.mp4' });
  expect(events.at(-1)).toBe('joined first second last');
  expect(tickets).toBe(0);
});

test('an input whose chunks are all stored is not cut again', async () => {
  const { events } = await convert(['first', 'last'], () => {
    throw new Error('It is cut.');
  });
  expect(events).toEqual(['joined first last']);
});

test('a job whose chunks and output exceed a limit together fails before it joins them', async () => {
  const large = JSON.stringify({ facts: '', warnings: [], bytes: 6_000_000 });
  const converted = convert(['first'], THREE, { policy: { scratch: 10_000_000 }, facts: large });
  await expect(converted).rejects.toMatchObject({ failure: { code: 'LIMIT_EXCEEDED' } });
});

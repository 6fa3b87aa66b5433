import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { CutOptions } from '../../ports/chunk-maker.ts';
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
      isCut: () => true,
      partsToReplace: () => (failure ? [] : { whole: 'The chunks would miss "b:v".' }),
      chunkOf: (_: unknown, part: string) => ({ name: part }),
      join: () => plan,
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
  expect(outcome).toMatchObject({ whole: 'The chunks would miss "b:v".', plan: { passes: [['first']] } });
  expect(stored).toEqual([]);
});

test('a job whose chunks make a file that is too large runs whole', async () => {
  const message = 'The file has 9 bytes, and may have 8.';
  const failure: Failure = { code: 'UNSUPPORTED', message, about: { isTooLarge: true } };
  expect((await outcomeOf({ maxBytes: 8 }, failure)).outcome).toEqual({ whole: message });
});

test.each<Failure>([
  { code: 'UNSUPPORTED', message: 'The format cannot hold the codec.' },
  { code: 'NO_SPACE', message: 'The disk is full.' },
])('a job whose chunks cannot be joined fails with the cause: $code', async (failure) => {
  expect((await outcomeOf({ maxBytes: 8 }, failure)).outcome).toMatchObject({ outcome: { ok: false, failure } });
});

test('without a choice of the frame size, a job that runs whole after its chunks has its own plan', async () => {
  expect((await outcomeOf({})).outcome).toEqual({ whole: 'The chunks would miss "b:v".' });
});

const FOUND = JSON.stringify({ facts: '', warnings: [] });

/**
 * Converts a job of which some chunks are encoded already. `cut` gives the parts. Returns what happened in order, the places
 * of all chunks, and the number of tickets.
 */
async function convertWhileCutting(
  earlier: readonly string[],
  cut: (options: CutOptions, whenEncoded: Promise<void>, signal: AbortSignal) => Promise<void>,
  { policy = {}, facts = FOUND }: { readonly policy?: ClientLimits; readonly facts?: string } = {},
) {
  const events: string[] = [];
  const firstEncoded = Promise.withResolvers<void>();
  const taskOf = (part: string) => writeTask({ planKey: 'plan', inputKey: 'input', part, seconds: 10 });
  const stored: Chunk[] = earlier.map((part, place) => ({
    ...{ chunkId: part, jobId: 'job', clientId: 'client', place, task: taskOf(part) },
    ...{ state: 'DONE', fence: 1, doneSeconds: 10, facts },
  }));
  const finish = (chunk: Chunk): void => {
    stored[chunk.place] = { ...chunk, state: 'DONE', facts };
    events.push(`encoded ${readTask(chunk).part}`);
    firstEncoded.resolve();
  };
  const tickets: string[] = [];
  const places = new Set<number>();
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      isCut: (parts: readonly string[]) => parts.includes('last'),
      cut: async ({ signal }: { readonly signal: AbortSignal }, _lengths: unknown, options: CutOptions) => {
        await cut(options, firstEncoded.promise, signal);
        events.push('cut');
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
      takeFree: async () => [],
      insert: async (_: unknown, _claim: unknown, chunks: readonly NewChunk[]) => {
        for (const { place } of chunks) places.add(place);
        stored.push(...chunks.map((chunk) => ({ ...chunk, state: 'READY' as const, fence: 0, doneSeconds: 0 })));
      },
      claimNext: async () => {
        const chunk = stored.find(({ state }) => state === 'READY');
        if (chunk !== undefined) finish(chunk);
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
  await convertInChunks(deps, {
    claim: { job: { jobId: 'job', clientId: 'client', request: {} } },
    staged: { plan: { inputs: [], chunks: {} }, policy, inputs: [], signal: new AbortController().signal },
    needs: [],
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  return { events, places: [...places], tickets: tickets.length };
}

test('the first chunks are encoded while the input is still being cut', async () => {
  const { events, tickets } = await convertWhileCutting([], async ({ onParts }, whenEncoded) => {
    onParts(['first', 'second'], 0.5);
    await whenEncoded;
    onParts(['last'], 1);
  });
  expect(events[0]).toBe('encoded first');
  expect(events.indexOf('cut')).toBeLessThan(events.indexOf('encoded last'));
  expect(events.at(-1)).toBe('joined first second last');
  // The worker of the job begins with the first chunk itself.
  expect(tickets).toBe(2);
});

test('after a crash, an input is cut from where its stored chunks end', async () => {
  const { events, places, tickets } = await convertWhileCutting(['first', 'second'], async ({ stored, onParts }) => {
    expect(stored).toEqual(['first', 'second']);
    onParts(['third', 'last'], 1);
  });
  expect(places).toEqual([2, 3]);
  expect(tickets).toBe(2);
  expect(events.at(-1)).toBe('joined first second third last');
  expect(events).not.toContain('encoded first');
});

test('an input whose chunks are all stored is not cut again', async () => {
  const { events } = await convertWhileCutting(['first', 'last'], async () => {
    throw new Error('It is cut.');
  });
  expect(events).toEqual(['joined first last']);
});

test('a job whose chunks and output exceed a limit together fails while the input is still being cut', async () => {
  const large = JSON.stringify({ facts: '', warnings: [], bytes: 6_000_000 });
  const converted = convertWhileCutting(
    ['first'],
    async ({ onParts }, _whenEncoded, signal) => {
      onParts(['second'], 0.1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    { policy: { scratch: 10_000_000 }, facts: large },
  );
  await expect(converted).rejects.toMatchObject({ failure: { code: 'LIMIT_EXCEEDED' } });
});

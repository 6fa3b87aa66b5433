import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { ChunkPart } from '@telecine/ffmpeg/chunks/parts.ts';
import type { SampleTask, TryEach } from '@telecine/ffmpeg/sampling/run/try-samples.ts';
import { expect, test } from 'vitest';
import type { Chunk, NewChunk } from '../../ports/chunk-store.ts';
import { readTask, writeTask } from './chunk-task.ts';
import { type ChunkedConversion, type ChunkedDeps, convertInChunks } from './convert-in-chunks.ts';

const TEMPLATES: ChunkTemplates = {
  ...{ input: 'in/0.mp4', argv: [], extension: 'mp4', videos: 1, joinHead: [], svtLevels: false },
  ...{ hasSegments: false, keepsFrames: true },
  outputs: [{ videos: [0], extension: 'mp4', join: [], fromGraph: false, maps: [], excluded: [] }],
};

/** A chunk of ten seconds. */
const partOf = (index: number): ChunkPart => ({
  run: { hasRest: [false], sourceMicros: 0, disposition: [] },
  ...{ threads: 1, lengthSeconds: 60 },
  chunk: { index, startMicros: index * 1e7, lengthMicros: 1e7, cutMicros: index * 1e7, frames: 100 },
});

const sampleAt = (start: number): SampleTask => ({
  sample: { start, seconds: 1, weight: 1 },
  candidates: [{ value: 22 }],
  size: { width: 320, height: 180 },
});

const tried = (score: number) => ({ value: 20, score, bytes: 100, seconds: 1 });

const encodedWith = (headers: string, bytes = 1000): string =>
  JSON.stringify({ facts: { frames: [100], headers }, warnings: [], bytes });

interface Case {
  /** The parts that an earlier attempt has encoded, and the headers of their files. */
  readonly earlier?: readonly ChunkPart[];
  readonly headers?: readonly string[];
  readonly bytes?: number;
  /** The samples that a killed search has left. */
  readonly leftSamples?: readonly SampleTask[];
  /** What the search tries, a round each. */
  readonly rounds?: readonly (readonly SampleTask[])[];
  /** The sample at this time cannot be tried, and the search does without samples. */
  readonly failsAt?: number;
  readonly cut?: () => readonly ChunkPart[];
  readonly policy?: ClientLimits;
  readonly url?: string;
  /** How the join fails. */
  readonly failure?: Failure;
}

/** Converts a job until its chunks are joined. Returns its outcome, what is stored after it, the number of tickets, and what happened in order. */
async function convert({
  earlier = [],
  headers = [],
  leftSamples = [],
  rounds = [],
  failsAt,
  bytes,
  cut,
  policy = {},
  url,
  failure,
}: Case) {
  const events: string[] = [];
  const taskOf = (part: ChunkPart) => writeTask({ planKey: 'plan', inputKey: 'input', part, seconds: 10 });
  const stored: Chunk[] = earlier.map((part, place) => ({
    ...{ chunkId: `${place}`, jobId: 'job', clientId: 'client', place, task: taskOf(part) },
    ...{ state: 'DONE', fence: 1, doneSeconds: 10, facts: encodedWith(headers[place] ?? '', bytes) },
  }));
  stored.push(
    ...leftSamples.map((sample, place) => ({
      ...{ chunkId: `${place}`, jobId: 'job', clientId: 'client', place },
      ...{ state: 'READY' as const, fence: 0, doneSeconds: 0 },
      task: writeTask({ planKey: 'plan', inputKey: 'input', sample, seconds: 1 }),
    })),
  );
  const tickets: string[] = [];
  const deps = {
    chunkMaker: async () => ({
      planKeyOf: () => 'plan',
      inputKeyOf: async () => 'input',
      removeJoined: async () => events.push('emptied'),
      cut: async () => cut?.(),
      search: async (_: unknown, _runs: unknown, tryEach: TryEach) => {
        for (const round of rounds) {
          const trying = tryEach(round, (count) => events.push(`${count} of ${round.length} samples`));
          const found = await trying.catch((error: unknown) => {
            if (error instanceof JobFailed) return error.message;
            throw error;
          });
          events.push(`found ${JSON.stringify(found)}`);
        }
        return undefined;
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
        const { sample, part } = readTask(chunk);
        if (sample !== undefined && sample.sample.start === failsAt)
          throw new JobFailed({ code: 'FFMPEG_FAILED', message: 'No score.' });
        const facts = sample === undefined ? encodedWith('') : JSON.stringify({ tried: [tried(sample.sample.start)] });
        stored[chunk.place] = { ...chunk, state: 'DONE', facts };
        events.push(sample === undefined ? `encoded ${part.chunk?.index}` : `tried ${sample.sample.start}`);
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
    convert: async ({ plan: { texts = [] } }: { readonly plan: Plan }) => {
      const [{ text } = { text: '' }] = texts;
      events.push(`joined ${[...text.matchAll(/chunk-0*(\d+)\.mp4/g)].map(([, index]) => index).join(' ')}`);
      return {
        ok: false,
        failure: failure ?? { code: 'UNSUPPORTED', message: 'The test ends here.' },
        log: '',
        raw: '',
      };
    },
    space: { watch: () => ({ signal: new AbortController().signal, end: () => undefined }) },
    changes: { publish: () => undefined },
    media: {},
  } as unknown as ChunkedDeps;
  const inputs = [{ path: 'a.mp4', logical: 'in/0.mp4', ...(url !== undefined && { url }) }];
  const outcome = await convertInChunks(deps, {
    claim: { job: { jobId: 'job', clientId: 'client', request: {} } },
    staged: {
      plan: { inputs, outputs: [], passes: [], chunks: TEMPLATES },
      ...{ policy, inputs: [], signal: new AbortController().signal },
    },
    needs: [],
    onStart: () => undefined,
    onProgress: () => undefined,
  } as unknown as ChunkedConversion);
  return { outcome, stored, events, tickets: tickets.length };
}

test('a job whose chunks do not fit together runs whole, and they are removed', async () => {
  const { outcome, stored, events } = await convert({ earlier: [partOf(0), partOf(1)], headers: ['one', 'other'] });
  expect(outcome).toEqual({ whole: 'Chunk 2 has other headers than the first.' });
  expect(events).toEqual(['emptied']);
  expect(stored).toEqual([]);
});

test.each<Failure>([
  { code: 'UNSUPPORTED', message: 'The format cannot hold the codec.' },
  { code: 'NO_SPACE', message: 'The disk is full.' },
])('a job whose chunks cannot be joined fails with the cause: $code', async (failure) => {
  const { outcome } = await convert({ earlier: [partOf(0), partOf(1)], failure });
  expect(outcome).toMatchObject({ outcome: { ok: false, failure } });
});

const THREE = () => [partOf(0), partOf(1), partOf(2)];

test('other workers get tickets for all chunks but the first, which the worker of the job begins with', async () => {
  const { events, tickets } = await convert({ cut: THREE });
  expect(events).toEqual(['encoded 0', 'encoded 1', 'encoded 2', 'joined 0 1 2']);
  expect(tickets).toBe(2);
});

test('the chunks of an input at a URL are encoded by the worker of the job, which has fetched it', async () => {
  const { events, tickets } = await convert({ cut: THREE, url: 'https://example.com/a.mp4' });
  expect(events.at(-1)).toBe('joined 0 1 2');
  expect(tickets).toBe(0);
});

test('an input whose chunks are all stored is not cut again', async () => {
  const cut = () => {
    throw new Error('It is cut.');
  };
  expect((await convert({ earlier: [partOf(0), partOf(1)], cut })).events).toEqual(['joined 0 1']);
});

test('a job whose chunks and output exceed a limit together fails before it joins them', async () => {
  const converted = convert({ earlier: [partOf(0)], bytes: 6_000_000, cut: THREE, policy: { scratch: 10_000_000 } });
  await expect(converted).rejects.toMatchObject({ failure: { code: 'LIMIT_EXCEEDED' } });
});

test('workers try the samples of a search with tickets of their own, a round after the other, before the chunks', async () => {
  const rounds = [[sampleAt(1), sampleAt(2)], [sampleAt(3)]];
  const { events, tickets } = await convert({ cut: THREE, rounds });
  expect(events).toEqual([
    ...['tried 1', '1 of 2 samples', 'tried 2', '2 of 2 samples', `found ${JSON.stringify([[tried(1)], [tried(2)]])}`],
    ...['tried 3', '1 of 1 samples', `found ${JSON.stringify([[tried(3)]])}`],
    ...['encoded 0', 'encoded 1', 'encoded 2', 'joined 0 1 2'],
  ]);
  // One of the first round, none of the second, and two of the chunks.
  expect(tickets).toBe(3);
});

test('a search that does without samples leaves none of them in place of the chunks', async () => {
  const { events } = await convert({ cut: THREE, rounds: [[sampleAt(1), sampleAt(2), sampleAt(3)]], failsAt: 2 });
  expect(events).toEqual([
    ...['tried 1', '1 of 3 samples', 'found "No score."'],
    ...['encoded 0', 'encoded 1', 'encoded 2', 'joined 0 1 2'],
  ]);
});

test('a search that was killed begins again', async () => {
  const { events } = await convert({ cut: THREE, leftSamples: [sampleAt(1), sampleAt(2)], rounds: [[sampleAt(7)]] });
  expect(events.slice(0, 2)).toEqual(['tried 7', '1 of 1 samples']);
  expect(events.at(-1)).toBe('joined 0 1 2');
});

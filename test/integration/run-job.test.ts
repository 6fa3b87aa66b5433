import { v7 as uuid } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { JobFailed, StorageDown } from '../../packages/contract/src/domain/failure.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import type { JobChange } from '../../packages/service/src/jobs/job-changes.ts';
import type { ChunkFiles } from '../../packages/service/src/jobs/ports/chunk-files.ts';
import type { ChunkStore } from '../../packages/service/src/jobs/ports/chunk-store.ts';
import type { Claim, JobClaims } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { MediaStore } from '../../packages/service/src/jobs/ports/media-store.ts';
import type { Receipt } from '../../packages/service/src/jobs/ports/receipts.ts';
import type { Transactions } from '../../packages/service/src/jobs/ports/transactions.ts';
import { removeOldChunks } from '../../packages/service/src/jobs/run/chunks/remove-chunks.ts';
import { runJob } from '../../packages/service/src/jobs/run/run-job.ts';
import { createSpaceWatch } from '../../packages/service/src/jobs/run/space-watch.ts';
import { AT, mustClaim, submitOne, take } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { input, output, writeOutputs } from '../fixtures/media-plans.ts';
import { draftOf } from '../support/planned-drafts.ts';
import { UNCOUNTED, WITHOUT_BIN } from '../support/uncounted-files.ts';

let t: LocalUnderTest;
afterEach(() => t.close());

const PLAN = {
  inputs: [input('in.mp4')],
  outputs: [{ ...output('o.mp4'), span: { inputs: [], output: {}, shortest: false }, encoders: {} }],
  passes: [],
  warnings: [],
};

interface Changes {
  readonly stop?: AbortController;
  readonly mediaOf?: (media: MediaStore) => MediaStore;
  readonly storageWaitSeconds?: number;
  readonly onInternalError?: (error: unknown) => void;
  /** The job leaves a chunk in a store that this function changes. Default: the job runs without chunks. */
  readonly chunksOf?: (chunks: ChunkStore) => ChunkStore;
  readonly statusOf?: JobClaims['statusOf'];
  readonly receipt?: Receipt;
}

/** Runs a job whose conversion writes `o.mp4`. `transactionsOf` changes the transactions of its end. */
async function run(
  transactionsOf: (transactions: Transactions, claimAgain: () => Promise<Claim>) => Transactions,
  {
    stop = new AbortController(),
    mediaOf = (media) => media,
    storageWaitSeconds = 3600,
    onInternalError = (error) => {
      throw error;
    },
    chunksOf,
    statusOf,
    receipt,
  }: Changes = {},
) {
  t = await openLocal();
  await t.put('in.mp4', 'film');
  const { store, queue } = await sqlite.open();
  const jobId = await submitOne({ store, queue });
  const [delivery] = await take({ store, queue });
  const claimed = await mustClaim({ store, queue }, jobId);
  const request = { ...claimed.job.request, ...(chunksOf && { chunks: { seconds: 2 } }) };
  const claim = { ...claimed, job: { ...claimed.job, request } };
  const chunk = { chunkId: uuid(), jobId, clientId: 'amy', place: 0, task: '{}' };
  if (chunksOf !== undefined) {
    await store.transactions.run((tx) => store.chunks.insert(tx, claim, [chunk]));
    await store.chunks.claimNext(claim, 60, 'worker');
  }
  const removedFiles: string[] = [];
  const fileOfChunk = `${chunk.chunkId}.1`;
  const chunkFiles = {
    remove: async (ids: readonly string[]) => void removedFiles.push(...ids),
    sweep: async (readLive: () => Promise<ReadonlySet<string>>) => {
      if (!(await readLive()).has(fileOfChunk) && !removedFiles.includes(fileOfChunk)) removedFiles.push(fileOfChunk);
    },
  } as unknown as ChunkFiles;
  const background: Promise<void>[] = [];
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  const changes: JobChange[] = [];
  const ended: string[] = [];
  const deps: Parameters<typeof runJob>[0] = {
    transactions: transactionsOf(store.transactions, () => mustClaim({ store, queue }, jobId)),
    jobs: { ...store.jobs, ...(statusOf && { statusOf }) },
    queue,
    usage: store.usage,
    stored: UNCOUNTED,
    withRoom: WITHOUT_BIN,
    receipts: { keep: async () => {}, find: async () => receipt },
    media: mediaOf(t.media),
    changes: { publish: (change) => changes.push(change) },
    planner: async () => draftOf(PLAN),
    needsElsewhere: async () => undefined,
    convert: async ({ scratch }) => {
      await writeOutputs(t.media, scratch, { 'o.mp4': 'new' });
      return { ok: true, outputs: [{}], log: '', warnings: [] };
    },
    clientContextOf: async (clientId) => ({ clientId, root: t.root, policy: {} }),
    minFreeBytes: 1,
    machineFailure: async () => undefined,
    onRetry: () => {},
    storageWaitSeconds,
    space: createSpaceWatch(t.media, 1),
    failpoint: () => {},
    now: () => new Date(AT),
    draining: () => false,
    drainLimit: new AbortController().signal,
    inBackground: (work) => background.push(work()),
    ...(chunksOf && {
      chunked: {
        chunks: chunksOf(store.chunks),
        chunkFiles,
        needs: [],
        sharingWorkers: async () => [{ concurrency: 1 }],
      } as unknown as NonNullable<Parameters<typeof runJob>[0]['chunked']>,
    }),
    onAttemptStarted: () => {},
    onAttemptEnded: ({ status }) => ended.push(status),
    onInternalError: (_jobId, error) => onInternalError(error),
  };
  await runJob(deps, { claim, delivery }, stop, {
    take: async () => {},
    waitForTurn: async () => {},
    release: () => {},
  });
  const job = await store.jobs.get(jobId);
  return {
    job,
    ended,
    /** Resolves when the work that goes on after the job has ended. */
    background: () => Promise.all(background),
    chunks: () => store.chunks.list(jobId),
    removedFiles,
    fileOfChunk,
    /** The hourly task. */
    removeOld: () => removeOldChunks({ chunks: store.chunks, chunkFiles, now: () => new Date(AT) }),
    changes,
    claimAgain: () => mustClaim({ store, queue }, jobId),
    scratch: await t.media.scratchUsage({ name: `${jobId}.1` }),
  };
}

test('an outage while a job ends delays its end', async () => {
  let runs = 0;
  const { job, ended, scratch } = await run((transactions) => ({
    run: (unit, options) => {
      runs += 1;
      return runs === 1 ? Promise.reject(new StoreUnavailable()) : transactions.run(unit, options);
    },
  }));
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(ended).toEqual(['COMPLETED']);
  expect(scratch.files).toBe(0);
});

test('a job whose end was stored, although the reply was lost, is reported as ended, and its scratch folder removed', async () => {
  let runs = 0;
  const { job, ended, changes, scratch } = await run((transactions) => ({
    run: async (unit, options) => {
      runs += 1;
      const result = await transactions.run(unit, options);
      if (runs === 1) throw new StoreUnavailable();
      return result;
    },
  }));
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(ended).toEqual(['COMPLETED']);
  expect(changes.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
  expect(scratch.files).toBe(0);
});

test('a job that another worker has claimed keeps the scratch folder from which that worker publishes', async () => {
  const { job, ended, scratch } = await run((transactions, claimAgain) => ({
    run: async (unit, options) => {
      await claimAgain();
      return transactions.run(unit, options);
    },
  }));
  expect(job).toMatchObject({ status: 'PROCESSING', attempt: 2 });
  expect(ended).toEqual([]);
  expect(scratch.files).toBeGreaterThan(0);
});

test.each([
  [3600, 1],
  [0, 2],
])(
  'a storage that is down while files are unpublished costs no attempt, for at most %i s',
  async (storageWaitSeconds, next) => {
    const down = new StorageDown({ code: 'STORAGE_FAULT', message: 'The object store failed (SlowDown).' });
    // Without it, each of the two would be repeated for minutes.
    const stop = new AbortController();
    const fail = async () => {
      stop.abort('drain');
      throw down;
    };
    const errors: unknown[] = [];
    const { job, ended, claimAgain, scratch } = await run((transactions) => transactions, {
      stop,
      mediaOf: (media) => ({ ...media, publish: fail, unpublish: fail }),
      storageWaitSeconds,
      onInternalError: (error) => errors.push(error),
    });
    expect(job).toMatchObject({ status: 'PROCESSING' });
    expect([ended, errors]).toEqual([[], [down]]);
    expect(scratch.files, 'the next attempt needs them').toBeGreaterThan(0);
    const claim = await claimAgain();
    expect(claim).toMatchObject({ job: { attempt: next }, intent: { abandoned: true } });
    expect(claim.storageDownSince).toBe(storageWaitSeconds === 0 ? undefined : new Date(AT).toISOString());
  },
);

test.each(['before', 'after'])(
  'if the database goes away %s the chunks of an ended job are removed, the hourly task removes what is left',
  async (when) => {
    const errors: unknown[] = [];
    const { job, ended, background, chunks, removedFiles, fileOfChunk, removeOld } = await run(
      (transactions) => transactions,
      {
        chunksOf: (store) => ({
          ...store,
          remove: async (...args) => {
            if (when === 'after') await store.remove(...args);
            throw new StoreUnavailable();
          },
        }),
        onInternalError: (error) => void errors.push(error),
      },
    );
    // The worker does not wait for it: the job is over, and its slot takes the next one.
    expect([job?.status, ended]).toEqual(['COMPLETED', ['COMPLETED']]);
    expect(removedFiles).toEqual([]);
    await background();
    expect([errors, removedFiles]).toEqual([[expect.any(StoreUnavailable)], []]);
    await removeOld();
    expect([await chunks(), removedFiles]).toEqual([[], [fileOfChunk]]);
  },
);

test('a job whose end was stored, although nobody can tell that it was, leaves no chunks', async () => {
  let runs = 0;
  const { job, ended, background, chunks, removedFiles, fileOfChunk } = await run(
    (transactions) => ({
      run: async (unit, options) => {
        runs += 1;
        const result = await transactions.run(unit, options);
        if (runs === 1) throw new StoreUnavailable();
        return result;
      },
    }),
    { chunksOf: (store) => store, statusOf: async () => undefined },
  );
  expect([job?.status, ended]).toEqual(['COMPLETED', []]);
  await background();
  expect([await chunks(), removedFiles]).toEqual([[], [fileOfChunk]]);
});

test('a job that another worker has claimed keeps its chunks', async () => {
  const { job, background, chunks, removedFiles } = await run(
    (transactions, claimAgain) => ({
      run: async (unit, options) => {
        await claimAgain();
        return transactions.run(unit, options);
      },
    }),
    { chunksOf: (store) => store },
  );
  expect(job).toMatchObject({ status: 'PROCESSING', attempt: 2 });
  await background();
  expect([(await chunks()).length, removedFiles]).toEqual([1, []]);
});

test.each([
  ['that exists', 'in.mp4', 4, 'COMPLETED'],
  ['that was deleted', 'gone.mp4', 4, 'FAILED'],
  ['that was replaced', 'in.mp4', 5, 'FAILED'],
] as const)(
  'a job that fails and has the receipt of an output %s ends so: %s %i %s',
  async (_, path, sizeBytes, end) => {
    const { job } = await run((transactions) => transactions, {
      mediaOf: (media) => ({
        ...media,
        publish: async () => {
          throw new JobFailed({ code: 'OUTPUT_EXISTS', message: '' });
        },
      }),
      receipt: { outputs: [{ path, sizeBytes }] },
    });
    expect(job?.status).toBe(end);
  },
);

import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { expect, test } from 'vitest';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { Chunk, ChunkStore } from '../../ports/chunk-store.ts';
import type { Claim } from '../../ports/job-store.ts';
import { dropChunks, dropOfLost, dropUnused, removeOldChunks } from './remove-chunks.ts';

type Row = Pick<Chunk, 'chunkId' | 'fence' | 'jobId'>;

const row = (chunkId: string, fence: number, jobId = 'job'): Row => ({ chunkId, fence, jobId });

/** Throws `error` in the first calls, before or after the work of a call. */
const failing = (times: number, when: 'before' | 'after', error: Error) => {
  let left = times;
  return async <T>(work: () => T): Promise<T> => {
    const fails = left > 0;
    left -= 1;
    if (fails && when === 'before') throw error;
    const result = work();
    if (fails) throw error;
    return result;
  };
};

const ALWAYS_THERE = failing(0, 'before', new Error('This never fails.'));

interface Faults {
  readonly remove?: ReturnType<typeof failing>;
  /** The claim that may remove chunks is over. */
  readonly isClaimOver?: boolean;
}

/** The chunks of jobs in a database that can go away, and the files that are removed. */
function harness(stored: readonly Row[], { remove = ALWAYS_THERE, isClaimOver = false }: Faults = {}) {
  let rows = stored;
  const removed: string[] = [];
  const calls: string[] = [];
  const swept: (readonly string[])[] = [];
  const chunks = {
    list: async (jobId: string) => rows.filter((one) => one.jobId === jobId),
    remove: (jobId: string) => {
      calls.push('remove');
      return remove(() => {
        const gone = isClaimOver ? [] : rows.filter((one) => one.jobId === jobId);
        rows = rows.filter((one) => !gone.includes(one));
        return gone;
      });
    },
    ofEndedJobs: async () => ['job'],
    fileIds: async () => new Set(rows.filter(({ fence }) => fence > 0).map((one) => `${one.chunkId}.${one.fence}`)),
  } as unknown as ChunkStore;
  const chunkFiles = {
    remove: async (ids: readonly string[]) => void removed.push(...ids),
    sweep: async (readLive: () => Promise<ReadonlySet<string>>) => void swept.push([...(await readLive())]),
  } as unknown as ChunkFiles;
  return { deps: { chunks, chunkFiles }, removed, calls, swept, left: () => rows.map(({ chunkId }) => chunkId) };
}

test('with the chunks of a job go the files of all claims, also of those that were lost', async () => {
  const { deps, removed, left } = harness([row('a', 2), row('b', 0), row('c', 1), row('d', 1, 'other')]);
  await dropChunks(deps, 'job');
  expect(removed).toEqual(['a.1', 'a.2', 'c.1']);
  expect(left()).toEqual(['d']);
});

test('the end of a job that ran whole writes nothing', async () => {
  const { deps, calls } = harness([row('a', 1, 'other')]);
  await dropChunks(deps, 'job');
  expect(calls).toEqual([]);
});

test.each(['before', 'after'] as const)(
  'if the database goes away %s it removes the chunks, the next removal leaves none',
  async (when) => {
    const { deps, left } = harness([row('a', 2), row('b', 1)], { remove: failing(1, when, new StoreUnavailable()) });
    await expect(dropChunks(deps, 'job')).rejects.toBeInstanceOf(StoreUnavailable);
    await dropChunks(deps, 'job');
    expect(left()).toEqual([]);
  },
);

test('the hourly task removes the chunks of ended jobs, and files without a chunk', async () => {
  const { deps, removed, left, swept } = harness([row('a', 1), row('b', 1, 'other')]);
  await removeOldChunks({ ...deps, now: () => new Date() });
  expect(removed).toEqual(['a.1']);
  expect(left()).toEqual(['b']);
  expect(swept).toEqual([['b.1']]);
});

test('a claim that is over removes no file that another worker may use', async () => {
  const { deps, removed, left } = harness([row('a', 2)], { isClaimOver: true });
  await dropChunks(deps, 'job', { claim: {} as Claim });
  expect(left()).toEqual(['a']);
  expect(removed).toEqual([]);
});

test.each([
  ['has ended after all', 'COMPLETED', []],
  ['was cancelled', 'CANCELLED', []],
  ['was deleted', undefined, []],
  ['runs on another worker', 'PROCESSING', ['a']],
  ['waits for another worker', 'PENDING', ['a']],
  ['failed, so that a retry may use them', 'FAILED', ['a']],
] as const)('a worker that lost a job which %s leaves the chunks %s %j', async (_what, status, expected) => {
  const { deps, left } = harness([row('a', 1)]);
  const jobs = { get: async () => status && { status } } as unknown as Parameters<typeof dropOfLost>[0]['jobs'];
  await dropOfLost({ ...deps, jobs }, 'job');
  expect(left()).toEqual(expected);
});

test.each([
  ['is removed if another worker has claimed the chunk', 2, ['a.1']],
  ['is kept if the chunk was finished after all', 1, []],
])('the file of a lost claim %s', async (_what, fence, expected) => {
  const { deps, removed } = harness([row('a', fence)]);
  await dropUnused(deps, { chunk: { chunkId: 'a' } as Chunk, fence: 1 });
  expect(removed).toEqual(expected);
});

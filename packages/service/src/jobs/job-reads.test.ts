import { setImmediate } from 'node:timers/promises';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import {
  type JobListQuery,
  type ListDeps,
  listJobPage,
  readInSteps,
  readSteps,
  replyTurns,
  stepsOf,
} from './job-reads.ts';
import type { JobQuery, JobSearch } from './ports/job-store.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:read'], root: mediaRoot('/srv/media'), policy: {} };
const ADMIN: Caller = { ...AMY, clientId: 'admin', scopes: ['admin'] };

const listDeps = (jobs: ListDeps['jobs'], indexTexts: ListDeps['indexTexts'] = async () => true): ListDeps => ({
  jobs,
  indexTexts,
  step: readSteps(),
  turn: replyTurns(),
  queuePausedAt: async () => undefined,
});

/** Lists one page with all its jobs. */
async function list(deps: ListDeps, caller: Caller, query: JobListQuery) {
  const jobs: Job[] = [];
  const page = await listJobPage(deps, caller, query, { write: (read) => jobs.push(...read) });
  return { ...page, jobs };
}

/** The client whose jobs are read. */
async function clientOf(caller: Caller, clientId?: string): Promise<string | undefined> {
  const queries: JobQuery[] = [];
  const sizes = async (query: JobQuery) => {
    queries.push(query);
    return [];
  };
  const jobs = { sizes, getMany: async () => [], heads: async () => [], search: async () => ({ jobs: [] }) };
  await list(listDeps(jobs), caller, {
    limit: 1,
    ...(clientId && { clientId }),
  });
  return queries[0]?.clientId;
}

test('a client lists its own jobs, whether it names itself or not', async () => {
  expect(await clientOf(AMY)).toBe('amy');
  expect(await clientOf(AMY, 'amy')).toBe('amy');
});

test('a client may not list the jobs of another one', async () => {
  await expect(clientOf(AMY, 'bob')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('an administrator lists the jobs of all clients or of one', async () => {
  expect(await clientOf(ADMIN)).toBeUndefined();
  expect(await clientOf(ADMIN, 'bob')).toBe('bob');
});

test('a page ends before its limit when its jobs are large, and the next one goes on there', async () => {
  const MEBIBYTE = 1024 * 1024;
  const stored = ['9', '8', '7', '6', '5'].map((jobId) => ({ jobId, bytes: MEBIBYTE / 2 - 1 }));
  const reads: number[] = [];
  const jobs = {
    sizes: async ({ before = 'z', limit }: JobQuery) => stored.filter(({ jobId }) => jobId < before).slice(0, limit),
    getMany: async (ids: readonly string[]) => {
      reads.push(ids.length);
      return ids.map((jobId) => ({ jobId }) as Job);
    },
    heads: async () => [],
    search: async () => ({ jobs: [] }),
  };
  const page = async (limit: number, cursor?: string) => {
    const found = await list(listDeps(jobs), AMY, {
      limit,
      ...(cursor && { cursor }),
    });
    return [found.jobs.map(({ jobId }) => jobId).join(''), found.nextCursor];
  };
  expect(await page(200)).toEqual(['98', '8']);
  expect(await page(200, '8')).toEqual(['76', '6']);
  expect(await page(200, '6')).toEqual(['5', undefined]);
  expect(await page(1)).toEqual(['9', '9']);
  stored[0] = { jobId: '9', bytes: 50 * MEBIBYTE };
  expect(await page(200), 'one job is always on a page').toEqual(['9', '9']);
  expect(reads.every((count) => count === 1)).toBe(true);
});

test('a search reads on until a page is full, and says where the next page begins', async () => {
  const stored = Array.from({ length: 50 }, (_, i) => ({ jobId: String(99 - i), bytes: 1 }));
  const searched: JobSearch[] = [];
  const jobs = {
    sizes: async () => [],
    getMany: async (ids: readonly string[]) => ids.map((jobId) => ({ jobId }) as Job),
    // Each call looks at ten jobs. Every fifth job matches.
    heads: async () => [],
    search: async (query: JobSearch) => {
      searched.push(query);
      const next = stored.filter(({ jobId }) => jobId < (query.before ?? 'z')).slice(0, 10);
      const matching = next.filter(({ jobId }) => Number(jobId) % 5 === 0).slice(0, query.limit);
      return { jobs: matching, ...(next.length === 10 && { searchedTo: next.at(-1)?.jobId ?? '' }) };
    },
  };
  const page = async (cursor?: string) => {
    const found = await list(listDeps(jobs), AMY, { q: 'Take "2 b"', limit: 4, ...(cursor && { cursor }) });
    return [found.jobs.map(({ jobId }) => jobId).join(), found.nextCursor];
  };
  expect(await page()).toEqual(['95,90,85,80', '80']);
  expect(searched[0]).toMatchObject({ clientId: 'amy', words: ['take', '2 b'] });
  expect(await page('80')).toEqual(['75,70,65,60', '60']);
  expect(await page('60')).toEqual(['55,50', undefined]);
});

test('a search that begins while the newest jobs cannot be found yet begins again with the next page', async () => {
  let isIndexed = false;
  const jobs = {
    sizes: async () => [],
    getMany: async () => [{ jobId: '1' } as Job],
    heads: async () => [],
    search: async () => ({ jobs: [{ jobId: '1', bytes: 1 }] }),
  };
  const deps = listDeps(jobs, async () => isIndexed);
  const first = await list(deps, AMY, { q: 'a', limit: 5 });
  expect(first.jobs).toEqual([]);
  const cursor = first.nextCursor ?? '';
  expect(readCursor(writeCursor(cursor)), 'it is a cursor').toBe(cursor);
  expect((await list(deps, AMY, { q: 'a', limit: 5, cursor })).jobs).toEqual([]);
  isIndexed = true;
  expect(await list(deps, AMY, { q: 'a', limit: 5, cursor })).toEqual({ jobs: [{ jobId: '1' }] });
});

test('a job that changed its status while the page was read is left out of a list of one status', async () => {
  const jobs = {
    sizes: async () => ['2', '1'].map((jobId) => ({ jobId, bytes: 1 })),
    getMany: async () => [{ jobId: '1', status: 'PENDING' } as Job, { jobId: '2', status: 'PROCESSING' } as Job],
    heads: async () => [],
    search: async () => ({ jobs: [] }),
  };
  const query = { limit: 9, status: 'PENDING' } as const;
  const found = await list(listDeps(jobs), AMY, query);
  expect(found).toEqual({ jobs: [{ jobId: '1', status: 'PENDING' }] });
});

test('pages of a client are made one after the other, and none is read for which there is no memory', async () => {
  const sizes = Array.from({ length: 4 }, (_, i) => ({ jobId: `${i}`, bytes: 100_000 }));
  let [reserved, made, most, reads] = [0, 0, 0, 0];
  const deps = listDeps({
    sizes: async () => sizes,
    getMany: async (ids) => {
      reads += 1;
      return ids.map((jobId) => ({ jobId }) as Job);
    },
    heads: async () => [],
    search: async () => ({ jobs: [] }),
  });
  const page = async (): Promise<void> => {
    const options = {
      requireRoom: () => {
        reserved += 1;
        if (reserved > 10) throw new Error('There is no memory.');
        made += 1;
        most = Math.max(most, made);
      },
      write: () => {},
    };
    await listJobPage(deps, AMY, { limit: 4 }, options);
    made -= 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 30 }, page));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(most).toBe(1);
  expect(reads).toBe(10 * sizes.length);
});

test('a list does not wait for the pages of busy clients', async () => {
  const sizes = Array.from({ length: 16 }, (_, i) => ({ jobId: `${i}`, bytes: 100_000 }));
  const deps = listDeps({
    sizes: async ({ limit }) => sizes.slice(0, limit),
    getMany: async (ids) => ids.map((jobId) => ({ jobId }) as Job),
    heads: async () => [],
    search: async () => ({ jobs: [] }),
  });
  const made: string[] = [];
  const page = async (clientId: string, limit: number): Promise<void> => {
    await listJobPage(deps, { ...AMY, clientId }, { limit }, { write: () => {} });
    made.push(clientId);
  };
  const busy = ['a', 'b', 'c', 'd'].flatMap((clientId) => Array.from({ length: 10 }, () => page(clientId, 16)));
  await page('other', 1);
  expect(made).toEqual(['other']);
  await Promise.all(busy);
});

test('a page is not read for a client that has disconnected', async () => {
  let reads = 0;
  const sizes = async () => {
    reads += 1;
    return [];
  };
  const deps = listDeps({ sizes, getMany: async () => [], heads: async () => [], search: async () => ({ jobs: [] }) });
  const clients = [new AbortController(), new AbortController()];
  const pages = clients.map(({ signal }) => listJobPage(deps, AMY, { limit: 4 }, { hangUp: signal, write: () => {} }));
  clients[1]?.abort(new Error('It has disconnected.'));
  await expect(pages[1]).rejects.toThrow('It has disconnected.');
  await pages[0];
  expect(reads).toBe(1);
});

test('a page is not read to its end for a client that disconnects meanwhile', async () => {
  const client = new AbortController();
  const sizes = Array.from({ length: 9 }, (_, i) => ({ jobId: `${i}`, bytes: 100_000 }));
  let reads = 0;
  const getMany = async () => {
    reads += 1;
    if (reads === 2) client.abort(new Error('It has disconnected.'));
    return [];
  };
  const deps = listDeps({
    sizes: async () => sizes,
    getMany,
    heads: async () => [],
    search: async () => ({ jobs: [] }),
  });
  const page = listJobPage(deps, AMY, { limit: 9 }, { hangUp: client.signal, write: () => {} });
  await expect(page).rejects.toThrow('It has disconnected.');
  expect(reads).toBe(2);
});

test('jobs are read together up to 64 KiB, and a larger one alone', () => {
  const sizes = [10, 30, 30, 70, 1000, 5].map((kib, i) => ({ jobId: `${i}`, bytes: kib * 1024 }));
  expect(stepsOf(sizes)).toEqual([['0', '1'], ['2'], ['3'], ['4'], ['5']]);
  const small = Array.from({ length: 120 }, (_, i) => ({ jobId: `${i}`, bytes: 10 }));
  expect(stepsOf(small).map((step) => step.length)).toEqual([50, 50, 20]);
});

test('each client takes one step in a turn of the event loop, however many it has asked for', async () => {
  const step = readSteps();
  const taken: string[] = [];
  const take = (clientId: string) => step(clientId, NEVER, async () => void taken.push(clientId));
  const steps = [...Array.from({ length: 20 }, () => take('amy')), take('bob')];
  const perTurn: string[] = [];
  while (taken.length < 21) {
    const before = taken.length;
    await setImmediate();
    perTurn.push(taken.slice(before).join());
  }
  expect(perTurn.filter((turn) => turn.split('amy').length > 2)).toEqual([]);
  expect(taken.indexOf('bob'), 'bob waits for one step').toBeLessThanOrEqual(1);
  await Promise.all(steps);
});

test('jobs are read for a client in steps of some bytes, each when it is asked for', async () => {
  const reads: (readonly string[])[] = [];
  const getMany = async (jobIds: readonly string[]) => {
    reads.push(jobIds);
    return jobIds.map((jobId) => ({ jobId }) as Job);
  };
  const sizes = ['a', 'b', 'c'].map((jobId) => ({ jobId, bytes: 40_000 }));
  for await (const jobs of readInSteps({ jobs: { getMany }, step: readSteps() }, 'amy', sizes)) {
    expect(jobs.map(({ jobId }) => [jobId])).toEqual([reads.at(-1)]);
  }
  expect(reads).toEqual([['a'], ['b'], ['c']]);
});

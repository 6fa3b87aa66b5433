import type { Caller } from '@telecine/contract/domain/client.ts';
import type { JobSelection } from '@telecine/contract/domain/job-selection.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { type ChangeDeps, changeJobs, selectJobs } from './job-selections.ts';
import type { JobHead, JobQuery } from './ports/job-store.ts';

const AMY: Caller = { clientId: 'amy', root: mediaRoot('/srv/media'), policy: {}, scopes: ['jobs:write'] };
const ADMIN: Caller = { ...AMY, clientId: 'root', scopes: ['admin'] };

const idAt = (index: number): string => `0199a7c2-5b1e-7c3d-9f21-${String(index).padStart(12, '0')}`;

/** A store with these jobs, the oldest first. */
function storeOf(jobs: readonly Partial<JobHead>[]) {
  const all = jobs.map(
    (job, index): JobHead => ({
      ...{ jobId: idAt(index), clientId: 'amy', status: 'FAILED', bytes: 1, isRetried: false, isExpired: false },
      ...job,
    }),
  );
  const heads = async ({ status, clientId, before = 'z', limit }: JobQuery): Promise<readonly JobHead[]> =>
    all
      .filter((job) => job.status === status && job.jobId < before && (clientId ?? job.clientId) === job.clientId)
      .toReversed()
      .slice(0, limit);
  return { jobs: { heads }, step: <T>(_client: string, _signal: AbortSignal, run: () => Promise<T>) => run() };
}

/** The places of all selected jobs, page by page. */
async function selectAll(
  store: ReturnType<typeof storeOf>,
  action: Parameters<typeof selectJobs>[2],
  selection: Omit<JobSelection, 'limit'>,
  { caller = AMY, limit = 3 }: { readonly caller?: Caller; readonly limit?: number } = {},
): Promise<readonly number[]> {
  const places: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await selectJobs(store, caller, action, { ...selection, limit, ...(cursor && { cursor }) });
    expect(page.jobs.length).toBeLessThanOrEqual(limit);
    places.push(...page.jobs.map(({ jobId }) => Number(jobId.slice(-12))));
    cursor = page.nextCursor;
    if (cursor === undefined) return places;
  }
}

test('selects the jobs with which an action can be done, newest first', async () => {
  const statuses = ['PENDING', 'FAILED', 'PROCESSING', 'COMPLETED', 'CANCELLED', 'PENDING', 'FAILED'] as const;
  const store = storeOf(statuses.map((status) => ({ status })));
  expect(await selectAll(store, 'cancel', {})).toEqual([5, 2, 0]);
  expect(await selectAll(store, 'cancel', { status: 'PENDING' }, { limit: 1 })).toEqual([5, 0]);
  expect(await selectAll(store, 'retry', {})).toEqual([6, 1]);
  expect(await selectAll(store, 'retry', { status: 'CANCELLED' })).toEqual([4]);
  expect(await selectAll(store, 'expire', {})).toEqual([3]);
});

test('leaves out what was done already', async () => {
  const store = storeOf([{ isRetried: true }, {}, { status: 'COMPLETED', isExpired: true }, { status: 'COMPLETED' }]);
  expect(await selectAll(store, 'retry', {})).toEqual([1]);
  expect(await selectAll(store, 'expire', {})).toEqual([3]);
});

test('finds the few jobs with an error among many, in pages', async () => {
  const jobs = Array.from({ length: 1700 }, (_, i) => ({ code: i % 800 === 3 ? 'NO_SPACE' : 'FFMPEG_FAILED' }));
  expect(await selectAll(storeOf(jobs), 'retry', { error: 'NO_SPACE' })).toEqual([1603, 803, 3]);
});

test('one list that ends early hides no jobs of the other', async () => {
  const jobs = Array.from({ length: 1300 }, (_, i) => ({
    status: i % 2 === 0 ? ('PENDING' as const) : ('PROCESSING' as const),
    ...(i === 4 || i === 1201 || i === 1204 ? { code: 'STORAGE_FAULT' } : {}),
  }));
  expect(await selectAll(storeOf(jobs), 'cancel', { error: 'STORAGE_FAULT' })).toEqual([1204, 1201, 4]);
});

test('a client selects its own jobs, and an administrator those of all or of one', async () => {
  const store = storeOf([{ clientId: 'amy' }, { clientId: 'bob' }]);
  expect(await selectAll(store, 'retry', {})).toEqual([0]);
  await expect(selectAll(store, 'retry', { clientId: 'bob' })).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect(await selectAll(store, 'retry', {}, { caller: ADMIN })).toEqual([1, 0]);
  expect(await selectAll(store, 'retry', { clientId: 'bob' }, { caller: ADMIN })).toEqual([1]);
});

test('rejects a status with which nothing can be done, and says which are possible', async () => {
  const selecting = selectAll(storeOf([]), 'cancel', { status: 'COMPLETED' });
  await expect(selecting).rejects.toMatchObject({
    errors: [{ field: '/status', message: expect.stringContaining('PENDING or PROCESSING') }],
  });
});

test('stops between two retries when the caller has left, and names the retry that each must not repeat', async () => {
  const caller = new AbortController();
  const tried: unknown[] = [];
  const deps = {
    retry: async (_: Caller, job: Pick<JobHead, 'jobId' | 'lastRetry'>) => {
      tried.push(job);
      caller.abort();
      return idAt(9);
    },
  } as Partial<ChangeDeps> as ChangeDeps;
  const jobs = [
    { jobId: idAt(1), clientId: 'amy', lastRetry: idAt(5) },
    { jobId: idAt(0), clientId: 'amy' },
  ];
  const changed = await changeJobs(deps, AMY, 'retry', jobs, caller.signal);
  expect(changed).toEqual([{ jobId: idAt(1), clientId: 'amy', retriedAs: idAt(9) }]);
  expect(tried).toEqual(jobs.slice(0, 1));
});

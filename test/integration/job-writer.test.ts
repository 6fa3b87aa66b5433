import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { entryThread } from '../../src/cli/compose/job-writer/thread.ts';
import type { Entry } from '../../src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../src/jobs/submit/new-job-id.ts';
import { openSqlite } from '../../src/store/open.ts';
import { testFolder } from '../support/folders.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  jobId: newJobId(),
  clientId: 'amy',
  request: JSON.stringify({ input: 'a.mp4', output: 'b.mp4' }),
  ...more,
});

async function world() {
  const dataDir = await testFolder('entries');
  const store = await openSqlite(join(dataDir, 'telecine.db'));
  const onFault = vi.fn<(error: unknown) => void>();
  const thread = entryThread(dataDir, store, onFault);
  onTestFinished(async () => {
    await thread.close();
    await store.close();
  });
  return { dataDir, store, thread, onFault };
}

/** The first offer that is taken. */
async function taken<T>(offer: () => Promise<T> | undefined): Promise<T> {
  let answer: Promise<T> | undefined;
  await vi.waitUntil(
    () => {
      answer = offer();
      return answer !== undefined;
    },
    { timeout: 20_000 },
  );
  return answer as Promise<T>;
}

test('takes nothing while it starts; then what it stores is there for the service, as if written here', async () => {
  const { store, thread } = await world();
  expect(thread.offer([entry()])).toBeUndefined();
  const entries = Array.from({ length: 40 }, () => entry());
  expect(await taken(() => thread.offer(entries))).toEqual(entries.map(() => undefined));
  expect(await store.jobs.countPending('amy', 100)).toBe(40);
  const { jobId = '', clientId } = entries.at(-1) ?? {};
  const request = { input: 'a.mp4', output: 'b.mp4' };
  expect(await store.jobs.get(jobId)).toMatchObject({ jobId, clientId, request, status: 'PENDING' });
  expect(await store.jobs.turn(jobId)).toBe(79);
});

test('stores a request word for word, whatever is in it', async () => {
  const { store, thread } = await world();
  const request = { input: 'a\n"b\\\u2028.mp4', output: '\ud83c\udfac.mp4', parameters: { metadata: ['x=1\r\n', ''] } };
  const retried = entry({ request: JSON.stringify(request), retryOf: 'earlier' });
  await taken(() => thread.offer([entry(), retried, entry()]));
  expect(await store.jobs.get(retried.jobId)).toMatchObject({ request, retryOf: 'earlier' });
});

test('tells which keys were used before, and for what', async () => {
  const { thread } = await world();
  const idempotency = { key: 'k', bodyHash: 'h', notBefore: '2020-01-01T00:00:00.000Z' };
  const [one, other, plain] = [entry({ idempotency }), entry({ idempotency }), entry()];
  expect(await taken(() => thread.offer([one, other, plain]))).toEqual([
    undefined,
    { jobId: one.jobId, bodyHash: 'h' },
    undefined,
  ]);
});

test('where one cannot be stored none is, and the next ones are taken all the same', async () => {
  const { store, thread } = await world();
  const twice = entry();
  await expect(taken(() => thread.offer([entry(), twice, twice]))).rejects.toThrow('UNIQUE');
  expect(await store.jobs.countPending('amy', 100)).toBe(0);
  expect(await thread.offer([entry()])).toEqual([undefined]);
});

test('where it cannot run the reason is told, and it takes nothing', async () => {
  const { store, onFault } = await world();
  const file = join(await testFolder('entries'), 'file');
  writeFileSync(file, '');
  const thread = entryThread(join(file, 'data'), store, onFault);
  onTestFinished(() => thread.close());
  expect(thread.offer([entry()])).toBeUndefined();
  await vi.waitUntil(() => onFault.mock.calls.length > 0, { timeout: 20_000 });
  expect(thread.offer([entry()])).toBeUndefined();
  expect(onFault).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'ENOTDIR' }));
});

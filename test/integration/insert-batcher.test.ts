import { expect, test, vi } from 'vitest';
import type { JobStore } from '../../src/jobs/ports.ts';
import { type EntryThread, entrance } from '../../src/jobs/submit/insert-batcher.ts';
import { type Entry, storeEntries } from '../../src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../src/jobs/submit/new-job-id.ts';
import { AT, take } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';

const entry = (clientId: string, more: Partial<Entry> = {}): Entry => ({
  jobId: newJobId(),
  clientId,
  request: JSON.stringify({ input: 'a.mp4', output: 'b.mp4' }),
  ...more,
});

/** An entrance on a new store that counts its units; an entry of client `bad` cannot be stored here. */
async function world({
  isBusy = () => false,
  entryThread,
}: {
  readonly isBusy?: () => boolean;
  readonly entryThread?: EntryThread;
} = {}) {
  const { store, queue } = await sqlite.open();
  let units = 0;
  const insert: JobStore['insert'] = async (tx, jobs) => {
    await store.jobs.insert(tx, jobs);
    if (jobs.some(({ clientId }) => clientId === 'bad')) throw new Error('The disk took offence.');
  };
  const enter = entrance({
    transactions: {
      run: (unit) => {
        units += 1;
        return isBusy() ? Promise.reject(new Error('Busy.')) : store.transactions.run(unit);
      },
    },
    jobs: { ...store.jobs, insert },
    queue,
    idempotency: store.idempotency,
    now: () => new Date(AT),
    ...(entryThread && { entryThread }),
  });
  return { store, queue, enter, units: () => units };
}

test('what comes together is stored together, each client in its order and with turns of its own', async () => {
  const { store, queue, enter, units } = await world();
  const amys = Array.from({ length: 77 }, () => entry('amy'));
  const bobs = Array.from({ length: 2 }, () => entry('bob'));
  await Promise.all([...amys, ...bobs].map(enter));
  expect(units()).toBe(1);
  expect(await store.jobs.countPending('amy', 100)).toBe(77);
  const [first, second] = [await store.jobs.get(amys[0]?.jobId ?? ''), await store.jobs.turn(amys[1]?.jobId ?? '')];
  expect(first).toMatchObject({ clientId: 'amy', status: 'PENDING', createdAt: AT, request: { input: 'a.mp4' } });
  expect(second).toBe(3);
  const order = (await take({ store, queue }, 79, 79)).map(({ jobId }) => jobId);
  const ids = (of: readonly Entry[]) => of.map(({ jobId }) => jobId);
  expect(order.filter((jobId) => ids(amys).includes(jobId))).toEqual(ids(amys));
  expect(order.slice(0, 4)).toEqual([amys[0], bobs[0], amys[1], bobs[1]].map((one) => one?.jobId));
});

test('of one key that comes twice at once, the second gets the job of the first', async () => {
  const { store, enter } = await world();
  const idempotency = { key: 'k', bodyHash: 'h', notBefore: AT };
  const [one, other, plain] = [entry('amy', { idempotency }), entry('amy', { idempotency }), entry('amy')];
  expect(await Promise.all([one, other, plain].map(enter))).toEqual([
    undefined,
    { jobId: one.jobId, bodyHash: 'h' },
    undefined,
  ]);
  expect(await store.jobs.countPending('amy', 100)).toBe(2);
});

test('one that cannot be stored takes no other with it', async () => {
  const { store, enter } = await world();
  const [good, bad, last] = [entry('amy'), entry('bad'), entry('bob')];
  const results = await Promise.allSettled([good, bad, last].map(enter));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.jobs.get(bad.jobId)).toBeUndefined();
  expect(await store.jobs.get(last.jobId)).toMatchObject({ jobId: last.jobId });
});

test('where no unit begins, all who wait hear why, and the next one is tried', async () => {
  let busy = true;
  const { enter, units } = await world({ isBusy: () => busy });
  const results = await Promise.allSettled([entry('amy'), entry('bob')].map(enter));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(units()).toBe(1);
  busy = false;
  expect(await enter(entry('amy'))).toBeUndefined();
});

test('few are written here; many go to the thread, in the order in which they came', async () => {
  const taken: (readonly Entry[])[] = [];
  const entryThread: EntryThread = {
    offer: async (entries) => {
      taken.push(entries);
      return entries.map(() => undefined);
    },
  };
  const { enter, units } = await world({ entryThread });
  await Promise.all(Array.from({ length: 3 }, () => enter(entry('amy'))));
  expect([units(), taken]).toEqual([1, []]);
  const many = Array.from({ length: 70 }, () => entry('amy'));
  await Promise.all(many.map(enter));
  expect(taken.flat()).toEqual(many.slice(0, 64));
  expect(units()).toBe(2);
});

test('what the thread does not take, or cannot store, is written here', async () => {
  const offer = vi.fn<EntryThread['offer']>().mockReturnValueOnce(undefined).mockRejectedValueOnce(new Error('Ended.'));
  const { store, enter, units } = await world({ entryThread: { offer } });
  await Promise.all(Array.from({ length: 30 }, () => enter(entry('amy'))));
  expect([units(), await store.jobs.countPending('amy', 100)]).toEqual([1, 30]);
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => enter(entry(i === 7 ? 'bad' : 'amy'))));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await store.jobs.countPending('amy', 100)).toBe(59);
  expect(offer).toHaveBeenCalledTimes(2);
});

test('what the thread stored before it died is not stored again', async () => {
  const offer = vi.fn<EntryThread['offer']>();
  const { store, queue, enter } = await world({ entryThread: { offer } });
  offer.mockImplementation(async (entries) => {
    const deps = { ...store, queue, now: () => new Date(AT) };
    await store.transactions.run((tx) => storeEntries(deps, tx, entries.slice(0, 20)));
    throw new Error('It died.');
  });
  const many = Array.from({ length: 30 }, () => entry('amy'));
  expect(await Promise.all(many.map(enter))).toEqual(many.map(() => undefined));
  expect(offer).toHaveBeenCalledOnce();
  expect(await store.jobs.countPending('amy', 100)).toBe(30);
});

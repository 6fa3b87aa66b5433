import { describe, expect, test } from 'vitest';
import { searchWords } from '../../packages/contract/src/domain/job-search.ts';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { textIndex } from '../../packages/service/src/jobs/search-texts.ts';
import { insertJobs } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import {
  AT,
  type Engine,
  holdOpen,
  jobToInsert,
  mustClaim,
  submitMany,
  submitOne,
  take,
  type World,
} from './engine.ts';

/** Submits a job with this output and returns its id. */
async function submit({ store, queue }: World, clientId: string, output: string, metadata = {}): Promise<string> {
  const job = jobToInsert(clientId, { request: JSON.stringify({ input: 'in.mov', output, metadata }), metadata });
  await store.transactions.run((tx) => insertJobs({ ...store, queue, now: () => new Date(AT) }, tx, [job]));
  return job.jobId;
}

/** Inserts jobs with the output early.mp4, without a lock for which other submissions of the client wait. */
const insertEarly =
  ({ store }: World, jobIds: readonly string[]) =>
  (tx: Tx): Promise<void> => {
    const row = {
      clientId: 'amy',
      request: '{"input":"in.mov","output":"early.mp4"}',
      createdAt: AT,
    };
    return store.jobs.insert(
      tx,
      jobIds.map((jobId) => ({ jobId, ...row, ...ORDINARY })),
    );
  };

const idsOf = async ({ store }: World, q: string, more: object = {}): Promise<readonly string[]> =>
  (await store.jobs.search({ limit: 10, words: searchWords(q), ...more })).jobs.map(({ jobId }) => jobId);

export function jobSearchContract(engine: Engine): void {
  describe(`search of jobs on ${engine.name}`, () => {
    test('a search finds the jobs that have all words, newest first, of one client or of all', async () => {
      const world = await engine.open();
      const first = await submit(world, 'amy', 'web/Holiday 1.mp4');
      const second = await submit(world, 'amy', 'web/holiday 2.mp4', { shop: 'Köln' });
      await submit(world, 'amy', 'web/wedding.mp4');
      const other = await submit(world, 'bob', 'holiday.webm');
      expect(await idsOf(world, 'holiday'), 'nothing is indexed yet').toEqual([]);
      expect(await textIndex(world.store)()).toBe(true);
      expect(await idsOf(world, 'HOLIDAY')).toEqual([other, second, first]);
      expect(await idsOf(world, 'holiday', { clientId: 'amy' })).toEqual([second, first]);
      expect(await idsOf(world, 'holiday mp4 1')).toContain(first);
      expect(await idsOf(world, '"holiday 1"')).toEqual([first]);
      expect(await idsOf(world, 'KÖLN')).toEqual([second]);
      expect(await idsOf(world, 'bob')).toEqual([other]);
      expect(await idsOf(world, first)).toEqual([first]);
      expect(await idsOf(world, 'holiday', { metadata: { shop: 'Köln' } })).toEqual([second]);
      expect(await idsOf(world, 'wedding', { metadata: { shop: 'Köln' } })).toEqual([]);
      expect(await idsOf(world, 'holiday', { before: second })).toEqual([first]);
    });

    test('a job is found while an earlier transaction is open, and the jobs of that transaction after its commit', async ({
      skip,
    }) => {
      if (!engine.isConcurrent) skip('transactions run one after the other');
      const world = await engine.open();
      const { store } = world;
      const early = Array.from({ length: 120 }, newJobId);
      const commit = await holdOpen(world, insertEarly(world, early));
      const indexTexts = textIndex(store);
      const late = await submit(world, 'bob', 'late.mp4');
      expect(await indexTexts()).toBe(true);
      const whileOpen = await idsOf(world, 'late.mp4');
      const unread = await store.changeLog.unread(await store.jobTexts.position(), 10);
      const other = await submit(world, 'bob', 'later.mp4');
      // Another process goes on where this one stopped.
      expect(await textIndex(store)()).toBe(true);
      const stillOpen = await idsOf(world, 'later.mp4');
      await commit();
      expect(await indexTexts()).toBe(true);
      expect({ whileOpen, stillOpen }).toEqual({ whileOpen: [late], stillOpen: [other] });
      expect(unread.changes, 'changes that are read again while the transaction is open').toEqual([]);
      expect(await idsOf(world, 'early.mp4', { limit: 200 })).toEqual(early.toReversed());
      expect((await store.changeLog.unread(await store.jobTexts.position(), 10)).changes).toEqual([]);
    });

    test('a transaction that was open and ended without a change of a job is not asked for again', async ({ skip }) => {
      if (!engine.isConcurrent) skip('transactions run one after the other');
      const world = await engine.open();
      const { store } = world;
      const commit = await holdOpen(world, (tx) =>
        store.idempotency.insert(tx, { clientId: 'amy', key: 'k', bodyHash: 'h', jobId: newJobId(), at: AT }, AT),
      );
      await submit(world, 'bob', 'late.mp4');
      const indexTexts = textIndex(store);
      await indexTexts();
      const open = new Set((await store.jobTexts.position()).open.map(({ number }) => number));
      expect(open.size).toBeGreaterThan(0);
      await commit();
      // Other databases of the server have transactions too.
      const stillOpen = async () => {
        await indexTexts();
        return (await store.jobTexts.position()).open.filter(({ number }) => open.has(number));
      };
      await expect.poll(stillOpen, { timeout: 10_000 }).toEqual([]);
    });

    test('a process that has read up to another position, or other open transactions, stores no texts', async () => {
      const world = await engine.open();
      const { jobTexts } = world.store;
      const jobId = await submit(world, 'amy', 'tide.mp4');
      const from = await jobTexts.position();
      const texts = [{ jobId, clientId: 'amy', content: 'tide.mp4' }];
      const open = [{ number: 1, jobId: '' }];
      for (const other of [
        { ...from, number: from.number + 1 },
        { ...from, jobId: 'b' },
        { ...from, open },
      ])
        expect(await jobTexts.store({ from: other, to: from }, texts, [])).toBe(false);
      expect(await idsOf(world, 'tide')).toEqual([]);
      expect(await jobTexts.store({ from, to: { ...from, open } }, texts, [])).toBe(true);
      expect(await idsOf(world, 'tide')).toEqual([jobId]);
      expect(await jobTexts.position()).toEqual({ ...from, open });
    });

    test('a search takes the signs of patterns as they are', async () => {
      const world = await engine.open();
      const plain = await submit(world, 'amy', '100%_a\\b.mp4');
      await submit(world, 'amy', '100 a b.mp4');
      await textIndex(world.store)();
      for (const q of ['100%', '%_', '_a\\', '\\b']) expect(await idsOf(world, q), q).toEqual([plain]);
    });

    test('a job is found by its error once it has failed, and not any more once it is deleted', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const indexTexts = textIndex(world.store);
      const jobId = await submitOne(world);
      await indexTexts();
      const [delivery] = await take(world);
      const claim = await mustClaim(world, delivery?.jobId ?? '');
      const error = { code: 'INPUT_NOT_FOUND', message: 'in.mov is not there.' } as const;
      await transactions.run((tx) => jobs.end(tx, claim, { status: 'FAILED', error }, AT, ''));
      await indexTexts();
      expect(await idsOf(world, 'input_not_found', { status: 'FAILED' })).toEqual([jobId]);
      expect(await idsOf(world, 'input_not_found', { status: 'COMPLETED' })).toEqual([]);
      await transactions.run((tx) => jobs.remove(tx, jobId));
      expect(await idsOf(world, 'input_not_found')).toEqual([]);
      await indexTexts();
      expect(await idsOf(world, 'input_not_found')).toEqual([]);
    });

    test('a search looks at a limited number of jobs and says where it stopped', async () => {
      const world = await engine.open();
      const oldest = await submit(world, 'amy', 'needle.mp4');
      const ids = await submitMany(world, 'amy', 1200);
      await textIndex(world.store)();
      const search = (before?: string) =>
        world.store.jobs.search({ limit: 10, words: ['needle'], ...(before && { before }) });
      expect(await search()).toEqual({ jobs: [], searchedTo: ids[200] });
      expect((await search(ids[200])).jobs.map(({ jobId }) => jobId)).toEqual([oldest]);
      expect((await search(ids[200])).searchedTo).toBeUndefined();
    });

    test('other requests have their turns while a search looks through long texts of many jobs', async () => {
      const world = await engine.open();
      const request = JSON.stringify({ input: 'a'.repeat(20_000), output: 'out.mp4' });
      const jobIds = Array.from({ length: 300 }, newJobId);
      await world.store.transactions.run((tx) =>
        world.store.jobs.insert(
          tx,
          jobIds.map((jobId) => ({ jobId, clientId: 'amy', request, createdAt: AT, ...ORDINARY })),
        ),
      );
      await textIndex(world.store)();
      let turns = 0;
      const nextTurn = (): void => {
        turns += 1;
        timer = setImmediate(nextTurn);
      };
      let timer = setImmediate(nextTurn);
      // A search by LIKE tries again at each letter.
      expect(await idsOf(world, `${'a'.repeat(199)}b`)).toEqual([]);
      clearImmediate(timer);
      expect(turns).toBeGreaterThan(15);
      expect(await idsOf(world, 'a'.repeat(200))).toEqual(jobIds.toReversed().slice(0, 10));
    });

    test('two processes index the same jobs without losing one', async () => {
      const world = await engine.open();
      // While they read the jobs of a transaction that was open, only their place in it shows which of them was first.
      const early = Array.from({ length: 120 }, newJobId);
      const commit = engine.isConcurrent ? await holdOpen(world, insertEarly(world, early)) : undefined;
      const ids = await submitMany(world, 'amy', 230, ORDINARY);
      const [one, two] = [textIndex(world.store), textIndex(world.store)];
      await Promise.all([one(), two()]);
      await commit?.();
      await Promise.all([one(), two()]);
      await one();
      const found = await world.store.jobs.search({ limit: 300, words: ['out.mp4'] });
      expect(found.jobs.map(({ jobId }) => jobId)).toEqual(ids.toReversed());
      const late = await world.store.jobs.search({ limit: 300, words: ['early.mp4'] });
      expect(late.jobs.map(({ jobId }) => jobId)).toEqual(commit === undefined ? [] : early.toReversed());
    });

    test('the index says if its time was over before it had all jobs', async () => {
      const world = await engine.open();
      await submitMany(world, 'amy', 120);
      const indexTexts = textIndex(world.store);
      expect(await indexTexts(0)).toBe(false);
      expect(await indexTexts()).toBe(true);
    });
  });
}

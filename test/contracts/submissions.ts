import { describe, expect, test, vi } from 'vitest';
import type { JobStore } from '../../packages/service/src/jobs/ports/job-store.ts';
import { insertBatcher, type JobToInsert } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { AT, type Engine, jobToInsert as job, startNext, take } from './engine.ts';

/** A batcher on a new store. It counts its transactions and fails to store jobs of the client `bad`. */
async function openWorld(engine: Engine, { isBusy = () => false }: { readonly isBusy?: () => boolean } = {}) {
  const { store, queue } = await engine.open();
  let runs = 0;
  const insert: JobStore['insert'] = async (tx, jobs) => {
    await store.jobs.insert(tx, jobs);
    rejectBad(jobs);
  };
  const { insertPlainJobs } = queue;
  const failing = insertPlainJobs && {
    insertPlainJobs: async (...args: Parameters<typeof insertPlainJobs>) => {
      rejectBad(args[1]);
      await insertPlainJobs(...args);
    },
  };
  const insertJob = insertBatcher({
    transactions: {
      run: (unit, options) => {
        runs += 1;
        return isBusy() ? Promise.reject(new Error('Busy.')) : store.transactions.run(unit, options);
      },
    },
    jobs: { ...store.jobs, insert },
    queue: { ...queue, ...failing },
    idempotency: store.idempotency,
    usage: store.usage,
    now: () => new Date(AT),
  });
  return { store, queue, insertJob, runs: () => runs };
}

function rejectBad(jobs: readonly Pick<JobToInsert, 'clientId'>[]): void {
  if (jobs.some(({ clientId }) => clientId === 'bad')) throw new Error('The job cannot be stored.');
}

/** What submissions store, alone and in groups. */
export function submissionsContract(engine: Engine): void {
  describe(`submissions on ${engine.name}`, () => {
    test('stores jobs that arrive together in one transaction, each client in its order with its own ranks', async () => {
      const { store, queue, insertJob, runs } = await openWorld(engine);
      const amys = Array.from({ length: 77 }, () => job('amy'));
      const bobs = Array.from({ length: 2 }, () => job('bob'));
      await Promise.all([...amys, ...bobs].map(insertJob));
      expect(runs()).toBe(1);
      expect(await store.jobs.countPending('amy', 100)).toBe(77);
      const [first, second] = [
        await store.jobs.get(amys[0]?.jobId ?? ''),
        await store.jobs.ticketOf(amys[1]?.jobId ?? ''),
      ];
      expect(first).toMatchObject({ clientId: 'amy', status: 'PENDING', createdAt: AT, request: { input: 'a.mp4' } });
      expect(second).toMatchObject({ jobId: amys[1]?.jobId, priority: 0 });
      const order = (await take({ store, queue }, 79, 79)).map(({ jobId }) => jobId);
      const ids = (of: readonly JobToInsert[]) => of.map(({ jobId }) => jobId);
      expect(order.filter((jobId) => ids(amys).includes(jobId))).toEqual(ids(amys));
      expect(order.slice(0, 4)).toEqual([amys[0], bobs[0], amys[1], bobs[1]].map((one) => one?.jobId));
    });

    test('stores what some jobs of a group have besides their requests, and gives their tickets the same', async () => {
      const { store, queue, insertJob } = await openWorld(engine);
      const warnings = JSON.stringify([{ field: '/output', code: 'X', message: 'A "quoted" text, {with} \\ signs.' }]);
      const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const light = job('amy', { lane: 'light', weight: 30 });
      const all = [job('bob'), light, job('amy', { warnings, traceParent }), job('bob', { weight: 400, priority: 2 })];
      await Promise.all(all.map(insertJob));
      const tickets = await Promise.all(all.map(({ jobId }) => store.jobs.ticketOf(jobId)));
      expect(tickets.map((ticket) => ticket && [ticket.lane, ticket.weight, ticket.priority])).toEqual([
        ['full', 100, 0],
        ['light', 30, 0],
        ['full', 100, 0],
        ['full', 400, 2],
      ]);
      const stored = await store.jobs.get(all[2]?.jobId ?? '');
      expect(stored).toMatchObject({ warnings: JSON.parse(warnings), traceParent });
      expect(await store.usage.ofDay('amy', AT.slice(0, 10))).toEqual({ jobs: 2, mediaSeconds: 0 });
      const taken = await take({ store, queue }, 9, 9);
      expect(taken.map(({ jobId, lane, weight }) => [jobId, lane, weight])).toEqual(
        [light, all[3], all[0], all[2]].map((one) => [one?.jobId, one?.lane, one?.weight]),
      );
    });

    test('gives the second of two concurrent submissions with one key the job of the first', async () => {
      const { store, insertJob } = await openWorld(engine);
      const idempotency = { key: 'k', bodyHash: 'h', notBefore: AT };
      const [one, other, plain] = [job('amy', { idempotency }), job('amy', { idempotency }), job('amy')];
      expect(await Promise.all([one, other, plain].map(insertJob))).toEqual([
        undefined,
        { jobId: one.jobId, bodyHash: 'h' },
        undefined,
      ]);
      expect(await store.jobs.countPending('amy', 100)).toBe(2);
    });

    test('rejects only the job that cannot be stored', async () => {
      const { store, insertJob } = await openWorld(engine);
      const [good, bad, last] = [job('amy'), job('bad'), job('bob')];
      const results = await Promise.allSettled([good, bad, last].map(insertJob));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.jobs.get(bad.jobId)).toBeUndefined();
      expect(await store.jobs.get(last.jobId)).toMatchObject({ jobId: last.jobId });
    });

    test('starts the jobs of a client in their order, also if a job that arrived with them cannot be stored', async () => {
      const { store, queue, insertJob } = await openWorld(engine);
      const amys = Array.from({ length: 30 }, () => job('amy'));
      await Promise.allSettled([...amys, job('bad')].map(insertJob));
      expect((await take({ store, queue }, 99)).map(({ jobId }) => jobId)).toEqual(amys.map(({ jobId }) => jobId));
    });

    test('rejects all waiting jobs if no transaction can begin, and tries the next one', async () => {
      let busy = true;
      const { insertJob, runs } = await openWorld(engine, { isBusy: () => busy });
      const results = await Promise.allSettled([job('amy'), job('bob')].map(insertJob));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(runs()).toBe(1);
      busy = false;
      expect(await insertJob(job('amy'))).toBeUndefined();
    });

    test('stores jobs that arrive during a transaction together in the next one', async () => {
      const { store, insertJob, runs } = await openWorld(engine);
      const first = Array.from({ length: 3 }, () => insertJob(job('amy')));
      await vi.waitUntil(() => runs() === 1);
      const [done] = await Promise.all([
        Promise.all(first),
        ...Array.from({ length: 300 }, () => insertJob(job('amy'))),
      ]);
      expect(done).toEqual([undefined, undefined, undefined]);
      expect(await store.jobs.countPending('amy', 999)).toBe(303);
      expect(runs()).toBeLessThanOrEqual(3);
    });

    test('rejects only the job whose id is stored already', async () => {
      const { store, insertJob } = await openWorld(engine);
      const stored = job('amy');
      await insertJob(stored);
      const [good, keyed] = [job('amy'), job('amy', { idempotency: { key: 'k', bodyHash: 'h', notBefore: AT } })];
      const results = await Promise.allSettled([good, stored, keyed].map(insertJob));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.jobs.countPending('amy', 100)).toBe(3);
      expect(await store.idempotency.find('amy', 'k', AT)).toEqual({ jobId: keyed.jobId, bodyHash: 'h' });
    });

    test('a job and its key are stored with its ticket, and a job that is not stored leaves neither', async () => {
      const { store, queue, insertJob } = await openWorld(engine);
      const idempotency = { key: 'k', bodyHash: 'h', notBefore: AT };
      const [good, bad] = [job('amy', { idempotency }), job('bad', { idempotency })];
      await Promise.allSettled([good, bad].map(insertJob));
      expect(await store.idempotency.find('amy', 'k', AT)).toEqual({ jobId: good.jobId, bodyHash: 'h' });
      expect(await store.idempotency.find('bad', 'k', AT)).toBeUndefined();
      expect((await take({ store, queue }, 9)).map(({ jobId }) => jobId)).toEqual([good.jobId]);
    });

    test('gives each of many keys of several clients its own job', async () => {
      const { store, insertJob } = await openWorld(engine);
      const jobs = Array.from({ length: 60 }, (_, index) =>
        job(`client ${index % 7}`, { idempotency: { key: `key ${index % 20}`, bodyHash: `${index}`, notBefore: AT } }),
      );
      const earlier = await Promise.all(jobs.map(insertJob));
      const firstOf = ({ clientId, idempotency }: JobToInsert): JobToInsert | undefined =>
        jobs.find((one) => one.clientId === clientId && one.idempotency?.key === idempotency?.key);
      expect(earlier).toEqual(
        jobs.map((one) => {
          const first = firstOf(one);
          return first === one ? undefined : { jobId: first?.jobId, bodyHash: first?.idempotency?.bodyHash };
        }),
      );
      const stored = earlier.filter((use) => use === undefined).length;
      expect(await store.jobs.countPending(undefined, 100)).toBe(stored);
    });

    test('the client whose job started last comes after one that has none', async () => {
      const { store, queue, insertJob } = await openWorld(engine);
      await insertJob(job('amy'));
      await startNext({ store, queue });
      const jobs = [job('amy'), job('bob')];
      for (const one of jobs) await insertJob(one);
      expect((await take({ store, queue }, 2)).map(({ clientId }) => clientId)).toEqual(['bob', 'amy']);
    });
  });
}

import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/domain/failure.ts';
import { MAX_ATTEMPTS } from '../../src/domain/states.ts';
import type { Claim, JobOutcome, PublishIntent } from '../../src/jobs/ports.ts';
import { AT, claim, claimed, type Engine, REQUEST, submitMany, submitOne, type World } from './engine.ts';

const LATER = '2026-11-20T11:00:00.000Z';
const CANCELLED: Failure = { code: 'CANCELLED', message: 'The job was cancelled.' };
const OUTPUTS = [{ path: 'out.mp4', sizeBytes: 7, durationSeconds: 1.5 }];
const COMPLETED: JobOutcome = { status: 'COMPLETED', outputs: OUTPUTS };

const intentOf = ({ job, fence }: Claim): PublishIntent => ({
  scratch: `${job.jobId}.${fence}`,
  outputs: OUTPUTS,
  engine: 'test',
  version: 1,
  data: { files: ['out.mp4'] },
});

const end = ({ store }: World, by: Claim, ending: JobOutcome = COMPLETED, log = ''): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.end(tx, by, ending, LATER, log));
const putBack = ({ store }: World, by: Claim, keepAttempt: boolean): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.requeue(tx, by, keepAttempt));
const cancelPending = ({ store }: World, jobId: string): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.cancelPending(tx, jobId, CANCELLED, LATER));
const requestCancel = ({ store }: World, jobId: string, at = LATER): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.requestCancel(tx, jobId, at));
const remove = ({ store }: World, jobId: string): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.remove(tx, jobId));

export function jobsContract(engine: Engine): void {
  describe(`jobs on ${engine.name}`, () => {
    test('a new job is PENDING and holds its request word for word', async () => {
      const world = await engine.open();
      const jobId = uuid();
      await world.store.transactions.run((tx) =>
        world.store.jobs.insert(tx, [
          {
            jobId,
            clientId: 'amy',
            request: JSON.stringify(REQUEST),
            retryOf: 'earlier',
            fairnessRank: 1,
            createdAt: AT,
          },
        ]),
      );
      expect(await world.store.jobs.get(jobId)).toEqual({
        jobId,
        clientId: 'amy',
        status: 'PENDING',
        request: REQUEST,
        retryOf: 'earlier',
        attempt: 0,
        createdAt: AT,
      });
    });

    test('a job that nobody made is not there', async () => {
      const world = await engine.open();
      expect(await world.store.jobs.get(uuid())).toBeUndefined();
      expect(await claim(world, uuid())).toBeUndefined();
    });

    test('from claim to end: each step shows, and the end stays', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const held = await claimed(world, jobId);
      expect(held).toMatchObject({
        fence: 1,
        exhausted: false,
        job: { status: 'PROCESSING', phase: 'STAGING', attempt: 1, startedAt: AT },
      });
      expect(held).not.toHaveProperty('intent');
      expect(await world.store.jobs.get(jobId)).toEqual(held.job);

      const progress = { percent: 40, speed: 2, fps: 50, etaSeconds: 3 };
      expect(await world.store.jobs.progress(held, { phase: 'CONVERTING', progress, log: 'one' })).toEqual({
        cancelRequested: false,
      });
      expect(await world.store.jobs.get(jobId)).toMatchObject({ phase: 'CONVERTING', progress });
      expect(await world.store.jobs.log(jobId)).toBe('one');

      expect(await world.store.jobs.recordIntent(held, intentOf(held))).toBe(true);
      expect(await world.store.jobs.get(jobId)).toMatchObject({ phase: 'PUBLISHING' });

      expect(await end(world, held, COMPLETED, 'one\ntwo')).toBe(true);
      const ended = await world.store.jobs.get(jobId);
      expect(ended).toMatchObject({ status: 'COMPLETED', outputs: OUTPUTS, completedAt: LATER, startedAt: AT });
      expect(ended?.progress?.percent).toBe(100);
      expect(ended).not.toHaveProperty('phase');
      expect(await world.store.jobs.log(jobId)).toBe('one\ntwo');
    });

    test('a finished job never changes', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const held = await claimed(world, jobId);
      await end(world, held, { status: 'FAILED', error: { code: 'TIMEOUT', message: 'Too long.', fix: 'Cut it.' } });
      const before = await world.store.jobs.get(jobId);
      expect(await claim(world, jobId)).toBeUndefined();
      expect(await end(world, held)).toBe(false);
      expect(await putBack(world, held, true)).toBe(false);
      expect(await world.store.jobs.progress(held, { phase: 'CONVERTING', log: 'late' })).toBeUndefined();
      expect(await world.store.jobs.recordIntent(held, intentOf(held))).toBe(false);
      expect(await cancelPending(world, jobId)).toBe(false);
      expect(await requestCancel(world, jobId)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toEqual(before);
      expect(await world.store.jobs.log(jobId)).toBeUndefined();
    });

    test('a worker whose job was claimed by another can change nothing', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const lost = await claimed(world, jobId);
      const holder = await claimed(world, jobId, LATER);
      expect(holder.fence).toBeGreaterThan(lost.fence);
      expect(await world.store.jobs.progress(lost, { phase: 'PUBLISHING', log: 'late' })).toBeUndefined();
      expect(await world.store.jobs.recordIntent(lost, intentOf(lost))).toBe(false);
      expect(await putBack(world, lost, true)).toBe(false);
      expect(await end(world, lost)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toEqual(holder.job);
      expect(await end(world, holder)).toBe(true);
    });

    test('a claim lost in a drain stays lost, though the attempt number is the same again', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await claimed(world, jobId);
      expect(await putBack(world, first, false)).toBe(true);
      const second = await claimed(world, jobId);
      expect(second.job.attempt).toBe(first.job.attempt);
      expect(await end(world, first)).toBe(false);
      expect(await end(world, second)).toBe(true);
    });

    test('of claims that race, each has a fence of its own and only the last one counts', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const racers = await Promise.all([claimed(world, jobId), claimed(world, jobId), claimed(world, jobId)]);
      expect(new Set(racers.map((racer) => racer.fence)).size).toBe(3);
      expect(await Promise.all(racers.map((racer) => end(world, racer)))).toEqual([false, false, true]);
    });

    test('a lost worker costs an attempt; when all are used up the job is handed out to be ended', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
        expect(await claim(world, jobId)).toMatchObject({ exhausted: false, job: { attempt } });
      expect(await claim(world, jobId)).toMatchObject({ exhausted: true, job: { attempt: MAX_ATTEMPTS } });
    });

    test('what a lost worker meant to publish comes with the next claim, and is known as live scratch', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const lost = await claimed(world, jobId);
      await world.store.jobs.recordIntent(lost, intentOf(lost));
      const holder = await claimed(world, jobId);
      expect(holder.intent).toEqual(intentOf(lost));
      expect([...(await world.store.jobs.liveScratch(false))].sort()).toEqual([`${jobId}.1`, `${jobId}.2`]);
      expect(await world.store.jobs.liveScratch(true)).toEqual([`${jobId}.1`]);
      await end(world, holder);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
    });

    test('a try that is put back, or cancelled then, leaves nothing to be published', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await claimed(world, jobId);
      await world.store.jobs.recordIntent(first, intentOf(first));
      await putBack(world, first, true);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
      const second = await claimed(world, jobId);
      expect(second).not.toHaveProperty('intent');
      await world.store.jobs.recordIntent(second, intentOf(second));
      await putBack(world, second, true);
      expect(await cancelPending(world, jobId)).toBe(true);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
    });

    test('a job that is put back waits as before: no phase, no progress, its attempt kept or given back', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await claimed(world, jobId);
      await world.store.jobs.progress(first, { phase: 'CONVERTING', progress: { percent: 90 } });
      await putBack(world, first, true);
      const waiting = await world.store.jobs.get(jobId);
      expect(waiting).toMatchObject({ status: 'PENDING', attempt: 1 });
      expect(waiting).not.toHaveProperty('phase');
      expect(waiting).not.toHaveProperty('progress');
      await putBack(world, await claimed(world, jobId, LATER), false);
      expect(await world.store.jobs.get(jobId)).toMatchObject({ status: 'PENDING', attempt: 1, startedAt: AT });
    });

    test('a job that waits for another try says why, until that begins', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const jobId = await submitOne(world);
      const error = { code: 'NO_SPACE', message: 'The disk was full.' } as const;
      const first = await claimed(world, jobId);
      await transactions.run((tx) => jobs.requeue(tx, first, true, error));
      expect(await jobs.get(jobId)).toMatchObject({ status: 'PENDING', error });
      const second = await claimed(world, jobId, LATER);
      expect(second.job).not.toHaveProperty('error');
      expect(await jobs.get(jobId)).not.toHaveProperty('error');
      await end(world, second, COMPLETED);
      expect(await jobs.get(jobId)).not.toHaveProperty('error');
    });

    test('a waiting job is cancelled at once; a running one is marked, and its worker hears of it', async () => {
      const world = await engine.open();
      const [waiting, running] = [await submitOne(world), await submitOne(world)];
      expect(await requestCancel(world, waiting)).toBe(false);
      expect(await cancelPending(world, waiting)).toBe(true);
      expect(await world.store.jobs.get(waiting)).toMatchObject({
        status: 'CANCELLED',
        error: CANCELLED,
        completedAt: LATER,
      });
      const held = await claimed(world, running);
      expect(await cancelPending(world, running)).toBe(false);
      expect(await requestCancel(world, running, AT)).toBe(true);
      expect(await requestCancel(world, running, LATER)).toBe(true);
      expect(await world.store.jobs.progress(held, { phase: 'CONVERTING' })).toEqual({ cancelRequested: true });
      expect((await world.store.jobs.get(running))?.cancelRequestedAt).toBe(AT);
    });

    test('a job marked for cancelling whose worker is lost is still handed out, with the mark', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      await claimed(world, jobId);
      await requestCancel(world, jobId);
      expect((await claim(world, jobId))?.job.cancelRequestedAt).toBe(LATER);
    });

    test('only a finished job can be deleted, and its log goes with it', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      expect(await remove(world, jobId)).toBe(false);
      const held = await claimed(world, jobId);
      expect(await remove(world, jobId)).toBe(false);
      await end(world, held, COMPLETED, 'log');
      expect(await remove(world, jobId)).toBe(true);
      expect(await remove(world, jobId)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toBeUndefined();
      expect(await world.store.jobs.log(jobId)).toBeUndefined();
    });

    listing(engine);
    turns(engine);
  });
}

function listing(engine: Engine): void {
  test('lists are newest first, of a client or all, of a status or all, page by page', async () => {
    const world = await engine.open();
    const all: string[] = [];
    for (const client of ['amy', 'bob', 'amy', 'bob', 'amy']) all.push(await submitOne(world, client));
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = all;
    await end(world, await claimed(world, first));
    await end(world, await claimed(world, second));
    await claimed(world, third);
    const ids = async (query: Omit<Parameters<typeof world.store.jobs.list>[0], 'limit'>, limit = 9) =>
      (await world.store.jobs.list({ ...query, limit })).map((job) => job.jobId);

    expect(await ids({})).toEqual([fifth, fourth, third, second, first]);
    expect(await ids({ clientId: 'amy' })).toEqual([fifth, third, first]);
    expect(await ids({ status: 'COMPLETED' })).toEqual([second, first]);
    expect(await ids({ clientId: 'amy', status: 'COMPLETED' })).toEqual([first]);
    expect(await ids({ clientId: 'amy', status: 'FAILED' })).toEqual([]);
    expect(await ids({ clientId: 'nobody' })).toEqual([]);

    expect(await ids({}, 2)).toEqual([fifth, fourth]);
    expect(await ids({ before: fourth }, 2)).toEqual([third, second]);
    expect(await ids({ clientId: 'amy' }, 2)).toEqual([fifth, third]);
    expect(await ids({ clientId: 'amy', before: third }, 2)).toEqual([first]);
    expect(await ids({ status: 'COMPLETED', before: second })).toEqual([first]);
    expect(await ids({ before: first })).toEqual([]);
  });

  test('the list of all with a status is newest first too, whosever they are: of many, of few, of one with most', async () => {
    const world = await engine.open();
    const all: string[] = [];
    for (const client of ['amy', 'amy', 'bob', 'cleo', 'dan', 'eve', 'amy', 'amy', 'amy', 'bob'])
      all.unshift(await submitOne(world, client));
    await end(world, await claimed(world, await submitOne(world, 'eve')));
    const pages = async (limit: number) => {
      const found: string[][] = [];
      for (let before: string | undefined; ; before = found.at(-1)?.at(-1)) {
        const page = await world.store.jobs.list({ status: 'PENDING', limit, ...(before && { before }) });
        if (page.length === 0) return found;
        found.push(page.map((job) => job.jobId));
      }
    };
    for (const limit of [1, 2, 3, 20]) {
      const found = await pages(limit);
      expect(found.flat()).toEqual(all);
      expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  test('waiting jobs are counted for one client and for all, no further than asked', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 3);
    await submitMany(world, 'bob', 2);
    await claimed(world, await submitOne(world, 'bob'));
    expect(await world.store.jobs.countPending('amy', 100)).toBe(3);
    expect(await world.store.jobs.countPending('bob', 100)).toBe(2);
    expect(await world.store.jobs.countPending('nobody', 100)).toBe(0);
    expect(await world.store.jobs.countPending(undefined, 100)).toBe(5);
    expect(await world.store.jobs.countPending(undefined, 4)).toBe(4);
  });
}

function turns(engine: Engine): void {
  const nextTurn = ({ store }: World, clientId: string): Promise<number> =>
    store.transactions.run((tx) => store.jobs.nextFairnessRank(tx, clientId));

  test("a client's turns rise, and a newcomer's comes before all that wait", async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 10);
    const own = await nextTurn(world, 'amy');
    const newcomer = await nextTurn(world, 'bob');
    expect(newcomer).toBeLessThan(own);
    await submitOne(world, 'amy');
    expect(await nextTurn(world, 'amy')).toBeGreaterThan(own);
    expect(await nextTurn(world, 'bob')).toBe(newcomer);
  });

  test('a newcomer does not get the turns that went by before it came', async () => {
    const world = await engine.open();
    const jobs = await submitMany(world, 'amy', 10);
    const before = await nextTurn(world, 'bob');
    for (const jobId of jobs) await end(world, await claimed(world, jobId));
    expect(await nextTurn(world, 'bob')).toBeGreaterThan(before);
    expect(await nextTurn(world, 'bob')).toBe(await nextTurn(world, 'amy'));
  });

  test('jobs cancelled while they waited took no turn', async () => {
    const world = await engine.open();
    const jobs = await submitMany(world, 'amy', 10);
    const before = await nextTurn(world, 'bob');
    for (const jobId of jobs) await cancelPending(world, jobId);
    expect(await nextTurn(world, 'bob')).toBe(before);
  });
}

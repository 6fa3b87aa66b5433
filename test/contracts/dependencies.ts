import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { dependencyEndWrite, failDependents } from '../../packages/service/src/jobs/dependents.ts';
import { CANCELLED_ON_REQUEST } from '../../packages/service/src/jobs/end-job.ts';
import { createJobChanges, type JobChange } from '../../packages/service/src/jobs/job-changes.ts';
import { restoreTickets } from '../../packages/service/src/jobs/queue-upkeep.ts';
import { type DependentJob, insertDependents } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { AT, type Engine, endAny, mustClaim, REQUEST, submitMany, submitOne, take, type World } from './engine.ts';

const fail = (error: unknown): never => {
  throw error;
};

/** The use cases of jobs that wait for others, on a new store. */
async function openWorld(engine: Engine) {
  const world = await engine.open();
  const { store, queue } = world;
  const changes = createJobChanges(fail);
  const published: JobChange[] = [];
  changes.subscribe('all', (change) => void published.push(change));
  const deps = { ...store, queue, changes, now: () => new Date(AT) };
  const endDeps = {
    ...deps,
    endWrites: { dependents: dependencyEndWrite(deps, changes, (parentId) => failures.releaseRest(parentId)) },
  };
  const failures = failDependents({ ...endDeps, onError: fail });
  // Registered after the store, so it runs before the store closes.
  onTestFinished(() => failures[Symbol.asyncDispose]());

  const jobAfter = (parents: readonly string[], clientId = 'amy'): DependentJob => ({
    jobId: newJobId(),
    clientId,
    request: JSON.stringify({ ...REQUEST, after: parents }),
    ...ORDINARY,
    after: parents.map((jobId, index) => ({ jobId, field: `/after/${index}` })),
  });
  /** Starts the job that is next. Returns a function that ends it. */
  const start = async (jobId: string, status: 'COMPLETED' | 'FAILED') => {
    const [delivery] = await take(world);
    if (delivery?.jobId !== jobId) throw new Error(`Job ${delivery?.jobId} was next, not ${jobId}.`);
    const claim = await mustClaim(world, jobId);
    const outcome =
      status === 'COMPLETED'
        ? ({ status, outputs: [] } as const)
        : ({ status, error: { code: 'FFMPEG_FAILED', message: 'It failed.' } } as const);
    return async () => expect(await endAny(endDeps, { claim, delivery, outcome, log: '' })).toBe(true);
  };
  return {
    ...world,
    published,
    /** Settles as the next start of the service does. */
    settle: async () => {
      await using started = failDependents({ ...endDeps, onError: fail });
      await started.settle();
    },
    deafen: () => failures[Symbol.asyncDispose](),
    submitAllAfter: (parents: readonly string[], count: number) =>
      store.transactions.run((tx) =>
        insertDependents(
          deps,
          tx,
          Array.from({ length: count }, () => jobAfter(parents)),
        ),
      ),
    submitAfter: async (parents: readonly string[], clientId = 'amy') => {
      const job = jobAfter(parents, clientId);
      await store.transactions.run((tx) => insertDependents(deps, tx, [job]));
      return job.jobId;
    },
    start,
    run: async (jobId: string, status: 'COMPLETED' | 'FAILED' = 'COMPLETED') => (await start(jobId, status))(),
    cancel: (jobId: string) => endAny(endDeps, { queued: { jobId, clientId: 'amy' }, error: CANCELLED_ON_REQUEST }),
    statusOf: async (jobId: string) => (await store.jobs.get(jobId))?.status,
  };
}

const idsOf = async (world: World, count = 100) => (await take(world, count)).map(({ jobId }) => jobId);

/** Jobs with `after`. */
export function dependenciesContract(engine: Engine): void {
  describe(`jobs after jobs on ${engine.name}`, () => {
    test('a job is handed out only when the last job that it waits for is complete', async () => {
      const world = await openWorld(engine);
      const [first = '', second = ''] = await submitMany(world, 'amy', 2);
      const child = await world.submitAfter([first, second]);
      expect(await world.store.jobs.get(child)).toMatchObject({ status: 'PENDING', waitingFor: [first, second] });
      expect(await world.store.dependencies.countWaiting(9)).toBe(1);
      await world.run(first);
      expect(await world.store.jobs.get(child)).toMatchObject({ status: 'PENDING', waitingFor: [second] });
      await world.run(second);
      const released = await world.store.jobs.get(child);
      expect(released).toMatchObject({ status: 'PENDING', releasedAt: AT });
      expect(released).not.toHaveProperty('waitingFor');
      expect(await world.store.dependencies.countWaiting(9)).toBe(0);
      expect(world.published).toContainEqual({ kind: 'released', jobId: child, clientId: 'amy' });
      await world.run(child);
      expect(await world.statusOf(child)).toBe('COMPLETED');
      expect(await world.store.dependencies.parents('', 10)).toEqual([]);
    });

    test('a complete parent counts as done; a failed one, a deleted one and one of another client are errors', async () => {
      const world = await openWorld(engine);
      const done = await submitOne(world);
      await world.run(done);
      const child = await world.submitAfter([done]);
      expect(await idsOf(world)).toEqual([child]);
      const cancelled = await submitOne(world);
      await world.cancel(cancelled);
      const others = await submitOne(world, 'bob');
      const errors = { errors: [{ field: '/after/0', code: 'DEPENDENCY_FAILED' }] };
      await expect(world.submitAfter([cancelled])).rejects.toMatchObject({ code: 'INVALID_REQUEST', ...errors });
      for (const unknown of [newJobId(), others])
        await expect(world.submitAfter([done, unknown])).rejects.toMatchObject({
          errors: [{ field: '/after/1', code: 'UNKNOWN_JOB' }],
        });
      expect(await world.store.jobs.countPending('amy', 10)).toBe(1);
    });

    test('the jobs of one batch count towards the limit of jobs after another one', async () => {
      const world = await openWorld(engine);
      const [parent = '', done = ''] = await submitMany(world, 'amy', 2);
      const tooMany = world.submitAllAfter([parent], 1001);
      await expect(tooMany).rejects.toMatchObject({ errors: [{ field: '/after/0', code: 'TOO_MANY' }] });
      expect(await world.store.jobs.countPending('amy', 10)).toBe(2);
      await world.submitAllAfter([parent], 999);
      await world.submitAllAfter([parent], 1);
      await expect(world.submitAllAfter([done, parent], 1)).rejects.toMatchObject({ errors: [{ field: '/after/1' }] });
    });

    test('the end of a job fails those after it, a chain of 100 too', async () => {
      const world = await openWorld(engine);
      const root = await submitOne(world);
      const chain = [root];
      for (let level = 0; level < 100; level += 1) chain.push(await world.submitAfter([chain.at(-1) ?? '']));
      await world.run(root, 'FAILED');
      const last = chain.at(-1) ?? '';
      await vi.waitUntil(async () => (await world.statusOf(last)) === 'FAILED', { timeout: 30_000 });
      expect(await world.store.jobs.get(chain[1] ?? '')).toMatchObject({
        status: 'FAILED',
        error: { code: 'DEPENDENCY_FAILED', message: `This job waited for job ${root}, which failed.` },
      });
      expect(world.published.filter(({ kind }) => kind === 'ended')).toHaveLength(101);
      expect(await world.store.dependencies.parents('', 10)).toEqual([]);
    });

    test('a job that waits can be cancelled, and is not handed out later', async () => {
      const world = await openWorld(engine);
      const parent = await submitOne(world);
      const child = await world.submitAfter([parent]);
      const grandchild = await world.submitAfter([child]);
      expect(await world.cancel(child)).toBe(true);
      expect(await world.store.jobs.get(child)).not.toHaveProperty('waitingFor');
      await vi.waitUntil(async () => (await world.statusOf(grandchild)) === 'FAILED', { timeout: 10_000 });
      await world.run(parent);
      expect(await idsOf(world)).toEqual([]);
    });

    test('restored tickets, the length of the queue and a claim leave out a job that waits', async () => {
      const world = await openWorld(engine);
      const parent = await submitOne(world);
      const child = await world.submitAfter([parent]);
      expect((await world.store.jobs.ticketsOf('', 10)).map(({ jobId }) => jobId)).toEqual([parent]);
      expect(await world.store.jobs.queueDepths()).toMatchObject([{ jobs: 1 }]);
      expect(await world.store.jobs.countPending('amy', 10)).toBe(2);
      await restoreTickets({ ...world.store, queue: world.queue });
      const claimed = await world.store.transactions.run((tx) => world.store.jobs.claim(tx, child, AT));
      expect(claimed).toBeUndefined();
      expect(await idsOf(world)).toEqual([parent]);
    });

    test('released jobs take turns with those of other clients', async () => {
      const world = await openWorld(engine);
      const parent = await submitOne(world);
      for (let i = 0; i < 3; i += 1) await world.submitAfter([parent]);
      await submitOne(world);
      await submitMany(world, 'bob', 6);
      await world.run(parent);
      const clients = (await take(world, 8)).map(({ clientId }) => clientId);
      expect(clients.filter((clientId) => clientId === 'bob')).toHaveLength(4);
    });

    test('a job that waits keeps no rank of jobs that its client has cancelled', async () => {
      const world = await openWorld(engine);
      const [parent = '', ...others] = await submitMany(world, 'amy', 20);
      await world.submitAfter([parent]);
      for (const jobId of others) await world.cancel(jobId);
      const bobs = await submitMany(world, 'bob', 3);
      const next = await submitOne(world);
      // An engine may hand out the ticket of a cancelled job.
      const handedOut = (await idsOf(world)).filter((jobId) => !others.includes(jobId));
      expect(handedOut).toEqual([parent, bobs[0], bobs[1], next, bobs[2]]);
    });

    test('a complete job releases many others some at a time, in order, each once', async () => {
      const world = await openWorld(engine);
      const parent = await submitOne(world);
      await world.submitAllAfter([parent], 250);
      const release = vi.spyOn(world.store.dependencies, 'release');
      await world.run(parent);
      await vi.waitUntil(() => world.published.filter(({ kind }) => kind === 'released').length === 250, {
        timeout: 10_000,
      });
      const calls = release.mock.calls;
      const ofEach = [...Map.groupBy(calls, ([tx]) => tx).values()].map((ofTx) => ofTx.length);
      expect(ofEach).toEqual([100, 100, 50]);
      const ids = calls.map(([, jobId]) => jobId);
      expect(ids).toEqual([...new Set(ids)].toSorted());
      expect((await idsOf(world, 300)).toSorted()).toEqual(ids);
      expect(await world.store.dependencies.parents('', 10)).toEqual([]);
    });

    test('jobs that a complete job has not released before a crash are released later, also if it is deleted', async () => {
      const world = await openWorld(engine);
      // Nothing follows the commit of an end.
      await world.deafen();
      const parent = await submitOne(world);
      await world.submitAllAfter([parent], 250);
      await world.run(parent);
      expect(await world.store.dependencies.countWaiting(300)).toBe(150);
      await world.store.transactions.run((tx) => world.store.jobs.remove(tx, parent));
      await world.settle();
      expect(await world.store.dependencies.countWaiting(300)).toBe(0);
      expect(await idsOf(world, 300)).toHaveLength(250);
    });

    test('what a crash between the end of a job and those after it left is settled later', async () => {
      const world = await openWorld(engine);
      await world.deafen();
      const parent = await submitOne(world);
      const child = await world.submitAfter([parent]);
      const grandchild = await world.submitAfter([child]);
      await world.run(parent, 'FAILED');
      expect(await world.statusOf(child)).toBe('PENDING');
      await world.store.transactions.run((tx) => world.store.jobs.remove(tx, parent));
      await world.settle();
      expect(await world.statusOf(child)).toBe('FAILED');
      await world.settle();
      expect(await world.statusOf(grandchild)).toBe('FAILED');
    });

    test('an earlier version that completes a parent without releasing those after it is made up for', async () => {
      const world = await openWorld(engine);
      const parent = await submitOne(world);
      const child = await world.submitAfter([parent]);
      const [delivery] = await take(world);
      const claim = await mustClaim(world, parent);
      if (delivery === undefined) throw new Error('No ticket was taken.');
      const outcome = { status: 'COMPLETED', outputs: [] } as const;
      const { store, queue } = world;
      const old = { ...store, queue, changes: createJobChanges(fail), now: () => new Date(AT) };
      await endAny(old, { claim, delivery, outcome, log: '' });
      expect(await idsOf(world)).toEqual([]);
      await world.settle();
      expect(await idsOf(world)).toEqual([child]);
    });

    test('no job is missed that is submitted while a job that it waits for ends', async () => {
      const world = await openWorld(engine);
      const ROUNDS = 40;
      const expected = { COMPLETED: [] as string[], FAILED: [] as string[] };
      const rejected: unknown[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const parent = await submitOne(world);
        const status = round % 2 === 0 ? 'COMPLETED' : 'FAILED';
        const end = await world.start(parent, status);
        const submit = () =>
          world.submitAfter([parent]).then(
            (jobId) => void expected[status].push(jobId),
            (error) => void rejected.push(error),
          );
        await Promise.all([submit(), submit(), end(), submit()]);
        if (status === 'COMPLETED') {
          const ready = await take(world, 100);
          expect(ready.map(({ jobId }) => jobId).toSorted()).toEqual(expected.COMPLETED.slice(-3).toSorted());
          // A ticket that is kept becomes due again when its lease ends.
          await world.store.transactions.run(async (tx) => {
            for (const delivery of ready) await world.queue.remove(tx, delivery);
          });
        }
      }
      expect(expected.COMPLETED).toHaveLength((ROUNDS / 2) * 3);
      expect(expected.FAILED.length + rejected.length).toBe((ROUNDS / 2) * 3);
      for (const error of rejected) expect(error).toMatchObject({ errors: [{ code: 'DEPENDENCY_FAILED' }] });
      const isOver = async (jobId: string) => (await world.statusOf(jobId)) === 'FAILED';
      await vi.waitUntil(async () => (await Promise.all(expected.FAILED.map(isOver))).every(Boolean), {
        timeout: 30_000,
      });
    });
  });
}

import { expect, onTestFinished, test, vi } from 'vitest';
import { TURN_MS } from '../../src/jobs/run/processor-turns.ts';
import { startWorker, type Worker, type WorkerDeps } from '../../src/jobs/run/worker.ts';
import { submitOne } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { openLocal } from '../fixtures/local-media.ts';
import { input, output } from '../fixtures/media-plans.ts';
import { UNCOUNTED } from '../support/uncounted-files.ts';

const PLAN = {
  inputs: [input('in.mp4')],
  outputs: [{ ...output('o.mp4'), span: { inputs: [], output: {}, shortest: false }, encoders: {} }],
  passes: [],
  warnings: [],
};
const FILM = { lane: 'full', weight: 100, needs: [] } as const;
const SOUND = { lane: 'light', weight: 50, needs: [] } as const;
const FETCHED = { lane: 'fetch', weight: 100, needs: [] } as const;
const HEAVY = { lane: 'full', weight: 200, needs: [] } as const;
const PICTURE = { lane: 'light', weight: 25, needs: [] } as const;

/** How long to wait for what a worker does within its next polls, also on a machine with much else to do. */
const SOON = { timeout: 25_000 };

/** A worker whose conversions run until `release`, or until the test ends. `staged` has the jobs whose inputs it has. */
async function openWorker(more: Partial<WorkerDeps>) {
  const t = await openLocal();
  onTestFinished(() => t.close());
  await t.put('in.mp4', 'film');
  const { store, queue } = await sqlite.open();
  const [started, staged] = [[] as string[], [] as string[]];
  const releases = new Map<string, () => void>();
  const jobOf = (folder: string): string => folder.replace(/\.\d+$/, '');
  const deps: WorkerDeps = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    usage: store.usage,
    recount: UNCOUNTED.recount,
    media: {
      ...t.media,
      stage: async (root, scratch, ...rest) => {
        const inputs = await t.media.stage(root, scratch, ...rest);
        staged.push(jobOf(scratch.name));
        return inputs;
      },
    },
    changes: { publish: () => {}, subscribe: () => () => {} },
    planner: async () => ({ ok: true, plan: PLAN }),
    needsElsewhere: async () => undefined,
    convert: async ({ scratch, signal, waitForTurn }) => {
      const jobId = jobOf(scratch.name);
      const ended = Promise.withResolvers<void>();
      onTestFinished(() => ended.resolve());
      await waitForTurn(ended.promise);
      started.push(jobId);
      return new Promise((resolve, reject) => {
        releases.set(jobId, () => resolve({ ok: false, failure: { code: 'FFMPEG_FAILED', message: 'x' }, log: '' }));
        // The job may have been sent back while it was staged. Without this its worker would never end.
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
    clientContextOf: async (clientId) => ({ clientId, root: t.root, policy: {} }),
    minFreeBytes: 1,
    storageWaitSeconds: 3600,
    failpoint: () => {},
    now: () => new Date(),
    onAttemptStarted: () => {},
    onAttemptEnded: () => {},
    onInternalError: (_jobId, error) => {
      throw error;
    },
    slots: 1,
    processors: 8,
    has: () => true,
    clientSlots: async () => ({ perClient: Number.POSITIVE_INFINITY, ofClients: new Map() }),
    workerId: 'worker',
    mayClaim: async () => true,
    storeSpace: { isLow: async () => false },
    ...more,
  };
  const start = (): Worker => {
    const worker = startWorker(deps);
    onTestFinished(() => worker.drain(0));
    return worker;
  };
  return { start, started, staged, world: { store, queue }, release: (jobId: string) => releases.get(jobId)?.() };
}

test('sounds that turn out to be long leave their room to the pictures of others, and none to sounds of their client', async () => {
  const { start, started, world } = await openWorker({ lightSeconds: 1 });
  const first = [
    await submitOne(world, 'eve', FILM),
    await submitOne(world, 'amy', SOUND),
    await submitOne(world, 'amy', SOUND),
  ];
  const startedAt = performance.now();
  start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  const another = await submitOne(world, 'amy', SOUND);
  const picture = await submitOne(world, 'bob', PICTURE);
  await vi.waitFor(() => expect(started).toContain(picture), SOON);
  expect(performance.now() - startedAt, 'it waited until the sounds were overdue').toBeGreaterThan(1000);
  expect(started, 'a client cannot fill the room with long sounds').not.toContain(another);
});

test('sounds that pass a heavy job do not take the slot of a job that has its inputs', async () => {
  const { start, started, staged, world, release } = await openWorker({ slots: 2 });
  const film = await submitOne(world, 'eve', FILM);
  // Two fill the room for light jobs, and two a slot.
  const sounds = [1, 2, 3, 4].map(() => submitOne(world, 'amy', SOUND));
  const first = [film, ...(await Promise.all(sounds))];
  start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  const fetched = await submitOne(world, 'bob', FETCHED);
  await vi.waitFor(() => expect(staged).toContain(fetched), SOON);
  await submitOne(world, 'eve', HEAVY);
  for (let i = 0; i < 8; i++) await submitOne(world, 'amy', SOUND);
  for (const sound of first.slice(1)) release(sound);
  await vi.waitFor(() => expect(started).toContain(fetched), SOON);
});

test('measurements of films do not pass a heavy job', async () => {
  let claims = 0;
  const mayClaim = async (): Promise<boolean> => {
    claims += 1;
    return true;
  };
  const { start, started, world } = await openWorker({ slots: 4, mayClaim });
  const sounds = [1, 2].map(() => submitOne(world, 'amy', SOUND));
  const first = [await submitOne(world, 'eve', FILM), ...(await Promise.all(sounds))];
  const worker = start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  await submitOne(world, 'eve', { ...HEAVY, weight: 400 });
  await submitOne(world, 'amy', { ...FILM, lane: 'light' });
  const before = claims;
  await vi.waitFor(() => expect(claims).toBeGreaterThan(before + 1), SOON);
  await worker.drain(0);
  expect(started).toHaveLength(first.length);
});

test('pictures take turns on the processors, but not beside a film', async () => {
  const { start, started, world } = await openWorker({ slots: 2, processors: 2 });
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => submitOne(world, 'amy', PICTURE)));
  start();
  await vi.waitFor(() => expect(started).toHaveLength(2), { ...SOON, interval: 5 });
  const firstAt = performance.now();
  await vi.waitFor(() => expect(started).toHaveLength(6), { ...SOON, interval: 5 });
  expect(performance.now() - firstAt, 'two more start with each turn').toBeGreaterThan(1.5 * TURN_MS);
  const film = await submitOne(world, 'eve', FILM);
  await vi.waitFor(() => expect(started).toContain(film), SOON);
});

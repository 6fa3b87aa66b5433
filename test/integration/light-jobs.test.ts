import { expect, onTestFinished, test, vi } from 'vitest';
import { startWorker, type WorkerDeps } from '../../src/jobs/run/worker.ts';
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
const PICTURE = { lane: 'light', weight: 25, needs: [] } as const;

test('sounds that turn out to be long leave their room to the pictures of others, and none to sounds of their client', async () => {
  const t = await openLocal();
  onTestFinished(() => t.close());
  await t.put('in.mp4', 'film');
  const { store, queue } = await sqlite.open();
  const world = { store, queue };
  const started: string[] = [];
  const deps: WorkerDeps = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    usage: store.usage,
    recount: UNCOUNTED.recount,
    media: t.media,
    changes: { publish: () => {}, subscribe: () => () => {} },
    planner: async () => ({ ok: true, plan: PLAN }),
    needsElsewhere: async () => undefined,
    // Each conversion runs until the worker ends.
    convert: ({ scratch, signal }) => {
      started.push(scratch.name.replace(/\.\d+$/, ''));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
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
    has: () => true,
    clientSlots: async () => ({ perClient: Number.POSITIVE_INFINITY, ofClients: new Map() }),
    workerId: 'worker',
    mayClaim: async () => true,
    storeSpace: { isLow: async () => false },
    lightSeconds: 1,
  };
  const first = [
    await submitOne(world, 'eve', FILM),
    await submitOne(world, 'amy', SOUND),
    await submitOne(world, 'amy', SOUND),
  ];
  const worker = startWorker(deps);
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), { timeout: 10_000 });
  const filledAt = performance.now();
  const another = await submitOne(world, 'amy', SOUND);
  const picture = await submitOne(world, 'bob', PICTURE);
  await vi.waitFor(() => expect(started).toContain(picture), { timeout: 10_000 });
  expect(performance.now() - filledAt, 'it waited until the sounds were overdue').toBeGreaterThan(500);
  expect(started, 'a client cannot fill the room with long sounds').not.toContain(another);
  await worker.drain(0);
});

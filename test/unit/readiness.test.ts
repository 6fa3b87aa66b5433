import { beforeEach, expect, test, vi } from 'vitest';
import { PARTS } from '../../console/operate/health/ready-state.ts';
import type { Toolchain } from '../../packages/ffmpeg/src/toolchain.ts';
import { machineChecks } from '../../packages/service/src/start/machine-checks.ts';
import { readiness } from '../../packages/service/src/start/readiness.ts';
import type { WorkerRecord } from '../../packages/service/src/workers/ports/worker-store.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));

const RUNNING = { state: 'running', catalogueKey: 'c' } as const;

const TOOLS = {
  build: { path: process.execPath },
  sandbox: { kind: 'none', reason: 'off' },
  cgroups: { kind: 'none', reason: 'no cgroup v2' },
} as Toolchain;

type Source = Parameters<typeof readiness>[0]['source'];

/** The readiness checks on a store and a disk that the test controls. */
function world(
  source: Source = { tools: Promise.resolve(TOOLS) },
  checkStorage?: (isNow: boolean) => Promise<string | undefined>,
) {
  const state = {
    looks: 0,
    free: 1e12,
    draining: false,
    isLow: false,
    pausedAt: undefined as string | undefined,
    workers: [RUNNING] as readonly Pick<WorkerRecord, 'state' | 'drainRequestedAt' | 'catalogueKey' | 'failedChecks'>[],
  };
  const storage = {
    media: { freeBytes: async () => state.free },
    dataSpace: { state: async () => ({ isLow: state.isLow, freeBytes: 0, requiredBytes: 2 ** 20 }) },
    ...{ isShared: false, scratchRoot: import.meta.dirname, checkStorage },
  } as unknown as Parameters<typeof machineChecks>[0];
  const tools = 'tools' in source ? source.tools : undefined;
  const config = { minFreeBytes: 1e9, minFreeDataBytes: 1e9, dataDir: '/', storage: undefined };
  const machine = machineChecks(storage, tools, config);
  const ready = readiness({
    store: {
      ping: async () => {
        state.looks += 1;
      },
      queueControl: { pausedAt: async () => state.pausedAt },
      workers: { seenWithin: async () => state.workers as readonly WorkerRecord[] },
    },
    ...{ machine, source },
    draining: () => state.draining,
  });
  return { state, ready, machine };
}

test('checks the store once per second, however many requests arrive', async () => {
  const { state, ready } = world();
  const answers = await Promise.all(Array.from({ length: 50 }, ready));
  expect(state.looks).toBe(1);
  expect(answers[49]).toMatchObject({ store: { ok: true }, queue: { ok: true }, disk: { ok: true } });
  state.free = 0;
  vi.advanceTimersByTime(1000);
  expect(await ready()).toMatchObject({ disk: { ok: false } });
  expect(state.looks).toBe(2);
});

test('a draining service is not ready at once', async () => {
  const { state, ready } = world();
  await ready();
  state.draining = true;
  expect(await ready()).toMatchObject({ queue: { ok: false }, store: { ok: true } });
});

test('a service whose data disk is nearly full is not ready, and says so', async () => {
  const { state, ready } = world();
  state.isLow = true;
  expect(await ready()).toMatchObject({
    dataDisk: {
      ok: false,
      message:
        '0 B are free in the data folder; at least 1.05 MB (1 MiB) are required. No job is accepted or started. Free space, or lower TELECINE_MIN_FREE_DATA_DISK.',
    },
    disk: { ok: true },
  });
});

test('a service with enough free space says nothing of it, because anyone may read that it is ready', async () => {
  const { ready } = world();
  expect(await ready()).toMatchObject({ disk: { ok: true } });
  for (const check of ['disk', 'dataDisk']) expect((await ready())[check]).not.toHaveProperty('message');
});

test('is ready while the queue is paused, and says so', async () => {
  const { state, ready } = world();
  state.pausedAt = '2026-11-20T10:00:00.000Z';
  expect(await ready()).toMatchObject({
    queue: { ok: true, isPaused: true, message: expect.stringContaining('paused') },
  });
});

test('is ready while all workers are drained or none runs, and says so', async () => {
  const { state, ready } = world();
  expect(await ready()).toMatchObject({ workers: { ok: true } });
  expect((await ready())['workers']).not.toHaveProperty('isPaused');
  state.workers = [
    { ...RUNNING, drainRequestedAt: '2026-11-20T10:00:00.000Z' },
    { ...RUNNING, state: 'draining' },
  ];
  vi.advanceTimersByTime(1000);
  expect(await ready()).toMatchObject({
    workers: { ok: true, isPaused: true, message: 'All workers are drained: jobs are accepted, but none starts.' },
  });
  state.workers = [];
  vi.advanceTimersByTime(1000);
  expect(await ready()).toMatchObject({
    workers: { ok: true, isPaused: true, message: expect.stringContaining('No worker runs') },
  });
});

const FULL = { check: 'disk', message: 'The disk is full.' };

test.each([
  ['some workers are', [{ ...RUNNING, failedChecks: [FULL] }, RUNNING, RUNNING], {}, '1 of 3 workers is not ready'],
  ['all workers are', [{ ...RUNNING, failedChecks: [FULL] }], { isPaused: true }, '1 of 1 workers is not ready'],
])('is ready while %s not ready, and says why', async (_which, workers, paused, text) => {
  const { state, ready } = world();
  state.workers = workers;
  expect((await ready())['workers']).toEqual({
    ...{ ok: true, ...paused },
    message: `${text} and takes no jobs. The disk is full. "telecine workers" lists them.`,
  });
});

test('a machine whose clock differs by minutes from that of the database is not ready', async () => {
  const { ready, machine } = world();
  const setClock = (minutesAhead: number) =>
    machine.setDatabaseTime(new Date(Date.now() - minutesAhead * 60_000).toISOString());
  setClock(-4);
  expect(await ready()).toMatchObject({ clock: { ok: true } });
  setClock(61);
  vi.advanceTimersByTime(1000);
  const message = 'The clock of this machine is 61 minutes ahead of that of the database. Synchronize it, as by NTP.';
  expect(await ready()).toMatchObject({ clock: { ok: false, message } });
  expect(await machine.failed()).toEqual([{ check: 'clock', message }]);
  expect(await machine.failureNow()).toEqual({
    code: 'NO_WORKER',
    message: `The worker that took the job is not ready. ${message}`,
  });
});

test('the console knows the name of each check, and no others', async () => {
  const devices = { list: [], failed: [{ type: 'cuda', name: '0', reason: 'It is gone.', fix: 'Mend it.' }] };
  const ofDisk = world({ tools: Promise.resolve({ ...TOOLS, devices } as unknown as Toolchain) });
  const ofStorage = world({ findBuilds: () => ({}) as never }, async () => undefined);
  const names = new Set(Object.keys({ ...(await ofDisk.ready()), ...(await ofStorage.ready()) }));
  expect([...names].toSorted()).toEqual(Object.keys(PARTS).toSorted());
});

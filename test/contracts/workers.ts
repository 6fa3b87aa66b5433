import { describe, expect, test } from 'vitest';
import type { TaskTurns } from '../../packages/service/src/workers/ports/task-store.ts';
import type { WorkerDescription, WorkerReport } from '../../packages/service/src/workers/ports/worker-store.ts';
import { waitUntil } from '../support/wait.ts';
import type { Engine } from './engine.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const worker = (workerId: string, change: Partial<WorkerDescription> = {}): WorkerDescription => ({
  workerId,
  hostName: 'encoder-1',
  pid: 4711,
  version: '0.1.0',
  ffmpegVersion: '5.1.9-0+deb12u1',
  buildKey: 'b1',
  catalogueKey: 'c1',
  concurrency: 2,
  processors: 4,
  sandbox: 'bubblewrap',
  ...change,
});

const RUNNING: WorkerReport = { state: 'running', freeScratchBytes: 80_000_000_000 };

export function workersContract(engine: Engine): void {
  describe(`workers on ${engine.name}`, () => {
    test('a worker is listed with whether it has ffprobe, if it says so', async () => {
      const { workers } = await engine.openStore();
      await workers.report(worker('w1', { hasFfprobe: true }), RUNNING);
      await workers.report(worker('w2', { hasFfprobe: false }), RUNNING);
      await workers.report(worker('w3'), RUNNING);
      const seen = new Map((await workers.seenWithin(60)).map((one) => [one.workerId, one.hasFfprobe]));
      expect([...seen].toSorted()).toEqual([
        ['w1', true],
        ['w2', false],
        ['w3', undefined],
      ]);
    });

    test('a worker is listed with the devices that its jobs may use', async () => {
      const { workers } = await engine.openStore();
      const devices = [{ type: 'cuda' as const, encoders: ['h264_nvenc', 'hevc_nvenc'], sessions: 2 }];
      await workers.report(worker('w1', { devices }), RUNNING);
      await workers.report(worker('w2'), RUNNING);
      const seen = new Map((await workers.seenWithin(60)).map((one) => [one.workerId, one.devices]));
      expect(seen).toEqual(
        new Map([
          ['w1', devices],
          ['w2', undefined],
        ] as const),
      );
    });

    test('a worker is listed with its machine, if it says so', async () => {
      const { workers } = await engine.openStore();
      const machine = { id: '3f8a91c07d52e6b4', cpus: '0-3,8' };
      await workers.report(worker('w1', { machine }), RUNNING);
      await workers.report(worker('w2'), RUNNING);
      const seen = (await workers.seenWithin(60)).map((one) => [one.workerId, one.machine]);
      expect(seen.toSorted()).toEqual([
        ['w1', machine],
        ['w2', undefined],
      ]);
    });

    test('a worker is listed with the checks that failed at its last report, which has the time of the database', async () => {
      const { workers } = await engine.openStore();
      const failedChecks = [{ check: 'disk', message: '5 MB are free in the scratch folder.' }];
      const at = await workers.report(worker('w1'), { ...RUNNING, failedChecks });
      expect(await workers.seenWithin(60)).toMatchObject([{ failedChecks, lastSeenAt: at }]);
      await workers.report(worker('w1'), RUNNING);
      expect((await workers.seenWithin(60))[0]).not.toHaveProperty('failedChecks');
    });

    test('a worker is listed with the load that it reported last', async () => {
      const { workers } = await engine.openStore();
      const seen = async () => (await workers.seenWithin(60)).map((one) => one.load);
      await workers.report(worker('w1'), RUNNING);
      expect(await seen()).toEqual([undefined]);
      const load = { slots: 1.5, cores: 3.4, endsInSeconds: 40, jobIds: ['a', 'b'] };
      await workers.report(worker('w1'), { ...RUNNING, load });
      expect(await seen()).toEqual([load]);
      await workers.report(worker('w1'), RUNNING);
      expect(await seen()).toEqual([undefined]);
    });

    test('a worker is listed with its description and its last report', async () => {
      const { workers } = await engine.openStore();
      await workers.report(worker('w1'), RUNNING);
      const [first] = await workers.seenWithin(60);
      expect(first).toEqual({
        ...worker('w1'),
        ...RUNNING,
        startedAt: expect.stringMatching(ISO),
        lastSeenAt: expect.stringMatching(ISO),
      });
      const later: WorkerReport = { state: 'draining', freeScratchBytes: 1 };
      const second = await waitUntil('a later report', async () => {
        await workers.report(worker('w1'), later);
        const [row] = await workers.seenWithin(60);
        return row !== undefined && row.lastSeenAt > row.startedAt ? row : undefined;
      });
      expect(second).toEqual({ ...first, ...later, lastSeenAt: second.lastSeenAt });
    });

    test('workers are listed by their start, and only those that were seen recently', async () => {
      const { workers } = await engine.openStore();
      await workers.report(worker('w2'), RUNNING);
      expect(await workers.seenWithin(60)).toHaveLength(1);
      await waitUntil('w2 to be unseen', async () => (await workers.seenWithin(0.5)).length === 0 || undefined);
      await workers.report(worker('w1'), RUNNING);
      expect((await workers.seenWithin(60)).map(({ workerId }) => workerId)).toEqual(['w2', 'w1']);
      const [all, recent, none] = await workers.seenWithinEach([60, 0.5, -1]);
      expect(all).toEqual(await workers.seenWithin(60));
      expect(recent.map(({ workerId }) => workerId)).not.toContain('w2');
      expect(none).toEqual([]);
    });

    test('a worker that was removed is listed again after its next report', async () => {
      const { workers } = await engine.openStore();
      await workers.report(worker('w1'), RUNNING);
      await workers.removeUnseen(60, 60);
      expect(await workers.seenWithin(60)).toHaveLength(1);
      await workers.removeUnseen(-1, -1);
      expect(await workers.seenWithin(60)).toEqual([]);
      await workers.report(worker('w1'), RUNNING);
      expect(await workers.seenWithin(60)).toMatchObject([{ workerId: 'w1' }]);
    });

    test('of workers that are gone, the last one with each build and each set of devices is kept', async () => {
      const { workers, catalogues } = await engine.openStore();
      const devices = [{ type: 'cuda' as const, encoders: ['h264_nvenc'], sessions: 2 }];
      await catalogues.add('c2', Uint8Array.from([2]));
      await workers.report(worker('w1'), RUNNING);
      await workers.report(worker('w2', { devices }), RUNNING);
      await workers.report(worker('w3', { buildKey: 'b2', catalogueKey: 'c2' }), RUNNING);
      await waitUntil('a later report', async () => {
        await workers.report(worker('w4'), RUNNING);
        const [w1, ...others] = await workers.seenWithin(60);
        return others.some((one) => one.workerId === 'w4' && one.lastSeenAt > (w1?.lastSeenAt ?? '')) || undefined;
      });
      await workers.removeUnseen(-1, 60);
      expect((await workers.seenWithin(60)).map(({ workerId }) => workerId).toSorted()).toEqual(['w2', 'w3', 'w4']);
      expect(await catalogues.has('c2')).toBe(true);
      await workers.removeUnseen(-1, -1);
      expect(await workers.seenWithin(60)).toEqual([]);
      expect(await catalogues.has('c2')).toBe(false);
    });

    test('a worker that was lost is kept longer than one that stopped', async () => {
      const { workers } = await engine.openStore();
      await workers.report(worker('stopped'), { ...RUNNING, state: 'stopped' });
      await workers.report(worker('lost'), RUNNING);
      await workers.report(worker('draining'), { ...RUNNING, state: 'draining' });
      const seen = async () => (await workers.seenWithin(60)).map(({ workerId }) => workerId).toSorted();
      await workers.removeUnseen(-1, -1, 60);
      expect(await seen()).toEqual(['draining', 'lost']);
      await workers.removeUnseen(-1, -1, -1);
      expect(await seen()).toEqual([]);
    });

    test('a catalogue is stored once, and removed when no worker has it', async () => {
      const { workers, catalogues } = await engine.openStore();
      const content = Uint8Array.from([0, 255, 1, 254]);
      await workers.report(worker('w1'), RUNNING);
      expect(await catalogues.has('c1')).toBe(false);
      await Promise.all([catalogues.add('c1', content), catalogues.add('c2', content)]);
      await catalogues.add('c1', Uint8Array.from([7]));
      expect(await catalogues.has('c1')).toBe(true);
      await workers.removeUnseen(60, 60);
      expect(Uint8Array.from((await catalogues.read('c1')) ?? [])).toEqual(content);
      expect(await catalogues.read('c2')).toBeUndefined();
    });
  });

  describe(`tasks on ${engine.name}`, () => {
    const task = (taskId: string, kind = 'probe') => ({ taskId, kind, clientId: 'amy', request: `{"of":"${taskId}"}` });

    test('each task is handed to one worker, the oldest first, and its result is read', async () => {
      const { tasks } = await engine.openStore();
      await tasks.add(task('t2'), 60);
      await tasks.add(task('t1'), 60);
      expect(await tasks.openKinds(['probe', 'other'])).toEqual(['probe']);
      await tasks.add(task('t0', 'other'), 60);
      expect((await tasks.openKinds(['probe', 'other', 'none'])).toSorted()).toEqual(['other', 'probe']);
      expect(await tasks.take('probe', 'w1', 60)).toEqual(task('t1'));
      const [one, two] = await Promise.all([tasks.take('probe', 'w1', 60), tasks.take('probe', 'w2', 60)]);
      expect([one, two].filter((taken) => taken !== undefined)).toEqual([task('t2')]);
      expect(await tasks.openKinds(['probe', 'other']), 'others have all probes').toEqual(['other']);
      expect(await tasks.result('t1')).toBeUndefined();
      await tasks.finish('t1', 'w1', '{"value":1}');
      expect(await tasks.result('t1')).toBe('{"value":1}');
      expect(await tasks.remove('t1'), 'a worker took it').toBe(false);
      expect(await tasks.result('t1')).toBeUndefined();
      await tasks.add(task('t4'), 60);
      expect(await tasks.remove('t4'), 'no worker took it').toBe(true);
      expect(await tasks.remove('t4')).toBe(false);
    });

    test('clients take turns: first those that were not served, and none over its limit', async () => {
      const { tasks } = await engine.openStore();
      for (const [taskId, clientId] of [
        ['t1', 'amy'],
        ['t2', 'amy'],
        ['t3', 'bob'],
        ['t4', 'cat'],
      ] as const)
        await tasks.add({ ...task(taskId), clientId }, 60);
      const takeFor = async (turns: TaskTurns) => (await tasks.take('probe', 'w1', 60, turns))?.taskId;
      expect(await takeFor({ full: [], served: ['amy'] })).toBe('t3');
      expect(await takeFor({ full: ['amy'], served: ['amy', 'cat'] })).toBe('t4');
      expect(await takeFor({ full: ['amy'], served: ['amy'] })).toBeUndefined();
      expect(await takeFor({ full: [], served: ['amy', 'bob'] })).toBe('t1');
    });

    test('a task whose worker crashed is handed out again, and the first worker can no longer finish it', async () => {
      const { tasks } = await engine.openStore();
      await tasks.add(task('t1'), 60);
      expect(await tasks.take('probe', 'crashed', 0.2)).toEqual(task('t1'));
      expect(await tasks.renew('t1', 'crashed', 0.2)).toBe(true);
      expect(await waitUntil('the end of the lease', () => tasks.take('probe', 'w2', 60))).toEqual(task('t1'));
      expect(await tasks.renew('t1', 'crashed', 60)).toBe(false);
      await tasks.finish('t1', 'crashed', '"late"');
      expect(await tasks.result('t1')).toBeUndefined();
      expect(await tasks.renew('t1', 'w2', 60)).toBe(true);
    });

    test('a task that nobody waits for any more is not handed out, and is removed', async () => {
      const { tasks } = await engine.openStore();
      await tasks.add(task('old'), -1);
      await tasks.add(task('new'), 60);
      expect(await tasks.take('probe', 'w1', 60)).toEqual(task('new'));
      await tasks.removeExpired();
      expect(await tasks.renew('new', 'w1', 60)).toBe(true);
      await tasks.finish('old', 'w1', '1');
      expect(await tasks.result('old')).toBeUndefined();
    });
  });
}

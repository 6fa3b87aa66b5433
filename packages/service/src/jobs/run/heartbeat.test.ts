import { ORDINARY } from '@telecine/contract/domain/lane.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Claim } from '../ports/job-store.ts';
import { type HeartbeatDeps, startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());

const CLAIM: Claim = {
  job: {
    jobId: 'job',
    clientId: 'amy',
    status: 'PROCESSING',
    request: { input: 'in.mp4', output: 'o.mp4' },
    attempt: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
  },
  fence: 1,
  exhausted: false,
};

/** Starts a heartbeat. `renewals`: when it tried to renew the lease, in seconds since the start. */
function start(renew: () => Promise<boolean>, progress: HeartbeatDeps['jobs']['progress']) {
  const startedAt = Date.now();
  const renewals: number[] = [];
  const stop = new AbortController();
  const deps: HeartbeatDeps = {
    jobs: { progress },
    queue: {
      renewLease: () => {
        renewals.push((Date.now() - startedAt) / 1000);
        return renew();
      },
    },
    changes: { publish: () => {} },
    isRevoked: async () => false,
    now: () => new Date(),
    onInternalError: () => {},
  };
  const heartbeat = startHeartbeat(deps, CLAIM, { jobId: 'job', clientId: 'amy', receipt: 0, ...ORDINARY }, stop);
  return { heartbeat, renewals, stop };
}

test('renews the lease every 5 s, and after a failure with every beat', async () => {
  let isDown = false;
  const renew = async (): Promise<boolean> => {
    if (isDown) throw new Error('down');
    return true;
  };
  const { heartbeat, renewals, stop } = start(renew, async () => ({ cancelRequested: false }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(renewals).toEqual([5, 10]);
  isDown = true;
  await vi.advanceTimersByTimeAsync(7000);
  expect(renewals).toEqual([5, 10, 15, 16, 17]);
  isDown = false;
  await vi.advanceTimersByTimeAsync(6000);
  expect(renewals).toEqual([5, 10, 15, 16, 17, 18, 23]);
  expect(stop.signal.aborted).toBe(false);
  await heartbeat.stop();
});

test('renews by the clock when beats are slow', async () => {
  // Every write takes 2.5 s, so that a beat takes place only every 3 s.
  const slow = () =>
    new Promise<{ cancelRequested: boolean }>((resolve) => {
      setTimeout(() => resolve({ cancelRequested: false }), 2500);
    });
  const { heartbeat, renewals } = start(async () => true, slow);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(renewals).toEqual([7, 13]);
  const stopped = heartbeat.stop();
  await vi.advanceTimersByTimeAsync(2500);
  await stopped;
});

test('stops the job when the lease is lost', async () => {
  const { heartbeat, stop } = start(
    async () => false,
    async () => ({ cancelRequested: false }),
  );
  await vi.advanceTimersByTimeAsync(5000);
  expect(stop.signal.reason).toBe('lost');
  await heartbeat.stop();
});

test('the time of a phase is the sum of its parts, and the next phase begins without its progress', async () => {
  const written: unknown[] = [];
  const { heartbeat } = start(
    async () => true,
    async (_claim, { progress }) => {
      written.push(progress);
      return { cancelRequested: false };
    },
  );
  heartbeat.setPhase('CONVERTING');
  await vi.advanceTimersByTimeAsync(1000);
  heartbeat.setPhase('SAMPLING');
  heartbeat.setProgress({ percent: 2, samples: { choose: 'quality', done: 1, total: 6 } }, '');
  await vi.advanceTimersByTimeAsync(2000);
  expect(heartbeat.phase()).toBe('SAMPLING');
  heartbeat.setPhase('CONVERTING');
  await vi.advanceTimersByTimeAsync(1000);
  const { CONVERTING = 0, SAMPLING = 0 } = heartbeat.timings().phaseSeconds;
  expect([Math.round(CONVERTING), Math.round(SAMPLING)]).toEqual([2, 2]);
  expect(written.at(-1)).toBeUndefined();
  await heartbeat.stop();
});

test('stores when each phase began, once', async () => {
  vi.setSystemTime('2026-11-20T10:00:00.000Z');
  const written: unknown[] = [];
  const { heartbeat } = start(
    async () => true,
    async (_claim, { phases }) => {
      written.push(phases?.map(({ phase, startedAt }) => `${phase} ${startedAt.slice(14, 19)}`));
      return { cancelRequested: false };
    },
  );
  await vi.advanceTimersByTimeAsync(1500);
  heartbeat.setPhase('CONVERTING');
  await vi.advanceTimersByTimeAsync(1500);
  const converting = ['STAGING 00:00', 'CONVERTING 00:01'];
  expect(written).toEqual([undefined, converting, undefined, undefined]);
  heartbeat.setPhase('PUBLISHING');
  await heartbeat.stop();
  expect(heartbeat.phases().map(({ phase }) => phase)).toEqual(['STAGING', 'CONVERTING', 'PUBLISHING']);
});

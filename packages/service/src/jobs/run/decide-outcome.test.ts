import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import { describe, expect, test } from 'vitest';
import type { AttemptResult } from './attempt-state.ts';
import { decideOutcome } from './decide-outcome.ts';

const failed = (code: FailureCode): AttemptResult => ({ kind: 'failed', failure: { code, message: code }, log: '' });
const stopped = (cause: 'cancel' | 'drain' | 'lost'): AttemptResult => ({ kind: 'stopped', cause, log: '' });
const NOW = new Date('2026-01-31T12:00:00.000Z');
const decide = (result: AttemptResult, attempt = 1, { exhausted = false, draining = false } = {}) =>
  decideOutcome({ job: { attempt }, exhausted }, result, { draining, now: NOW, storageWaitSeconds: 3600 });

describe('the outcome of an attempt', () => {
  test('completes the job when the outputs are published', () => {
    const outputs = [{ path: 'a.mp4', sizeBytes: 1 }];
    expect(decide({ kind: 'completed', outputs, log: '' })).toEqual({ status: 'COMPLETED', outputs });
  });

  test.each(['NO_SPACE', 'STORAGE_FAULT', 'WORKER_LOST'] as const)(
    'requeues %s with a growing delay, up to three attempts',
    (code) => {
      const reason = { code, message: code };
      expect(decide(failed(code), 1)).toEqual({ keepAttempt: true, delaySeconds: 5, reason });
      expect(decide(failed(code), 2)).toEqual({ keepAttempt: true, delaySeconds: 30, reason });
      expect(decide(failed(code), 3)).toMatchObject({ status: 'FAILED', error: { code } });
    },
  );

  test('requeues a job that only other workers can run, with what it needs, and does not count the attempt', () => {
    const needs = ['encoder:libx'];
    expect(decide({ kind: 'unfit', needs, log: '' })).toEqual({ keepAttempt: false, delaySeconds: 0, needs });
  });

  test('ends a job that no machine could run for as long as a job may wait, and says why', () => {
    const failure = { code: 'NO_WORKER', message: 'The sandbox of the worker does not run ffmpeg any more.' } as const;
    const decideAfter = (storageDownSince: string, attempt = 1) =>
      decideOutcome(
        { job: { attempt }, exhausted: false, storageDownSince },
        { kind: 'outage', failure, counts: false, log: '' },
        { draining: false, now: NOW, storageWaitSeconds: 3600 },
      );
    expect(decideAfter('2026-01-31T11:00:01.000Z')).toMatchObject({ keepAttempt: false, reason: failure });
    expect(decideAfter('2026-01-31T11:00:00.000Z', 2)).toMatchObject({ keepAttempt: true, reason: failure });
    expect(decideAfter('2026-01-31T11:00:00.000Z', 3)).toEqual({ status: 'FAILED', error: failure });
  });

  test('lets a job wait again that met an outage long ago and has staged its inputs since', () => {
    const failure = { code: 'NO_WORKER', message: 'The disk is full.' } as const;
    const facts = { draining: false, now: NOW, storageWaitSeconds: 3600, hasStaged: true };
    const claim = { job: { attempt: 2 }, exhausted: false, storageDownSince: '2026-01-31T00:00:00.000Z' };
    const outage = { kind: 'outage', failure, counts: false, log: '' } as const;
    expect(decideOutcome(claim, outage, facts)).toMatchObject({
      keepAttempt: false,
      storageDownSince: NOW.toISOString(),
    });
  });

  describe('of an outage', () => {
    const failure = { code: 'STORAGE_FAULT', message: 'SlowDown' } as const;
    const down = { kind: 'outage', failure, counts: false, log: '' } as const;
    const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1000).toISOString();
    const decideAfter = (seconds: number | undefined, attempt = 1, exhausted = false, counts = false) =>
      decideOutcome(
        { job: { attempt }, exhausted, ...(seconds !== undefined && { storageDownSince: ago(seconds) }) },
        { ...down, counts },
        { draining: false, now: NOW, storageWaitSeconds: 3600 },
      );
    const delayOf = (decision: ReturnType<typeof decideAfter>) =>
      'delaySeconds' in decision ? decision.delaySeconds : 0;

    test('does not count the attempt, says why the job waits, and since when', () => {
      const first = decideAfter(undefined, 3);
      expect(first).toMatchObject({ keepAttempt: false, reason: failure, storageDownSince: NOW.toISOString() });
      expect(decideAfter(600)).toMatchObject({ keepAttempt: false, storageDownSince: ago(600) });
    });

    test('asks again at longer and longer intervals, which differ from job to job', () => {
      for (const [seconds, delay] of [
        [0, 5],
        [60, 30],
        [3000, 300],
      ] as const) {
        const delays = Array.from({ length: 50 }, () => delayOf(decideAfter(seconds)));
        expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.7 * delay);
        expect(Math.max(...delays)).toBeLessThanOrEqual(1.3 * delay);
        expect(new Set(delays).size).toBeGreaterThan(1);
      }
    });

    test('counts attempts again after the longest outage, so that the job ends', () => {
      expect(decideAfter(3600, 2)).toMatchObject({ keepAttempt: true, reason: failure });
      expect(decideAfter(3600, 3)).toEqual({ status: 'FAILED', error: failure });
      expect(decideAfter(0, 3, true), 'no attempt is left').toEqual({ status: 'FAILED', error: failure });
    });

    test('waits as long before the next of those attempts that count', () => {
      const counting = decideAfter(600, 2, false, true);
      expect(counting).toMatchObject({ keepAttempt: true, reason: failure, storageDownSince: ago(600) });
      expect(delayOf(counting), 'as long as of one that does not count').toBeGreaterThan(200);
      expect(decideAfter(600, 3, false, true)).toEqual({ status: 'FAILED', error: failure });
    });
  });

  test('fails the job when another attempt would fail the same way, whatever the code', () => {
    const result = { ...failed('NO_SPACE'), nonRetryable: true } as AttemptResult;
    expect(decide(result)).toMatchObject({ status: 'FAILED' });
  });

  test.each([
    'INPUT_NOT_FOUND',
    'INPUT_INVALID',
    'UNSUPPORTED',
    'OUTPUT_EXISTS',
    'TIMEOUT',
    'STALLED',
    'FFMPEG_FAILED',
  ] as const)('fails the job after one attempt with %s', (code) => {
    expect(decide(failed(code))).toMatchObject({ status: 'FAILED', error: { code } });
  });

  test('fails a job whose attempts are exhausted, even during a drain', () => {
    for (const draining of [false, true])
      expect(decide(failed('WORKER_LOST'), 3, { exhausted: true, draining })).toMatchObject({ status: 'FAILED' });
  });

  test('does not count an attempt that a drain stopped, even if the service manager killed ffmpeg', () => {
    const requeue = { keepAttempt: false, delaySeconds: 0 };
    expect(decide(stopped('drain'), 3)).toEqual(requeue);
    expect(decide(failed('WORKER_LOST'), 3, { draining: true })).toEqual(requeue);
    expect(decide(failed('NO_SPACE'), 3, { draining: true })).toMatchObject({ status: 'FAILED' });
  });

  test('ends a cancelled job as CANCELLED', () => {
    expect(decide(stopped('cancel'))).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
    expect(decide(failed('CANCELLED'))).toMatchObject({ status: 'CANCELLED' });
  });
});

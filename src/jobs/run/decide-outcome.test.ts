import { describe, expect, test } from 'vitest';
import type { FailureCode } from '../../domain/failure.ts';
import type { AttemptResult } from './attempt.ts';
import { decideOutcome } from './decide-outcome.ts';

const failed = (code: FailureCode): AttemptResult => ({ kind: 'failed', failure: { code, message: code }, log: '' });
const stopped = (cause: 'cancel' | 'drain' | 'lost'): AttemptResult => ({ kind: 'stopped', cause, log: '' });
const next = (result: AttemptResult, tries = 1, { exhausted = false, draining = false } = {}) =>
  decideOutcome({ job: { attempt: tries }, exhausted }, result, draining);

describe('what comes after a try', () => {
  test('a published result ends the job', () => {
    const outputs = [{ path: 'a.mp4', sizeBytes: 1 }];
    expect(next({ kind: 'completed', outputs, log: '' })).toEqual({ status: 'COMPLETED', outputs });
  });

  test.each(['NO_SPACE', 'STORAGE_FAULT', 'WORKER_LOST'] as const)(
    '%s is tried three times in all, later each time',
    (code) => {
      expect(next(failed(code), 1)).toEqual({ keepAttempt: true, afterSeconds: 5 });
      expect(next(failed(code), 2)).toEqual({ keepAttempt: true, afterSeconds: 30 });
      expect(next(failed(code), 3)).toMatchObject({ status: 'FAILED', error: { code } });
    },
  );

  test('a failure that another try would meet again ends the job, whatever its code', () => {
    expect(next({ ...failed('NO_SPACE'), nonRetryable: true } as AttemptResult)).toMatchObject({ status: 'FAILED' });
  });

  test.each([
    'INPUT_NOT_FOUND',
    'INPUT_INVALID',
    'UNSUPPORTED',
    'OUTPUT_EXISTS',
    'TIMEOUT',
    'STALLED',
    'FFMPEG_FAILED',
  ] as const)('%s ends the job at the first try', (code) => {
    expect(next(failed(code))).toMatchObject({ status: 'FAILED', error: { code } });
  });

  test('a job whose tries are used up is not tried again, also while the worker is ended', () => {
    for (const draining of [false, true])
      expect(next(failed('WORKER_LOST'), 3, { exhausted: true, draining })).toMatchObject({ status: 'FAILED' });
  });

  test('a drain gives the try back, also where the machine told ffmpeg to end as well', () => {
    const given = { keepAttempt: false, afterSeconds: 0 };
    expect(next(stopped('drain'), 3)).toEqual(given);
    expect(next(failed('WORKER_LOST'), 3, { draining: true })).toEqual(given);
    expect(next(failed('NO_SPACE'), 3, { draining: true })).toMatchObject({ status: 'FAILED' });
  });

  test('a cancel ends the job as CANCELLED', () => {
    expect(next(stopped('cancel'))).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
    expect(next(failed('CANCELLED'))).toMatchObject({ status: 'CANCELLED' });
  });
});

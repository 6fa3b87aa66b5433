import { expect, test } from 'vitest';
import { type FailureCode, isRetryable, JobFailed } from './failure.ts';

test('only failures that a retry may fix are retryable', () => {
  const codes: readonly FailureCode[] = [
    'INPUT_NOT_FOUND',
    'INPUT_INVALID',
    'UNSUPPORTED',
    'OUTPUT_EXISTS',
    'LIMIT_EXCEEDED',
    'NO_SPACE',
    'TIMEOUT',
    'STALLED',
    'CANCELLED',
    'WORKER_LOST',
    'STORAGE_FAULT',
    'FFMPEG_FAILED',
  ];
  expect(codes.filter(isRetryable)).toEqual(['NO_SPACE', 'WORKER_LOST', 'STORAGE_FAULT']);
});

test('the cause of a failure is separate from what is shown', () => {
  const cause = new Error('EIO: /srv/media/x');
  const failed = new JobFailed({ code: 'STORAGE_FAULT', message: 'The storage failed.' }, cause);
  expect(failed.message).toBe('The storage failed.');
  expect(failed.cause).toBe(cause);
  expect(JSON.stringify(failed.failure)).not.toContain('/srv');
});

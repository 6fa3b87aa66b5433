import { expect, test } from 'vitest';
import type { FailureCode } from '../../../contract/src/domain/failure.ts';
import { hint, RETRY_JOB } from '../../../contract/src/domain/hint.ts';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import { stateAfterJob } from './after-job.ts';

const AT = '2026-11-20T10:00:00.000Z';
const failed = (code: FailureCode): JobEnd => ({
  ...{ jobId: 'j', clientId: 'amy', status: code === 'CANCELLED' ? 'CANCELLED' : 'FAILED', at: AT },
  error: { code, message: 'It failed.', fix: 'Repair it.' },
});

test('a file whose job is complete is converted', () => {
  expect(stateAfterJob({ attempts: 2 }, { jobId: 'j', clientId: 'amy', status: 'COMPLETED', at: AT })).toMatchObject({
    state: 'CONVERTED',
  });
});

test('a file that fails is tried again after one and after ten minutes, and then waits for a person', () => {
  const failure = { code: 'FFMPEG_FAILED', message: 'It failed.', fix: 'Repair it.' };
  const end = failed('FFMPEG_FAILED');
  expect(stateAfterJob({ attempts: 1 }, end)).toMatchObject({
    state: 'FAILED',
    failure,
    dueAt: '2026-11-20T10:01:00.000Z',
  });
  expect(stateAfterJob({ attempts: 2 }, end)).toMatchObject({
    state: 'FAILED',
    failure,
    dueAt: '2026-11-20T10:10:00.000Z',
  });
  expect(stateAfterJob({ attempts: 3 }, end)).toMatchObject({ state: 'NEEDS_ATTENTION', failure });
});

test.each(['INPUT_INVALID', 'UNSUPPORTED', 'OUTPUT_EXISTS', 'CANCELLED'] as const)(
  'a file that fails with %s waits for a person at once, because a repetition changes nothing',
  (code) => {
    expect(stateAfterJob({ attempts: 1 }, failed(code))).toMatchObject({ state: 'NEEDS_ATTENTION', failure: { code } });
  },
);

test('a file that was renamed while its job read it is tried again, because its fix is to retry the job', () => {
  const end = failed('INPUT_INVALID');
  const error = { code: 'INPUT_INVALID' as const, message: 'It was replaced or removed.', fix: hint`${RETRY_JOB}.` };
  expect(stateAfterJob({ attempts: 1 }, { ...end, error })).toMatchObject({ state: 'FAILED' });
  const repaired = { ...error, fix: hint`Repair it, then ${RETRY_JOB}.` };
  expect(stateAfterJob({ attempts: 1 }, { ...end, error: repaired })).toMatchObject({ state: 'NEEDS_ATTENTION' });
});

import { expect, test } from 'vitest';
import type { RunningJob } from './ports.ts';
import { shownState } from './worker-operations.ts';

const JOB: RunningJob = { jobId: 'job', clientId: 'amy', phase: 'CONVERTING' };
const drainRequestedAt = '2026-11-20T10:00:00.000Z';

test.each([
  ['running', { state: 'running' }, true, []],
  ['running', { state: 'running' }, true, [JOB]],
  ['draining', { state: 'running', drainRequestedAt }, true, [JOB]],
  ['drained', { state: 'running', drainRequestedAt }, true, []],
  ['draining', { state: 'draining' }, true, []],
  ['lost', { state: 'running' }, false, [JOB]],
  ['lost', { state: 'draining', drainRequestedAt }, false, []],
  ['stopped', { state: 'stopped', drainRequestedAt }, false, []],
] as const)('shows %s for %o', (shown, worker, isLive, jobs) => {
  expect(shownState(worker, isLive, jobs)).toBe(shown);
});

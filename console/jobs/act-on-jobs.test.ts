import { ClientError } from '@telecine/client';
import { expect, test } from 'vitest';
import { actOnJobs, type JobsAction } from './act-on-jobs.ts';
import { hasEndedOtherwise, isStopping, jobsActionText } from './jobs-action-text.ts';

const problem = (status: number, code: string, message: string): ClientError =>
  new ClientError('rejected', message, {
    status,
    problem: { type: 'about:blank', title: '', status, code, detail: message } as never,
  });

const IDS = Array.from({ length: 20 }, (_, i) => `job-${String(i).padStart(2, '0')}`);

/** Runs an action, and returns its last state with the jobs that it acted on. */
async function run(
  kind: JobsAction['kind'],
  act: Parameters<typeof actOnJobs>[2],
  signal = new AbortController().signal,
) {
  const states: JobsAction[] = [];
  const left = await actOnJobs(kind, IDS, act, (action) => states.push(action), signal);
  const last = states.at(-1);
  if (last === undefined) throw new Error('It said nothing.');
  return { left, last, states, text: jobsActionText(last) };
}

test('jobs are run again in their order, and the first and the last of the new jobs are known', async () => {
  const order: string[] = [];
  const { left, last, states, text } = await run('retry', async (jobId) => {
    order.push(jobId);
    return { jobId: `new ${jobId}` };
  });
  expect(order).toEqual(IDS);
  expect(left.toSorted()).toEqual(IDS);
  expect(last).toMatchObject({ done: 20, state: 'ended', retries: ['new job-00', 'new job-19'] });
  expect(states.map(({ done }) => done)).toContain(7);
  expect(text).toEqual(['20 jobs submitted again.']);
});

test('jobs that cannot be cancelled are counted by why, and the others are cancelled', async () => {
  const { left, text } = await run('cancel', async (jobId) => {
    if (jobId < 'job-03') throw problem(409, 'JOB_FINISHED', 'Job is COMPLETED.');
    if (jobId === 'job-04') throw problem(404, 'JOB_NOT_FOUND', 'Job does not exist.');
    return { jobId };
  });
  expect(left).toHaveLength(20);
  expect(text).toEqual(['16 jobs cancelled.', '3 jobs had ended before.', '1 job had been deleted.']);
});

test('a running job is being cancelled until it is cancelled', async () => {
  const { last } = await run('cancel', async (jobId) => ({
    jobId,
    status: jobId < 'job-02' ? ('PROCESSING' as const) : ('CANCELLED' as const),
  }));
  expect(last.stopping.toSorted()).toEqual(['job-00', 'job-01']);
  expect(jobsActionText(last, { stopping: 2, ended: 0 })).toEqual([
    '18 jobs cancelled.',
    '2 jobs are being cancelled.',
  ]);
  expect(jobsActionText({ ...last, done: 1 }, { stopping: 1, ended: 0 })).toEqual(['1 job is being cancelled.']);
  expect(jobsActionText(last)).toEqual(['20 jobs cancelled.']);
});

test('a job that ended before it could be cancelled does not count as cancelled, nor does one without an event', async () => {
  const { last } = await run('cancel', async (jobId) => ({ jobId, status: 'PROCESSING' as const }));
  expect(jobsActionText(last, { stopping: 1, ended: 2 })).toEqual([
    '17 jobs cancelled.',
    '1 job is being cancelled.',
    '2 jobs ended before they could be cancelled.',
  ]);
  expect(jobsActionText({ ...last, done: 1 }, { stopping: 0, ended: 1 })).toEqual([
    '1 job ended before it could be cancelled.',
  ]);
  const statuses = [undefined, 'PROCESSING', 'CANCELLED', 'COMPLETED', 'FAILED'] as const;
  expect(statuses.filter(isStopping)).toEqual([undefined, 'PROCESSING']);
  expect(statuses.filter(hasEndedOtherwise)).toEqual(['COMPLETED', 'FAILED']);
});

test('a request that the service rejects is told in its words', async () => {
  const { text } = await run('retry', async (jobId) => {
    if (jobId > 'job-17') throw problem(422, 'INVALID_REQUEST', 'The option "old" is unsupported.');
    return { jobId };
  });
  expect(text).toEqual(['18 jobs submitted again.', '2 jobs rejected, the first: The option "old" is unsupported.']);
});

test('a quota that is used up ends the rest, which is left as before', async () => {
  const full = problem(429, 'QUOTA_EXCEEDED', 'The quota is used up.');
  const { left, last, text } = await run('retry', async (jobId) => {
    if (jobId >= 'job-05') throw full;
    return { jobId };
  });
  expect(left).toEqual(IDS.slice(0, 5));
  expect(last.error).toBe(full);
  expect(text).toEqual(['5 jobs submitted again.', '15 jobs unchanged and still selected, because of an error:']);
});

test('an action that is stopped says how many jobs it has not come to', async () => {
  const stop = new AbortController();
  const { left, last } = await run(
    'cancel',
    async (jobId) => {
      if (jobId === 'job-09') stop.abort();
      return { jobId };
    },
    stop.signal,
  );
  expect(last.state).toBe('stopped');
  expect(left.length).toBeLessThan(20);
  expect(jobsActionText(last).at(-1)).toMatch(/^Stopped: \d+ jobs unchanged/);
});

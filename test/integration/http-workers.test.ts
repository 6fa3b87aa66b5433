import { expect, test } from 'vitest';
import { httpApp } from '../support/http-app.ts';
import { JOB_ID, WORKER_ID } from '../support/http-fakes.ts';

const ADMIN = { authorization: 'Bearer only-admin' };
const get = (url: string) => ({ method: 'GET' as const, url, headers: ADMIN });
const post = (url: string) => ({ method: 'POST' as const, url, headers: ADMIN });

test('shows, pauses and resumes the queue', async () => {
  const { inject } = httpApp();
  const queued = [{ lane: 'full', jobs: 1, oldestSeconds: 2 }];
  const shown = { queued, clients: [{ client: 'alice', queued, running: 1 }], slots: { total: 2, used: 1 } };
  expect((await inject(get('/api/queue'))).json()).toEqual({ state: 'running', ...shown });
  const pausedAt = '2026-01-31T12:00:00.000Z';
  expect((await inject(post('/api/queue/pause'))).json()).toEqual({ state: 'paused', pausedAt, ...shown });
  expect((await inject(post('/api/queue/resume'))).json()).toEqual({ state: 'running', ...shown });
});

test('lists workers with what they run, and without keys of builds', async () => {
  const { inject } = httpApp();
  const { workers } = (await inject(get('/api/workers'))).json();
  expect(workers).toEqual([
    {
      workerId: WORKER_ID,
      state: 'running',
      hostName: 'encoder-1',
      pid: 4711,
      version: '0.1.0',
      ffmpegVersion: '5.1.9',
      sandbox: 'bubblewrap',
      concurrency: 2,
      processors: 4,
      machine: 'm1',
      freeScratchBytes: 1_000_000,
      startedAt: '2026-01-31T11:00:00.000Z',
      lastSeenAt: '2026-01-31T12:00:00.000Z',
      jobs: [{ jobId: JOB_ID, client: 'alice', phase: 'CONVERTING', since: '2026-01-31T11:59:00.000Z' }],
    },
  ]);
});

test('drains a worker and resumes it', async () => {
  const { inject } = httpApp();
  expect((await inject(post(`/api/workers/${WORKER_ID.toUpperCase()}/drain`))).json()).toMatchObject({
    state: 'draining',
  });
  expect((await inject(post(`/api/workers/${WORKER_ID}/resume`))).json()).toMatchObject({ state: 'running' });
  for (const id of ['nonsense', JOB_ID]) {
    const reply = await inject(post(`/api/workers/${id}/drain`));
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'WORKER_NOT_FOUND' });
  }
});

test.each(['GET /api/queue', 'POST /api/queue/pause', 'POST /api/queue/resume', 'GET /api/workers'])(
  '%s needs the scope admin',
  async (operation) => {
    const [method = '', url = ''] = operation.split(' ');
    const { inject } = httpApp();
    const request = { method: method as 'GET', url };
    expect((await inject(request)).statusCode).toBe(401);
    const reply = await inject({ ...request, headers: { authorization: 'Bearer only-jobs:write' } });
    expect(reply.json()).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' });
  },
);

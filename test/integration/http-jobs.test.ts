import { expect, test } from 'vitest';
import type { Job } from '../../packages/contract/src/domain/job.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { writeOffset } from '../../packages/contract/src/wire/paging.ts';
import type { JobOperations } from '../../packages/service/src/jobs/job-operations.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { DRY_RUN, fakeFiles, JOB_ID, jobOf } from '../support/http-fakes.ts';
import { mediaRoot } from '../support/media-root.ts';

const at = `/api/conversion/${JOB_ID}`;
const get = (url: string) => ({ method: 'GET' as const, url, headers: BEARER });
const post = (url: string) => ({ method: 'POST' as const, url, headers: BEARER });

const complete: Job = jobOf({
  status: 'COMPLETED',
  attempt: 1,
  progress: { percent: 99, speed: 2, fps: 50 },
  startedAt: '2026-01-31T12:00:01.000Z',
  completedAt: '2026-01-31T12:00:02.000Z',
  outputs: [
    { path: 'out.mp4', sizeBytes: 10, durationSeconds: 1, streams: [{ index: 0, type: 'video', codec: 'h264' }] },
  ],
});

test('shows a job as documented, without members that do not apply', async () => {
  const { inject } = httpApp({ jobsChange: { get: async () => complete } });
  expect((await inject(get(at))).json()).toEqual({
    jobId: JOB_ID,
    client: 'alice',
    status: 'COMPLETED',
    message: 'The conversion is complete.',
    progress: 100,
    speed: 2,
    fps: 50,
    input: 'in.mov',
    output: 'out.mp4',
    attempt: 1,
    maxAttempts: 3,
    createdAt: complete.createdAt,
    startedAt: complete.startedAt,
    completedAt: complete.completedAt,
    outputs: complete.outputs,
    outputCount: 1,
    links: {
      ...{ self: at, log: `${at}/log`, retry: `${at}/retry` },
      ...{ output: `${at}/output`, outputs: `${at}/outputs`, signed: `${at}/links` },
    },
  });
});

test('delays the reply of GET with Prefer: wait, and says so', async () => {
  const waits: object[] = [];
  const wait: JobOperations['wait'] = async (_caller, _jobId, { seconds, until }) => {
    waits.push({ seconds, until });
    return waits.length > 2 ? undefined : complete;
  };
  const { inject } = httpApp({ jobsChange: { wait } });
  const preferring = (prefer: string) => inject({ ...get(at), headers: { ...BEARER, prefer } });

  const delayed = await preferring('wait=20');
  expect(delayed.headers['preference-applied']).toBe('wait=20');
  expect(delayed.json()).toMatchObject({ status: 'COMPLETED' });
  expect((await preferring('wait=3600; until=change')).headers['preference-applied']).toBe('wait=60');
  const tooMany = await preferring('wait=20');
  expect(tooMany.headers).not.toHaveProperty('preference-applied');
  expect(tooMany.json()).toMatchObject({ status: 'PENDING' });
  expect((await preferring('return=minimal')).statusCode).toBe(200);
  expect(waits).toEqual([
    { seconds: 20, until: 'end' },
    { seconds: 60, until: 'change' },
    { seconds: 20, until: 'end' },
  ]);
});

test('accepts a job id in capitals', async () => {
  const calls: string[] = [];
  const { inject } = httpApp({
    jobsChange: {
      get: async (_caller, jobId) => {
        calls.push(jobId);
        return jobOf();
      },
    },
  });
  await inject(get(at.toUpperCase().replace('/API/CONVERSION', '/api/conversion')));
  expect(calls).toEqual([JOB_ID]);
});

test.each(['1', 'abc', `${JOB_ID}0`, 'x'.repeat(3000), '%00', '..%2F..'])(
  'answers the invalid job id %s with 404',
  async (id) => {
    const { inject } = httpApp();
    const reply = await inject(get(`/api/conversion/${id}`));
    expect(reply.statusCode).toBe(404);
    expect(reply.json().code).toBe('JOB_NOT_FOUND');
  },
);

test('answers every operation on a job of another client with 404', async () => {
  const gone = async () => {
    throw new Problem('JOB_NOT_FOUND', 'There is no such job.');
  };
  const { inject } = httpApp({ jobsChange: { get: gone, log: gone, cancel: gone, openRetry: gone, remove: gone } });
  const calls = [
    get(at),
    get(`${at}/log`),
    post(`${at}/cancel`),
    post(`${at}/retry`),
    { ...post(`${at}/retry`), payload: BODY },
    { ...post(`${at}/retry`), payload: { output: 7 } },
    { ...post(`${at}/retry?dryRun=true`), payload: BODY },
    { ...get(at), method: 'DELETE' as const },
  ];
  for (const request of calls) expect((await inject(request)).statusCode).toBe(404);
});

test('lists all outputs of a job in pages', async () => {
  const all = Array.from({ length: 9883 }, (_, i) => ({ path: `${i}.png`, sizeBytes: i, fingerprint: `secret ${i}` }));
  const { inject } = httpApp({
    jobsChange: {
      outputs: async (_caller, _jobId, { first, limit }) => ({
        outputs: all.slice(first, first + limit),
        count: all.length,
      }),
    },
  });
  const first = await inject(get(`${at}/outputs`));
  expect(first.json()).toMatchObject({ outputCount: 9883, outputs: all.slice(0, 100).map(({ path }) => ({ path })) });
  expect(first.body).not.toContain('secret');
  const second = await inject(get(`${at}/outputs?limit=9783&cursor=${first.json().nextCursor}`));
  expect(second.json().errors).toMatchObject([{ field: '/limit', code: 'OUT_OF_RANGE' }]);
  const last = await inject(get(`${at}/outputs?limit=1000&cursor=${writeOffset(9000)}`));
  expect(last.json()).toEqual({
    outputCount: 9883,
    outputs: all.slice(9000).map(({ path, sizeBytes }) => ({ path, sizeBytes })),
  });
});

test('passes the cursor of a page back to the use case', async () => {
  const calls: unknown[] = [];
  const { inject } = httpApp({
    jobsChange: {
      list: async (_caller, query) => {
        calls.push(query);
        return calls.length === 1 ? { jobs: [jobOf(), complete], nextCursor: JOB_ID } : { jobs: [] };
      },
    },
  });
  const first = (await inject(get('/api/conversion?status=PENDING&client=bob&limit=2'))).json();
  expect(first.jobs).toHaveLength(2);
  const second = (await inject(get(`/api/conversion?cursor=${first.nextCursor}`))).json();
  expect(second).toEqual({ jobs: [] });
  expect(calls).toEqual([
    { status: 'PENDING', clientId: 'bob', limit: 2 },
    { limit: 50, cursor: JOB_ID },
  ]);
});

test.each([
  ['limit=0', '/limit', 'OUT_OF_RANGE'],
  ['limit=201', '/limit', 'OUT_OF_RANGE'],
  ['limit=ten', '/limit', 'WRONG_TYPE'],
  ['limit=1&limit=2', '/limit', 'WRONG_TYPE'],
  ['status=DONE', '/status', 'NOT_ALLOWED'],
  ['cursor=xyz', '/cursor', 'INVALID_FORMAT'],
  ['page=2', '/page', 'UNKNOWN_FIELD'],
])('rejects the query %s at %s', async (query, field, code) => {
  const { inject } = httpApp();
  const reply = await inject(get(`/api/conversion?${query}`));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors).toMatchObject([{ field, code }]);
});

test('serves the log as plain text, empty while there is none', async () => {
  const { inject } = httpApp();
  const reply = await inject(get(`${at}/log`));
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(reply.body).toBe('frame=1\n');
  const empty = httpApp({ jobsChange: { log: async () => '' } });
  expect((await empty.inject(get(`${at}/log`))).body).toBe('');
});

test('cancel replies 202 with the job, and 409 for a finished job', async () => {
  const { inject } = httpApp();
  const reply = await inject(post(`${at}/cancel`));
  expect(reply.statusCode).toBe(202);
  expect(reply.json()).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  const cancel = async () => {
    throw new Problem('JOB_FINISHED', 'The job is finished.');
  };
  expect((await httpApp({ jobsChange: { cancel } }).inject(post(`${at}/cancel`))).statusCode).toBe(409);
});

test('cancels and deletes with a content type but no body', async () => {
  const { inject } = httpApp();
  const headers = { ...BEARER, 'content-type': 'application/json' };
  expect((await inject({ method: 'POST', url: `${at}/cancel`, headers })).statusCode).toBe(202);
  expect((await inject({ method: 'DELETE', url: at, headers })).statusCode).toBe(204);
});

test('retry replies 202 with a new job and its location', async () => {
  const { inject, reservations } = httpApp();
  const reply = await inject(post(`${at}/retry`));
  expect(reply.statusCode).toBe(202);
  expect(reply.headers.location).toBe(at);
  expect(reservations).toEqual({ taken: 1, accepted: 1, refused: 0 });
});

test('a retry with a body runs this request, once for each key, and rejects a wrong one as a submission does', async () => {
  const calls: unknown[] = [];
  const { inject } = httpApp({
    jobsChange: {
      retry: async ({ job }, request, { idempotency } = {}) => {
        calls.push({ jobId: job.jobId, request, idempotency });
        return { jobId: JOB_ID, status: 'PENDING' };
      },
    },
  });
  const send = (payload?: object, key?: string) =>
    inject({
      ...post(`${at}/retry`),
      headers: { ...BEARER, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(payload !== undefined && { payload }),
    });
  for (const reply of [await send(), await send(BODY), await send(BODY, 'k'), await send(undefined, 'k')])
    expect(reply.statusCode).toBe(202);
  const keyed = { key: 'k', bodyHash: expect.stringMatching(/^[\da-f]{64}$/) };
  expect(calls).toEqual([
    { jobId: JOB_ID, request: undefined, idempotency: undefined },
    { jobId: JOB_ID, request: BODY, idempotency: undefined },
    { jobId: JOB_ID, request: BODY, idempotency: keyed },
    { jobId: JOB_ID, request: undefined, idempotency: keyed },
  ]);
  const hashes = calls.map((call) => (call as { idempotency?: { bodyHash: string } }).idempotency?.bodyHash);
  expect(new Set(hashes.slice(2)).size).toBe(2);
  const wrong = await send({ input: 'in.mov', output: 'out.mp4', parameters: { crf: null }, outptu: 'x' });
  expect([
    wrong.statusCode,
    wrong
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .toSorted(),
  ]).toEqual([400, ['/outptu', '/parameters/crf']]);
  expect((await send({})).json().errors).toMatchObject([{ field: '/input' }, { field: '/output' }]);
  expect(calls).toHaveLength(4);
});

test('a retry for another client takes room in the queue of that client, and names files as that client sees them', async () => {
  const scopes = ['jobs:write', 'files:read'] as const;
  const owner = { clientId: 'bob', scopes, root: mediaRoot('/media/bob'), policy: {} };
  const [admitted, near]: [string[], string[]] = [[], []];
  const { inject } = httpApp({
    jobsChange: {
      openRetry: async () => ({ job: jobOf({ status: 'FAILED', clientId: 'bob' }), owner, submittedBy: 'alice' }),
      admit: async ({ clientId }) => {
        admitted.push(clientId);
        return { release: (accepted) => void admitted.push(`${clientId} ${accepted}`) };
      },
      dryRunRetry: async () => ({
        ...DRY_RUN,
        warnings: [{ field: '/input', code: 'INPUT_NOT_FOUND', message: 'It is missing.' }],
      }),
    },
    files: fakeFiles({
      near: async ({ clientId }, path) => {
        near.push(`${clientId} ${path}`);
        return undefined;
      },
    }),
  });
  const retry = (query = '') => inject({ ...post(`${at}/retry${query}`), payload: BODY });
  expect((await retry()).statusCode).toBe(202);
  // The room of the administrator does not count, also if there is none.
  expect(admitted).toEqual(['bob', 'bob true']);
  expect((await retry('?dryRun=true')).json()).toMatchObject({ warnings: [{ code: 'INPUT_NOT_FOUND' }] });
  expect(admitted).toHaveLength(2);
  expect([...new Set(near.map((call) => call.split(' ')[0]))]).toEqual(['bob']);
});

test('delete keeps the files, unless outputs=true, which needs files:write', async () => {
  const calls: boolean[] = [];
  const { inject } = httpApp({
    jobsChange: {
      remove: async (_caller, _id, outputs) => {
        calls.push(outputs);
      },
    },
  });
  const remove = (query: string, authorization = 'Bearer good') =>
    inject({ method: 'DELETE', url: `${at}${query}`, headers: { authorization } });
  expect((await remove('')).statusCode).toBe(204);
  expect((await remove('?outputs=true')).statusCode).toBe(204);
  expect((await remove('?outputs=true', 'Bearer only-jobs:write')).statusCode).toBe(403);
  expect(calls).toEqual([false, true]);
});

test('reading jobs needs jobs:read, and changing them jobs:write', async () => {
  const { inject } = httpApp();
  const as = (scope: string) => ({ authorization: `Bearer only-${scope}` });
  for (const url of ['/api/conversion', at, `${at}/log`])
    expect((await inject({ method: 'GET', url, headers: as('jobs:write') })).statusCode).toBe(403);
  for (const url of [`${at}/cancel`, `${at}/retry`])
    expect((await inject({ method: 'POST', url, headers: as('jobs:read') })).statusCode).toBe(403);
  expect((await inject({ method: 'GET', url: at, headers: as('admin') })).statusCode).toBe(200);
});

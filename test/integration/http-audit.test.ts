import { expect, test, vi } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { fakeAudit, JOB_ID, WORKER_ID } from '../support/http-fakes.ts';

const ADMIN = { authorization: 'Bearer only-admin' };

test('records who cancelled a job, from where, and the id of the request', async () => {
  const { inject, audited } = httpApp();
  const reply = await inject({
    method: 'POST',
    url: `/api/conversion/${JOB_ID}/cancel`,
    headers: BEARER,
    remoteAddress: '203.0.113.7',
  });
  expect(audited).toEqual([
    {
      action: 'job.cancel',
      outcome: 'done',
      via: 'rest',
      clientId: 'alice',
      target: JOB_ID,
      address: '203.0.113.7',
      requestId: reply.headers['x-request-id'],
    },
  ]);
});

test('the access log names the job of a submission, by which the audit log finds its address', async () => {
  const { inject, lines } = httpApp();
  await inject({
    method: 'POST',
    url: '/api/conversion',
    headers: BEARER,
    payload: BODY,
    remoteAddress: '203.0.113.7',
  });
  await inject({ method: 'POST', url: '/api/conversion?dryRun=true', headers: BEARER, payload: BODY });
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    { jobId: JOB_ID, address: '203.0.113.7' },
    { jobId: undefined },
  ]);
});

test('records tokens and refused logins, with the name of a client only if it exists', async () => {
  const { inject, audited } = httpApp();
  const login = (clientId: string, clientSecret: string) =>
    inject({ method: 'POST', url: '/api/auth/token', payload: { clientId, clientSecret } });
  const refresh = (refreshToken: string) =>
    inject({ method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } });
  const oauth = (form: object) =>
    inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...form }).toString(),
    });
  await login('alice', 'secret');
  await login('alice', 'wrong');
  await login('the-secret-in-the-wrong-field', 'alice');
  await refresh('refresh');
  await refresh('stolen');
  await oauth({ grant_type: 'client_credentials', client_id: 'alice', client_secret: 'secret' });
  await oauth({ grant_type: 'client_credentials', client_id: 'alice', client_secret: 'wrong' });
  await oauth({ grant_type: 'refresh_token', refresh_token: 'stolen' });
  expect(audited.map(({ address: _, requestId: __, via: ___, details: ____, ...event }) => event)).toEqual([
    { action: 'token.issue', outcome: 'done', clientId: 'alice' },
    { action: 'token.issue', outcome: 'refused', clientId: 'alice', code: 'INVALID_CLIENT' },
    { action: 'token.issue', outcome: 'refused', code: 'INVALID_CLIENT' },
    { action: 'token.refresh', outcome: 'done', clientId: 'alice' },
    { action: 'token.refresh', outcome: 'refused', code: 'INVALID_TOKEN' },
    { action: 'token.issue', outcome: 'done', clientId: 'alice' },
    { action: 'token.issue', outcome: 'refused', clientId: 'alice', code: 'invalid_client' },
    { action: 'token.refresh', outcome: 'refused', code: 'invalid_grant' },
  ]);
  expect(JSON.stringify(audited)).not.toMatch(/stolen|wrong|"secret|access|the-secret/);
});

test('records what operators do, and that a client without the scope may not', async () => {
  const { inject, audited } = httpApp();
  await inject({ method: 'POST', url: '/api/queue/pause', headers: ADMIN });
  await inject({ method: 'POST', url: `/api/workers/${WORKER_ID}/drain`, headers: ADMIN });
  await inject({ method: 'POST', url: '/api/queue/resume', headers: BEARER });
  expect(audited).toMatchObject([
    { action: 'queue.pause', outcome: 'done' },
    { action: 'worker.drain', outcome: 'done', target: WORKER_ID },
    { action: 'queue.resume', outcome: 'refused', clientId: 'alice', code: 'INSUFFICIENT_SCOPE' },
  ]);
});

test('records no request with a mistake, without a token or for something unknown', async () => {
  const { inject, audited } = httpApp({
    jobsChange: {
      cancel: async () => {
        throw new Problem('JOB_NOT_FOUND', 'There is no such job.');
      },
    },
  });
  await inject({ method: 'POST', url: '/api/conversion', headers: BEARER, payload: { output: 'x.mp4' } });
  await inject({ method: 'POST', url: '/api/conversion', payload: BODY });
  await inject({ method: 'POST', url: `/api/conversion/${JOB_ID}/cancel`, headers: BEARER });
  expect(audited).toEqual([]);
});

test('records an action whose result is unknown because the database was lost', async () => {
  const { inject, audited } = httpApp({
    jobsChange: {
      cancel: async () => {
        throw new StoreUnavailable();
      },
    },
  });
  const reply = await inject({ method: 'POST', url: `/api/conversion/${JOB_ID}/cancel`, headers: BEARER });
  expect(reply.statusCode).toBe(503);
  expect(audited).toMatchObject([
    { action: 'job.cancel', outcome: 'failed', clientId: 'alice', target: JOB_ID, code: 'UNAVAILABLE' },
  ]);
});

test('lists the log for administrators only, by its filters', async () => {
  const queries: unknown[] = [];
  const record = {
    auditId: JOB_ID,
    at: '2026-01-31T12:00:00.000Z',
    action: 'job.delete',
    outcome: 'done',
    via: 'mcp',
    clientId: 'alice',
    details: { outputs: true },
  } as const;
  const list = async (query: unknown) => {
    queries.push(query);
    return { records: [record], next: JOB_ID };
  };
  const { inject } = httpApp({ audit: { ...fakeAudit().audit, list } });
  const url = '/api/audit?client=alice&action=job.delete&from=2026-01-31T00:00:00Z&limit=5';
  expect((await inject({ method: 'GET', url, headers: BEARER })).statusCode).toBe(403);
  const { clientId: client, ...shown } = record;
  const page = (await inject({ method: 'GET', url, headers: ADMIN })).json();
  expect(page).toEqual({ records: [{ ...shown, client }], nextCursor: expect.any(String) });
  await inject({ method: 'GET', url: `/api/audit?cursor=${page.nextCursor}`, headers: ADMIN });
  expect(queries).toEqual([
    { clientId: 'alice', action: 'job.delete', from: '2026-01-31T00:00:00Z', order: 'newest', limit: 5 },
    { after: JOB_ID, order: 'newest', limit: 100 },
  ]);
});

test.each([
  '/api/audit?client=%00',
  '/api/audit?target=a%00b',
  '/api/usage?client=%00',
  '/api/conversion?client=%00',
  '/api/files?prefix=%00',
])('rejects NUL in the query of %s, which PostgreSQL cannot compare', async (url) => {
  const { inject } = httpApp();
  const reply = await inject({ method: 'GET', url, headers: ADMIN });
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors).toMatchObject([{ field: `/${/\?(\w+)/.exec(url)?.[1]}`, code: 'CONTROL_CHARACTER' }]);
});

import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { DRY_RUN, JOB_ID } from '../support/http-fakes.ts';

const post = (payload: unknown, headers: Record<string, string> = {}, url = '/api/conversion') => ({
  method: 'POST' as const,
  url,
  headers: { ...BEARER, 'content-type': 'application/json', ...headers },
  payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
});

test.each([
  ['/api/conversion', BODY],
  ['/mcp', { ...BODY, llmId: 'gpt-5' }],
])('%s replies 202 with the job id, PENDING, a message and the location of the job', async (url, body) => {
  const { inject, submitted } = httpApp();
  const reply = await inject(post(body, {}, url));
  expect(reply.statusCode).toBe(202);
  expect(reply.json()).toEqual({
    jobId: JOB_ID,
    status: 'PENDING',
    message: 'The job is queued for processing.',
  });
  expect(reply.headers.location).toBe(`/api/conversion/${JOB_ID}`);
  expect(submitted).toMatchObject([{ request: body, caller: { clientId: 'alice' } }]);
});

test('passes the request to the use case unchanged', async () => {
  const { inject, submitted } = httpApp();
  const body = {
    inputs: ['a.mp4', { input: 'b.png', duration: '2.5', parameters: { framerate: '24' } }],
    output: 'été/out.mp4',
    parameters: { map: ['0:v', '1:a'], an: '' },
    llmId: 'x',
  };
  await inject(post(body));
  expect(submitted[0]?.request).toEqual(body);
});

test('/mcp requires llmId', async () => {
  const { inject } = httpApp();
  const reply = await inject(post(BODY, {}, '/mcp'));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors).toMatchObject([{ field: '/llmId', code: 'MISSING' }]);
});

test('a dry run replies 200 with the commands, queues nothing and reserves no room', async () => {
  const { inject, submitted, reservations } = httpApp();
  const reply = await inject(post(BODY, {}, '/api/conversion?dryRun=true'));
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual(DRY_RUN);
  expect(submitted).toEqual([]);
  expect(reservations.taken).toBe(0);
});

test('names an unknown query parameter', async () => {
  const { inject } = httpApp();
  const slip = await inject(post(BODY, {}, '/api/conversion?dryrun=true'));
  expect(slip.json().errors).toMatchObject([{ field: '/dryrun', fix: 'Send "dryRun".' }]);
  const odd = await inject(post(BODY, {}, '/api/conversion?dryRun=yes'));
  expect(odd.json().errors).toMatchObject([{ field: '/dryRun', allowed: ['true', 'false'] }]);
});

test('hashes a body regardless of white space and the order of names', async () => {
  const { inject, submitted } = httpApp();
  const key = { 'idempotency-key': 'k-1' };
  await inject(post('{"input":"a","output":"b","parameters":{"an":"","crf":"23"}}', key));
  await inject(post('{ "output": "b", "input": "a", "parameters": {"crf": "23", "an": ""} }', key));
  await inject(post('{"input":"a","output":"c"}', key));
  await inject(post('{"input":"a","output":"c"}'));
  const [first, second, third, without] = submitted.map((s) => s.idempotency);
  expect(first).toEqual({ key: 'k-1', bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(second).toEqual(first);
  expect(third?.bodyHash).not.toBe(first?.bodyHash);
  expect(without).toBeUndefined();
});

test.each([[''], ['two words'], ['x'.repeat(256)], ['é']])('rejects the idempotency key %j', async (key) => {
  const { inject, submitted } = httpApp();
  const reply = await inject(post(BODY, { 'idempotency-key': key }));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors).toMatchObject([{ code: 'INVALID_IDEMPOTENCY_KEY' }]);
  expect(submitted).toEqual([]);
});

test('answers an idempotency key of another request with 409', async () => {
  const submit = async () => {
    throw new Problem('IDEMPOTENCY_CONFLICT', 'This key was used for another request.');
  };
  const { inject, reservations } = httpApp({ jobsChange: { submit } });
  const reply = await inject(post(BODY, { 'idempotency-key': 'k' }));
  expect(reply.statusCode).toBe(409);
  expect(reservations).toEqual({ taken: 1, accepted: 0, refused: 1 });
});

test('releases the reservation exactly once, whatever the outcome', async () => {
  const { inject, reservations } = httpApp();
  await inject(post(BODY));
  expect(reservations).toEqual({ taken: 1, accepted: 1, refused: 0 });
  await inject(post('{'));
  await inject(post({}));
  await inject(post(BODY, { 'content-type': 'text/plain' }));
  expect(reservations).toEqual({ taken: 4, accepted: 1, refused: 3 });
});

test('releases the reservation of a client that disconnects inside its body', async () => {
  const { app, inject, reservations, lines } = httpApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST /api/conversion HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n' +
      'Content-Length: 100\r\n\r\n{"input"',
  );
  await expect.poll(() => reservations.taken).toBe(1);
  socket.destroy();
  await expect.poll(() => reservations.refused).toBe(1);
  await expect.poll(() => lines.find((l) => l.fields['aborted'] === true)).toBeDefined();
  expect((await inject(post(BODY))).statusCode).toBe(202);
  expect(lines.filter((l) => l.level === 'error')).toEqual([]);
});

test('keeps the reservation of a client that disconnects until its job is stored', async () => {
  const called = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const submit = async () => {
    called.resolve();
    await stored.promise;
    return { jobId: JOB_ID, status: 'PENDING' } as const;
  };
  const { app, reservations, lines } = httpApp({ jobsChange: { submit } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const body = JSON.stringify(BODY);
  socket.write(
    'POST /api/conversion HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await called.promise;
  socket.destroy();
  await expect.poll(() => lines.length).toBe(1);
  expect(reservations).toEqual({ taken: 1, accepted: 0, refused: 0 });
  stored.resolve();
  await expect.poll(() => reservations).toEqual({ taken: 1, accepted: 1, refused: 0 });
});

test('answers an internal error with a bare 500, and logs the cause', async () => {
  const submit = async () => {
    throw new Error('secret path /srv/x');
  };
  const { inject, lines } = httpApp({ jobsChange: { submit } });
  const reply = await inject(post(BODY));
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('secret path');
  const line = lines.find((l) => l.level === 'error');
  expect(line?.fields['requestId']).toBe(reply.json().requestId);
  expect(String(line?.fields['err'])).toContain('secret path');
});

test('logs one line per request, without the token and the query', async () => {
  const { inject, lines } = httpApp();
  const reply = await inject(post(BODY, {}, '/api/conversion?dryRun=true'));
  await expect.poll(() => lines.filter((l) => l.fields['method'] === 'POST')).toHaveLength(1);
  const line = lines.find((l) => l.fields['method'] === 'POST');
  expect(line?.fields).toMatchObject({
    requestId: reply.headers['x-request-id'],
    path: '/api/conversion',
    status: 200,
    clientId: 'alice',
  });
  expect(JSON.stringify(lines)).not.toMatch(/good|dryRun/);
});

import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { limitedTokens } from '../support/http-fakes.ts';
import { checkedFetch } from '../support/openapi-contract.ts';

const TWO_MIB = 2 * 1024 * 1024;

/** The app on a real socket, since only there a body can still be on its way. */
async function listening(change: Parameters<typeof httpApp>[0] = {}) {
  const world = httpApp(change);
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  return { ...world, fetch: checkedFetch(`http://127.0.0.1:${port}`) };
}

test('answers an oversized body without a token with 401, and does not read it', { tags: 'long' }, async () => {
  const { fetch } = await listening();
  const reply = await fetch('/api/conversion', { method: 'POST', body: 'x'.repeat(TWO_MIB) });
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="telecine"');
});

test('reports an invalid token', async () => {
  const { inject } = httpApp();
  const reply = await inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: 'Bearer bad' },
    payload: 'no json',
  });
  expect(reply.statusCode).toBe(401);
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="telecine", error="invalid_token"');
  expect(reply.json()).toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
});

test('answers a body of a wrong type with 403 if the token may only read', async () => {
  const { inject } = httpApp();
  const headers = { authorization: 'Bearer only-jobs:read', 'content-type': 'text/plain' };
  const reply = await inject({ method: 'POST', url: '/api/conversion', headers, payload: 'x' });
  expect(reply.statusCode).toBe(403);
  expect(reply.json().detail).toContain('jobs:write');
});

test('replies 429 before 400, 413 and 415, with Retry-After and the RateLimit fields', async () => {
  const { inject } = httpApp({ tokens: limitedTokens({ submissions: 1 }) });
  const submit = (headers: Record<string, string>, payload: string) =>
    inject({ method: 'POST', url: '/api/conversion', headers: { ...BEARER, ...headers }, payload });
  const first = await submit({ 'content-type': 'application/json' }, JSON.stringify(BODY));
  expect(first.statusCode).toBe(202);
  expect(first.headers['ratelimit-policy']).toBe('"submissions";q=1;w=60');
  expect(first.headers['ratelimit']).toBe('"submissions";r=0;t=60');

  for (const [type, payload] of [
    ['application/json', '{'],
    ['application/json', 'x'.repeat(TWO_MIB)],
    ['text/plain', 'x'],
  ] as const) {
    const reply = await submit({ 'content-type': type }, payload);
    expect(reply.statusCode).toBe(429);
    expect(reply.json().code).toBe('RATE_LIMITED');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(reply.headers['ratelimit']).toMatch(/^"submissions";r=0;t=\d+$/);
  }
});

test('counts all operations that queue a job together', async () => {
  const { inject } = httpApp({ tokens: limitedTokens({ submissions: 2 }) });
  const post = (url: string, payload: object) => inject({ method: 'POST', url, headers: BEARER, payload });
  expect((await post('/api/conversion', BODY)).statusCode).toBe(202);
  expect((await post('/mcp', { llmId: 'm', ...BODY })).statusCode).toBe(202);
  expect((await post('/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/retry', {})).statusCode).toBe(429);
});

test('limits each client on its own, and none without a limit', async () => {
  const { inject } = httpApp({ tokens: limitedTokens({ submissions: 1 }) });
  const submit = (authorization: string) =>
    inject({ method: 'POST', url: '/api/conversion', headers: { authorization }, payload: BODY });
  expect((await submit('Bearer good')).statusCode).toBe(202);
  expect((await submit('Bearer bad')).statusCode).toBe(401);
  const free = httpApp();
  const reply = await free.inject({ method: 'POST', url: '/api/conversion', headers: BEARER, payload: BODY });
  expect(reply.headers).not.toHaveProperty('ratelimit');
});

test('rejects a submission before reading its body if too many jobs are queued', async () => {
  const admit = async () => {
    throw new Problem('TOO_MANY_PENDING', 'Too many jobs wait.', { retryAfterSeconds: 7 });
  };
  const { inject } = httpApp({ jobsChange: { admit } });
  const reply = await inject({ method: 'POST', url: '/api/conversion', headers: BEARER, payload: '{' });
  expect(reply.statusCode).toBe(429);
  expect(reply.headers['retry-after']).toBe('7');
});

test('answers a body over 1 MiB with 413, with or without Content-Length', async () => {
  const { fetch } = await listening();
  const headers = { ...BEARER, 'content-type': 'application/json' };
  const response = await fetch('/api/conversion', { method: 'POST', headers, body: 'x'.repeat(TWO_MIB) });
  expect(response.status).toBe(413);
  const chunks = new Blob(['x'.repeat(TWO_MIB)]).stream();
  const unsaid = await fetch('/api/conversion', { method: 'POST', headers, body: chunks, duplex: 'half' });
  expect(unsaid.status).toBe(413);
});

test.each([
  ['text/plain', 'hello'],
  ['application/x-www-form-urlencoded', 'input=a&output=b'],
  ['application/jsonx', '{}'],
  ['nonsense', '{}'],
])('answers a body of type %s with 415', async (type, payload) => {
  const { inject } = httpApp();
  const headers = { ...BEARER, 'content-type': type };
  const reply = await inject({ method: 'POST', url: '/api/conversion', headers, payload });
  expect(reply.statusCode).toBe(415);
  expect(reply.json().detail).toContain('application/json');
});

test('answers a compressed body with 415', async () => {
  const { inject } = httpApp();
  const headers = { ...BEARER, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect((await inject({ method: 'POST', url: '/mcp', headers, payload: 'x' })).statusCode).toBe(415);
});

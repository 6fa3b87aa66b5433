import { expect, test } from 'vitest';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';

const ORIGIN = 'https://app.example.org';
const corsOrigins = [ORIGIN, 'http://localhost:5173'];

const preflight = (url: string, method: string, origin = ORIGIN) => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization, content-type, idempotency-key',
  },
});

const accessFields = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test.each(['POST /api/conversion', 'PUT /api/files/a%20b.mp4', 'GET /api/events', 'PATCH /api/uploads/x'])(
  'answers the preflight request for %s without a token',
  async (operation) => {
    const { app } = httpApp({ corsOrigins });
    const [method = '', url = ''] = operation.split(' ');
    const reply = await app.inject(preflight(url, method));
    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect(reply.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(reply.headers['vary']).toBe('Origin');
    expect(String(reply.headers['access-control-allow-methods']).split(', ')).toContain(method);
    const fields = String(reply.headers['access-control-allow-headers']).split(', ');
    expect(fields).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'tus-resumable', 'upload-offset']),
    );
  },
);

test('lets a page of an allowed origin read replies, also errors, and their header fields', async () => {
  const { inject } = httpApp({ corsOrigins });
  const post = (headers: object) =>
    inject({ method: 'POST', url: '/api/conversion', headers: { ...headers, origin: ORIGIN }, payload: BODY });
  for (const [headers, status] of [
    [BEARER, 202],
    [{}, 401],
  ] as const) {
    const reply = await post(headers);
    expect(reply.statusCode).toBe(status);
    expect(reply.headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = String(reply.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        ...['Location', 'Retry-After', 'RateLimit', 'ETag', 'Content-Range', 'X-Request-Id', 'Upload-Offset'],
      ]),
    );
  }
});

test.each([
  ['another origin', 'https://evil.example.org'],
  ['the origin of a sandboxed page', 'null'],
  ['an origin that begins like an allowed one', `${ORIGIN}.evil.example`],
  ['another port', `${ORIGIN}:8443`],
])('a page of %s gets no access', async (_, origin) => {
  const { app } = httpApp({ corsOrigins });
  const asked = await app.inject(preflight('/api/conversion', 'POST', origin));
  expect(asked.statusCode).toBe(405);
  expect(accessFields(asked.headers)).toEqual([]);
  const reply = await app.inject({ method: 'GET', url: '/health', headers: { origin } });
  expect(reply.headers['vary']).toBe('Origin');
  expect(accessFields(reply.headers)).toEqual([]);
});

test('is off by default', async () => {
  const { app } = httpApp();
  const asked = await app.inject(preflight('/api/conversion', 'POST'));
  expect(asked.statusCode).toBe(405);
  expect(accessFields(asked.headers)).toEqual([]);
});

test('with *, any page may call the API, without credentials, and none may read the metrics', async () => {
  const { app } = httpApp({ corsOrigins: '*' });
  const reply = await app.inject(preflight('/api/conversion', 'POST', 'https://any.example'));
  expect(reply.headers['access-control-allow-origin']).toBe('*');
  expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  const metrics = await app.inject({ method: 'GET', url: '/metrics', headers: { origin: 'https://any.example' } });
  expect(accessFields(metrics.headers)).toEqual([]);
  const spelled = await app.inject({ method: 'GET', url: '/%6detrics?x', headers: { origin: 'https://any.example' } });
  expect(spelled.statusCode).toBe(200);
  expect(accessFields(spelled.headers)).toEqual([]);
});

test('unknown paths stay 404, and OPTIONS that is not a preflight request 405', async () => {
  const { app } = httpApp({ corsOrigins });
  expect((await app.inject({ method: 'GET', url: '/api/nothing', headers: { origin: ORIGIN } })).statusCode).toBe(404);
  expect((await app.inject({ method: 'OPTIONS', url: '/api/nothing' })).statusCode).toBe(404);
  expect((await app.inject({ method: 'OPTIONS', url: '/api/conversion' })).statusCode).toBe(405);
});

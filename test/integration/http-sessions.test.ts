import { expect, test } from 'vitest';
import { BODY, httpApp } from '../support/http-app.ts';
import { fakeSessions } from '../support/http-fakes.ts';

const LOGIN = { clientId: 'alice', clientSecret: 'secret' };
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-telecine-session': '1' };
const COOKIE = { cookie: 'telecine=session' };

const signIn = (headers: Record<string, string> = OWN_PAGE, payload: object = LOGIN) =>
  ({ method: 'POST', url: '/api/session', headers, payload }) as const;
const list = (headers: Record<string, string>) => ({ method: 'GET', url: '/api/conversion', headers }) as const;
const submit = (headers: Record<string, string>) =>
  ({ method: 'POST', url: '/api/conversion', headers, payload: BODY }) as const;

test('a page of the service signs in, and no script can read the session', async () => {
  const { inject } = httpApp();
  const reply = await inject(signIn());
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({ clientId: 'alice' });
  expect(reply.body).not.toContain('session"');
  expect(reply.headers['set-cookie']).toBe('telecine=session; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict');
});

test.each([
  ['https://media.example.org', '__Host-telecine=session; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Strict'],
  ['http://media.example.org', 'telecine=session; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict'],
  ['http://localhost:8080', 'telecine-8080=session; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict'],
])('at %s the cookie is %s', async (publicUrl, cookie) => {
  const { inject } = httpApp({ publicUrl });
  expect((await inject(signIn())).headers['set-cookie']).toBe(cookie);
});

test('a wrong secret gets no cookie', async () => {
  const { inject, lines } = httpApp();
  const reply = await inject(signIn(OWN_PAGE, { clientId: 'alice', clientSecret: 'wr0ng' }));
  expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([401, undefined]);
  expect(JSON.stringify(lines)).not.toContain('wr0ng');
});

test('a link signs in by its code', async () => {
  const { inject } = httpApp();
  const byCode = (code: string) =>
    inject({ method: 'POST', url: '/api/session/code', headers: OWN_PAGE, payload: { code } });
  expect((await byCode('code')).headers['set-cookie']).toContain('telecine=session');
  expect((await byCode('used')).statusCode).toBe(401);
});

test.each([
  ['the administrator', 'admin', ['admin'], true],
  ['a session of the administrator for reading only', 'admin', ['jobs:read'], false],
  ['another administrator', 'alice', ['admin'], false],
] as const)(
  '%s learns where the secret of the client admin is: only who has it already',
  async (_, clientId, scopes, learns) => {
    const secretFile = { path: '/data/admin-client.json', format: 'json' } as const;
    const session = { clientId, scopes, expiresAt: '2026-11-20T22:00:00.000Z' };
    const { inject } = httpApp({
      sessions: fakeSessions({ get: async () => session, start: async () => ({ ...session, secret: 'session' }) }),
      findAdminSecret: async () => secretFile,
    });
    const read = inject({ method: 'GET', url: '/api/session', headers: { ...OWN_PAGE, ...COOKIE } });
    const expected = learns ? { ...session, secretFile } : session;
    expect((await read).json()).toEqual(expected);
    expect((await inject(signIn())).json()).toEqual(expected);
  },
);

test('services at two ports of a host sign nobody out of each other', async () => {
  const { inject } = httpApp();
  const at = (host: string, cookie: string) => inject(list({ ...OWN_PAGE, host, cookie }));
  const both = 'telecine-8081=ended; telecine-8080=session';
  expect((await at('localhost:8080', both)).statusCode).toBe(200);
  expect((await at('localhost:8081', both)).statusCode).toBe(401);
});

test('who signs in again leaves no session behind that nobody can end', async () => {
  const ended: string[] = [];
  const { inject } = httpApp({ sessions: fakeSessions({ end: async (secret) => void ended.push(secret) }) });
  await inject(signIn());
  expect(ended).toEqual([]);
  await inject(signIn({ ...OWN_PAGE, cookie: 'telecine=before' }, { ...LOGIN, clientSecret: 'wrong' }));
  expect(ended, 'while nobody signs in').toEqual([]);
  expect((await inject(signIn({ ...OWN_PAGE, cookie: 'telecine=before' }))).headers['set-cookie']).toContain(
    '=session',
  );
  expect(ended).toEqual(['before']);
});

test('with a session, a page needs no token', async () => {
  const { inject } = httpApp();
  expect((await inject(list({ ...OWN_PAGE, ...COOKIE }))).statusCode).toBe(200);
  expect(
    (await inject({ method: 'GET', url: '/api/session', headers: { ...OWN_PAGE, ...COOKIE } })).json(),
  ).toMatchObject({ clientId: 'alice' });
});

test('a token wins over a session', async () => {
  const { inject } = httpApp();
  const headers = { ...OWN_PAGE, ...COOKIE, authorization: 'Bearer only-files:read' };
  expect((await inject(list(headers))).json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect((await inject(list({ ...headers, cookie: 'telecine=ended', authorization: 'Bearer good' }))).statusCode).toBe(
    200,
  );
});

test.each<[string, Record<string, string>]>([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of another host of the site', { 'sec-fetch-site': 'same-site' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['a program', {}],
  ['a page of another origin, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
  ['another port, in a browser without Sec-Fetch-Site', { origin: 'http://localhost:81' }],
  ['an opaque origin', { origin: 'null' }],
  ['a page of another origin that hides its origin', { referer: 'https://evil.example/http://localhost:80' }],
  ['a page with a malformed address', { referer: 'localhost' }],
])('a session counts for nothing in a request of %s', async (_, headers) => {
  const { inject } = httpApp();
  for (const request of [
    list({ ...COOKIE, ...headers }),
    submit({ ...COOKIE, 'x-telecine-session': '1', ...headers }),
    signIn({ 'x-telecine-session': '1', ...headers }),
  ]) {
    const reply = await inject(request);
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'NOT_SAME_ORIGIN']);
    expect(reply.headers['set-cookie']).toBeUndefined();
  }
});

test.each([
  [undefined, 'http://localhost', 'telecine'],
  ['https://media.example.org', 'https://media.example.org', '__Host-telecine'],
])('in a browser without Sec-Fetch-Site, the origin decides (public URL: %s)', async (publicUrl, origin, name) => {
  const { inject } = httpApp(publicUrl === undefined ? {} : { publicUrl });
  const cookie = `${name}=session`;
  expect((await inject(list({ cookie, origin }))).statusCode).toBe(200);
  expect((await inject(list({ cookie, referer: `${origin}/jobs?status=FAILED` }))).statusCode).toBe(200);
});

test('a request that changes something needs the header field that no other origin can send', async () => {
  const { inject } = httpApp();
  const site = { ...COOKIE, 'sec-fetch-site': 'same-origin' };
  const reply = await inject(submit(site));
  expect(reply.json()).toMatchObject({
    code: 'NOT_SAME_ORIGIN',
    detail: expect.stringContaining('x-telecine-session'),
  });
  expect((await inject(submit({ ...site, 'x-telecine-session': '1' }))).statusCode).toBe(202);
});

test('pages of allowed origins may not send that header field', async () => {
  const { app } = httpApp({ corsOrigins: '*' });
  const reply = await app.inject({
    method: 'OPTIONS',
    url: '/api/conversion',
    headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' },
  });
  expect(reply.headers['access-control-allow-headers']).not.toContain('x-telecine-session');
  expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
});

test.each([['*' as const], [['https://other.example']]])(
  'no reply allows credentials of a page of another origin, whatever origins are allowed: %j',
  async (corsOrigins) => {
    const { app } = httpApp({ corsOrigins });
    const origin = 'https://other.example';
    const token = { authorization: 'Bearer good' };
    for (const request of [
      list({ origin, ...token }),
      list({ origin, ...COOKIE, 'sec-fetch-site': 'cross-site' }),
      submit({ origin, ...token }),
      signIn({ origin }),
      { method: 'GET', url: '/api/nothing', headers: { origin } } as const,
      { method: 'OPTIONS', url: '/api/session', headers: { origin, 'access-control-request-method': 'POST' } } as const,
    ]) {
      const reply = await app.inject(request);
      expect(reply.headers['access-control-allow-origin']).toBeDefined();
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    }
  },
);

test('signing out ends the session and deletes its cookie', async () => {
  const ended: string[] = [];
  const { inject } = httpApp({ sessions: fakeSessions({ end: async (secret) => void ended.push(secret) }) });
  const reply = await inject({ method: 'DELETE', url: '/api/session', headers: { ...OWN_PAGE, ...COOKIE } });
  expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([
    204,
    'telecine=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  ]);
  expect(ended).toEqual(['session']);
});

test('nobody is signed in without a session, or with one that has ended', async () => {
  const { inject } = httpApp();
  for (const headers of [
    OWN_PAGE,
    { ...OWN_PAGE, cookie: 'telecine=ended' },
    { ...OWN_PAGE, authorization: 'Bearer good' },
  ])
    expect((await inject({ method: 'GET', url: '/api/session', headers })).json()).toMatchObject({
      code: 'INVALID_TOKEN',
    });
});

test('models do not use sessions', async () => {
  const { inject } = httpApp();
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { ...OWN_PAGE, ...COOKIE, accept: 'application/json, text/event-stream' };
  expect((await inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode).toBe(401);
});

test('the audit log records who signs in and out', async () => {
  const { inject, audited } = httpApp();
  await inject(signIn());
  await inject(signIn(OWN_PAGE, { clientId: 'alice', clientSecret: 'wrong' }));
  await inject({ method: 'DELETE', url: '/api/session', headers: { ...OWN_PAGE, ...COOKIE } });
  expect(audited).toMatchObject([
    { action: 'session.start', outcome: 'done', clientId: 'alice' },
    { action: 'session.start', outcome: 'refused', code: 'INVALID_CLIENT' },
    { action: 'session.end', outcome: 'done', clientId: 'alice' },
  ]);
});

import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openTokens } from '../../packages/service/src/auth/token-service.ts';
import { signInCookie } from '../../packages/service/src/http/auth/session-cookie.ts';
import { issuerLogin } from '../../packages/service/src/issuer/issuer-login.ts';
import { issuerKeys } from '../../packages/service/src/issuer/issuer-metadata.ts';
import { UNLIMITED_FAILURES } from '../support/auth-harness.ts';
import { httpApp } from '../support/http-app.ts';
import { mediaRoot } from '../support/media-root.ts';
import { memoryAuthStores } from '../support/memory-auth-stores.ts';
import { CONSOLE, DENIER, SERVICE_URL, startIssuer, type TestIssuer } from '../support/oidc-issuer.ts';

const AMY = 'user-7';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const SESSION = '__Host-telecine';
/** The name of a cookie, and what it contains. */
const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf('='));
const ticketIn = (cookie: string): Record<string, string> =>
  JSON.parse(Buffer.from(cookie.slice(cookie.indexOf('=') + 1), 'base64url').toString()) as Record<string, string>;

// The issuer, jose and the service use one clock, which the tests advance.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

type Tokens = Parameters<typeof openTokens>[0];

/** The HTTP app with a real issuer, at which the console is a client, and where `AMY` is the client `amy`. */
async function world({
  issuer,
  failureLimits = UNLIMITED_FAILURES,
  ...login
}: Partial<Parameters<typeof issuerLogin>[0]> & {
  readonly issuer?: string;
  readonly failureLimits?: Tokens['failureLimits'];
} = {}) {
  const provider = await startIssuer();
  const stores = memoryAuthStores();
  const tokens = await openTokens({
    ...stores,
    now: Date.now,
    ...{ issuer: 'telecine', audience: 'telecine', policy: {}, failureLimits },
    rootOf: (root = '/srv/media') => mediaRoot(root),
    external: {
      ...{ issuer: provider.url, audiences: [SERVICE_URL], scopePrefix: '', plainJwt: false },
      keys: issuerKeys({ issuer: provider.url }),
    },
    login: issuerLogin({
      ...{ issuer: issuer ?? provider.url, now: Date.now },
      ...{ clientId: CONSOLE.client_id, clientSecret: CONSOLE.client_secret, redirectUri: CONSOLE.redirect_uri },
      scope: 'openid jobs:read jobs:write files:read admin',
      parameters: new URLSearchParams({ resource: SERVICE_URL }),
      ...login,
    }),
  });
  const clients = createClients({ ...stores, now: Date.now });
  await clients.addExternal('amy', AMY, { scopes: ['jobs:read', 'files:read'] });
  const http = httpApp({ tokens, sessions: tokens.sessions, publicUrl: SERVICE_URL });
  const get = (url: string, headers: Record<string, string> = {}) => http.inject({ method: 'GET', url, headers });

  /** Begins a sign-in as a browser. */
  const begin = async (to?: string) => {
    const reply = await get(`/api/session/external${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`);
    expect([reply.statusCode, reply.headers.location]).toEqual([303, expect.stringContaining(provider.url)]);
    const cookie = String(reply.headers['set-cookie']);
    return { reply, cookie, ticket: cookie.split(';')[0] ?? '', address: new URL(reply.headers.location ?? '') };
  };
  /** Begins one, and lets a person log in at the issuer. Returns where the issuer sends the browser. */
  const logIn = async (person = AMY, to?: string, at: TestIssuer = provider) => {
    const { address, ticket } = await begin(to);
    address.searchParams.set('login_hint', person);
    const there = new URL(address.pathname + address.search, at.url);
    return { callback: await at.approve(there), ticket };
  };
  /** The browser comes back. */
  const comeBack = async (callback: URL, ticket?: string) => {
    const reply = await get(callback.pathname + callback.search, ticket === undefined ? {} : { cookie: ticket });
    const cookies = [reply.headers['set-cookie'] ?? []].flat();
    const session = cookies.find((one) => one.startsWith(`${SESSION}=`));
    return { reply, cookies, session, location: reply.headers.location, status: reply.statusCode };
  };
  const current = (session = '') => get('/api/session', { ...OWN_PAGE, cookie: session.split(';')[0] ?? '' });
  return { ...http, provider, clients, get, begin, logIn, comeBack, current };
}

const failedWith = (code: string, page = '/') => ({
  status: 303,
  location: `${SERVICE_URL}${page}#sign-in-error=${code}`,
  session: undefined,
});

test('a person signs in by the issuer, comes back to the page that was opened, and has a session of its client', async () => {
  const { begin, provider, comeBack, current, audited } = await world();
  const { address, cookie, ticket } = await begin('/jobs?status=FAILED');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    ...{ client_id: 'console', response_type: 'code', redirect_uri: CONSOLE.redirect_uri, resource: SERVICE_URL },
    ...{ code_challenge_method: 'S256', code_challenge: expect.any(String) },
    ...{ state: expect.stringMatching(/^.{40,}$/), nonce: expect.stringMatching(/^.{40,}$/) },
  });
  expect(nameOf(cookie)).toMatch(/^__Host-telecine-sign-in-[0-3]$/);
  expect(cookie.slice(cookie.indexOf(';'))).toBe('; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax');
  address.searchParams.set('login_hint', AMY);
  const end = await comeBack(await provider.approve(address), ticket);
  expect(end).toMatchObject({ status: 303, location: `${SERVICE_URL}/jobs?status=FAILED` });
  expect(end.session).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  expect(
    end.cookies.find((one) => one.startsWith(`${nameOf(ticket)}=;`)),
    'the ticket is deleted',
  ).toContain('Max-Age=0; Path=/; HttpOnly; Secure');
  expect(end.reply.headers['referrer-policy'], 'no other page gets the code').toBe('no-referrer');
  // Those that the issuer granted and the client has.
  expect((await current(end.session)).json()).toMatchObject({ clientId: 'amy', scopes: ['jobs:read', 'files:read'] });
  expect(audited).toMatchObject([{ action: 'session.start', outcome: 'done', clientId: 'amy' }]);
});

test('an ID token with another signature than that of the issuer signs nobody in', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn();
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const reply = await fetch(...call);
    const body: unknown = await reply
      .clone()
      .json()
      .catch(() => undefined);
    if (typeof body !== 'object' || body === null || !('id_token' in body)) return reply;
    const [header, claims] = String(body.id_token).split('.');
    return Response.json({ ...body, id_token: `${header}.${claims}.${Buffer.alloc(256).toString('base64url')}` });
  });
  const { session, location } = await comeBack(callback, ticket).finally(() => spy.mockRestore());
  expect([session, location]).toEqual([undefined, expect.stringContaining('#sign-in-error=')]);
});

test('a person who began a sign-in in two tabs can end both, in any order', async () => {
  const { logIn, comeBack } = await world();
  const first = await logIn(AMY, '/jobs');
  // One in four has the same cookie.
  let second = await logIn(AMY, '/files');
  while (nameOf(second.ticket) === nameOf(first.ticket)) second = await logIn(AMY, '/files');
  const both = `${first.ticket}; ${second.ticket}`;
  const ends = [await comeBack(second.callback, both), await comeBack(first.callback, both)];
  expect(ends.map(({ location, session }) => [location, session !== undefined])).toEqual([
    [`${SERVICE_URL}/files`, true],
    [`${SERVICE_URL}/jobs`, true],
  ]);
  for (const [at, { ticket }] of [second, first].entries())
    expect(ends[at]?.cookies.filter((one) => one.includes('Max-Age=0'))).toEqual([
      expect.stringMatching(new RegExp(`^${nameOf(ticket)}=;`)),
    ]);
});

test('the session has no scope that the issuer did not grant', async () => {
  const { logIn, comeBack, current } = await world({ scope: 'openid files:read' });
  const { callback, ticket } = await logIn();
  const { session } = await comeBack(callback, ticket);
  expect((await current(session)).json()).toMatchObject({ scopes: ['files:read'] });
});

test('the session ends when the client is revoked', async () => {
  const { logIn, comeBack, current, clients } = await world();
  const { callback, ticket } = await logIn();
  const { session } = await comeBack(callback, ticket);
  await clients.revoke('amy');
  advance(2);
  expect((await current(session)).statusCode).toBe(401);
});

test('a new sign-in ends the session whose cookie it replaces', async () => {
  const { logIn, comeBack, current } = await world();
  const first = await logIn();
  const { session: earlier = '' } = await comeBack(first.callback, first.ticket);
  const { callback, ticket } = await logIn();
  // As a browser sends both from an issuer of the same site.
  const { session } = await comeBack(callback, `${ticket}; ${earlier.split(';')[0]}`);
  advance(2);
  expect([(await current(earlier)).statusCode, (await current(session)).statusCode]).toEqual([401, 200]);
});

test('a person without a client is told so, and the audit log has it', async () => {
  const { logIn, comeBack, audited, lines } = await world();
  const { callback, ticket } = await logIn('stranger');
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('NOT_A_CLIENT'));
  expect(audited).toMatchObject([{ action: 'session.start', outcome: 'refused', code: 'NOT_A_CLIENT' }]);
  expect(lines.map(({ fields }) => fields).find(({ reason }) => reason === 'NOT_A_CLIENT')).toMatchObject({
    err: { message: expect.stringContaining('"stranger"') },
  });
});

test('the page learns whom the issuer knows and the service does not, by a cookie that a link cannot set', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn('stranger');
  const { cookies } = await comeBack(callback, ticket);
  const person = cookies.find((one) => one.startsWith('__Host-telecine-person=')) ?? '';
  expect(ticketIn(person.split(';')[0] ?? '')).toEqual({ subject: 'stranger' });
  // The page reads it, so it is not HttpOnly.
  expect(person.slice(person.indexOf(';'))).toBe('; Max-Age=60; Path=/; Secure; SameSite=Strict');
  const known = await logIn();
  expect((await comeBack(known.callback, known.ticket)).cookies.join()).not.toContain('person');
});

test('whoever wants to sign in with another account is asked by the issuer', async () => {
  const { get, begin, provider, comeBack } = await world();
  expect((await begin()).address.searchParams.get('prompt')).toBeNull();
  const reply = await get('/api/session/external?otherAccount=true&to=/jobs');
  const address = new URL(reply.headers.location ?? '');
  // The issuer of the tests has no page to choose an account.
  expect(address.searchParams.get('prompt')).toBe('login');
  address.searchParams.set('login_hint', AMY);
  const ticket = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const end = await comeBack(await provider.approve(address), ticket);
  expect(end).toMatchObject({ status: 303, location: `${SERVICE_URL}/jobs`, session: expect.any(String) });
  expect((await get('/api/session/external?otherAccount=maybe')).statusCode).toBe(400);
});

test('a person who denies is back at the page to sign in', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn(DENIER, '/jobs');
  expect(callback.searchParams.get('error')).toBe('access_denied');
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('DENIED', '/jobs'));
});

test('a code signs in once', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn();
  expect((await comeBack(callback, ticket)).session).toBeDefined();
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('REJECTED'));
});

test('a sign-in that another browser began signs in nobody', async () => {
  const { logIn, begin, comeBack } = await world();
  const attackers = await logIn();
  expect(await comeBack(attackers.callback), 'no sign-in began in this one').toMatchObject(failedWith('NOT_BEGUN'));
  const { ticket } = await begin();
  expect(await comeBack(attackers.callback, ticket), 'another one began').toMatchObject(failedWith('NOT_BEGUN'));
});

test('a ticket in a cookie that another host of the domain can set signs in nobody', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn();
  const planted = ticket.replace('__Host-', '__Secure-');
  expect(await comeBack(callback, planted)).toMatchObject(failedWith('NOT_BEGUN'));
  expect((await comeBack(callback, ticket)).session).toBeDefined();
});

test('without TLS, the cookie of a sign-in is only for its callback', () => {
  const cookies: string[] = [];
  const reply = { header: (_name: string, value: string) => void cookies.push(value) } as unknown as FastifyReply;
  signInCookie('http://media.internal:8080').set(reply, 'state', 'ticket');
  expect(cookies).toEqual([
    expect.stringMatching(
      /^telecine-sign-in-8080-[0-3]=ticket; Max-Age=600; Path=\/api\/session\/external\/callback; HttpOnly; SameSite=Lax$/,
    ),
  ]);
});

test('a page that begins many sign-ins leaves room in the requests of the browser', async () => {
  const { begin } = await world();
  const cookies = new Map<string, string>();
  for (let count = 0; count < 40; count += 1) {
    const { ticket } = await begin(`/${'"'.repeat(999)}`);
    cookies.set(nameOf(ticket), ticket);
  }
  // Of the 16,384 bytes of a request, a quarter is for its other header fields.
  expect([...cookies.values()].join('; ').length).toBeLessThan(12_288);
});

test('a sign-in that took more than ten minutes is over', async () => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn(AMY, '/jobs');
  advance(601);
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('EXPIRED', '/jobs'));
});

test.each<[string, (callback: URL) => void, code?: string]>([
  ['another state', ({ searchParams }) => searchParams.set('state', 'x'.repeat(43)), 'NOT_BEGUN'],
  ['no state', ({ searchParams }) => searchParams.delete('state'), 'NOT_BEGUN'],
  ['two states', ({ searchParams }) => searchParams.append('state', 'x')],
  ['another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example')],
  ['no issuer, although this one always says it', ({ searchParams }) => searchParams.delete('iss')],
  ['an invented code', ({ searchParams }) => searchParams.set('code', 'invented')],
  [
    'an invented denial with another state',
    (at) => {
      at.search = new URLSearchParams({ error: 'access_denied', state: 'x' }).toString();
    },
    'NOT_BEGUN',
  ],
  [
    'nothing',
    (at) => {
      at.search = '';
    },
    'NOT_BEGUN',
  ],
])('an answer with %s signs in nobody', async (_what, change, code = 'REJECTED') => {
  const { logIn, comeBack } = await world();
  const { callback, ticket } = await logIn();
  change(callback);
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith(code));
});

test('a code of another issuer signs in nobody', async () => {
  const { logIn, comeBack } = await world();
  const other = await startIssuer();
  const { callback, ticket } = await logIn(AMY, undefined, other);
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('REJECTED'));
});

test('the nonce and the verifier of another sign-in sign in nobody', async () => {
  const { logIn, comeBack } = await world();
  const write = (cookie: string, parts: object) =>
    `${nameOf(cookie)}=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`;
  const other = ticketIn((await logIn()).ticket);
  for (const name of ['nonce', 'verifier']) {
    const { callback, ticket } = await logIn();
    const mixed = write(ticket, { ...ticketIn(ticket), [name]: other[name] });
    expect(await comeBack(callback, mixed), name).toMatchObject(failedWith('REJECTED'));
  }
});

test('a sign-in leads to no page of another host', async () => {
  const { get, logIn, comeBack } = await world();
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'evil',
    '/ /evil',
    '',
  ]) {
    const reply = await get(`/api/session/external?${new URLSearchParams({ to })}`);
    expect([to, reply.statusCode, reply.headers['set-cookie']]).toEqual([to, 400, undefined]);
  }
  // Another program on this machine could have written the cookie.
  const { callback, ticket } = await logIn();
  const parts = ticketIn(ticket);
  const planted = Buffer.from(JSON.stringify({ ...parts, returnTo: '//evil.example' })).toString('base64url');
  expect((await comeBack(callback, `${nameOf(ticket)}=${planted}`)).location).toBe(`${SERVICE_URL}/`);
});

test.each(['', 'x', 'bnVsbA', '%', Buffer.from('{"state":1}').toString('base64url')])(
  'a cookie that is not a ticket counts as none (%j)',
  async (value) => {
    const { logIn, comeBack } = await world();
    const { callback, ticket } = await logIn();
    expect(await comeBack(callback, `${nameOf(ticket)}=${value}`)).toMatchObject(failedWith('NOT_BEGUN'));
  },
);

test('an issuer that is down is said, and counts as no failed attempt', async () => {
  const failureLimits = { perClientAndAddressAMinute: 1, perAddressAMinute: 1 };
  const { logIn, comeBack, get, provider } = await world({ failureLimits });
  const { callback, ticket } = await logIn();
  await provider.down();
  expect(await comeBack(callback, ticket)).toMatchObject(failedWith('UNAVAILABLE'));
  advance(601);
  const begun = await get('/api/session/external?to=/jobs');
  expect(begun.headers.location).toBe(`${SERVICE_URL}/jobs#sign-in-error=UNAVAILABLE`);
  await provider.up();
  const again = await logIn();
  expect((await comeBack(again.callback, again.ticket)).session).toBeDefined();
});

test('an address with many failed sign-ins has to wait', async () => {
  const failureLimits = { perClientAndAddressAMinute: 2, perAddressAMinute: 2 };
  const { logIn, comeBack } = await world({ failureLimits });
  const { callback, ticket } = await logIn();
  callback.searchParams.set('code', 'invented');
  for (const code of ['REJECTED', 'REJECTED', 'RATE_LIMITED'])
    expect(await comeBack(callback, ticket)).toMatchObject(failedWith(code));
});

test('without an id at the issuer, nobody is led there', async () => {
  const { inject } = httpApp({ publicUrl: SERVICE_URL });
  const get = (url: string) => inject({ method: 'GET', url });
  expect((await get('/api/session/methods')).json()).toEqual({});
  for (const path of ['', '/callback?code=1&state=2'])
    expect((await get(`/api/session/external${path}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
});

test('the page to sign in knows the issuer', async () => {
  const { get, provider } = await world();
  expect((await get('/api/session/methods')).json()).toEqual({ external: { issuer: provider.url } });
});

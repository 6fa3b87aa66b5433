import { createHmac } from 'node:crypto';
import { exportSPKI, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import type { ExternalIssuer } from '../../packages/service/src/auth/external-tokens.ts';
import { openTokens } from '../../packages/service/src/auth/token-service.ts';
import { issuerKeys } from '../../packages/service/src/issuer/issuer-metadata.ts';
import { ADDRESS, UNLIMITED_FAILURES } from '../support/auth-harness.ts';
import { BODY, httpApp } from '../support/http-app.ts';
import { mediaRoot } from '../support/media-root.ts';
import { memoryAuthStores } from '../support/memory-auth-stores.ts';
import { startIssuer, type TestIssuer } from '../support/oidc-issuer.ts';

const URL = 'https://media.example.org';
const METADATA = `${URL}/.well-known/oauth-protected-resource`;

// The issuer, jose and the service use one clock, which the tests advance.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** The HTTP app on real tokens, including those of a real issuer. */
async function world(change: Partial<ExternalIssuer> = {}) {
  const issuer = await startIssuer();
  const stores = memoryAuthStores();
  const { scopePrefix = '' } = change;
  let fetches = 0;
  const { fetch } = issuerKeys({ issuer: issuer.url });
  const tokens = await openTokens({
    ...stores,
    now: Date.now,
    issuer: 'telecine',
    audience: 'telecine',
    rootOf: (root = '/srv/media') => mediaRoot(root),
    policy: {},
    failureLimits: UNLIMITED_FAILURES,
    external: {
      issuer: issuer.url,
      audiences: [URL, `${URL}/mcp`],
      scopePrefix,
      plainJwt: false,
      keys: {
        fetch: (signal) => {
          fetches += 1;
          return fetch(signal);
        },
      },
      ...change,
    },
  });
  const clients = createClients({ ...stores, now: Date.now });
  const http = httpApp({ tokens, oauth: { publicUrl: URL, issuer: issuer.url, scopePrefix } });
  const get = (token?: string, url = '/api/conversion') =>
    http.inject({ method: 'GET', url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  const post = (token: string, url: string, payload: object) =>
    http.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } });
  return { ...http, issuer, stores, tokens, clients, get, post, fetches: () => fetches };
}

/** The claims of a valid token for `shop`. */
const claims = (issuer: TestIssuer, change: object = {}) => {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: issuer.url, aud: URL, sub: 'shop', scope: 'jobs:read', iat, exp: iat + 600, ...change };
};

test('accepts a token of the issuer on REST and on /mcp, for either resource', async () => {
  const { clients, issuer, post, submitted } = await world();
  await clients.addExternal('studio', 'shop', { root: '/srv/studio' });
  for (const resource of [URL, `${URL}/mcp`]) {
    const token = await issuer.clientToken(resource, 'jobs:write');
    expect((await post(token, '/api/conversion', BODY)).statusCode).toBe(202);
    expect((await post(token, '/mcp', { ...BODY, llmId: 'm' })).statusCode).toBe(202);
  }
  expect(submitted).toHaveLength(4);
  for (const { caller } of submitted)
    expect(caller).toMatchObject({ clientId: 'studio', scopes: ['jobs:write'], root: mediaRoot('/srv/studio') });
});

test('maps a token by authorization code to the client of that person', async () => {
  const { clients, issuer, tokens } = await world();
  await clients.addExternal('amy', 'user-7');
  const token = await issuer.userToken('user-7', `${URL}/mcp`, 'jobs:read jobs:write');
  expect(await tokens.verify(token)).toMatchObject({ clientId: 'amy', scopes: ['jobs:read', 'jobs:write'] });
});

test('limits a token to the scopes that the issuer granted and the client has', async () => {
  const { clients, issuer, tokens } = await world();
  await clients.addExternal('studio', 'shop', { scopes: ['jobs:read', 'files:read'] });
  const token = await issuer.clientToken(URL, 'admin jobs:read jobs:write moon:land');
  expect(await tokens.verify(token)).toMatchObject({ scopes: ['jobs:read'] });
});

test('accepts only prefixed scopes if the issuer has a scope prefix', async () => {
  const { clients, issuer, tokens, get } = await world({ scopePrefix: 'telecine:' });
  await clients.addExternal('studio', 'shop');
  const token = await issuer.forge(claims(issuer, { scope: 'telecine:jobs:read jobs:write elsecine:files:write' }));
  expect(await tokens.verify(token)).toMatchObject({ scopes: ['jobs:read'] });
  expect((await get(undefined, '/.well-known/oauth-protected-resource')).json().scopes_supported).toEqual([
    'telecine:jobs:read',
    'telecine:jobs:write',
    'telecine:files:read',
    'telecine:files:write',
  ]);
  expect((await get(token, '/api/files')).headers['www-authenticate']).toContain(
    'scope="telecine:jobs:read telecine:files:read"',
  );
});

test.each([
  [{ scope: ['jobs:read', 'jobs:write'] }, ['jobs:read', 'jobs:write']],
  [{ scope: undefined, scp: 'jobs:read' }, ['jobs:read']],
  [{ scope: undefined, scp: ['jobs:read', 7] }, ['jobs:read']],
  [{ scope: undefined }, []],
])('reads the scopes of a token from %j', async (change, scopes) => {
  const { clients, issuer, tokens } = await world();
  await clients.addExternal('studio', 'shop');
  expect(await tokens.verify(await issuer.forge(claims(issuer, change)))).toMatchObject({ scopes });
});

test('rejects an invalid token, and gives the reason if the issuer signed it', async () => {
  const { clients, issuer, get, fetches } = await world();
  await clients.addExternal('studio', 'shop');
  const other = await startIssuer();
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const byPublicKey = async (): Promise<string> => {
    const text = `${encode({ alg: 'HS256', typ: 'at+jwt' })}.${encode(claims(issuer))}`;
    const hmac = createHmac('sha256', await exportSPKI(issuer.publicKey()));
    return `${text}.${hmac.update(text).digest('base64url')}`;
  };
  const good = await issuer.forge(claims(issuer));
  expect((await get(good)).statusCode).toBe(200);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const signed = (change: object, head: object = {}) => issuer.forge(claims(issuer, change), head);
  const long = 'x'.repeat(8192);
  const past = Math.floor(Date.now() / 1000) - 31;
  const bad: Record<string, [token: string, why: string]> = {
    'another audience': [
      await issuer.clientToken('https://elsewhere.example.org', 'jobs:read'),
      'for another audience',
    ],
    'no audience': [await signed({ aud: undefined }), 'malformed'],
    'a longer audience': [await signed({ aud: `${URL}/mcp/x` }), 'for another audience'],
    expired: [await signed({ exp: past }), 'has expired'],
    'not yet good': [await signed({ nbf: past + 100 }), 'not valid yet'],
    'an ID token': [await signed({}, { typ: 'JWT' }), 'not of the type at+jwt'],
    'no type': [await signed({}, { typ: undefined }), 'not of the type at+jwt'],
    'bound to a key': [await signed({ cnf: { jkt: 'x' } }), 'bound to a key'],
    'no subject': [await signed({ sub: undefined }), 'malformed'],
    'a subject that is none': [await signed({ sub: 7 }), 'malformed'],
    'no expiry': [await signed({ exp: undefined }), 'malformed'],
    'no issue time': [await signed({ iat: undefined }), 'malformed'],
    'alg none': [new UnsecuredJWT(claims(issuer)).encode(), 'malformed'],
    'HS256 with the public key': [await byPublicKey(), 'malformed'],
    'a key that is not known': [await signed({}, { kid: 'made-up' }), 'malformed'],
    'another issuer’s key': [await other.forge(claims(issuer)), 'malformed'],
    'other claims': [`${header}.${encode(claims(issuer, { scope: 'admin' }))}.${signature}`, 'malformed'],
    'no signature': [`${header}.${payload}.`, 'malformed'],
    'a critical extension': [`${encode({ alg: 'RS256', crit: ['x'], x: 1 })}.${payload}.${signature}`, 'malformed'],
    'another issuer': [await other.clientToken(URL, 'jobs:read'), 'not from this service'],
    'our own issuer by a stranger': [await signed({ iss: 'telecine' }), 'not from this service'],
    'too long': [await signed({ long }), 'malformed'],
  };
  for (const [name, [token, why]] of Object.entries(bad)) {
    const reply = await get(token);
    expect(reply.json(), name).toMatchObject({
      status: 401,
      code: 'INVALID_TOKEN',
      detail: expect.stringContaining(why),
    });
    expect(reply.headers['www-authenticate'], name).toBe(
      `Bearer realm="telecine", error="invalid_token", resource_metadata="${METADATA}"`,
    );
  }
  expect(fetches(), 'the keys were fetched once, for the good one').toBe(1);
});

test('reports a known token as expired', async () => {
  const { clients, issuer, get } = await world();
  await clients.addExternal('studio', 'shop');
  const token = await issuer.forge(claims(issuer));
  expect((await get(token)).statusCode).toBe(200);
  advance(629);
  expect((await get(token)).statusCode).toBe(200);
  advance(2);
  expect((await get(token)).json().detail).toContain('has expired');
});

test.each([
  ['JWT', 200],
  [undefined, 200],
  ['application/at+jwt', 200],
  ['logout+jwt', 401],
  ['dpop+jwt', 401],
])('with an issuer that does not type its tokens, typ %s gets %i', async (typ, status) => {
  const { clients, issuer, get } = await world({ plainJwt: true });
  await clients.addExternal('studio', 'shop');
  expect((await get(await issuer.forge(claims(issuer), { typ }))).statusCode).toBe(status);
});

test('answers an unregistered subject with 403, not with a challenge', async () => {
  const { clients, issuer, get, stores } = await world();
  const token = await issuer.clientToken(URL, 'jobs:read');
  const reply = await get(token);
  expect(reply.json()).toMatchObject({ status: 403, code: 'NOT_A_CLIENT', detail: expect.stringContaining('"shop"') });
  expect(reply.headers['www-authenticate']).toBeUndefined();
  await clients.addExternal('studio', 'shop');
  expect((await get(token)).statusCode).toBe(200);
  const { reads } = stores.clients;
  expect((await get(token)).statusCode).toBe(200);
  expect(stores.clients.reads, 'seen within the second').toBe(reads);
});

test('does not map a subject to a client whose id equals it', async () => {
  const { clients, issuer, get } = await world();
  await clients.add('shop');
  expect((await get(await issuer.clientToken(URL, 'jobs:read'))).json().code).toBe('NOT_A_CLIENT');
});

test('rejects a revoked client after a second, and accepts a new one for its subject', async () => {
  const { clients, issuer, get, tokens } = await world();
  await clients.addExternal('studio', 'shop');
  const token = await issuer.clientToken(URL, 'jobs:read');
  expect((await get(token)).statusCode).toBe(200);
  await clients.revoke('studio');
  advance(1);
  expect((await get(token)).json()).toMatchObject({ status: 403, code: 'NOT_A_CLIENT' });
  await clients.addExternal('atelier', 'shop');
  advance(1);
  expect(await tokens.verify(token)).toMatchObject({ clientId: 'atelier' });
});

test('rotate voids earlier tokens of the issuer, and gives the client a secret', async () => {
  const { clients, issuer, get, tokens } = await world();
  await clients.addExternal('studio', 'shop');
  const token = await issuer.clientToken(URL, 'jobs:read');
  expect((await get(token)).statusCode).toBe(200);
  advance(5);
  const { clientSecret } = await clients.rotate('studio');
  expect((await get(token)).json()).toMatchObject({ status: 401, detail: expect.stringContaining('was changed') });
  advance(1);
  expect((await get(await issuer.clientToken(URL, 'jobs:read'))).statusCode).toBe(200);
  const own = await tokens.issue({ clientId: 'studio', clientSecret, address: ADDRESS });
  expect((await get(own.accessToken)).statusCode).toBe(200);
});

test('fetches a new key of the issuer at most every half minute, and drops a withdrawn one', async () => {
  const { clients, issuer, get, fetches } = await world();
  await clients.addExternal('studio', 'shop');
  const before = await issuer.clientToken(URL, 'jobs:read');
  const unseen = await issuer.clientToken(URL, 'jobs:read');
  expect((await get(before)).statusCode).toBe(200);
  await issuer.rotate();
  const after = await issuer.clientToken(URL, 'jobs:read');
  expect((await get(after)).statusCode, 'just after a fetch').toBe(401);
  advance(31);
  expect((await get(after)).statusCode).toBe(200);
  expect(fetches()).toBe(2);
  for (const kid of ['a', 'b', 'c'])
    expect((await get(await issuer.forge(claims(issuer), { kid }))).statusCode).toBe(401);
  expect(fetches(), 'made-up keys fetch nothing').toBe(2);
  expect((await get(unseen)).statusCode, 'the key is withdrawn').toBe(401);
});

test('trusts a token for at most an hour after its key was withdrawn', async () => {
  const { clients, issuer, get } = await world();
  await clients.addExternal('studio', 'shop');
  const { exp } = claims(issuer);
  const token = await issuer.forge(claims(issuer, { exp: exp + 86_400 }));
  expect((await get(token)).statusCode).toBe(200);
  await issuer.rotate();
  advance(3599);
  expect((await get(token)).statusCode).toBe(200);
  advance(1);
  expect((await get(token)).statusCode).toBe(401);
});

test('verifies a long-lived token again once an hour', async () => {
  const { clients, issuer, tokens } = await world();
  await clients.addExternal('studio', 'shop');
  const { exp } = claims(issuer);
  const token = await issuer.forge(claims(issuer, { exp: exp + 86_400 }));
  await tokens.verify(token);
  advance(3600);
  const caller = await tokens.verify(token);
  expect(tokens.verify(token), 'answered at once').toBe(caller);
});

test('answers only tokens that cannot be checked with 503 while the issuer is down', async () => {
  const { clients, issuer, get, tokens, fetches, lines } = await world();
  await clients.addExternal('studio', 'shop');
  const { clientSecret } = await clients.add('local');
  const own = await tokens.issue({ clientId: 'local', clientSecret, address: ADDRESS });
  const seen = await issuer.clientToken(URL, 'jobs:read');
  expect((await get(seen)).statusCode).toBe(200);
  const unseen = await issuer.clientToken(URL, 'jobs:read');
  await issuer.down();
  advance(601);
  for (let i = 0; i < 3; i += 1) {
    const reply = await get(await issuer.forge(claims(issuer)));
    expect(reply.json()).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(reply.headers['retry-after']).toBe('5');
  }
  expect(fetches(), 'an issuer that failed is left alone').toBe(2);
  expect(
    lines.filter(({ level }) => level === 'error'),
    'logged once',
  ).toHaveLength(1);
  expect((await get(own.accessToken)).statusCode).toBe(200);
  expect((await get(seen)).statusCode).toBe(200);
  await issuer.up();
  advance(5);
  expect((await get(unseen)).statusCode).toBe(200);
});

test('uses the fresh keys of an issuer that is down', async () => {
  const { clients, issuer, get } = await world();
  await clients.addExternal('studio', 'shop');
  expect((await get(await issuer.forge(claims(issuer)))).statusCode).toBe(200);
  await issuer.down();
  advance(300);
  expect((await get(await issuer.forge(claims(issuer)))).statusCode).toBe(200);
});

test('names the missing scope and the present ones in the challenge', async () => {
  const { clients, issuer, post } = await world();
  await clients.addExternal('studio', 'shop');
  const token = await issuer.clientToken(URL, 'jobs:read files:read');
  const shape = (metadata: string) =>
    'Bearer realm="telecine", error="insufficient_scope", scope="jobs:read files:read jobs:write", ' +
    `resource_metadata="${metadata}"`;
  const rest = await post(token, '/api/conversion', BODY);
  expect(rest.json()).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' });
  expect(rest.headers['www-authenticate']).toBe(shape(METADATA));
  const mcp = await post(token, '/mcp', { ...BODY, llmId: 'm' });
  expect(mcp.headers['www-authenticate']).toBe(shape(`${METADATA}/mcp`));
});

test('points a client without a token to the metadata of the resource', async () => {
  const { get, inject } = await world();
  expect((await get()).headers['www-authenticate']).toBe(`Bearer realm="telecine", resource_metadata="${METADATA}"`);
  const mcp = await inject({ method: 'POST', url: '/mcp', payload: {} });
  expect(mcp.headers['www-authenticate']).toBe(`Bearer realm="telecine", resource_metadata="${METADATA}/mcp"`);
});

test('the metadata names the resource of its path and the issuer', async () => {
  const { get, issuer, inject } = await world();
  const document = {
    authorization_servers: [issuer.url],
    scopes_supported: ['jobs:read', 'jobs:write', 'files:read', 'files:write'],
    bearer_methods_supported: ['header'],
    resource_name: 'Telecine',
    resource_documentation: `${URL}/docs`,
  };
  for (const [path, resource] of [
    ['/.well-known/oauth-protected-resource', URL],
    ['/.well-known/oauth-protected-resource/mcp', `${URL}/mcp`],
  ] as const) {
    const reply = await get(undefined, path);
    expect(reply.json()).toEqual({ resource, ...document });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await inject({ method: 'POST', url: path })).statusCode).toBe(405);
  }
});

test('has no metadata without an issuer', async () => {
  const { inject } = httpApp();
  for (const url of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    expect((await inject({ method: 'GET', url })).statusCode).toBe(404);
  for (const [method, url] of [
    ['GET', '/api/conversion'],
    ['POST', '/mcp'],
  ] as const)
    expect((await inject({ method, url })).headers['www-authenticate']).toBe('Bearer realm="telecine"');
  const rejected = await inject({
    method: 'GET',
    url: '/api/conversion',
    headers: { authorization: 'Bearer only-admin:' },
  });
  expect(rejected.headers['www-authenticate']).toBe('Bearer realm="telecine", error="insufficient_scope"');
});

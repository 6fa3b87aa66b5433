import { expect, test } from 'vitest';
import { invalidRequest, Problem } from '../../packages/contract/src/domain/problem.ts';
import { httpApp } from '../support/http-app.ts';
import { fakeTokens } from '../support/http-fakes.ts';

const json = (url: string, payload: object) => ({ method: 'POST' as const, url, payload });
const form = (payload: string, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  payload,
});
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

test('gives a client tokens for its secret', async () => {
  const { inject } = httpApp();
  const reply = await inject(json('/api/auth/token', { clientId: 'alice', clientSecret: 'secret' }));
  expect(reply.statusCode).toBe(200);
  expect(Object.keys(reply.json()).sort()).toEqual(['accessToken', 'expiresIn', 'refreshToken', 'scope', 'tokenType']);
  expect(reply.headers['cache-control']).toBe('no-store');
});

test('answers a wrong secret with 401, and does not log it', async () => {
  const { inject, lines } = httpApp();
  const reply = await inject(json('/api/auth/token', { clientId: 'alice', clientSecret: 'wr0ng' }));
  expect(reply.statusCode).toBe(401);
  expect(reply.json().code).toBe('INVALID_CLIENT');
  expect(JSON.stringify(lines)).not.toContain('wr0ng');
});

test('reports an error for each field of the body, and one for a misnamed field', async () => {
  const { inject } = httpApp();
  const reply = await inject(json('/api/auth/token', { client_id: 'alice', clientSecret: 1 }));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors).toMatchObject([
    { field: '/clientSecret', code: 'WRONG_TYPE', fix: 'Send "1".' },
    { field: '/client_id', code: 'UNKNOWN_FIELD', fix: 'Send "clientId".' },
  ]);
});

test.each(['/api/auth/token', '/api/auth/refresh'])(
  'nobody is known at %s, so a large body is not read',
  async (url) => {
    const { inject } = httpApp();
    const reply = await inject(json(url, { clientId: 'alice', clientSecret: 'x'.repeat(8192) }));
    expect(reply.statusCode).toBe(413);
    expect(reply.json().detail).toContain('8192 bytes');
  },
);

test('passes the requested scopes on', async () => {
  const calls: unknown[] = [];
  const issue: ReturnType<typeof fakeTokens>['issue'] = async (request) => {
    calls.push(request.scopes);
    return fakeTokens().issue(request);
  };
  const { inject } = httpApp({ tokens: fakeTokens({ issue }) });
  await inject(json('/api/auth/token', { clientId: 'a', clientSecret: 'secret', scope: 'jobs:read  jobs:write' }));
  await inject(json('/api/auth/token', { clientId: 'a', clientSecret: 'secret' }));
  expect(calls).toEqual([['jobs:read', 'jobs:write'], []]);
});

test('answers too many failures with 429 and Retry-After', async () => {
  const issue = async () => {
    throw new Problem('RATE_LIMITED', 'Too many failed attempts.', { retryAfterSeconds: 42 });
  };
  const { inject } = httpApp({ tokens: fakeTokens({ issue }) });
  const reply = await inject(json('/api/auth/token', { clientId: 'a', clientSecret: 'b' }));
  expect(reply.statusCode).toBe(429);
  expect(reply.headers['retry-after']).toBe('42');
});

test('exchanges a refresh token, and answers an unknown one with 401', async () => {
  const { inject } = httpApp();
  expect((await inject(json('/api/auth/refresh', { refreshToken: 'refresh' }))).json().accessToken).toBe('access');
  const reply = await inject(json('/api/auth/refresh', { refreshToken: 'old' }));
  expect(reply.statusCode).toBe(401);
  expect(reply.headers['www-authenticate']).toContain('Bearer');
});

test.each([
  ['HTTP Basic', form('grant_type=client_credentials', basic('alice:secret'))],
  ['the form', form('grant_type=client_credentials&client_id=alice&client_secret=secret')],
])('gives an OAuth client a token by %s, without a refresh token', async (_, request) => {
  const { inject } = httpApp();
  const reply = await inject(request);
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.json()).toEqual({
    access_token: 'access',
    token_type: 'Bearer',
    expires_in: 900,
    scope: 'jobs:read jobs:write files:read files:write',
  });
});

test('form-decodes Basic credentials, so that special characters arrive', async () => {
  const seen: unknown[] = [];
  const clientCredentials: ReturnType<typeof fakeTokens>['clientCredentials'] = async (request) => {
    seen.push(request);
    return fakeTokens().issue({ ...request, clientSecret: 'secret' });
  };
  const { inject } = httpApp({ tokens: fakeTokens({ clientCredentials }) });
  await inject(form('grant_type=client_credentials&scope=jobs%3Aread', basic('my+client:a%3Ab%25')));
  expect(seen).toMatchObject([{ clientId: 'my client', clientSecret: 'a:b%', scopes: ['jobs:read'] }]);
});

test('lets an OAuth client refresh with or without its credentials', async () => {
  const { inject } = httpApp();
  const request = 'grant_type=refresh_token&refresh_token=refresh';
  expect((await inject(form(request))).json().refresh_token).toBe('refresh');
  expect((await inject(form(request, basic('alice:secret')))).statusCode).toBe(200);
  expect((await inject(form(request, basic('alice:wrong')))).statusCode).toBe(401);
});

test.each([
  ['', {}, 400, 'invalid_request'],
  ['grant_type=password', basic('alice:secret'), 400, 'unsupported_grant_type'],
  ['grant_type=client_credentials', {}, 401, 'invalid_client'],
  ['grant_type=client_credentials', basic('alice:wrong'), 401, 'invalid_client'],
  ['grant_type=client_credentials', { authorization: 'Bearer good' }, 401, 'invalid_client'],
  ['grant_type=client_credentials', basic('no colon'), 401, 'invalid_client'],
  ['grant_type=client_credentials', basic('alice:%E0%A4%A'), 401, 'invalid_client'],
  ['grant_type=client_credentials&client_id=alice', {}, 401, 'invalid_client'],
  ['grant_type=client_credentials&client_secret=secret', basic('alice:secret'), 400, 'invalid_request'],
  ['grant_type=client_credentials&client_id=bob', basic('alice:secret'), 400, 'invalid_request'],
  ['grant_type=refresh_token', {}, 400, 'invalid_request'],
  ['grant_type=refresh_token&refresh_token=old', {}, 400, 'invalid_grant'],
  ['grant_type=refresh_token&grant_type=refresh_token', {}, 400, 'invalid_request'],
  [`grant_type=${'x'.repeat(20_000)}`, {}, 413, 'invalid_request'],
])('answers the OAuth request %j %j with %i %s', async (payload, headers, status, error) => {
  const { inject } = httpApp();
  const reply = await inject(form(payload, headers));
  expect(reply.statusCode).toBe(status);
  expect(Object.keys(reply.json())).toEqual(['error', 'error_description']);
  expect(reply.json().error).toBe(error);
  if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Basic realm=/);
});

test('answers an unknown scope, or one that the client lacks, with invalid_scope', async () => {
  const unknown = invalidRequest([{ field: '/scope', code: 'UNKNOWN_SCOPE', message: '"é" is not a scope.' }]);
  for (const problem of [unknown, new Problem('INSUFFICIENT_SCOPE', 'Not held.')]) {
    const clientCredentials = async () => {
      throw problem;
    };
    const { inject } = httpApp({ tokens: fakeTokens({ clientCredentials }) });
    const reply = await inject(form('grant_type=client_credentials', basic('alice:secret')));
    expect(reply.statusCode).toBe(400);
    expect(reply.json().error).toBe('invalid_scope');
    expect(reply.json().error_description).toMatch(/^[\x20-\x7e]+$/);
  }
});

test('the OAuth token endpoint rejects JSON, in the form of OAuth, and shows a form', async () => {
  const { inject } = httpApp();
  const body = { grant_type: 'client_credentials' };
  const reply = await inject(json('/oauth/token', body));
  expect(reply.statusCode).toBe(415);
  const { error, error_description: description, ...others } = reply.json();
  expect([error, others]).toEqual(['invalid_request', {}]);
  expect(description).toContain('Content-Type: application/x-www-form-urlencoded');
  expect(description).toContain('grant_type=client_credentials&client_id=ID&client_secret=SECRET');
  expect(description).toContain('POST /api/auth/token takes JSON');
  // `curl -d` sends this content type by default.
  const asForm = await inject(form(JSON.stringify(body)));
  expect([asForm.statusCode, asForm.json().error]).toEqual([400, 'invalid_request']);
  expect(asForm.json().error_description).toContain('grant_type=client_credentials&client_id=ID');
});

test('answers an internal error with server_error, and logs the cause', async () => {
  const clientCredentials = async () => {
    throw new Error('the disk burns');
  };
  const { inject, lines } = httpApp({ tokens: fakeTokens({ clientCredentials }) });
  const reply = await inject(form('grant_type=client_credentials', basic('alice:secret')));
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('burns');
  expect(lines.some((l) => l.level === 'error' && String(l.fields['err']).includes('burns'))).toBe(true);
});

test('warns once about a proxy that the settings do not name', async () => {
  const viaProxy = { ...form('grant_type=client_credentials', basic('alice:secret')), remoteAddress: '10.0.0.9' };
  const request = { ...viaProxy, headers: { ...viaProxy.headers, 'x-forwarded-for': '192.0.2.1' } };
  const warnings = async (change: Parameters<typeof httpApp>[0]) => {
    const { inject, lines } = httpApp(change);
    await inject(viaProxy);
    for (let i = 0; i < 2; i++) await inject(request);
    await inject({
      ...json('/api/auth/token', { clientId: 'a', clientSecret: 'secret' }),
      headers: { 'x-forwarded-for': 'x' },
    });
    return lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
  };
  expect(await warnings({})).toEqual([
    { address: '10.0.0.9', msg: expect.stringContaining('set TELECINE_TRUST_PROXY') },
  ]);
  expect(await warnings({ trustProxy: ['10.0.0.9'] })).toEqual([]);
});

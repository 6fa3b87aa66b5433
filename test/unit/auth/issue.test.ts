import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { ADDRESS, AUDIENCE, createAuthHarness, ISSUER, rejectionOf } from '../../support/auth-harness.ts';

test('valid credentials get a pair of tokens', async () => {
  const { tokens, addClient, now } = await createAuthHarness();
  const pair = await tokens.issue(await addClient('studio'));
  expect(pair).toMatchObject({
    tokenType: 'Bearer',
    expiresIn: 900,
    scope: 'jobs:read jobs:write files:read files:write',
    refreshExpiresIn: 30 * 24 * 3600,
  });
  const iat = Math.floor(now() / 1000);
  expect(decodeProtectedHeader(pair.accessToken)).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.any(String) });
  expect(decodeJwt(pair.accessToken)).toEqual({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'studio',
    scope: pair.scope,
    jti: expect.any(String),
    iat,
    exp: iat + 900,
  });
});

test('the store contains neither the secret nor the refresh token', async () => {
  const { tokens, addClient, stores } = await createAuthHarness();
  const credentials = await addClient('studio');
  const { refreshToken } = await tokens.issue(credentials);
  const stored = JSON.stringify([await stores.clients.list(), [...stores.refreshTokens.all.values()]]);
  expect(stored).not.toContain(credentials.clientSecret);
  expect(stored).not.toContain(refreshToken);
});

test('a wrong id, a wrong secret and a revoked client get the same reply', async () => {
  const { tokens, addClient, clients } = await createAuthHarness();
  const good = await addClient('studio');
  const gone = await addClient('gone');
  await clients.revoke('gone');
  const refusals = await Promise.all(
    [
      { ...good, clientSecret: 'wrong' },
      { ...good, clientId: 'nobody' },
      { ...good, clientId: '__proto__' },
      { ...good, clientId: '' },
      gone,
    ].map((credentials) => rejectionOf(() => tokens.issue(credentials))),
  );
  expect(new Set(refusals.map(({ code, message }) => `${code}: ${message}`))).toEqual(
    new Set(['INVALID_CLIENT: The client id or the client secret is wrong.']),
  );
});

test('scopes may be narrowed, not widened', async () => {
  const { tokens, addClient, clients } = await createAuthHarness();
  const reader = await addClient('reader', { scopes: ['jobs:read', 'files:read'] });
  expect(await tokens.issue({ ...reader, scopes: ['jobs:read'] })).toMatchObject({ scope: 'jobs:read' });
  expect(await rejectionOf(() => tokens.issue({ ...reader, scopes: ['jobs:write'] }))).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    message: 'The client does not have the scope jobs:write. It can request: jobs:read, files:read.',
  });
  expect(await rejectionOf(() => tokens.issue({ ...reader, scopes: ['jobs:raed'] }))).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await clients.list()).toHaveLength(1);
});

test('OAuth client credentials get only an access token', async () => {
  const { tokens, addClient, stores } = await createAuthHarness();
  const access = await tokens.clientCredentials({ ...(await addClient('studio')), scopes: ['jobs:read'] });
  expect(access).toEqual({
    clientId: 'studio',
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 900,
    scope: 'jobs:read',
  });
  expect(stores.refreshTokens.all.size).toBe(0);
  expect(await tokens.verify(access.accessToken)).toMatchObject({ clientId: 'studio', scopes: ['jobs:read'] });
});

test('a client revoked during a token request gets no token', async () => {
  const { tokens, addClient, clients, stores } = await createAuthHarness();
  const credentials = await addClient('studio');
  const { add } = stores.refreshTokens;
  stores.refreshTokens.add = async (token) => {
    await clients.revoke('studio');
    await add(token);
  };
  expect(await rejectionOf(() => tokens.issue(credentials))).toMatchObject({ code: 'INVALID_CLIENT' });
});

test('ten wrong secrets stop an address for a while, and no other address', async () => {
  const { tokens, addClient } = await createAuthHarness({ perClientAndAddressAMinute: 10, perAddressAMinute: 100 });
  const credentials = await addClient('studio');
  const attack = { ...credentials, clientSecret: 'wrong', address: '198.51.100.7' };
  const codes = await Promise.all(
    Array.from({ length: 20 }, async () => (await rejectionOf(() => tokens.issue(attack))).code),
  );
  // Two are hashed at once, so one more than the limit may slip in.
  expect(codes.filter((code) => code === 'INVALID_CLIENT').length).toBeLessThanOrEqual(11);
  const barred = await rejectionOf(() => tokens.issue({ ...credentials, address: attack.address }));
  expect(barred.code).toBe('RATE_LIMITED');
  expect(barred.retryAfterSeconds).toBeGreaterThan(0);
  expect(barred.retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(await tokens.issue({ ...credentials, address: ADDRESS })).toMatchObject({ tokenType: 'Bearer' });
});

test('wrong secrets from an address never lock out a client with its generated secret there', async () => {
  const { tokens, clients } = await createAuthHarness({ perClientAndAddressAMinute: 2, perAddressAMinute: 3 });
  const { clientSecret } = await clients.add('studio');
  const login = { clientId: 'studio', clientSecret, address: ADDRESS };
  for (let i = 0; i < 3; i += 1)
    await rejectionOf(() => tokens.issue({ ...login, clientSecret: `${clientSecret}${i}` }));
  expect((await rejectionOf(() => tokens.issue({ ...login, clientSecret: 'wrong' }))).code).toBe('RATE_LIMITED');
  expect(await tokens.issue(login)).toMatchObject({ tokenType: 'Bearer' });
  expect(await tokens.clientCredentials(login)).toMatchObject({ tokenType: 'Bearer' });
  // The right secret does not reset the limit for wrong ones.
  expect((await rejectionOf(() => tokens.issue({ ...login, clientSecret: 'wrong' }))).code).toBe('RATE_LIMITED');
});

test('a revoked client is rejected with its right secret too', async () => {
  const { tokens, clients } = await createAuthHarness();
  const { clientSecret } = await clients.add('studio');
  await clients.revoke('studio');
  const login = { clientId: 'studio', clientSecret, address: ADDRESS };
  expect((await rejectionOf(() => tokens.issue(login))).code).toBe('INVALID_CLIENT');
});

test('successful requests are never limited', async () => {
  const { tokens, addClient } = await createAuthHarness({ perClientAndAddressAMinute: 2, perAddressAMinute: 2 });
  const credentials = await addClient('studio');
  await Promise.all(Array.from({ length: 8 }, () => tokens.issue(credentials)));
  expect((await rejectionOf(() => tokens.issue({ ...credentials, clientSecret: 'wrong' }))).code).toBe(
    'INVALID_CLIENT',
  );
  await tokens.issue(credentials);
});

test('failures of others behind an address do not limit a client that recently got a token there', async () => {
  const { tokens, addClient } = await createAuthHarness({ perClientAndAddressAMinute: 2, perAddressAMinute: 3 });
  const [old, fresh] = [await addClient('studio'), await addClient('newcomer')];
  await tokens.issue(old);
  for (let i = 0; i < 3; i += 1) await rejectionOf(() => tokens.issue({ ...old, clientId: `made-up-${i}` }));
  await tokens.issue(old);
  expect((await rejectionOf(() => tokens.issue(fresh))).code).toBe('RATE_LIMITED');
  for (let i = 0; i < 2; i += 1) await rejectionOf(() => tokens.issue({ ...old, clientSecret: 'wrong' }));
  expect((await rejectionOf(() => tokens.issue(old))).code, 'its own are').toBe('RATE_LIMITED');
});

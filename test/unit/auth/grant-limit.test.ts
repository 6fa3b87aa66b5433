import { expect, test } from 'vitest';
import { KEPT_REFRESH_TOKENS } from '../../../packages/service/src/auth/lifetimes.ts';
import { ADDRESS, createAuthHarness, rejectionOf, UNLIMITED_FAILURES } from '../../support/auth-harness.ts';

test('a client that has its tokens and sessions of a minute gets no more, and nothing more is stored', async () => {
  const { tokens, stores, addClient } = await createAuthHarness(UNLIMITED_FAILURES, { tokens: 4 });
  const login = await addClient('amy');
  const { refreshToken } = await tokens.issue(login);
  const renewed = await tokens.refresh({ refreshToken, address: ADDRESS });
  await tokens.clientCredentials(login);
  await tokens.sessions.start(login);
  const grants = {
    issue: () => tokens.issue(login),
    refresh: () => tokens.refresh({ refreshToken: renewed.refreshToken, address: ADDRESS }),
    clientCredentials: () => tokens.clientCredentials(login),
    start: () => tokens.sessions.start(login),
    startByCode: () => tokens.sessions.startByCode(tokens.makeSignInCode('amy')),
  };
  for (const [name, grant] of Object.entries(grants)) {
    const { code, retryAfterSeconds, message } = await rejectionOf(grant);
    expect({ code, retryAfterSeconds, message }, name).toEqual({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 15,
      message:
        'More than 4 tokens and sessions a minute. Use each token until it expires, or retry in 15 s. An operator can change this: telecine client set amy --limit tokens=…',
    });
  }
  expect(stores.refreshTokens.all.size).toBe(2);
  expect(stores.sessions.all.size).toBe(1);
  expect(stores.refreshTokens.all.get([...stores.refreshTokens.all.keys()][1] ?? '')?.usedAt).toBeUndefined();
  expect(await tokens.verify(renewed.accessToken)).toMatchObject({ clientId: 'amy' });
  expect(await tokens.issue(await addClient('bob')), 'other clients').toMatchObject({ clientId: 'bob' });
});

test('a client can have a limit of tokens of its own', async () => {
  const { tokens, stores, addClient } = await createAuthHarness(UNLIMITED_FAILURES, { tokens: 1 });
  const login = await addClient('amy');
  await stores.clients.update('amy', { limits: { tokens: null } });
  for (let i = 0; i < 10; i += 1) await tokens.issue(login);
  expect(stores.refreshTokens.all.size).toBe(10);
});

test('the sweep keeps the newest refresh tokens of each client', async () => {
  const { tokens, stores, addClient, now, advance } = await createAuthHarness();
  const login = await addClient('amy');
  const oldest = await tokens.issue(login);
  advance(1);
  const fields = { clientId: 'amy', scopes: [], expiresAt: new Date(now() + 1e6).toISOString() };
  const issuedAt = new Date(now()).toISOString();
  for (let i = 0; i < KEPT_REFRESH_TOKENS; i += 1)
    await stores.refreshTokens.add({ ...fields, issuedAt, tokenHash: `t${i}`, family: `f${i}` });
  await tokens.sweep();
  expect(stores.refreshTokens.all.size).toBe(KEPT_REFRESH_TOKENS);
  const refused = await rejectionOf(() => tokens.refresh({ refreshToken: oldest.refreshToken, address: ADDRESS }));
  expect(refused.code).toBe('INVALID_TOKEN');
});

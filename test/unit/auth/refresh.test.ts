import { expect, test } from 'vitest';
import { ADDRESS, createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

const DAY = 24 * 3600;

async function session() {
  const world = await createAuthHarness({ perClientAndAddressAMinute: 10, perAddressAMinute: 20 });
  const credentials = await world.addClient('studio');
  const { refreshToken } = await world.tokens.issue(credentials);
  const refresh = (token: string, more: { scopes?: readonly string[] } = {}) =>
    world.tokens.refresh({ refreshToken: token, address: ADDRESS, ...more });
  return { ...world, credentials, refreshToken, refresh };
}

test('a refresh token is exchanged for a new pair that works', async () => {
  const { tokens, refreshToken, refresh, advance } = await session();
  advance(3600);
  const next = await refresh(refreshToken);
  expect(next).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, scope: expect.stringContaining('jobs:write') });
  expect(next.refreshToken).not.toBe(refreshToken);
  expect(await tokens.verify(next.accessToken)).toMatchObject({ clientId: 'studio' });
});

test('a refresh whose reply was lost can be repeated within 30 s', async () => {
  const { refreshToken, refresh, advance } = await session();
  await refresh(refreshToken);
  advance(30);
  const again = await refresh(refreshToken);
  advance(3600);
  const next = await refresh(again.refreshToken);
  expect((await refresh(next.refreshToken)).refreshToken).not.toBe(next.refreshToken);
});

test('the grace period ends once a successor was used, since the reply was not lost', async () => {
  const { refreshToken, refresh } = await session();
  const next = await refresh(refreshToken);
  const last = await refresh(next.refreshToken);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(last.refreshToken))).code).toBe('INVALID_TOKEN');
});

test('if two successors from one grace period are used, the second use voids the family', async () => {
  const { refreshToken, refresh, advance } = await session();
  const [robbed, thief] = [await refresh(refreshToken), await refresh(refreshToken)];
  advance(900);
  const further = await refresh(thief.refreshToken);
  expect((await rejectionOf(() => refresh(robbed.refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(further.refreshToken))).code).toBe('INVALID_TOKEN');
});

test('a refresh can be repeated at most five times', async () => {
  const { refreshToken, refresh } = await session();
  for (let i = 0; i < 6; i += 1) await refresh(refreshToken);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
});

test('reuse after the grace period voids the whole family, and no other', async () => {
  const { tokens, credentials, refreshToken, refresh, advance } = await session();
  const other = await tokens.issue(credentials);
  const next = await refresh(refreshToken);
  advance(31);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(next.refreshToken))).code).toBe('INVALID_TOKEN');
  await refresh(other.refreshToken);
});

test('two concurrent refreshes both succeed, and either successor can be used', async () => {
  const { refreshToken, refresh } = await session();
  const [a, b] = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
  expect(a.refreshToken).not.toBe(b.refreshToken);
  await refresh(b.refreshToken);
});

test('a refresh token expires 30 days after the last refresh', async () => {
  const { refreshToken, refresh, advance } = await session();
  advance(30 * DAY - 1);
  const next = await refresh(refreshToken);
  advance(30 * DAY - 1);
  const last = await refresh(next.refreshToken);
  advance(30 * DAY);
  expect(await rejectionOf(() => refresh(last.refreshToken))).toMatchObject({
    code: 'INVALID_TOKEN',
    message: expect.stringContaining('expired'),
  });
});

test('a refresh can narrow the scopes of the access token, but not those of the refresh token', async () => {
  const { refreshToken, refresh } = await session();
  const narrow = await refresh(refreshToken, { scopes: ['jobs:read'] });
  expect(narrow.scope).toBe('jobs:read');
  expect((await refresh(narrow.refreshToken)).scope).toBe('jobs:read jobs:write files:read files:write');
});

test('a rejected scope does not use up the refresh token', async () => {
  const { refreshToken, refresh, advance } = await session();
  expect((await rejectionOf(() => refresh(refreshToken, { scopes: ['admin'] }))).code).toBe('INSUFFICIENT_SCOPE');
  advance(60);
  await refresh(refreshToken);
});

test('a scope removed from the client is missing in its next access token', async () => {
  const { stores, refreshToken, refresh } = await session();
  await stores.clients.update('studio', { scopes: ['jobs:read'] });
  expect((await refresh(refreshToken)).scope).toBe('jobs:read');
});

test('the tokens of a revoked or rotated client are void', async () => {
  for (const verb of ['revoke', 'rotate'] as const) {
    const { clients, refreshToken, refresh, advance } = await session();
    advance(5);
    await clients[verb]('studio');
    expect((await rejectionOf(() => refresh(refreshToken))).code, verb).toBe('INVALID_TOKEN');
  }
});

test('a rotation voids a refresh token even if revoking missed it in the store', async () => {
  const { stores, clients, refreshToken, refresh, advance } = await session();
  advance(5);
  stores.refreshTokens.revokeClient = async () => {};
  await clients.rotate('studio');
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
});

test('credentials sent with a refresh must be valid and own the token', async () => {
  const { tokens, addClient, credentials, refreshToken } = await session();
  const other = await addClient('other');
  const refresh = (client: { clientId: string; clientSecret: string }) =>
    tokens.refresh({ refreshToken, address: ADDRESS, client });
  expect((await rejectionOf(() => refresh(other))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh({ ...credentials, clientSecret: 'x' }))).code).toBe('INVALID_CLIENT');
  await refresh(credentials);
});

test('unknown, revoked and reused tokens get the same reply', async () => {
  const { clients, refreshToken, refresh, advance } = await session();
  await refresh(refreshToken);
  advance(31);
  const reused = await rejectionOf(() => refresh(refreshToken));
  const unknown = await rejectionOf(() => refresh('tcr_made-up'));
  await clients.revoke('studio');
  const revoked = await rejectionOf(() => refresh(refreshToken));
  expect(new Set([reused.message, unknown.message, revoked.message]).size).toBe(1);
});

test('limits an address that sends invalid refresh tokens, but not its valid tokens and secrets', async () => {
  const { tokens, credentials, refreshToken, refresh } = await session();
  for (let i = 0; i < 20; i += 1) expect((await rejectionOf(() => refresh('tcr_dead'))).code).toBe('INVALID_TOKEN');
  expect(await rejectionOf(() => refresh('tcr_dead'))).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  await refresh(refreshToken);
  await tokens.issue(credentials);
});

test('sweeping removes only expired tokens', async () => {
  const { tokens, stores, refreshToken, refresh, advance } = await session();
  advance(20 * DAY);
  const next = await refresh(refreshToken);
  advance(15 * DAY);
  await tokens.sweep();
  expect(stores.refreshTokens.all.size).toBe(1);
  await refresh(next.refreshToken);
});

test('a refresh grants only the scopes that were requested at the login', async () => {
  const { tokens, credentials, refresh } = await session();
  const { refreshToken } = await tokens.issue({ ...credentials, scopes: ['jobs:read'] });
  expect((await refresh(refreshToken)).scope).toBe('jobs:read');
  expect(await rejectionOf(() => refresh(refreshToken, { scopes: ['files:read'] }))).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
  });
});

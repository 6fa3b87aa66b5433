import { expect, test } from 'vitest';
import { ADDRESS, createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

const DAY = 24 * 3600;

async function session() {
  const world = await createAuthHarness({ perClientAndAddressAMinute: 10, perAddressAMinute: 20 });
  const credentials = await world.member('studio');
  const { refreshToken } = await world.tokens.issue(credentials);
  const refresh = (token: string, more: { scopes?: readonly string[] } = {}) =>
    world.tokens.refresh({ refreshToken: token, address: ADDRESS, ...more });
  return { ...world, credentials, refreshToken, refresh };
}

test('a refresh token is exchanged for a new pair that works', async () => {
  const { tokens, refreshToken, refresh, pass } = await session();
  pass(3600);
  const next = await refresh(refreshToken);
  expect(next).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, scope: expect.stringContaining('jobs:write') });
  expect(next.refreshToken).not.toBe(refreshToken);
  expect(await tokens.verify(next.accessToken)).toMatchObject({ clientId: 'studio' });
});

test('a lost reply may be asked for again within 30 s', async () => {
  const { refreshToken, refresh, pass } = await session();
  await refresh(refreshToken);
  pass(30);
  const again = await refresh(refreshToken);
  pass(3600);
  const next = await refresh(again.refreshToken);
  expect((await refresh(next.refreshToken)).refreshToken).not.toBe(next.refreshToken);
});

test('the grace is over once a successor was used: then the first reply was not lost', async () => {
  const { refreshToken, refresh } = await session();
  const next = await refresh(refreshToken);
  const last = await refresh(next.refreshToken);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(last.refreshToken))).code).toBe('INVALID_TOKEN');
});

test('of the successors that a thief and the robbed got within the grace, the second to be used ends them all', async () => {
  const { refreshToken, refresh, pass } = await session();
  const [robbed, thief] = [await refresh(refreshToken), await refresh(refreshToken)];
  pass(900);
  const further = await refresh(thief.refreshToken);
  expect((await rejectionOf(() => refresh(robbed.refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(further.refreshToken))).code).toBe('INVALID_TOKEN');
});

test('a reply is not lost more than five times', async () => {
  const { refreshToken, refresh } = await session();
  for (let i = 0; i < 6; i += 1) await refresh(refreshToken);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
});

test('reuse after the grace ends the whole family, and no other', async () => {
  const { tokens, credentials, refreshToken, refresh, pass } = await session();
  const other = await tokens.issue(credentials);
  const next = await refresh(refreshToken);
  pass(31);
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh(next.refreshToken))).code).toBe('INVALID_TOKEN');
  await refresh(other.refreshToken);
});

test('two refreshes at once are both answered, and either may go on', async () => {
  const { refreshToken, refresh } = await session();
  const [a, b] = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
  expect(a.refreshToken).not.toBe(b.refreshToken);
  await refresh(b.refreshToken);
});

test('a refresh token lives 30 days, counted anew at each exchange', async () => {
  const { refreshToken, refresh, pass } = await session();
  pass(30 * DAY - 1);
  const next = await refresh(refreshToken);
  pass(30 * DAY - 1);
  const last = await refresh(next.refreshToken);
  pass(30 * DAY);
  expect(await rejectionOf(() => refresh(last.refreshToken))).toMatchObject({
    code: 'INVALID_TOKEN',
    message: expect.stringContaining('expired'),
  });
});

test('scopes may be narrowed for the access token; the refresh token keeps its own', async () => {
  const { refreshToken, refresh } = await session();
  const narrow = await refresh(refreshToken, { scopes: ['jobs:read'] });
  expect(narrow.scope).toBe('jobs:read');
  expect((await refresh(narrow.refreshToken)).scope).toBe('jobs:read jobs:write files:read files:write');
});

test('a refused scope does not use the token up', async () => {
  const { refreshToken, refresh, pass } = await session();
  expect((await rejectionOf(() => refresh(refreshToken, { scopes: ['admin'] }))).code).toBe('INSUFFICIENT_SCOPE');
  pass(60);
  await refresh(refreshToken);
});

test('a scope taken from the client is gone from what its refresh tokens give', async () => {
  const { stores, refreshToken, refresh } = await session();
  await stores.clients.update('studio', { scopes: ['jobs:read'] });
  expect((await refresh(refreshToken)).scope).toBe('jobs:read');
});

test('the tokens of a revoked or rotated client are void', async () => {
  for (const verb of ['revoke', 'rotate'] as const) {
    const { clients, refreshToken, refresh, pass } = await session();
    pass(5);
    await clients[verb]('studio');
    expect((await rejectionOf(() => refresh(refreshToken))).code, verb).toBe('INVALID_TOKEN');
  }
});

test('a token that was stored too late to be found by the rotation is void all the same', async () => {
  const { stores, clients, refreshToken, refresh, pass } = await session();
  pass(5);
  stores.refreshTokens.revokeClient = async () => {};
  await clients.rotate('studio');
  expect((await rejectionOf(() => refresh(refreshToken))).code).toBe('INVALID_TOKEN');
});

test('an OAuth client that says who it is must be right, and the token its own', async () => {
  const { tokens, member, credentials, refreshToken } = await session();
  const other = await member('other');
  const refresh = (client: { clientId: string; clientSecret: string }) =>
    tokens.refresh({ refreshToken, address: ADDRESS, client });
  expect((await rejectionOf(() => refresh(other))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => refresh({ ...credentials, clientSecret: 'x' }))).code).toBe('INVALID_CLIENT');
  await refresh(credentials);
});

test('unknown, revoked and reused tokens are told apart by nothing', async () => {
  const { clients, refreshToken, refresh, pass } = await session();
  await refresh(refreshToken);
  pass(31);
  const reused = await rejectionOf(() => refresh(refreshToken));
  const unknown = await rejectionOf(() => refresh('tcr_made-up'));
  await clients.revoke('studio');
  const revoked = await rejectionOf(() => refresh(refreshToken));
  expect(new Set([reused.message, unknown.message, revoked.message]).size).toBe(1);
});

test('an address that keeps sending dead tokens is told to wait; a good token or secret from there goes through', async () => {
  const { tokens, credentials, refreshToken, refresh } = await session();
  for (let i = 0; i < 20; i += 1) expect((await rejectionOf(() => refresh('tcr_dead'))).code).toBe('INVALID_TOKEN');
  expect(await rejectionOf(() => refresh('tcr_dead'))).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  await refresh(refreshToken);
  await tokens.issue(credentials);
});

test('sweeping forgets what has expired and nothing else', async () => {
  const { tokens, stores, refreshToken, refresh, pass } = await session();
  pass(20 * DAY);
  const next = await refresh(refreshToken);
  pass(15 * DAY);
  await tokens.sweep();
  expect(stores.refreshTokens.all.size).toBe(1);
  await refresh(next.refreshToken);
});

import { expect, test } from 'vitest';
import { createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

async function signIn() {
  const harness = await createAuthHarness();
  const login = await harness.addClient('amy', { scopes: ['jobs:read'] });
  const { sessions } = harness.tokens;
  return { ...harness, sessions, login, session: await sessions.start(login) };
}

test('a browser stays signed in as its client, with the scopes of the client', async () => {
  const { sessions, session } = await signIn();
  expect(session).toMatchObject({ clientId: 'amy', scopes: ['jobs:read'], expiresAt: '2026-01-02T00:00:00.250Z' });
  expect(await sessions.verify(session.secret)).toMatchObject({ clientId: 'amy', scopes: ['jobs:read'] });
  expect(await sessions.get(session.secret)).toMatchObject({ clientId: 'amy' });
});

test('the store never sees the secret of a session', async () => {
  const { stores, session } = await signIn();
  expect(session.secret).toMatch(/^tcw_[\w-]{43}$/);
  expect(await stores.sessions.get(session.secret)).toBeUndefined();
});

test('a wrong secret of the client signs nobody in, and counts as a failed login', async () => {
  const { tokens, addClient } = await createAuthHarness({ perClientAndAddressAMinute: 1, perAddressAMinute: 10 });
  const login = await addClient('amy');
  const wrong = { ...login, clientSecret: 'wrong' };
  expect((await rejectionOf(() => tokens.sessions.start(wrong))).code).toBe('INVALID_CLIENT');
  expect((await rejectionOf(() => tokens.issue(wrong))).code).toBe('RATE_LIMITED');
});

test('a session ends after 12 hours', async () => {
  const { sessions, session, advance } = await signIn();
  advance(12 * 3600 - 1);
  expect(await sessions.verify(session.secret)).toMatchObject({ clientId: 'amy' });
  advance(1);
  expect((await rejectionOf(() => sessions.verify(session.secret))).code).toBe('INVALID_TOKEN');
});

test('a browser that signs out is signed out in every process within a second', async () => {
  const { sessions, session, openAnother, advance } = await signIn();
  const other = (await openAnother()).sessions;
  await other.verify(session.secret);
  await sessions.end(session.secret);
  advance(1);
  for (const each of [sessions, other])
    expect((await rejectionOf(() => each.verify(session.secret))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => sessions.get(session.secret))).code).toBe('INVALID_TOKEN');
});

test.each(['revoke', 'rotate'] as const)('%s of its client ends a session, and no later one', async (action) => {
  const { sessions, session, clients, advance, login } = await signIn();
  advance(1);
  const changed = await clients[action]('amy');
  expect((await rejectionOf(() => sessions.verify(session.secret))).code).toBe('INVALID_TOKEN');
  if (!('clientSecret' in changed)) return;
  const again = await sessions.start({ ...login, clientSecret: changed.clientSecret });
  expect(await sessions.verify(again.secret)).toMatchObject({ clientId: 'amy' });
});

test('a session loses the scopes that its client loses', async () => {
  const { sessions, session, stores, advance } = await signIn();
  await sessions.verify(session.secret);
  await stores.clients.update('amy', { scopes: ['files:read'] });
  advance(1);
  expect(await sessions.verify(session.secret)).toMatchObject({ scopes: [] });
});

test('a session is no access token, and an access token no session', async () => {
  const { tokens, sessions, session, login } = await signIn();
  const { accessToken } = await tokens.issue(login);
  expect((await rejectionOf(() => tokens.verify(session.secret))).code).toBe('INVALID_TOKEN');
  expect((await rejectionOf(() => sessions.verify(accessToken))).code).toBe('INVALID_TOKEN');
});

test('the code of a link signs in once', async () => {
  const { tokens, sessions } = await signIn();
  const code = tokens.makeSignInCode('amy');
  expect(await sessions.startByCode(code)).toMatchObject({ clientId: 'amy' });
  expect((await rejectionOf(() => sessions.startByCode(code))).message).toContain('was used, has expired');
});

test('the code of a link expires after five minutes', async () => {
  const { tokens, sessions, advance } = await signIn();
  const code = tokens.makeSignInCode('amy');
  advance(300);
  expect((await rejectionOf(() => sessions.startByCode(code))).code).toBe('INVALID_CLIENT');
});

test('no code signs in a revoked client', async () => {
  const { tokens, sessions, clients } = await signIn();
  const code = tokens.makeSignInCode('amy');
  await clients.revoke('amy');
  expect((await rejectionOf(() => sessions.startByCode(code))).code).toBe('INVALID_CLIENT');
});

test('expired sessions are deleted', async () => {
  const { tokens, session, sessions, advance } = await signIn();
  advance(12 * 3600 + 1);
  await tokens.sweep();
  expect((await rejectionOf(() => sessions.get(session.secret))).code).toBe('INVALID_TOKEN');
});

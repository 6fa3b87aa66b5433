import { expect, test } from 'vitest';
import { ADDRESS, createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

test('adds a client with the default scopes, and shows its secret once', async () => {
  const { clients } = await createAuthHarness();
  const { client, clientSecret } = await clients.add('studio');
  expect(clientSecret).toMatch(/^tcs_/);
  expect(client).toEqual({
    clientId: 'studio',
    scopes: ['jobs:read', 'jobs:write', 'files:read', 'files:write'],
    createdAt: '2026-01-01T12:00:00.250Z',
  });
  expect(await clients.list()).toEqual([client]);
});

test('lists clients sorted by id', async () => {
  const { clients } = await createAuthHarness();
  for (const name of ['b', 'c', 'a']) await clients.add(name);
  expect((await clients.list()).map(({ clientId }) => clientId)).toEqual(['a', 'b', 'c']);
});

test.each(['Studio', '', '-a', '.a', 'a b', 'a/b', 'é', 'a'.repeat(65), '__proto__'])(
  '%j is no name for a client',
  async (name) => {
    const { clients } = await createAuthHarness();
    expect(await rejectionOf(() => clients.add(name))).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ field: '/clientId', code: 'BAD_NAME' }],
    });
  },
);

test('rejects an id in use, also that of a revoked client', async () => {
  const { clients } = await createAuthHarness();
  await clients.add('studio');
  await clients.revoke('studio');
  expect((await rejectionOf(() => clients.add('studio'))).errors[0]?.code).toBe('NAME_TAKEN');
});

test('an unknown scope adds no client', async () => {
  const { clients } = await createAuthHarness();
  expect((await rejectionOf(() => clients.add('studio', { scopes: ['jobs:rite'] }))).errors[0]?.fix).toEqual(
    'Send "jobs:write".',
  );
  expect(await clients.list()).toEqual([]);
});

test('after a rotation only the new secret works', async () => {
  const { clients, tokens, addClient } = await createAuthHarness();
  const old = await addClient('studio');
  const { clientSecret } = await clients.rotate('studio');
  expect((await rejectionOf(() => tokens.issue(old))).code).toBe('INVALID_CLIENT');
  await tokens.issue({ ...old, clientSecret });
});

test('after a rotation with a grace, the old secret and its tokens work until its end', async () => {
  const { clients, tokens, addClient, advance } = await createAuthHarness();
  const old = await addClient('studio');
  const before = await tokens.issue(old);
  const { clientSecret, client } = await clients.rotate('studio', 24);
  expect(client.previousSecretExpiresAt).toBe('2026-01-02T12:00:00.250Z');
  const now = { ...old, clientSecret };
  advance(23 * 3600);
  const during = await tokens.issue(old);
  await tokens.issue(now);
  await tokens.verify(during.accessToken);
  const renewed = await tokens.refresh({ refreshToken: before.refreshToken, address: old.address });
  advance(3600);
  expect((await rejectionOf(() => tokens.issue(old))).code).toBe('INVALID_CLIENT');
  const { accessToken } = await tokens.issue(now);
  await tokens.verify(accessToken);
  for (const { refreshToken } of [during, renewed])
    expect((await rejectionOf(() => tokens.refresh({ refreshToken, address: old.address }))).code).toBe(
      'INVALID_TOKEN',
    );
  expect((await rejectionOf(() => tokens.verify(during.accessToken))).code).toBe('INVALID_TOKEN');
  expect((await clients.list())[0]).not.toHaveProperty('previousSecretExpiresAt');
});

test('a rotation at once ends the grace of an earlier one, and a later grace brings no token back', async () => {
  const { clients, tokens, addClient, advance } = await createAuthHarness();
  const first = await addClient('studio');
  const { refreshToken } = await tokens.issue(first);
  const second = { ...first, ...(await clients.rotate('studio', 24)) };
  const third = { ...first, ...(await clients.rotate('studio')) };
  for (const old of [first, second]) expect((await rejectionOf(() => tokens.issue(old))).code).toBe('INVALID_CLIENT');
  advance(1);
  await clients.rotate('studio', 1);
  await tokens.issue(third);
  expect((await rejectionOf(() => tokens.refresh({ refreshToken, address: first.address }))).code).toBe(
    'INVALID_TOKEN',
  );
  expect((await rejectionOf(() => tokens.issue(second))).code).toBe('INVALID_CLIENT');
});

test('a rotation during a grace ends the dropped secret and all it has given, and the current secret works on', async () => {
  const { clients, tokens, addClient, advance } = await createAuthHarness();
  const leaked = await addClient('studio');
  let { refreshToken } = await tokens.issue(leaked);
  const session = await tokens.sessions.start(leaked);
  const current = { ...leaked, ...(await clients.rotate('studio', 24)) };
  advance(60);
  // The holder of the leaked secret stays active during the grace.
  ({ refreshToken } = await tokens.refresh({ refreshToken, address: leaked.address }));
  const { accessToken, refreshToken: fresh } = await tokens.issue(leaked);
  const caller = await tokens.verify(accessToken);
  const link = await tokens.links.sign(caller, 'a.mp4', 3600);
  const during = await tokens.sessions.start(leaked);
  advance(1);
  await clients.rotate('studio', 24);
  advance(1);
  expect((await rejectionOf(() => tokens.issue(leaked))).code).toBe('INVALID_CLIENT');
  for (const token of [refreshToken, fresh])
    expect((await rejectionOf(() => tokens.refresh({ refreshToken: token, address: leaked.address }))).code).toBe(
      'INVALID_TOKEN',
    );
  expect((await rejectionOf(() => tokens.verify(accessToken))).code).toBe('INVALID_TOKEN');
  for (const { secret } of [session, during])
    expect((await rejectionOf(() => tokens.sessions.verify(secret))).code).toBe('INVALID_TOKEN');
  for (const scope of ['files:read', 'files:write'] as const)
    expect((await rejectionOf(() => tokens.links.verify('a.mp4', link, scope))).code).toBe('INVALID_LINK');
  // What began before the rotation, such as a zip of the files of the client.
  expect((await rejectionOf(() => tokens.links.readerOf('studio', Date.parse('2026-01-01T12:01:00Z')))).code).toBe(
    'INVALID_LINK',
  );
  const renewed = await tokens.issue(current);
  await tokens.verify(renewed.accessToken);
  advance(23 * 3600);
  await tokens.refresh({ refreshToken: renewed.refreshToken, address: leaked.address });
});

test('a rotation after the end of a grace keeps the tokens since then', async () => {
  const { clients, tokens, addClient, advance } = await createAuthHarness();
  const first = await addClient('studio');
  const second = { ...first, ...(await clients.rotate('studio', 1)) };
  advance(3601);
  const { accessToken } = await tokens.issue(second);
  advance(1);
  await clients.rotate('studio', 1);
  expect(await tokens.verify(accessToken)).toMatchObject({ clientId: 'studio' });
});

test('revoking is final and idempotent', async () => {
  const { clients, advance } = await createAuthHarness();
  await clients.add('studio');
  const { revokedAt } = await clients.revoke('studio');
  advance(60);
  expect((await clients.revoke('studio')).revokedAt).toBe(revokedAt);
  expect((await rejectionOf(() => clients.rotate('studio'))).errors[0]?.code).toBe('REVOKED');
});

test('rejects an unknown client, and suggests a similar id', async () => {
  const { clients } = await createAuthHarness();
  await clients.add('studio');
  expect(await rejectionOf(() => clients.revoke('stduio'))).toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no client "stduio". Did you mean "studio"?',
  });
});

test('a client of an external subject has no secret until rotate gives it one', async () => {
  const { clients, tokens, stores } = await createAuthHarness();
  const client = await clients.addExternal('amy', 'user|7', { scopes: ['jobs:read'], root: '/srv/amy' });
  expect(client).toEqual({
    clientId: 'amy',
    externalSubject: 'user|7',
    scopes: ['jobs:read'],
    root: '/srv/amy',
    createdAt: '2026-01-01T12:00:00.250Z',
  });
  expect(await stores.clients.findExternal('user|7')).toMatchObject({ clientId: 'amy' });
  const { clientSecret } = await clients.rotate('amy');
  await tokens.issue({ clientId: 'amy', clientSecret, address: ADDRESS });
});

test('a subject belongs to one client until that client is revoked', async () => {
  const { clients } = await createAuthHarness();
  await clients.addExternal('amy', 'user|7');
  expect((await rejectionOf(() => clients.addExternal('bob', 'user|7'))).errors).toMatchObject([
    { code: 'SUBJECT_TAKEN', message: expect.stringContaining('"amy"') },
  ]);
  expect((await rejectionOf(() => clients.addExternal('amy', 'user|8'))).errors[0]?.code).toBe('NAME_TAKEN');
  await clients.revoke('amy');
  await clients.addExternal('bob', 'user|7');
});

test.each(['', ' ', 'a ', '\ta', 'a\nb', 'a\u202eb', 'x'.repeat(256)])('rejects the subject %j', async (subject) => {
  const { clients } = await createAuthHarness();
  expect((await rejectionOf(() => clients.addExternal('amy', subject))).errors[0]?.code).toBe('BAD_SUBJECT');
  expect(await clients.list()).toEqual([]);
});

test.each(['a', 'auth0|5f7c8ec7c33c6c004bbafe82', 'amy@example.org', 'Amélie Poulain', 'x'.repeat(255)])(
  '%j is a subject',
  async (subject) => {
    const { clients } = await createAuthHarness();
    expect((await clients.addExternal('amy', subject)).externalSubject).toBe(subject);
  },
);

import { expect, test } from 'vitest';
import { authWorld, refusal } from '../../support/auth-world.ts';

test('a client is added with a secret, shown once, and the default scopes', async () => {
  const { clients } = await authWorld();
  const { client, clientSecret } = await clients.add('studio');
  expect(clientSecret).toMatch(/^tcs_/);
  expect(client).toEqual({
    clientId: 'studio',
    scopes: ['jobs:read', 'jobs:write', 'files:read', 'files:write'],
    createdAt: '2026-01-01T12:00:00.250Z',
  });
  expect(await clients.list()).toEqual([client]);
});

test('the list is in the order of names', async () => {
  const { clients } = await authWorld();
  for (const name of ['b', 'c', 'a']) await clients.add(name);
  expect((await clients.list()).map(({ clientId }) => clientId)).toEqual(['a', 'b', 'c']);
});

test.each(['Studio', '', '-a', '.a', 'a b', 'a/b', 'é', 'a'.repeat(65), '__proto__'])(
  '%j is no name for a client',
  async (name) => {
    const { clients } = await authWorld();
    expect(await refusal(() => clients.add(name))).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ field: '/name', code: 'BAD_NAME' }],
    });
  },
);

test('a bad name is answered with one that would do', async () => {
  const { clients } = await authWorld();
  const { errors } = await refusal(() => clients.add('My Studio'));
  expect(errors[0]?.fix).toBe('Send "my-studio".');
});

test('a name is taken once, also after it was revoked', async () => {
  const { clients } = await authWorld();
  await clients.add('studio');
  await clients.revoke('studio');
  expect((await refusal(() => clients.add('studio'))).errors[0]?.code).toBe('NAME_TAKEN');
});

test('an unknown scope adds nobody', async () => {
  const { clients } = await authWorld();
  expect((await refusal(() => clients.add('studio', { scopes: ['jobs:rite'] }))).errors[0]?.fix).toBe(
    'Send "jobs:write".',
  );
  expect(await clients.list()).toEqual([]);
});

test('after a rotation only the new secret works', async () => {
  const { clients, tokens, member } = await authWorld();
  const old = await member('studio');
  const { clientSecret } = await clients.rotate('studio');
  expect((await refusal(() => tokens.issue(old))).code).toBe('INVALID_CLIENT');
  await tokens.issue({ ...old, clientSecret });
});

test('revoking is for good and may be said twice', async () => {
  const { clients, pass } = await authWorld();
  await clients.add('studio');
  const { revokedAt } = await clients.revoke('studio');
  pass(60);
  expect((await clients.revoke('studio')).revokedAt).toBe(revokedAt);
  expect((await refusal(() => clients.rotate('studio'))).errors[0]?.code).toBe('REVOKED');
});

test('a client that is not there is answered with the near one', async () => {
  const { clients } = await authWorld();
  await clients.add('studio');
  expect(await refusal(() => clients.revoke('stduio'))).toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no client "stduio". Did you mean "studio"?',
  });
});

import { expect, test } from 'vitest';
import { type AdminCredentials, ensureAdmin } from '../../../packages/service/src/auth/ensure-admin.ts';
import { ADDRESS, createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

async function house() {
  const world = await createAuthHarness();
  const written: (AdminCredentials | undefined)[] = [];
  const secretFile = {
    write: async (admin: AdminCredentials) => void written.push(admin),
    remove: async () => void written.push(undefined),
  };
  const start = (configuredSecret?: string) =>
    ensureAdmin({ ...world.stores, now: world.now, configuredSecret, secretFile });
  const enter = (clientSecret: string) => world.tokens.issue({ clientId: 'admin', clientSecret, address: ADDRESS });
  return { ...world, written, secretFile, start, enter };
}

test('the first start creates the admin and stores its secret; the next changes nothing', async () => {
  const { start, written, enter } = await house();
  expect(await start()).toBe('created');
  expect(written).toEqual([{ clientId: 'admin', clientSecret: expect.stringMatching(/^tcs_/) }]);
  expect(await enter(written[0]?.clientSecret ?? '')).toMatchObject({ scope: 'admin' });
  expect(await start()).toBe('unchanged');
  expect(written).toHaveLength(1);
});

test('uses the configured secret, and a changed one replaces it', async () => {
  const { start, enter, written } = await house();
  expect(await start('first secret')).toBe('created');
  expect(await start('first secret')).toBe('unchanged');
  await enter('first secret');
  expect(await start('second secret')).toBe('rotated');
  expect((await rejectionOf(() => enter('first secret'))).code).toBe('INVALID_CLIENT');
  await enter('second secret');
  expect(written, 'the operator has it: nothing is written down, and what was is removed').toEqual(
    written.map(() => undefined),
  );
  expect(written.length).toBeGreaterThan(0);
});

test('removing the configured secret does not change the admin', async () => {
  const { start, enter } = await house();
  await start('first secret');
  expect(await start()).toBe('unchanged');
  await enter('first secret');
});

test('a start that crashed after storing the secret is completed by the next', async () => {
  const { start, stores, written, enter } = await house();
  const { add } = stores.clients;
  stores.clients.add = () => Promise.reject(new Error('power cut'));
  await expect(start()).rejects.toThrow('power cut');
  stores.clients.add = add;
  expect(await start()).toBe('created');
  await enter(written.at(-1)?.clientSecret ?? '');
});

test('of two concurrent first starts on one store, one stores the secret', async () => {
  const { start, written } = await house();
  expect((await Promise.all([start(), start()])).sort()).toEqual(['created', 'unchanged']);
  expect(written.filter((admin) => admin === undefined)).toHaveLength(1);
});

test('a revoked admin stays revoked, whatever secret is configured', async () => {
  const { start, clients, enter } = await house();
  await start('first secret');
  await clients.revoke('admin');
  expect(await start('second secret')).toBe('revoked');
  expect((await rejectionOf(() => enter('second secret'))).code).toBe('INVALID_CLIENT');
});

test('rejects a configured secret that can be guessed', async () => {
  const { start } = await house();
  for (const bad of ['', '1234567', 'x'.repeat(1025)])
    expect((await rejectionOf(() => start(bad))).message).toContain('8 to 1024 characters');
});

import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { openSigningKeys } from '../../../packages/service/src/auth/signing-keys.ts';
import { createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';

const DAY = 24 * 3600;

test('two processes that start together agree on one key', async () => {
  const { stores, now } = await createAuthHarness();
  const [a, b] = await Promise.all([1, 2].map(() => openSigningKeys({ store: stores.signingKeys, now })));
  expect((await a?.signer())?.kid).toBe((await b?.signer())?.kid);
  expect(await stores.signingKeys.list()).toHaveLength(1);
});

test('a new key signs after 30 days; tokens of the old key stay valid until they expire', async () => {
  const { tokens, addClient, advance } = await createAuthHarness();
  const credentials = await addClient('studio');
  advance(30 * DAY - 1);
  const old = (await tokens.issue(credentials)).accessToken;
  advance(1);
  const [young, twin] = await Promise.all([tokens.issue(credentials), tokens.issue(credentials)]);
  const kid = (token: string) => decodeProtectedHeader(token).kid;
  expect(kid(young.accessToken)).not.toBe(kid(old));
  expect(kid(twin.accessToken)).toBe(kid(young.accessToken));
  await tokens.verify(old);
  advance(898);
  await tokens.verify(young.accessToken);
  await tokens.verify(old);
});

test('a key retired long ago verifies nothing and is deleted at the next rotation', async () => {
  const { stores, now, advance } = await createAuthHarness();
  const keys = await openSigningKeys({ store: stores.signingKeys, now });
  const { kid } = await keys.signer();
  advance(30 * DAY);
  await keys.signer();
  expect(await keys.find(kid)).toBeDefined();
  advance(DAY + 3600);
  expect(await keys.find(kid)).toBeUndefined();
  advance(30 * DAY);
  await keys.signer();
  expect((await stores.signingKeys.list()).map((key) => key.kid)).not.toContain(kid);
});

test('finds the new key of another process at its first token', async () => {
  const { tokens, openAnother, addClient, advance } = await createAuthHarness();
  const credentials = await addClient('studio');
  const other = await openAnother();
  advance(30 * DAY);
  await tokens.verify((await tokens.issue(credentials)).accessToken);
  const { accessToken } = await other.issue(credentials);
  expect(await tokens.verify(accessToken)).toMatchObject({ clientId: 'studio' });
});

test('signs with the new key of another process within a minute', async () => {
  const { stores, now, advance } = await createAuthHarness();
  const [a, b] = await Promise.all([1, 2].map(() => openSigningKeys({ store: stores.signingKeys, now })));
  advance(30 * DAY);
  const young = await a?.signer();
  expect((await b?.signer())?.kid).toBe(young?.kid);
});

test('does not repeat a rotation of another process', async () => {
  const { stores, now, advance } = await createAuthHarness();
  const [a, b] = await Promise.all([1, 2].map(() => openSigningKeys({ store: stores.signingKeys, now })));
  advance(30 * DAY - 10);
  await b?.signer();
  advance(10);
  const young = await a?.signer();
  expect((await b?.signer())?.kid).toBe(young?.kid);
  expect(await stores.signingKeys.list()).toHaveLength(2);
});

test('unknown key ids read the store at most once per second', async () => {
  const { stores, now, advance } = await createAuthHarness();
  const keys = await openSigningKeys({ store: stores.signingKeys, now });
  advance(1);
  const { reads } = stores.signingKeys;
  await Promise.all(Array.from({ length: 50 }, (_, i) => keys.find(`made-up-${i}`)));
  await keys.find('made-up');
  expect(stores.signingKeys.reads).toBe(reads + 1);
  advance(1);
  await keys.find('made-up');
  expect(stores.signingKeys.reads).toBe(reads + 2);
});

test('an unreadable store fails the request and does not reject the token', async () => {
  const { tokens, stores, addClient, advance } = await createAuthHarness();
  const { accessToken } = await tokens.issue(await addClient('studio'));
  stores.signingKeys.list = () => Promise.reject(new Error('the store is away'));
  advance(61);
  await expect(rejectionOf(() => tokens.verify(accessToken))).rejects.toThrow('the store is away');
});

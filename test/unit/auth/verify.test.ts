import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { ClientRecord, ClientStore } from '../../../packages/service/src/auth/ports.ts';
import { createNoteUse } from '../../../packages/service/src/auth/verify.ts';
import {
  ADDRESS,
  AUDIENCE,
  type AuthHarness,
  createAuthHarness,
  ISSUER,
  rejectionOf,
} from '../../support/auth-harness.ts';
import { mediaRoot } from '../../support/media-root.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function session(options?: Parameters<AuthHarness['addClient']>[1]) {
  const world = await createAuthHarness();
  const credentials = await world.addClient('studio', options);
  const { accessToken } = await world.tokens.issue(credentials);
  return { ...world, credentials, accessToken };
}

/** Signs any header and claims with the service's own key, as an attacker who has the key could. */
async function forge({ stores, now }: AuthHarness, change: { header?: object; claims?: object; hash?: string } = {}) {
  const [key] = await stores.signingKeys.list();
  if (key === undefined) throw new Error('The service has no key');
  const iat = Math.floor(now() / 1000);
  const header = { alg: 'HS256', typ: 'JWT', kid: key.kid, ...change.header };
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'studio', scope: 'jobs:read', iat, exp: iat + 900 };
  const text = `${encode(header)}.${encode({ ...claims, ...change.claims })}`;
  const signature = createHmac(change.hash ?? 'sha256', Buffer.from(key.secret, 'base64url'))
    .update(text)
    .digest('base64url');
  return `${text}.${signature}`;
}

test('a valid token gives the client, the scopes and the media root', async () => {
  const limits = { time: 60, threads: null };
  const { tokens, accessToken } = await session({ scopes: ['jobs:read'], root: '/srv/media/studio', limits });
  expect(await tokens.verify(accessToken)).toEqual({
    clientId: 'studio',
    scopes: ['jobs:read'],
    root: mediaRoot('/srv/media/studio'),
    policy: { time: 60 },
  });
});

test('a client without its own media root uses that of the service', async () => {
  const { tokens, accessToken } = await session();
  expect(await tokens.verify(accessToken)).toMatchObject({ root: mediaRoot('/srv/media'), policy: { threads: 8 } });
});

test('verifies a known token without reading the store', async () => {
  const { tokens, accessToken, stores, advance } = await session();
  const caller = await tokens.verify(accessToken);
  const { reads } = stores.clients;
  advance(0.9);
  expect(tokens.verify(accessToken)).toBe(caller);
  expect(stores.clients.reads).toBe(reads);
});

test('reads a client at most once per second, however many of its tokens arrive', async () => {
  const { tokens, credentials, accessToken, stores, advance } = await session();
  const other = (await tokens.issue(credentials)).accessToken;
  await tokens.verify(accessToken);
  await tokens.verify(other);
  advance(1);
  const { reads } = stores.clients;
  await Promise.all([accessToken, other, accessToken].map((token) => tokens.verify(token)));
  expect(stores.clients.reads).toBe(reads + 1);
});

test('stores when a client is used, once an hour, whichever of its tokens it gets or sends', async () => {
  const { tokens, clients, addClient, stores, now, advance } = await createAuthHarness();
  const credentials = await addClient('studio');
  const lastUse = async () => (await clients.list())[0]?.lastUsedAt;
  expect(await lastUse(), 'a client that was only added').toBeUndefined();
  await tokens.issue(credentials);
  expect(await lastUse()).toBe(new Date(now()).toISOString());
  const update = vi.spyOn(stores.clients, 'update');
  let later = '';
  for (let minute = 0; minute < 59; minute += 1) {
    advance(60);
    later = (await tokens.issue(credentials)).accessToken;
    await tokens.verify(later);
  }
  expect(update).not.toHaveBeenCalled();
  advance(60);
  await Promise.all([later, later].map((token) => tokens.verify(token)));
  expect(update).toHaveBeenCalledTimes(1);
  expect(await lastUse()).toBe(new Date(now()).toISOString());
});

test('a rejected token or secret is not a use, and a session is', async () => {
  const { tokens, clients, credentials, accessToken, now, advance } = await session();
  const lastUse = async () => (await clients.list())[0]?.lastUsedAt;
  const first = new Date(now()).toISOString();
  advance(3600);
  await rejectionOf(() => tokens.verify(accessToken));
  await rejectionOf(() => tokens.issue({ ...credentials, clientSecret: 'wrong' }));
  expect(await lastUse()).toBe(first);
  const { secret } = await tokens.sessions.start(credentials);
  expect(await lastUse()).toBe(new Date(now()).toISOString());
  advance(3600);
  await tokens.sessions.verify(secret);
  expect(await lastUse()).toBe(new Date(now()).toISOString());
});

test('a request does not fail if its use cannot be stored, and one after a minute stores it', async () => {
  const { tokens, clients, credentials, stores, now, advance } = await session();
  advance(3599);
  const { accessToken } = await tokens.issue(credentials);
  advance(1);
  const update = vi.spyOn(stores.clients, 'update').mockRejectedValue(new Error('no space left'));
  expect(await tokens.issue(credentials)).toMatchObject({ accessToken: expect.any(String) });
  for (let second = 0; second < 60; second += 1) {
    expect(await tokens.verify(accessToken)).toMatchObject({ clientId: 'studio' });
    advance(1);
  }
  expect(update, 'a database that cannot write is not asked each second').toHaveBeenCalledTimes(1);
  update.mockRestore();
  await tokens.verify(accessToken);
  expect((await clients.list())[0]?.lastUsedAt).toBe(new Date(now()).toISOString());
});

test('the first failure to store a use is reported, and the first one after a success', async () => {
  const errors: unknown[] = [];
  const [full, late] = [new Error('no space left'), new Error('no space left again')];
  let at = 0;
  const update = vi.fn<ClientStore['update']>();
  const note = createNoteUse(
    { update },
    () => at,
    (error) => errors.push(error),
  );
  const noteIn = async (minutes: number, failure?: Error) => {
    at += minutes * 60_000;
    if (failure === undefined) update.mockResolvedValueOnce(true);
    else update.mockRejectedValueOnce(failure);
    const calls = update.mock.calls.length;
    note({ clientId: 'studio' } as ClientRecord);
    expect(update).toHaveBeenCalledTimes(calls + 1);
    await setImmediate();
  };
  await noteIn(0, full);
  await noteIn(1, full);
  expect(errors).toEqual([full]);
  await noteIn(1);
  await noteIn(60, late);
  expect(errors).toEqual([full, late]);
});

test('a request without a token is told where to get one', async () => {
  const { tokens } = await createAuthHarness();
  for (const nothing of [undefined, ''])
    expect(await rejectionOf(() => tokens.verify(nothing))).toMatchObject({
      code: 'INVALID_TOKEN',
      message: expect.stringContaining('access token is missing'),
    });
});

test('accepts an unchanged token from the signer that the tests below use for forgeries', async () => {
  const world = await session();
  expect(await world.tokens.verify(await forge(world))).toMatchObject({ clientId: 'studio', scopes: ['jobs:read'] });
});

test('rejects every foreign or changed token as malformed, without details', async () => {
  const world = await session();
  const { tokens, accessToken } = world;
  const [header = '', claims = '', signature = ''] = accessToken.split('.');
  // The last base64url character of a 32-byte signature has six bits, of which two are unused. The next character of
  // the alphabet differs only in an unused bit.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const lastBits = signature.slice(0, -1) + alphabet.charAt(alphabet.indexOf(signature.slice(-1)) + 1);
  const none = encode({ alg: 'none', typ: 'JWT' });
  const bad: Record<string, string> = {
    garbage: 'garbage',
    'two parts': `${header}.${claims}`,
    'no signature': `${header}.${claims}.`,
    'alg none': `${none}.${claims}.`,
    'alg none with a signature': `${none}.${claims}.${signature}`,
    'alg HS512': await forge(world, { header: { alg: 'HS512' }, hash: 'sha512' }),
    'alg HS512 over HS256': await forge(world, { header: { alg: 'HS512' } }),
    'alg RS256': await forge(world, { header: { alg: 'RS256' } }),
    'wrong kid': await forge(world, { header: { kid: 'other' } }),
    'no kid': await forge(world, { header: { kid: undefined } }),
    'kid of another type': await forge(world, { header: { kid: 7 } }),
    'critical extension': await forge(world, { header: { crit: ['x'], x: 1 } }),
    'wrong iss': await forge(world, { claims: { iss: 'https://elsewhere.test' } }),
    'wrong aud': await forge(world, { claims: { aud: 'other' } }),
    'no exp': await forge(world, { claims: { exp: undefined } }),
    'no sub': await forge(world, { claims: { sub: undefined } }),
    'scope of another type': await forge(world, { claims: { scope: ['admin'] } }),
    'exp as text': await forge(world, { claims: { exp: 'never' } }),
    'other claims': `${header}.${encode({ sub: 'admin', scope: 'admin', exp: 9e9 })}.${signature}`,
    'changed signature': `${header}.${claims}.${signature.slice(1)}A`,
    'unused bits of the signature': `${header}.${claims}.${lastBits}`,
    'a dot too many': `${accessToken}.x`,
    'white space': ` ${accessToken}`,
    'too long': await forge(world, { claims: { pad: 'x'.repeat(4096) } }),
  };
  for (const [name, token] of Object.entries(bad)) {
    const { code, message } = await rejectionOf(() => tokens.verify(token));
    expect(`${code}: ${message}`, name).toBe(
      'INVALID_TOKEN: The access token is malformed, or not from this service. Request one with POST /api/auth/token.',
    );
  }
});

test('a token expires after 15 minutes, whether it is known or not', async () => {
  const { tokens, accessToken, openAnother, advance } = await session();
  const stranger = await openAnother();
  advance(899);
  await tokens.verify(accessToken);
  advance(1);
  for (const service of [tokens, stranger, tokens])
    expect(await rejectionOf(() => service.verify(accessToken))).toMatchObject({
      code: 'INVALID_TOKEN',
      message: expect.stringContaining('expired'),
    });
});

test('an expired forgery is malformed, not expired', async () => {
  const { tokens, accessToken, advance } = await session();
  advance(901);
  const [header = '', claims = '', signature = ''] = accessToken.split('.');
  const forged = `${header}.${claims}.${signature.slice(1)}A`;
  expect((await rejectionOf(() => tokens.verify(forged))).message).toContain('malformed');
});

test('rejects a client that another process revoked or rotated after a second', async () => {
  for (const verb of ['revoke', 'rotate'] as const) {
    const { tokens, clients, accessToken, advance } = await session();
    advance(5);
    await tokens.verify(accessToken);
    await clients[verb]('studio');
    advance(1);
    expect(await rejectionOf(() => tokens.verify(accessToken)), verb).toMatchObject({
      code: 'INVALID_TOKEN',
      message: expect.stringContaining('revoked'),
    });
  }
});

test('rejects a revoked client also if the clock was set back', async () => {
  const { tokens, clients, accessToken, advance } = await session();
  await tokens.verify(accessToken);
  await clients.revoke('studio');
  advance(-300);
  expect((await rejectionOf(() => tokens.verify(accessToken))).message).toContain('revoked');
});

test('a token obtained in the same second as a rotation works; one from before it does not', async () => {
  const { tokens, clients, accessToken } = await session();
  const { clientSecret } = await clients.rotate('studio');
  const after = await tokens.issue({ clientId: 'studio', clientSecret, address: ADDRESS });
  expect(await tokens.verify(after.accessToken)).toMatchObject({ clientId: 'studio' });
  expect((await rejectionOf(() => tokens.verify(accessToken))).message).toContain('revoked');
  await tokens.refresh({ refreshToken: after.refreshToken, address: ADDRESS });
});

test('a change of scopes or media root applies to existing tokens', async () => {
  const { tokens, stores, accessToken, advance } = await session();
  await tokens.verify(accessToken);
  await stores.clients.update('studio', { scopes: ['jobs:read'], root: '/srv/other', limits: { threads: 2 } });
  advance(1);
  expect(await tokens.verify(accessToken)).toEqual({
    clientId: 'studio',
    scopes: ['jobs:read'],
    root: mediaRoot('/srv/other'),
    policy: { threads: 2 },
  });
});

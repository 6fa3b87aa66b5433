import { expect, test } from 'vitest';
import type { Caller } from '../../../packages/contract/src/domain/client.ts';
import { type AuthHarness, createAuthHarness, rejectionOf } from '../../support/auth-harness.ts';
import { mediaRoot } from '../../support/media-root.ts';

const DAY = 24 * 3600;

const callerOf = (clientId: string): Caller => ({
  clientId,
  scopes: ['files:read'],
  root: mediaRoot('/srv/media'),
  policy: {},
});

async function createLink(seconds: number, options?: Parameters<AuthHarness['addClient']>[1]) {
  const world = await createAuthHarness();
  await world.addClient('studio', options);
  const { links } = world.tokens;
  const link = await links.sign(callerOf('studio'), 'a film', seconds);
  return { ...world, links, link };
}

test('a link acts for the client that created it, with the scope to read files only', async () => {
  const { links, link } = await createLink(900, { root: '/srv/media/studio' });
  expect(await links.verify('a film', link, 'files:read')).toEqual({
    clientId: 'studio',
    scopes: ['files:read'],
    root: mediaRoot('/srv/media/studio'),
    policy: { threads: 8 },
  });
});

test('a link is valid until its last second, and for one subject only', async () => {
  const { links, link, advance } = await createLink(900);
  advance(899);
  await links.verify('a film', link, 'files:read');
  expect((await rejectionOf(() => links.verify('another film', link, 'files:read'))).code).toBe('INVALID_LINK');
  advance(1);
  expect((await rejectionOf(() => links.verify('a film', link, 'files:read'))).code).toBe('LINK_EXPIRED');
});

test('the longest link is valid until it expires, even if its key is rotated at once', async () => {
  const world = await createAuthHarness();
  await world.addClient('studio');
  const { links } = world.tokens;
  world.advance(30 * DAY - 1);
  const link = await links.sign(callerOf('studio'), 'a film', DAY);
  world.advance(1);
  const later = await links.sign(callerOf('studio'), 'a film', DAY);
  expect(later.key).not.toBe(link.key);
  world.advance(DAY - 2);
  await links.verify('a film', link, 'files:read');
  world.advance(1);
  expect((await rejectionOf(() => links.verify('a film', link, 'files:read'))).code).toBe('LINK_EXPIRED');
});

test('reports a link as expired only if its signature is valid', async () => {
  const { links, link, advance } = await createLink(900);
  advance(900);
  const forged = { ...link, expires: String(Number(link.expires) + 1) };
  expect((await rejectionOf(() => links.verify('a film', forged, 'files:read'))).code).toBe('INVALID_LINK');
});

test('a link is void once its client is revoked, is rotated, or may no longer read files', async () => {
  for (const end of [
    ({ clients }: AuthHarness) => clients.revoke('studio'),
    ({ clients }: AuthHarness) => clients.rotate('studio'),
    ({ stores }: AuthHarness) => stores.clients.update('studio', { scopes: ['jobs:read', 'files:write'] }),
  ]) {
    const world = await createLink(900);
    world.advance(1);
    await end(world);
    expect((await rejectionOf(() => world.links.verify('a film', world.link, 'files:read'))).code).toBe('INVALID_LINK');
  }
});

test('a link created in the same second as a rotation is valid', async () => {
  const { clients, links } = await createLink(900);
  await clients.rotate('studio');
  const link = await links.sign(callerOf('studio'), 'a film', 900);
  expect(await links.verify('a film', link, 'files:read')).toMatchObject({ clientId: 'studio' });
});

test('rejects an access token as a link, and a link as an access token', async () => {
  const { links, link, tokens, addClient } = await createLink(900);
  const { accessToken } = await tokens.issue(await addClient('other'));
  const [head = '', body = '', signature = ''] = accessToken.split('.');
  const key = (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid;
  expect(key).toBe(link.key);
  expect((await rejectionOf(() => links.verify(`${head}.${body}`, { ...link, signature }, 'files:read'))).code).toBe(
    'INVALID_LINK',
  );
  expect((await rejectionOf(() => tokens.verify(`${head}.${body}.${link.signature}`))).code).toBe('INVALID_TOKEN');
});

test('a share acts for its client until that is revoked or may no longer read files, also with a new secret', async () => {
  const world = await createAuthHarness();
  await world.addClient('studio', { root: '/srv/media/studio' });
  const { links } = world.tokens;
  const reader = { clientId: 'studio', scopes: ['files:read'], root: mediaRoot('/srv/media/studio') };
  expect(await links.readerOf('studio')).toMatchObject(reader);
  const startedAt = world.now();
  expect(await links.readerOf('studio', startedAt)).toMatchObject(reader);
  world.advance(1);
  await world.clients.rotate('studio');
  expect(await links.readerOf('studio')).toMatchObject(reader);
  // A download that began before has the old secret.
  expect((await rejectionOf(() => links.readerOf('studio', startedAt))).code).toBe('INVALID_LINK');
  await world.stores.clients.update('studio', { scopes: ['jobs:read', 'files:write'] });
  expect((await rejectionOf(() => links.readerOf('studio'))).code).toBe('INVALID_LINK');
  await world.stores.clients.update('studio', { scopes: ['files:read'] });
  await world.clients.revoke('studio');
  expect((await rejectionOf(() => links.readerOf('studio'))).code).toBe('INVALID_LINK');
  expect((await rejectionOf(() => links.readerOf('nobody'))).code).toBe('INVALID_LINK');
});

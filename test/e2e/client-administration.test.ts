import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type {
  ClientListView,
  ClientWithSecretView,
  DoctorView,
  RegisteredClientView,
} from '../../packages/contract/src/wire/clients.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { adminClient, type ClientCredentials, login, sendRequest } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const test = needs('ffmpeg');
/** For tests that leave the administrator as it is. */
const start = sharedServer();

test('an administrator adds, changes, rotates and revokes a client over HTTP', async () => {
  const { server, admin } = await start();
  const added = await admin.request<ClientWithSecretView>('/api/clients', {
    method: 'POST',
    body: { clientId: 'shop', scopes: ['jobs:read', 'jobs:write'], limits: { duration: '2h', time: 'none' } },
  });
  expect(added.status).toBe(201);
  expect(added.headers.get('location')).toBe('/api/clients/shop');
  expect(added.body).toMatchObject({
    clientId: 'shop',
    scopes: ['jobs:read', 'jobs:write'],
    root: 'shop',
    limits: { duration: 7200, time: null },
  });
  const { clientSecret = '' } = added.body;
  const shop = await login(server.url, { clientId: 'shop', clientSecret });
  expect((await shop.request('/api/conversion')).status).toBe(200);
  expect((await shop.request('/api/clients')).status, 'it is not an administrator').toBe(403);

  const { body: shown } = await admin.request<RegisteredClientView>('/api/clients/shop');
  expect(JSON.stringify(shown)).not.toContain(clientSecret);
  expect(added.body.lastUsedAt, 'a new client').toBeUndefined();
  await expect
    .poll(async () => (await admin.request<RegisteredClientView>('/api/clients/shop')).body.lastUsedAt)
    .toEqual(expect.any(String));
  const { body: all } = await admin.request<ClientListView>('/api/clients');
  expect(all.clients.map(({ clientId, root }) => [clientId, root])).toEqual(
    expect.arrayContaining([
      ['admin', '.'],
      ['shop', 'shop'],
    ]),
  );
  // What applies where a client has no limit of its own. Nothing limits its processor time.
  expect(all.defaultLimits).toMatchObject({ duration: 48 * 3600, files: 10_000, time: 7200, pending: 10_000 });
  expect(all.defaultLimits).not.toHaveProperty('cpu');

  const changed = await admin.request<RegisteredClientView>('/api/clients/shop', {
    method: 'PATCH',
    body: { root: 'teams/shop', scopes: ['jobs:read'], limits: { duration: 'default' } },
  });
  expect(changed).toMatchObject({ status: 200, body: { root: 'teams/shop', scopes: ['jobs:read'] } });
  expect(changed.body.limits).toEqual({ time: null });

  const rotate = (query = '') =>
    admin.request<ClientWithSecretView>(`/api/clients/shop/rotate${query}`, { method: 'POST' });
  const graced = await rotate('?graceHours=24');
  expect(graced, 'the old secret still works').toMatchObject({
    status: 200,
    body: { previousSecretExpiresAt: expect.any(String) },
  });
  expect((await shop.request('/api/conversion')).status).toBe(200);
  for (const secret of [clientSecret, graced.body.clientSecret])
    await login(server.url, { clientId: 'shop', clientSecret: secret ?? '' });
  expect((await rotate('?graceHours=169')).status).toBe(400);
  const rotated = await rotate();
  expect(rotated.status).toBe(200);
  expect(rotated.body.previousSecretExpiresAt).toBeUndefined();
  await expect.poll(async () => (await shop.request('/api/conversion')).status).toBe(401);
  const second = await login(server.url, { clientId: 'shop', clientSecret: rotated.body.clientSecret ?? '' });
  for (let i = 0; i < 2; i += 1) {
    const revoked = await admin.request<RegisteredClientView>('/api/clients/shop', { method: 'DELETE' });
    expect(revoked, 'revoking is idempotent').toMatchObject({ status: 200, body: { revokedAt: expect.any(String) } });
  }
  await expect.poll(async () => (await second.request('/api/conversion')).status).toBe(401);

  const { body: log } = await admin.request<AuditListView>('/api/audit?target=shop&order=oldest');
  expect(log.records.map(({ action }) => action)).toEqual([
    'client.add',
    'client.change',
    'client.rotate',
    'client.rotate',
    'client.revoke',
    'client.revoke',
  ]);
  expect(log.records[1]?.details).toMatchObject({ scopes: ['jobs:read'] });
  expect(log.records[2]?.details).toMatchObject({ graceHours: 24 });
  expect(JSON.stringify(log)).not.toContain(clientSecret);
});

test('the last administrator can be neither revoked nor demoted', async () => {
  const { admin } = await start();
  const revoked = await admin.request<ProblemView>('/api/clients/admin', { method: 'DELETE' });
  expect(revoked).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } });
  const demoted = await admin.request<ProblemView>('/api/clients/admin', {
    method: 'PATCH',
    body: { scopes: ['jobs:read'] },
  });
  expect(demoted).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } });
});

test('an administrator is lost only if another one is left, or if a request says so', { tags: 'long' }, async () => {
  const server = await startServer();
  const admin = await adminClient(server);
  const revoke = (query = '') => admin.request<ProblemView>(`/api/clients/admin${query}`, { method: 'DELETE' });
  const demote = (more = {}) =>
    admin.request<ProblemView>('/api/clients/admin', { method: 'PATCH', body: { scopes: ['jobs:read'], ...more } });
  expect(await revoke()).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } });
  expect(await demote()).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } });
  const keep = await admin.request('/api/clients/admin', { method: 'PATCH', body: { limits: { time: '1h' } } });
  expect(keep.status, 'other changes are allowed').toBe(200);
  const added = await admin.request<ClientWithSecretView>('/api/clients', {
    method: 'POST',
    body: { clientId: 'second', scopes: ['admin'] },
  });
  const second = await login(server.url, { clientId: 'second', clientSecret: added.body.clientSecret ?? '' });
  expect((await demote()).status, 'another one is left').toBe(200);
  const last = await second.request<ProblemView>('/api/clients/second', { method: 'DELETE' });
  expect(last.body.detail).toContain('lastAdmin=true');
  expect((await second.request('/api/clients/second?lastAdmin=true', { method: 'DELETE' })).status).toBe(200);
});

test('of two administrators who revoke each other at once, one is left', { tags: 'long' }, async () => {
  const server = await startServer();
  const admin = await adminClient(server);
  const { body } = await admin.request<ClientWithSecretView>('/api/clients', {
    method: 'POST',
    body: { clientId: 'second', scopes: ['admin'] },
  });
  const second = await login(server.url, { clientId: 'second', clientSecret: body.clientSecret ?? '' });
  const replies = await Promise.all([
    admin.request('/api/clients/second', { method: 'DELETE' }),
    second.request('/api/clients/admin', { method: 'DELETE' }),
  ]);
  // The second request is a 401 if the first was over before it came.
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const left = replies[0]?.status === 200 ? admin : second;
  const { clients } = (await left.request<ClientListView>('/api/clients')).body;
  expect(clients.filter(({ scopes, revokedAt }) => scopes.includes('admin') && revokedAt === undefined)).toHaveLength(
    1,
  );
});

test('a client gets no folder outside the media root, and none with files of others, over HTTP', async () => {
  const { server, admin } = await start();
  const add = (clientId: string, more: object = {}) =>
    admin.request<ProblemView>('/api/clients', { method: 'POST', body: { clientId, ...more } });
  for (const root of ['/etc', '/srv/other', '../other', 'a/../../b'])
    expect(await add('eve', { root }), root).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/root', code: 'OUTSIDE_MEDIA_ROOT' }] },
    });
  const outside = await testFolder('outside');
  await symlink(outside, join(server.mediaRoot, 'link'));
  expect(await add('eve', { root: 'link' }), 'a symlink that leaves the media root').toMatchObject({
    status: 400,
    body: { errors: [{ field: '/root', code: 'OUTSIDE_MEDIA_ROOT' }] },
  });
  const upload = await admin.request('/api/files/taken/movie.mp4', { method: 'PUT', raw: 'bytes' });
  expect(upload.status).toBe(201);
  expect((await add('taken')).body.errors).toMatchObject([{ field: '/root', code: 'NOT_CONFIRMED' }]);
  expect((await add('taken', { usesFiles: true })).status).toBe(201);
  expect((await add('taken')).body.errors).toMatchObject([{ field: '/clientId', code: 'NAME_TAKEN' }]);
  expect((await add('Bad Name')).body.errors).toMatchObject([{ field: '/clientId', code: 'BAD_NAME' }]);
  expect((await add('eve', { limits: { speed: 1, time: '2h', duration: 'long' } })).body.errors).toMatchObject([
    { field: '/limits/speed', code: 'BAD_LIMIT' },
    { field: '/limits/duration', code: 'BAD_LIMIT' },
  ]);
  expect((await add('eve', { scopes: ['root'] })).body.errors).toMatchObject([{ field: '/scopes/0' }]);
  const nothing = await admin.request<ProblemView>('/api/clients/taken', { method: 'PATCH', body: {} });
  expect(nothing).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Nothing to change') } });
  const unknown = await admin.request<ProblemView>('/api/clients/nobody', { method: 'PATCH', body: { root: '.' } });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

test('telecine doctor runs over HTTP, for administrators only', { tags: 'long' }, async () => {
  const { server, admin } = await start();
  expect((await sendRequest(server.url, '/api/doctor')).status).toBe(401);
  const { body } = await admin.request<DoctorView>('/api/doctor');
  expect(body.findings.map(({ name }) => name)).toEqual(expect.arrayContaining(['node', 'ffmpeg', 'sandbox', 'store']));
  expect(body.findings.filter(({ state }) => state === 'bad')).toEqual([]);
});

test('telecine client and telecine doctor manage a service on another machine', { tags: 'long' }, async () => {
  const server = await startServer();
  const { clientId, clientSecret } = JSON.parse(
    await readFile(join(server.dataDir, 'admin-client.json'), 'utf8'),
  ) as ClientCredentials;
  const settings = { TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
  const typed = (...args: readonly string[]) => runCli([...args, '--url', server.url], settings);
  const added = await typed('client', 'add', 'shop', '--scope', 'jobs:read', '--limit', 'time=1h', '--json');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const shop = JSON.parse(added.stdout) as { clientSecret: string };
  expect(shop).toMatchObject({ clientId: 'shop', scopes: ['jobs:read'], root: 'shop' });
  await login(server.url, { clientId: 'shop', clientSecret: shop.clientSecret });
  expect((await typed('client', 'list')).stdout).toMatch(/^shop +active +\S+ +\S+ +jobs:read +shop +time=3600$/m);
  expect((await typed('client', 'set', 'shop', '--scope', 'jobs:read,jobs:write')).stdout).toContain(
    'scopes      jobs:read jobs:write',
  );
  expect((await typed('client', 'rotate', 'shop')).stdout).toMatch(/^client secret {2}tcs_/m);

  expect(await typed('client', 'set', 'shop')).toMatchObject({
    code: 2,
    stderr: 'error: Nothing to change.\nSend --root, --scope or --limit.\n',
  });
  expect(await typed('client', 'set', 'shop', '--limit', 'speed=1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown limit "speed"'),
  });
  expect(await typed('client', 'revoke', 'shop')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --yes to revoke it.'),
  });
  expect((await typed('client', 'revoke', 'shop', '--yes')).stdout).toContain('shop is revoked.');
  expect(await typed('client', 'revoke', 'admin', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give another client the scope admin first'),
  });
  await server.media.put('films/a.mp4', Buffer.from('a'));
  expect(await typed('client', 'add', 'films')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: "films" is not added\. .* is not empty.*\n.*add --yes/),
  });
  expect((await typed('client', 'add', 'films', '--yes')).code).toBe(0);

  const checked = await typed('doctor');
  expect(checked.code).toBe(0);
  expect(checked.stdout).toMatch(/^✓ node/m);
  expect(await runCli(['client', 'list', '--url', server.url], {})).toMatchObject({ code: 3 });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { CreatedShareView, ShareView } from '../../packages/contract/src/wire/share.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { codeOf, filesClient, openRequest } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';
import { locationOf, tusRequests, tusUpload } from '../support/tus.ts';

const MEBIBYTE = 2 ** 20;

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** A client with a root of its own, and what anyone can do with its links to folders. */
async function newClient(name: string, limits: Parameters<typeof insertClient>[2] = {}) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `clients/${name}`, ...limits });
  const client = await login(server.url, credentials);
  const linkTo = async (terms: object = {}) => {
    const body = { path: 'in/', files: 100, ...terms };
    const { body: link } = await client.request<CreatedShareView>('/api/shares', { method: 'POST', body });
    const token = link.url.split('/').at(-1) ?? '';
    return { link, token, tus: tusRequests(server.url, token) };
  };
  const revoke = (shareId = '') => client.request(`/api/shares/${shareId}`, { method: 'DELETE' });
  const media = server.media.below(`clients/${name}`);
  return {
    server,
    client,
    clientId: credentials.clientId,
    linkTo,
    revoke,
    media,
    files: filesClient(server.url, client.token),
  };
}

test('anyone with a link to a folder uploads many files into it by tus', async ({ expect }) => {
  const { server, client, clientId, linkTo, media } = await newClient('many');
  const { link, token } = await linkTo();
  expect(link).toMatchObject({ path: 'in/', files: 100 });
  expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(6 * 24 * 3600 * 1000);
  const contents = [randomBytes(3 * MEBIBYTE + 1), Buffer.from('small'), Buffer.alloc(0)];
  for (const [index, content] of contents.entries()) {
    const metadata = { path: `day ${index}/film.mp4` };
    expect((await tusUpload(server.url, token, content, { metadata })).error).toBeUndefined();
    expect((await media.get(`in/day ${index}/film.mp4`)).equals(content)).toBe(true);
  }
  const { body } = await client.request<{ shares: readonly ShareView[] }>('/api/shares');
  expect(body.shares).toMatchObject([{ shareId: link.shareId, path: 'in/', files: 100, uses: 3, state: 'ACTIVE' }]);
  const { admin } = await start();
  const audit = await admin.request<AuditListView>(`/api/audit?action=file.write&client=${clientId}`);
  expect(audit.body.records.map(({ details }) => details)).toEqual(Array(3).fill({ shareId: link.shareId }));
  expect(server.log()).not.toContain(token);
});

test('a link opens a page in a browser, and says to programs what it takes', async ({ expect }) => {
  const { server, linkTo } = await newClient('page');
  const { link, token } = await linkTo({ files: 2, maxBytes: 5 });
  const facts = await fetch(server.url + link.url, { headers: { accept: 'application/json' } });
  expect(await facts.json()).toEqual({ files: 2, taken: 0, maxBytes: 5, expiresAt: link.expiresAt });
  expect(facts.headers.get('referrer-policy')).toBe('no-referrer');
  expect(server.log()).not.toContain(token);
  for (const path of ['/files.zip', '/files/film.mp4'])
    expect((await fetch(`${server.url}/s/${token}${path}`)).status).toBe(404);
});

test('a link stays in its folder, replaces nothing, and sees no uploads but its own', async ({ expect }) => {
  const { server, client, linkTo, files, media } = await newClient('bounds');
  await files.put('in/theirs.txt', 'theirs');
  await files.put('secret.txt', 'secret');
  const { tus, token } = await linkTo();
  const outcome = async (name: string) => {
    const reply = await tus.create(name, 4);
    return reply.status === 201 ? '201' : `${reply.status} ${codeOf(reply)}`;
  };
  for (const name of [
    '../secret.txt',
    'a/../../secret.txt',
    '..',
    '.',
    '',
    '/',
    '.telecine/x',
    'a\0b',
    'a/',
    's3://b/x',
  ])
    expect(await outcome(name), name).toBe('400 INVALID_REQUEST');
  const taken = await tus.create('theirs.txt', 4);
  expect([taken.status, codeOf(taken)]).toEqual([412, 'PRECONDITION_FAILED']);
  // No entity tag, and no folder.
  expect(taken.bytes.toString()).not.toMatch(/ETag|in\//);
  const forced = await tus.create('theirs.txt', 4, { 'if-match': '*' });
  expect(codeOf(forced)).toBe('PRECONDITION_FAILED');
  const below = await tus.create('theirs.txt/x', 4);
  expect([codeOf(below), below.bytes.toString()]).toEqual(['NOT_A_FILE', expect.not.stringMatching('in/')]);

  // An absolute name means the folder, and the path of the media root on the host is nothing special.
  expect(await outcome('/abs.bin')).toBe('201');
  const own = locationOf(await tus.create('own.bin', 4));
  const others = [(await linkTo()).tus, tusRequests(server.url, (await linkTo({ path: 'in/' })).token)];
  const ofClient = locationOf(await tusRequests(server.url, client.token).create('client.bin', 4));
  for (const other of others)
    for (const reply of [await other.head(own), await other.patch(own, 0, '1234'), await other.send('DELETE', own)])
      expect(reply.status).toBe(404);
  for (const reply of [
    await tus.head(ofClient),
    await tus.patch(ofClient, 0, '1234'),
    await tus.send('DELETE', ofClient),
  ])
    expect(reply.status).toBe(404);
  for (const path of ['/api/files/in/theirs.txt', '/api/files', '/api/bin', '/api/shares'])
    expect((await filesClient(server.url, token).send('GET', path)).status, path).toBe(401);
  expect((await filesClient(server.url, token).put('in/theirs.txt', 'mine')).status).toBe(401);

  // A file that appears meanwhile stays, too.
  await files.put('in/own.bin', 'first');
  expect(codeOf(await tus.patch(own, 0, '1234'))).toBe('PRECONDITION_FAILED');
  expect((await media.get('in/own.bin')).toString()).toBe('first');
  expect((await media.get('in/theirs.txt')).toString()).toBe('theirs');
});

test('a link takes as many files as it says, and none that is too large', async ({ expect }) => {
  const { linkTo } = await newClient('limits');
  const { tus } = await linkTo({ files: 2, maxBytes: 4 });
  expect(codeOf(await tus.create('large.bin', 5))).toBe('BODY_TOO_LARGE');
  const one = locationOf(await tus.create('one.bin', 4));
  expect((await tus.patch(one, 0, '1234')).status).toBe(204);
  // A rejected upload and a deleted one are not counted.
  expect(codeOf(await tus.create('one.bin', 4))).toBe('PRECONDITION_FAILED');
  const two = locationOf(await tus.create('two.bin', 4));
  expect((await tus.create('three.bin', 4)).status).toBe(410);
  expect((await tus.send('DELETE', two)).status).toBe(204);
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => tus.create(name, 4)));
  expect(all.map(({ status }) => status).toSorted()).toEqual([201, 410, 410, 410]);
  // The finished upload is still known to its link.
  expect((await tus.head(one)).headers['upload-offset']).toBe('4');
});

test('a link that is revoked ends its running upload, and one that has ended opens nothing', async ({ expect }) => {
  const { server, clientId, linkTo, revoke } = await newClient('revoked');
  const { link, token, tus } = await linkTo();
  const at = new URL(locationOf(await tus.create('long.bin', 8 * MEBIBYTE)), server.url).pathname;
  const { sent, answered } = openRequest(server.url, 'PATCH', at, {
    authorization: `Bearer ${token}`,
    ...{ 'tus-resumable': '1.0.0', 'upload-offset': 0, 'content-type': 'application/offset+octet-stream' },
    'content-length': 8 * MEBIBYTE,
  });
  sent.on('error', () => undefined);
  sent.write(Buffer.alloc(MEBIBYTE));
  expect((await revoke(link.shareId)).status).toBe(204);
  let isAnswered = false;
  // A client that still writes may find its connection closed before it has read the answer.
  const status = answered
    .then(
      ({ statusCode }) => statusCode,
      () => 'cut off',
    )
    .finally(() => {
      isAnswered = true;
    });
  for (let i = 0; i < 60 && !isAnswered; i += 1) {
    sent.write(Buffer.alloc(1000));
    await delay(100);
  }
  expect([410, 'cut off']).toContain(await status);
  for (const reply of [await tus.head(at), await tus.create('other.bin', 1)]) expect(reply.status).toBe(410);
  // A new secret of the client ends no shared link, and its revocation all.
  const rotated = await linkTo();
  await runClientCommand(server, 'rotate', clientId, '--json');
  expect((await rotated.tus.create('a.bin', 1)).status).toBe(201);
  await runClientCommand(server, 'revoke', clientId, '--yes', '--json');
  expect(codeOf(await rotated.tus.create('b.bin', 1))).toBe('INVALID_LINK');
});

test('a link tells nothing about the quota of its client, and needs its scope', async ({ expect }) => {
  const { linkTo, client, server } = await newClient('quota', { limits: { storage: 1000 } });
  const { tus } = await linkTo();
  const full = await tus.create('a.bin', 1001);
  expect([codeOf(full), full.bytes.toString()]).toEqual(['STORAGE_EXCEEDED', expect.not.stringMatching(/1000|quota"/)]);
  const wrong: readonly [object, string][] = [
    [{ path: 'a.bin', maxBytes: 2 }, '/maxBytes'],
    [{ path: 'in/' }, '/path'],
    [{ jobId: randomUUID(), files: 1 }, '/files'],
    [{ path: 'in/', files: 0 }, '/files'],
    [{ path: 'in/', files: 1, seconds: 31 * 24 * 3600 }, '/seconds'],
    [{ path: '../', files: 1 }, '/path'],
    [{ path: '/', files: 1 }, '/path'],
  ];
  for (const [body, field] of wrong)
    expect(await client.request('/api/shares', { method: 'POST', body }), JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    });
  const download = await client.request<{ url: string }>('/api/shares', { method: 'POST', body: { path: 'a.bin' } });
  expect(download.status).toBe(404);
  const shared = await filesClient(server.url, client.token).put('a.bin', 'x');
  expect(shared.status).toBe(201);
  const { body } = await client.request<{ url: string }>('/api/shares', { method: 'POST', body: { path: 'a.bin' } });
  const reading = tusRequests(server.url, body.url.split('/').at(-1) ?? '');
  expect(codeOf(await reading.create('b.bin', 1))).toBe('INVALID_LINK');
});

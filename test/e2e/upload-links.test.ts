import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { UploadLinkRequest, UploadLinkView } from '../../packages/contract/src/wire/links.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { codeOf, type FileReply, filesClient, openRequest } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
const alone = needs('ffmpeg');

type Terms = Partial<UploadLinkRequest> & Pick<UploadLinkRequest, 'path'>;

/** A client with a root of its own, and what anyone can do with its links. */
async function newClient(name: string) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `clients/${name}` });
  const client = await login(server.url, credentials);
  const anyone = filesClient(server.url, undefined);
  const linkTo = (body: Terms) => client.request<UploadLinkView>('/api/upload-links', { method: 'POST', body });
  const put = (url: string, body: string | Uint8Array) =>
    anyone.send('PUT', url, { 'content-length': Buffer.byteLength(body) }, body);
  return {
    server,
    client,
    clientId: credentials.clientId,
    anyone,
    linkTo,
    put,
    media: server.media.below(`clients/${name}`),
    read: filesClient(server.url, client.token),
  };
}

const outcomeOf = (reply: FileReply): string =>
  reply.status < 300 ? `${reply.status}` : `${reply.status} ${codeOf(reply)}`;

alone('a link of a model lets its user upload one film, once, which the model then probes', async ({ expect }) => {
  const { server, client, put } = await newClient('model');
  const model = await mcpClient(server.url, client.token);
  const link = await callTool<UploadLinkView>(model, 'file_links', {
    action: 'upload',
    path: 'from user/talk.mp4',
  });
  expect(link).toMatchObject({ path: 'from user/talk.mp4', maxBytes: COMMON.maxUploadBytes, replace: false });
  const { pathname } = new URL(link.url);
  expect(outcomeOf(await put(pathname, await readFile(samplePath('480p'))))).toBe('201');
  expect(outcomeOf(await put(pathname, 'another'))).toBe('410 LINK_USED');
  const { streams } = await callTool<MediaInfo>(model, 'probe_media', { input: 'from user/talk.mp4' });
  expect(streams.length).toBeGreaterThan(0);
  expect(server.log()).not.toContain(pathname.split('/')[4]);
});

test('of two uploads by one link at the same time, one is stored, and the other takes no place of its client', async ({
  expect,
}) => {
  const { server, linkTo, read } = await newClient('two');
  const { url } = (await linkTo({ path: 'a.bin', replace: true })).body;
  const both = ['first!', 'second'].map((body) => {
    const headers = { 'content-length': body.length, expect: '100-continue' };
    const { sent, answered } = openRequest(server.url, 'PUT', url, headers);
    sent.flushHeaders();
    // The service says whether it takes the body, or answers at once.
    const isTaken = Promise.race([once(sent, 'continue').then(() => true), answered.then(() => false)]);
    return { body, sent, answered, isTaken };
  });
  const taken = await Promise.all(both.map(({ isTaken }) => isTaken));
  expect(taken).toContain(true);
  for (const [index, { body, sent }] of both.entries()) if (taken[index]) sent.end(body);
  const statuses = (await Promise.all(both.map(({ answered }) => answered))).map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([201, 429]);
  expect((await read.get('a.bin')).bytes.toString()).toBe(both[statuses.indexOf(201)]?.body);
});

test('a link stores no more bytes than it allows, and a failed upload does not use it', async ({ expect }) => {
  const { admin } = await start();
  const { server, clientId, linkTo, put, read } = await newClient('small');
  const { url } = (await linkTo({ path: 'a.bin', maxBytes: 5 })).body;
  expect(outcomeOf(await put(url, '123456'))).toBe('413 BODY_TOO_LARGE');
  const { sent, answered } = openRequest(server.url, 'PUT', url, { 'transfer-encoding': 'chunked' });
  sent.write('1234');
  sent.end('56');
  expect((await answered).statusCode).toBe(413);
  const cut = openRequest(server.url, 'PUT', url, { 'content-length': 5 });
  cut.sent.on('error', () => undefined);
  cut.sent.write('12', () => cut.sent.destroy());
  await new Promise((closed) => cut.sent.once('close', closed));
  expect((await read.get('a.bin')).status).toBe(404);
  // The service may not have noticed yet that the connection is closed.
  await expect.poll(async () => outcomeOf(await put(url, '12345'))).not.toBe('429 TOO_MANY_UPLOADS');
  expect(outcomeOf(await put(url, '12345'))).toBe('410 LINK_USED');
  expect((await read.get('a.bin')).bytes.toString()).toBe('12345');

  const details = async (action: string) =>
    (await admin.request<AuditListView>(`/api/audit?action=${action}&client=${clientId}`)).body.records[0]?.details;
  const linkId = url.split('/')[3]?.split('.')[0];
  expect(await details('file.write')).toEqual({ linkId, replaced: false });
  // Its reply does not wait for the record.
  await expect.poll(() => details('link.create')).toMatchObject({ linkId, maxBytes: 5, replace: false });
});

test('a link replaces a file only if it was made for that', async ({ expect }) => {
  const { anyone, linkTo, put, read } = await newClient('replaces');
  const { url } = (await linkTo({ path: 'a.bin' })).body;
  const other = (await linkTo({ path: 'a.bin' })).body.url;
  const replacing = (await linkTo({ path: 'a.bin', replace: true })).body.url;
  expect(outcomeOf(await put(url, 'first'))).toBe('201');
  expect(outcomeOf(await put(other, 'second'))).toBe('412 PRECONDITION_FAILED');
  const unlessThere = await anyone.send('PUT', replacing, { 'if-none-match': '*', 'content-length': 1 }, 'x');
  expect(outcomeOf(unlessThere)).toBe('412 PRECONDITION_FAILED');
  expect(outcomeOf(await put(replacing, 'third'))).toBe('204');
  expect((await read.get('a.bin')).bytes.toString()).toBe('third');
});

test('a link is for one path, and for nothing else', async ({ expect }) => {
  const { client, clientId, linkTo, put, read } = await newClient('forged');
  const { url } = (await linkTo({ path: 'dir/a.bin', maxBytes: 5 })).body;
  const changed = [
    url.replace('dir/a.bin', 'dir/b.bin'),
    url.replace('dir/a.bin', 'dir%2F..%2Fb.bin'),
    url.replace('.5.new', '.6.new'),
    url.replace('.5.new', '.5.replace'),
    url.replace(`${clientId}~`, 'admin~'),
    url.replace(/~\d+~(\d+)~/, '~$1~9$1~'),
  ];
  for (const one of changed) expect(outcomeOf(await put(one, 'x')), one).toBe('403 INVALID_LINK');
  for (const method of ['GET', 'DELETE']) expect((await read.send(method, url)).status, method).toBe(405);
  const terms: readonly [Partial<Terms>, string][] = [
    [{ path: '../a.bin' }, '/path'],
    [{ path: '/etc/passwd/../..' }, '/path'],
    [{ path: 'a.bin', maxBytes: COMMON.maxUploadBytes + 1 }, '/maxBytes'],
    [{ path: 'a.bin', seconds: COMMON.linkSeconds + 1 }, '/seconds'],
    [{}, '/path'],
  ];
  for (const [body, field] of terms)
    expect(await client.request('/api/upload-links', { method: 'POST', body }), JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    });
});

test('a link ends by its time, and with the secret and the rights of its client', async ({ expect }) => {
  const { server, clientId, linkTo, put } = await newClient('ends');
  const { url: short } = (await linkTo({ path: 'a.bin', maxBytes: 1, seconds: 1 })).body;
  // Too long for the link, so that no upload before its end uses it.
  await expect.poll(async () => outcomeOf(await put(short, 'xx'))).toBe('410 LINK_EXPIRED');
  const { url } = (await linkTo({ path: 'a.bin' })).body;
  await runClientCommand(server, 'rotate', clientId, '--json');
  expect(outcomeOf(await put(url, 'x'))).toBe('403 INVALID_LINK');

  const reader = await login(server.url, await insertClient(server, 'reads', { scopes: ['files:read'] }));
  const refused = await reader.request('/api/upload-links', { method: 'POST', body: { path: 'a.bin' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
});

import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { CreatedShareView } from '../../packages/contract/src/wire/share.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { codeOf, type FileReply, filesClient, openRequest } from '../support/files-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
const alone = needs('ffmpeg');

/** A client with a root of its own, and what anyone can do with its links. */
async function newClient(name: string) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `clients/${name}` });
  const client = await login(server.url, credentials);
  const anyone = filesClient(server.url, undefined);
  const linkTo = async (terms: object = {}) => {
    const body = { path: 'in/', files: 1, ...terms };
    return (await client.request<CreatedShareView>('/api/shares', { method: 'POST', body })).body;
  };
  const put = (url: string, name: string, body: string | Uint8Array, headers = {}) =>
    anyone.send('PUT', `${url}/files/${name}`, { 'content-length': Buffer.byteLength(body), ...headers }, body);
  return { server, client, clientId: credentials.clientId, linkTo, put, read: filesClient(server.url, client.token) };
}

const outcomeOf = (reply: FileReply): string =>
  reply.status < 300 ? `${reply.status}` : `${reply.status} ${codeOf(reply)}`;

alone('a link of a model lets its user upload one film by curl, which the model then probes', async ({ expect }) => {
  const { server, client, put } = await newClient('model');
  const model = await mcpClient(server.url, client.token);
  const link = await callTool<CreatedShareView>(model, 'file_links', { action: 'share', path: 'from user', files: 1 });
  expect(link).toMatchObject({ path: 'from user/', files: 1 });
  const { pathname } = new URL(link.url);
  const stored = await put(pathname, 'talk.mp4', await readFile(samplePath('480p')));
  expect(outcomeOf(stored)).toBe('201');
  // Who has the link learns nothing of the folder.
  expect(JSON.stringify(stored.headers)).not.toContain('from');
  expect(outcomeOf(await put(pathname, 'other.mp4', 'another'))).toBe('410 LINK_USED');
  const { streams } = await callTool<MediaInfo>(model, 'probe_media', { input: 'from user/talk.mp4' });
  expect(streams.length).toBeGreaterThan(0);
  expect(server.log()).not.toContain(pathname.split('/')[2]);
});

test('a link stores no more bytes than it allows, and a failed upload does not use it', async ({ expect }) => {
  const { admin } = await start();
  const { server, clientId, linkTo, put, read } = await newClient('small');
  const { url, shareId } = await linkTo({ maxBytes: 5 });
  expect(outcomeOf(await put(url, 'a.bin', '123456'))).toBe('413 BODY_TOO_LARGE');
  const { sent, answered } = openRequest(server.url, 'PUT', `${url}/files/a.bin`, { 'transfer-encoding': 'chunked' });
  sent.write('1234');
  sent.end('56');
  expect((await answered).statusCode).toBe(413);
  const cut = openRequest(server.url, 'PUT', `${url}/files/a.bin`, { 'content-length': 5 });
  cut.sent.on('error', () => undefined);
  cut.sent.write('12', () => cut.sent.destroy());
  await new Promise((closed) => cut.sent.once('close', closed));
  expect((await read.get('in/a.bin')).status).toBe(404);
  // The service may not have noticed yet that the connection is closed.
  await expect.poll(async () => outcomeOf(await put(url, 'a.bin', '12345'))).toBe('201');
  expect(outcomeOf(await put(url, 'b.bin', '12345'))).toBe('410 LINK_USED');
  expect((await read.get('in/a.bin')).bytes.toString()).toBe('12345');
  const audit = await admin.request<AuditListView>(`/api/audit?action=file.write&client=${clientId}`);
  expect(audit.body.records).toMatchObject([{ target: 'in/a.bin', details: { shareId } }]);
});

test('a link stays in its folder and replaces nothing, and ends when it is revoked', async ({ expect }) => {
  const { server, client, linkTo, put, read } = await newClient('bounds');
  await read.put('in/theirs.txt', 'theirs');
  const { url, shareId } = await linkTo({ files: 9 });
  for (const name of ['%2E%2E%2Fa.txt', 'x%2F..%2F..%2Fa.txt', '.telecine%2Fx', 'a%00b'])
    expect(outcomeOf(await put(url, name, 'x')), name).toBe('400 INVALID_REQUEST');
  await read.put('private/theirs.txt', 'theirs');
  await symlink('../private', join(server.mediaRoot, 'clients/bounds/in/out'));
  expect(outcomeOf(await put(url, 'out%2Fa.txt', 'x'))).toBe('400 INVALID_REQUEST');
  expect((await read.get('private/a.txt')).status).toBe(404);
  for (const headers of [{}, { 'if-match': '*' }])
    expect(outcomeOf(await put(url, 'theirs.txt', 'mine', headers))).toBe('412 PRECONDITION_FAILED');
  expect((await read.get('in/theirs.txt')).bytes.toString()).toBe('theirs');
  const { url: download } = await linkTo({ path: 'in/theirs.txt', files: undefined });
  expect(outcomeOf(await put(download, 'a.txt', 'x'))).toBe('403 INVALID_LINK');
  expect(outcomeOf(await put(`${url}x`, 'a.txt', 'x'))).toBe('403 INVALID_LINK');
  await client.request(`/api/shares/${shareId}`, { method: 'DELETE' });
  expect(outcomeOf(await put(url, 'a.txt', 'x'))).toBe('410 LINK_REVOKED');
});

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect as anywhere } from 'vitest';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { adminClient, login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { codeOf, filesClient, openRequest } from '../support/files-client.ts';
import { pathsBelow } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { onDisk, onSqlite } from '../support/test-engines.ts';
import { locationOf, tusPath, tusRequests, tusUpload } from '../support/tus.ts';
import { waitUntil } from '../support/wait.ts';

const MEBIBYTE = 2 ** 20;

const start = commonServer();
const test = needs('ffmpeg').concurrent;
const alone = needs('ffmpeg');

/** The folders of resumable uploads on the disk of a media root. */
async function pendingIn(mediaRoot: string): Promise<readonly string[]> {
  const scratch = join(mediaRoot, '.telecine');
  const [folder] = (await readdir(scratch)).filter((name) => name.startsWith('resumable-'));
  return folder === undefined ? [] : (await readdir(join(scratch, folder))).map((name) => join(scratch, folder, name));
}

/** Starts a service again on the folders of one that has ended. */
const restart = ({ dataDir, mediaRoot }: TestServer) => startServer({ dataDir, mediaRoot });

test('stores a file that the official client of tus sends, where its metadata say', async ({ expect }) => {
  const { server, own, admin } = await start();
  const content = randomBytes(20 * MEBIBYTE + 12_345);
  const result = await tusUpload(server.url, own.token, content, { metadata: { path: 'tus/film.mp4' } });
  expect(result.error).toBeUndefined();
  expect((await server.media.get('tus/film.mp4')).equals(content)).toBe(true);
  const whole = { metadata: { filename: 'tus/whole.mp4' }, chunkSize: Infinity, uploadDataDuringCreation: true };
  expect((await tusUpload(server.url, own.token, content, whole)).error).toBeUndefined();
  expect((await server.media.get('tus/whole.mp4')).equals(content)).toBe(true);
  const audit = await admin.request<AuditListView>(`/api/audit?action=file.write&client=${server.part}`);
  const written = audit.body.records.filter(({ target }) => target?.startsWith('tus/'));
  expect(written.map(({ outcome, target }) => [outcome, target])).toEqual([
    ['done', 'tus/whole.mp4'],
    ['done', 'tus/film.mp4'],
  ]);
});

test('continues an upload whose client was aborted, and sends no acknowledged byte again', async ({ expect }) => {
  const { server, own } = await start();
  const content = randomBytes(12 * MEBIBYTE);
  const metadata = { path: 'aborted/film.mp4' };
  const cut = await tusUpload(server.url, own.token, content, {
    metadata,
    onChunk: (acknowledged) => acknowledged < 5 * MEBIBYTE,
  });
  expect(cut.error?.message).toBe('aborted');
  const { head } = tusRequests(server.url, own.token);
  const { headers } = await head(cut.url);
  expect(Number(headers['upload-offset'])).toBeGreaterThanOrEqual(5 * MEBIBYTE);
  expect(headers).toMatchObject({
    'upload-length': String(content.length),
    'upload-metadata': tusPath('aborted/film.mp4'),
    'cache-control': 'no-store',
  });
  const files = filesClient(server.url, own.token);
  expect((await files.get('aborted/film.mp4')).status).toBe(404);
  const first: number[] = [];
  const rest = await tusUpload(server.url, own.token, content, {
    uploadUrl: cut.url,
    onChunk: (acknowledged) => {
      first.push(acknowledged);
      return undefined;
    },
  });
  expect(rest.error).toBeUndefined();
  expect(first[0]).toBeGreaterThan(5 * MEBIBYTE);
  expect((await server.media.get('aborted/film.mp4')).equals(content)).toBe(true);
});

alone('a service that is killed in the middle of an upload loses no acknowledged byte', async ({ expect }) => {
  const server = await startServer();
  const { token } = await adminClient(server);
  const content = randomBytes(30 * MEBIBYTE);
  let acknowledged = 0;
  const cut = await tusUpload(server.url, token, content, {
    metadata: { path: 'killed.mp4' },
    onChunk: (bytes) => {
      acknowledged = bytes;
      if (bytes >= 11 * MEBIBYTE) void server.kill9('group');
      return undefined;
    },
  });
  expect(cut.error).toBeDefined();
  await server.exited;
  const next = await restart(server);
  const again = (await adminClient(next)).token;
  const at = new URL(new URL(cut.url).pathname, next.url).href;
  const { head } = tusRequests(next.url, again);
  // The killed service has the lock for some seconds more.
  await anywhere.poll(async () => (await head(at)).status, { timeout: 10_000 }).toBe(200);
  expect(Number((await head(at)).headers['upload-offset'])).toBeGreaterThanOrEqual(acknowledged);
  expect(await next.media.list()).toEqual([]);
  expect((await tusUpload(next.url, again, content, { uploadUrl: at })).error).toBeUndefined();
  expect((await next.media.get('killed.mp4')).equals(content)).toBe(true);
  // As often as one likes: the client may have lost the last reply.
  expect((await tusRequests(next.url, again).head(at)).headers['upload-offset']).toBe(String(content.length));
  expect(await next.media.list()).toEqual(['killed.mp4']);
});

onDisk('Only a disk shows how much of a request has arrived.', 'ffmpeg')(
  'a service that is killed in the middle of one request keeps what had arrived a second before',
  { tags: 'long' },
  async () => {
    const server = await startServer();
    const { token } = await adminClient(server);
    const content = randomBytes(3 * MEBIBYTE);
    const { create } = tusRequests(server.url, token);
    const at = locationOf(await create('one-request.bin', content.length));
    const { sent } = openRequest(server.url, 'PATCH', at, {
      authorization: `Bearer ${token}`,
      ...{ 'tus-resumable': '1.0.0', 'upload-offset': 0, 'content-type': 'application/offset+octet-stream' },
      'content-length': content.length,
    });
    sent.on('error', () => undefined);
    sent.write(content.subarray(0, MEBIBYTE));
    const folder = await waitUntil('the folder', async () => (await pendingIn(server.mediaRoot))[0]);
    const written = (bytes: number) =>
      waitUntil('the bytes', async () =>
        ((await stat(join(folder, 'content')).catch(() => undefined))?.size ?? 0) >= bytes ? true : undefined,
      );
    await written(MEBIBYTE);
    // A chunk that arrives more than a second later saves what was written before.
    await waitUntil('a save', async () => {
      sent.write(content.subarray(MEBIBYTE, MEBIBYTE));
      return Date.now() - (await stat(join(folder, 'content'))).mtimeMs > 1200 ? true : undefined;
    });
    sent.write(content.subarray(MEBIBYTE, 2 * MEBIBYTE));
    await written(2 * MEBIBYTE);
    await server.kill9('group');
    const next = await restart(server);
    const again = (await adminClient(next)).token;
    const { head } = tusRequests(next.url, again);
    // The killed service has the lock for some seconds more.
    await anywhere.poll(async () => (await head(at)).status, { timeout: 10_000 }).toBe(200);
    anywhere(Number((await head(at)).headers['upload-offset'])).toBeGreaterThan(MEBIBYTE);
    const uploadUrl = new URL(at, next.url).href;
    anywhere((await tusUpload(next.url, again, content, { uploadUrl })).error).toBeUndefined();
    anywhere((await next.media.get('one-request.bin')).equals(content)).toBe(true);
    anywhere(await pendingIn(next.mediaRoot)).toEqual([]);
  },
);

test('a request that takes an upload over ends the one with a dead connection', async ({ expect }) => {
  const { server, own } = await start();
  const content = randomBytes(2 * MEBIBYTE);
  const { create, head, patch } = tusRequests(server.url, own.token);
  const at = locationOf(await create('taken-over.bin', content.length));
  // This request never ends by itself.
  const { sent, answered } = openRequest(server.url, 'PATCH', at, {
    authorization: `Bearer ${own.token}`,
    ...{ 'tus-resumable': '1.0.0', 'upload-offset': 0, 'content-type': 'application/offset+octet-stream' },
    'content-length': content.length,
    expect: '100-continue',
  });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  await new Promise((resolve) => sent.once('continue', resolve));
  sent.write(content.subarray(0, 1000));
  const locked = await patch(at, 0, content);
  expect([locked.status, codeOf(locked), locked.headers['retry-after']]).toEqual([423, 'UPLOAD_LOCKED', '1']);
  await expect.poll(async () => (await head(at)).status, { timeout: 5000 }).toBe(200);
  const offset = Number((await head(at)).headers['upload-offset']);
  expect((await answered).headers['upload-offset']).toBe(String(offset));
  expect((await patch(at, offset, content.subarray(offset))).status).toBe(204);
  expect((await server.media.get('taken-over.bin')).equals(content)).toBe(true);
  sent.destroy();
});

test('hides the uploads of other clients, and needs the scope files:write', async ({ expect }) => {
  const { server, own } = await start();
  const { token: reader } = await login(
    server.url,
    await insertClient(server, 'tus-reader', { scopes: ['files:read'] }),
  );
  const other = await login(server.url, await insertClient(server, 'tus-other', { root: 'tus-other' }));
  const at = locationOf(await tusRequests(server.url, own.token).create('hidden.bin', 4));
  const theirs = tusRequests(server.url, other.token);
  for (const reply of [await theirs.send('DELETE', at), await theirs.patch(at, 0, 'evil')])
    expect([reply.status, codeOf(reply), reply.headers['tus-resumable']]).toEqual([404, 'UPLOAD_NOT_FOUND', '1.0.0']);
  expect((await theirs.head(at)).status).toBe(404);
  expect((await tusRequests(server.url, reader).create('a.bin', 4)).status).toBe(403);
  const none = await tusRequests(server.url, undefined).create('a.bin', 4);
  expect([none.status, none.headers['tus-resumable']]).toEqual([401, '1.0.0']);
  expect((await theirs.create('own.bin', 0)).status).toBe(201);
  expect(await server.media.below('tus-other').list()).toEqual(['own.bin']);
  expect((await tusRequests(server.url, own.token).patch(at, 0, 'mine')).status).toBe(204);
});

test('rejects wrong requests with problem documents and the statuses of tus', async ({ expect }) => {
  const { server, own } = await start();
  const { create, patch, send } = tusRequests(server.url, own.token);
  const at = locationOf(await create('wrong.bin', 10));
  const codeAnd = (reply: Awaited<ReturnType<typeof create>>) => [reply.status, codeOf(reply)];
  expect(codeAnd(await patch(at, 3, 'abc'))).toEqual([409, 'UPLOAD_CONFLICT']);
  expect(codeAnd(await patch(at, 0, 'abc', { 'content-type': 'video/mp4' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(codeAnd(await patch(at, 0, 'abc', { 'content-encoding': 'gzip' }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  const notUtf8 = { 'upload-metadata': `path ${Buffer.from([0xff, 0xfe, 0x61]).toString('base64')}` };
  expect(codeAnd(await create('a.bin', 1, notUtf8))).toEqual([400, 'INVALID_REQUEST']);
  expect(codeAnd(await patch(at, 0, 'more than ten'))).toEqual([413, 'BODY_TOO_LARGE']);
  expect(codeAnd(await patch(at, 0, 'abc', { 'upload-offset': 'x' }))).toEqual([400, 'BAD_REQUEST']);
  const old = await patch(at, 0, 'abc', { 'tus-resumable': '0.2.2' });
  expect([...codeAnd(old), old.headers['tus-version']]).toEqual([412, 'UNSUPPORTED_TUS_VERSION', '1.0.0']);
  expect(codeAnd(await create('large.bin', COMMON.maxUploadBytes + 1))).toEqual([413, 'BODY_TOO_LARGE']);
  expect(codeAnd(await create('../up.bin', 1))).toEqual([400, 'INVALID_REQUEST']);
  expect(codeAnd(await create('.telecine/x', 1))).toEqual([400, 'INVALID_REQUEST']);
  expect(codeAnd(await create('a.bin', 1, { 'upload-metadata': 'name YQ==' }))).toEqual([400, 'INVALID_REQUEST']);
  const tooLong = await create('a.bin', 0, { 'upload-metadata': `${tusPath('a.bin')},junk ${'YWFh'.repeat(2000)}` });
  expect(codeAnd(tooLong)).toEqual([400, 'INVALID_REQUEST']);
  expect(codeAnd(await create('a.bin', 1, { 'upload-concat': 'partial' }))).toEqual([501, 'NOT_IMPLEMENTED']);
  expect(codeAnd(await send('DELETE', '/api/uploads/none'))).toEqual([404, 'UPLOAD_NOT_FOUND']);
  const options = await send('OPTIONS', '/api/uploads');
  expect(options).toMatchObject({
    status: 204,
    headers: {
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': String(COMMON.maxUploadBytes),
    },
  });
  expect(Object.keys(options.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('replaces an existing file unless the client forbids it, when it begins and when it ends', async ({ expect }) => {
  const { server, own } = await start();
  const files = filesClient(server.url, own.token);
  const { create, patch, head } = tusRequests(server.url, own.token);
  await files.put('exists/a.txt', 'old');
  const forbidden = await create('exists/a.txt', 3, { 'if-none-match': '*' });
  expect([forbidden.status, codeOf(forbidden)]).toEqual([412, 'PRECONDITION_FAILED']);
  const late = locationOf(await create('exists/b.txt', 3, { 'if-none-match': '*' }));
  await files.put('exists/b.txt', 'first');
  const rejected = await patch(late, 0, 'new');
  expect([rejected.status, codeOf(rejected)]).toEqual([412, 'PRECONDITION_FAILED']);
  expect((await files.get('exists/b.txt')).bytes.toString()).toBe('first');
  expect((await head(late)).status).toBe(412);
  // Once the file is gone, the upload ends without sending it again.
  await files.send('DELETE', '/api/files/exists/b.txt');
  expect((await head(late)).headers['upload-offset']).toBe('3');
  expect((await files.get('exists/b.txt')).bytes.toString()).toBe('new');
  const over = locationOf(await create('exists/a.txt', 3));
  expect((await patch(over, 0, 'new')).status).toBe(204);
  expect((await files.get('exists/a.txt')).bytes.toString()).toBe('new');
});

test('deletes an upload, and keeps the file of a finished one', async ({ expect }) => {
  const { server, own } = await start();
  const { create, patch, head, send } = tusRequests(server.url, own.token);
  const begun = locationOf(await create('deleted.bin', 6));
  await patch(begun, 0, 'abc');
  expect((await send('DELETE', begun)).status).toBe(204);
  expect((await head(begun)).status).toBe(404);
  const finished = locationOf(await create('finished.bin', 3));
  await patch(finished, 0, 'abc');
  const known = (await head(finished)).headers;
  expect(known).toMatchObject({ 'upload-offset': '3', 'upload-metadata': tusPath('finished.bin') });
  expect((await patch(finished, 3, '')).status).toBe(204);
  expect((await send('DELETE', finished)).status).toBe(204);
  expect((await head(finished)).status).toBe(404);
  expect((await server.media.get('finished.bin')).toString()).toBe('abc');
});

test('works where only POST is allowed, by X-HTTP-Method-Override', async ({ expect }) => {
  const { server, own } = await start();
  const files = filesClient(server.url, own.token);
  const { create, head } = tusRequests(server.url, own.token);
  const at = locationOf(await create('override.bin', 3));
  const post = (method: string, more: Readonly<Record<string, string>> = {}, body?: string) =>
    fetch(new URL(at, server.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${own.token}`,
        'tus-resumable': '1.0.0',
        'x-http-method-override': method,
        ...more,
      },
      ...(body !== undefined && { body }),
    });
  const asBytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await post('PATCH', asBytes, 'abc')).status).toBe(204);
  expect((await files.get('override.bin')).bytes.toString()).toBe('abc');
  const found = await post('HEAD');
  expect([found.status, found.headers.get('upload-offset')]).toEqual([200, '3']);
  expect((await post('PUT')).status).toBe(405);
  expect((await post('DELETE')).status).toBe(204);
  expect((await head(at)).status).toBe(404);
});

onSqlite('The test writes to the file of the database.', 'ffmpeg')(
  'removes an upload that has expired, with its bytes, and rejects requests for it',
  { tags: 'long' },
  async () => {
    const server = await startServer();
    const { create, patch } = tusRequests(server.url, (await adminClient(server)).token);
    const [old, used] = [locationOf(await create('old.bin', 6)), locationOf(await create('used.bin', 6))];
    for (const at of [old, used]) anywhere((await patch(at, 0, 'abc')).headers['upload-expires']).toMatch(/ GMT$/);
    await server.stop();
    const store = await openSqlite(join(server.dataDir, 'telecine.db'));
    await store.resumableUploads.claim('admin', old.split('/').at(-1) ?? '', 'the test', -1);
    await store.close();
    const next = await restart(server);
    const again = tusRequests(next.url, (await adminClient(next)).token);
    anywhere((await again.head(old)).status).toBe(404);
    anywhere((await again.patch(old, 3, 'def')).status).toBe(404);
    anywhere((await again.patch(used, 3, 'def')).status).toBe(204);
    await waitUntil('the sweep', async () =>
      (await pathsBelow(join(next.mediaRoot, '.telecine'))).some((path) => path.endsWith('/content'))
        ? undefined
        : true,
    );
    anywhere(await next.media.list()).toEqual(['used.bin']);
  },
);

onDisk('An upload to S3 takes no space of the local disk.', 'ffmpeg').concurrent(
  'rejects an upload for which the disk has too little space',
  { tags: 'long' },
  async ({ expect }) => {
    const server = await startServer({ env: { TELECINE_MIN_FREE_DISK: '900T' } });
    const { token } = await adminClient(server);
    const reply = await tusRequests(server.url, token).create('a.bin', 1);
    expect([reply.status, codeOf(reply)]).toEqual([507, 'NO_SPACE']);
    expect(await pendingIn(server.mediaRoot)).toEqual([]);
    expect(existsSync(join(server.mediaRoot, 'a.bin'))).toBe(false);
  },
);

test('an interrupted download continues with Range and If-Range to the same bytes', async ({ expect }) => {
  const { server, own } = await start();
  const content = randomBytes(3 * MEBIBYTE);
  await tusUpload(server.url, own.token, content, { metadata: { path: 'download.bin' } });
  const files = filesClient(server.url, own.token);
  const { sent, answered } = openRequest(server.url, 'GET', '/api/files/download.bin', {
    authorization: `Bearer ${own.token}`,
  });
  sent.on('error', () => undefined);
  sent.end();
  const reply = await answered;
  const parts: Buffer[] = [];
  for await (const part of reply) {
    parts.push(part as Buffer);
    if (Buffer.concat(parts).length > MEBIBYTE) break;
  }
  sent.destroy();
  const begun = Buffer.concat(parts);
  const range = { range: `bytes=${begun.length}-`, 'if-range': reply.headers.etag ?? '' };
  const rest = await files.get('download.bin', range);
  expect(rest.status).toBe(206);
  expect(Buffer.concat([begun, rest.bytes]).equals(content)).toBe(true);
  // If the file was replaced meanwhile, the whole new file comes.
  await files.put('download.bin', 'new');
  const whole = await files.get('download.bin', range);
  expect([whole.status, whole.bytes.toString()]).toEqual([200, 'new']);
});

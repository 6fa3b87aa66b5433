import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { adminClient, login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { codeOf, fileAt, filesClient, openRequest } from '../support/files-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs, OTHER_DISK } from '../support/needs.ts';
import { seedCatalogues, startServer, type TestServer } from '../support/server.ts';
import { onDisk } from '../support/test-engines.ts';
import { waitUntil } from '../support/wait.ts';

const MEGABYTE = 1_000_000;

const start = commonServer();
const test = needs('ffmpeg').concurrent;
const alone = needs('ffmpeg', 'linux');
/** Why a test cannot see an upload that has begun. files-s3.test.ts has such tests for the multipart uploads of S3. */
const IN_MEMORY = 'S3 gets a file of this size in one request, at the end.';
const onSmallDisk = onDisk('An upload to S3 takes no space of the local disk.', 'bubblewrap', 'linux').concurrent;

interface ScratchFile {
  readonly path: string;
  readonly size: number;
}

/** The scratch files and folders of uploads. Some may disappear during the call. */
async function pending(scratchParent: string): Promise<readonly ScratchFile[]> {
  const scratch = join(scratchParent, '.telecine');
  const uploadFolders = (await readdir(scratch)).filter((name) => name.startsWith('resumable-'));
  const found = await Promise.all(
    uploadFolders.map((uploadFolder) => filesIn(join(scratch, uploadFolder)).catch(() => GOING)),
  );
  return found.flat();
}

const GOING: readonly ScratchFile[] = [{ path: 'going', size: 0 }];

async function filesIn(folder: string): Promise<readonly ScratchFile[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.map(async (name) => ({ path: join(folder, name), size: (await stat(join(folder, name))).size })),
  );
}

/** An upload with only a part of its body sent. Resolves when that part is on disk, with the folder that has it. */
async function beginUpload(server: TestServer, token: string, path: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-length': 900_000 };
  const upload = openRequest(server.url, 'PUT', fileAt(path), headers);
  upload.sent.on('error', () => undefined);
  upload.sent.write(Buffer.alloc(300_000, 'x'));
  const part = await waitUntil('the part that was sent', async () =>
    (await pending(server.scratchParent)).find(({ size }) => size === 300_000),
  );
  return { ...upload, folder: dirname(part.path) };
}

const removed = (folder: string) =>
  waitUntil('the end of the upload', async () => (existsSync(folder) ? undefined : true));

const gone = (scratchParent: string) =>
  waitUntil('the end of all uploads', async () => ((await pending(scratchParent)).length === 0 ? true : undefined));

onDisk(IN_MEMORY, 'ffmpeg')(
  'an upload whose connection breaks leaves nothing: no file, no folder, no scratch',
  async () => {
    const { server, own } = await start();
    const { sent, folder } = await beginUpload(server, own.token, 'broken/deep/film.mp4');
    const files = filesClient(server.url, own.token);
    expect((await files.get('broken/deep/film.mp4')).status).toBe(404);
    expect(existsSync(join(server.mediaRoot, 'broken'))).toBe(false);
    sent.destroy();
    await removed(folder);
    expect(existsSync(join(server.mediaRoot, 'broken'))).toBe(false);
  },
);

onDisk(IN_MEMORY, 'ffmpeg')('an upload that breaks off leaves the file that stood there as it was', async () => {
  const { server, own } = await start();
  const files = filesClient(server.url, own.token);
  const before = await files.put('kept.txt', 'as it was');
  const { sent, folder } = await beginUpload(server, own.token, 'kept.txt');
  sent.destroy();
  await removed(folder);
  const after = await files.get('kept.txt');
  expect({ etag: after.headers['etag'], text: after.bytes.toString() }).toEqual({
    etag: before.headers['etag'],
    text: 'as it was',
  });
});

onDisk(IN_MEMORY, 'ffmpeg')(
  'after a kill in the middle of an upload, nothing of it is a file, and the file can be stored',
  { tags: 'long' },
  async () => {
    const server = await startServer();
    const { token } = await adminClient(server);
    await beginUpload(server, token, 'killed/film.mp4');
    await server.kill9('group');
    expect(await pending(server.scratchParent)).not.toEqual([]);
    const next = await startServer({ dataDir: server.dataDir, mediaRoot: server.mediaRoot });
    expect(existsSync(join(server.mediaRoot, 'killed'))).toBe(false);
    const files = filesClient(next.url, (await adminClient(next)).token);
    expect((await files.put('killed/film.mp4', 'again')).status).toBe(201);
  },
);

test('rejects a file that is too large by its Content-Length, before it reads the body', async ({ expect }) => {
  const { server, own } = await start();
  const headers = {
    authorization: `Bearer ${own.token}`,
    'content-length': COMMON.maxUploadBytes + 1,
    expect: '100-continue',
  };
  const { sent, answered } = openRequest(server.url, 'PUT', fileAt('large.bin'), headers);
  let continued = false;
  sent.on('continue', () => {
    continued = true;
  });
  sent.flushHeaders();
  const reply = await answered;
  expect({ status: reply.statusCode, continued }).toEqual({ status: 413, continued: false });
  expect(JSON.parse(await text(reply))).toMatchObject({
    code: 'BODY_TOO_LARGE',
    detail: expect.stringContaining(String(COMMON.maxUploadBytes)),
  });
  sent.destroy();
});

test('answers Expect: 100-continue before the body is sent', async ({ expect }) => {
  const { server, own } = await start();
  const headers = { authorization: `Bearer ${own.token}`, 'content-length': 5, expect: '100-continue' };
  const { sent, answered } = openRequest(server.url, 'PUT', fileAt('asked.txt'), headers);
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.end('hello');
  expect((await answered).statusCode).toBe(201);
  const job = openRequest(server.url, 'POST', '/api/conversion', { ...headers, 'content-length': 2 });
  job.sent.flushHeaders();
  await once(job.sent, 'continue');
  job.sent.end('{}');
  expect((await job.answered).statusCode).toBe(415);
});

test('limits an upload without Content-Length by its bytes', async ({ expect }) => {
  const { server, own } = await start();
  const authorization = `Bearer ${own.token}`;
  const small = openRequest(server.url, 'PUT', fileAt('chunks/small.bin'), { authorization });
  for (let i = 0; i < 10; i += 1) small.sent.write(Buffer.alloc(100_000));
  small.sent.end();
  expect((await small.answered).statusCode).toBe(201);
  const large = openRequest(server.url, 'PUT', fileAt('chunks/large.bin'), { authorization });
  large.sent.on('error', () => undefined);
  for (let i = 0; i < 32; i += 1) large.sent.write(Buffer.alloc(COMMON.maxUploadBytes / 32));
  large.sent.write('x');
  const reply = await large.answered;
  expect(reply.statusCode).toBe(413);
  expect(JSON.parse(await text(reply))).toMatchObject({ code: 'BODY_TOO_LARGE' });
  large.sent.destroy();
  expect(await server.media.list('chunks')).toEqual(['small.bin']);
});

test('rejects compressed bodies, forms and Content-Range, and accepts any other media type', async ({ expect }) => {
  const { server, own } = await start();
  const files = filesClient(server.url, own.token);
  expect((await files.put('z.gz', 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
  expect((await files.put('part.bin', 'x', { 'content-range': 'bytes 0-0/2' })).status).toBe(400);
  const form = await files.put('form.bin', '--x', { 'content-type': 'multipart/form-data; boundary=x' });
  expect(form.status).toBe(415);
  expect(form.bytes.toString()).toContain('curl -T');
  expect((await files.get('form.bin')).status).toBe(404);
  for (const type of ['application/json', 'video/mp4', 'nonsense', 'application/x-www-form-urlencoded'])
    expect((await files.put('typed.json', '{"not json', { 'content-type': type })).status, type).toBeLessThan(300);
  expect((await files.get('typed.json')).bytes.toString()).toBe('{"not json');
});

test('answers with 401 or 403 before it checks the body', async ({ expect }) => {
  const { server } = await start();
  const files = filesClient(server.url, undefined);
  const reply = await files.send('PUT', '/api/files/../x', { 'content-length': 0, 'content-encoding': 'gzip' });
  expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 401, code: 'INVALID_TOKEN' });
});

onDisk(IN_MEMORY, 'ffmpeg').concurrent(
  'limits the concurrent uploads of one client without blocking others',
  { tags: 'long' },
  async ({ expect }) => {
    const { server } = await start();
    const { token } = await login(server.url, await insertClient(server, 'uploader'));
    const headers = { authorization: `Bearer ${token}`, 'content-length': 900_000 };
    const uploads = Array.from({ length: 16 }, (_, i) => openRequest(server.url, 'PUT', fileAt(`many/${i}`), headers));
    for (const { sent } of uploads) sent.on('error', () => undefined).write('x');
    await waitUntil('all of them', async () =>
      (await pending(server.scratchParent)).filter(({ size }) => size === 1).length === 16 ? true : undefined,
    );
    const files = filesClient(server.url, token);
    const rejected = await files.put('many/more', 'x');
    expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(codeOf(rejected)).toBe('TOO_MANY_UPLOADS');
    expect((await files.get('none')).status).toBe(404);
    uploads[0]?.sent.destroy();
    await waitUntil('room', async () => ((await files.put('many/more', 'x')).status === 201 ? true : undefined));
    for (const { sent } of uploads) sent.destroy();
    await gone(server.scratchParent);
  },
);

test('a body shorter than its Content-Length creates no file', async ({ expect }) => {
  const { server, own } = await start();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end(
    `PUT /api/files/short.bin HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\nContent-Length: 10\r\n\r\nfive!`,
  );
  await buffer(socket);
  expect(await server.media.list()).not.toContain('short.bin');
});

onDisk('An upload to S3 takes no space of the local disk.', 'ffmpeg').concurrent(
  'rejects uploads if less disk space is free than the operator requires',
  { tags: 'long' },
  async ({ expect }) => {
    const server = await startServer({ env: { TELECINE_MIN_FREE_DISK: '900T' } });
    const files = filesClient(server.url, (await adminClient(server)).token);
    const reply = await files.put('a.bin', 'x');
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 507, code: 'NO_SPACE' });
  },
);

/** A service whose media root is a disk of 40 MB in its own mount namespace. */
async function smallDisk() {
  const folder = await testFolder('small');
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  await mkdir(dataDir);
  await seedCatalogues(dataDir);
  const launcher = ['bwrap', '--dev-bind', '/', '/', '--size', `${40 * MEGABYTE}`, '--tmpfs', mediaRoot];
  const server = await startServer({
    dataDir,
    mediaRoot,
    launcher,
    env: { TELECINE_MIN_FREE_DISK: '4000000' },
  });
  const pids = [server.pid, ...(await descendants(server.pid))];
  const seen = pids.map((pid) => `/proc/${pid}/root${mediaRoot}`).find((root) => existsSync(join(root, '.telecine')));
  if (seen === undefined) throw new Error('No process of the service sees its small disk.');
  return { server, seen, token: (await adminClient(server)).token };
}

onSmallDisk(
  'a file that does not fit is refused: before it is sent, or when the disk gets full',
  async ({ expect }) => {
    const { server, seen, token } = await smallDisk();
    const files = filesClient(server.url, token);
    const announced = await files.send('PUT', fileAt('said.bin'), {
      'content-length': 37 * MEGABYTE,
      expect: '100-continue',
    });
    expect({ status: announced.status, code: codeOf(announced) }).toEqual({ status: 507, code: 'NO_SPACE' });
    const sendTooMuch = (): Promise<IncomingMessage> => {
      const { sent, answered } = openRequest(server.url, 'PUT', fileAt('unsaid.bin'), {
        authorization: `Bearer ${token}`,
      });
      sent.on('error', () => undefined);
      for (let i = 0; i < 60; i += 1) sent.write(Buffer.alloc(MEGABYTE));
      sent.end();
      return answered;
    };
    // A client that still writes may find its connection closed before it has read the answer.
    const reply = await sendTooMuch().catch(sendTooMuch).catch(sendTooMuch);
    expect(reply.statusCode).toBe(507);
    expect(JSON.parse(await text(reply))).toMatchObject({ code: 'NO_SPACE' });
    await gone(seen);
    expect(await readdir(seen)).toEqual(['.telecine']);
    expect((await files.put('fits.bin', Buffer.alloc(10 * MEGABYTE))).status).toBe(201);
  },
);

const onOtherDisk = onDisk('The roots of clients are in one bucket.', 'ffmpeg', 'another disk').concurrent;

onOtherDisk('a client whose root lies on another disk uploads whole files too', async ({ expect }) => {
  const { server } = await start();
  const root = await mkdtemp(join(OTHER_DISK, 'telecine-uploads-'));
  try {
    const { token } = await login(server.url, await insertClient(server, 'far', { root }));
    const files = filesClient(server.url, token);
    expect((await files.put('deep/a.txt', 'first')).status).toBe(201);
    expect((await files.put('deep/a.txt', 'second')).status).toBe(204);
    expect(await readFile(join(root, 'deep/a.txt'), 'utf8')).toBe('second');
    expect(await readdir(join(root, 'deep'))).toEqual(['a.txt']);
  } finally {
    await rm(root, { recursive: true });
  }
});

/** The peak memory of the service in bytes. */
async function peak({ pid }: TestServer): Promise<number> {
  const all = [pid, ...(await descendants(pid))];
  const peaks = await Promise.all(
    all.map(async (one) => Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${one}/status`, 'utf8'))?.[1])),
  );
  return Math.max(...peaks) * 1024;
}

alone('a quarter of a gigabyte passes through little memory, both ways', { tags: 'long' }, async () => {
  const server = await startServer();
  const authorization = `Bearer ${(await adminClient(server)).token}`;
  const chunk = Buffer.alloc(2 ** 20);
  const count = 256;
  const before = await peak(server);
  const headers = { authorization, 'content-length': count * chunk.length };
  const { sent, answered } = openRequest(server.url, 'PUT', fileAt('big.bin'), headers);
  for (let i = 0; i < count; i += 1) if (!sent.write(chunk)) await once(sent, 'drain');
  sent.end();
  expect((await answered).statusCode).toBe(201);

  const download = openRequest(server.url, 'GET', fileAt('big.bin'), { authorization });
  download.sent.end();
  let bytes = 0;
  for await (const part of await download.answered) bytes += (part as Buffer).length;
  expect(bytes).toBe(count * chunk.length);
  expect((await peak(server)) - before).toBeLessThan(bytes / 2);
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { NamedFile } from '../../packages/service/src/files/named-files.ts';
import type { OpenFile } from '../../packages/service/src/files/ports.ts';
import '../../packages/service/src/http/auth/authenticate.ts';
import { zipSender } from '../../packages/service/src/http/transfer/send-zip.ts';
import { readZip } from '../support/read-zip.ts';

/** Files in memory that note how many of them are open. `endless`: the last file has more bytes than anyone reads. */
function filesOf(contents: Readonly<Record<string, Buffer>>) {
  const open = { now: 0, most: 0, opened: [] as string[] };
  const files = Object.entries(contents).map(
    ([name, content]): NamedFile => ({
      name,
      sizeBytes: content.length,
      open: async () => {
        open.now += 1;
        open.most = Math.max(open.most, open.now);
        open.opened.push(name);
        const close = async (): Promise<void> => {
          open.now -= 1;
        };
        return {
          ...{ path: name as MediaPath, sizeBytes: content.length, modifiedAt: new Date('2026-01-31T12:00:00Z') },
          ...{ fingerprint: '', isOutput: () => true, close },
          read: (first: number, last: number) => {
            const bytes = content.subarray(first, last + 1);
            const pieces = function* () {
              for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
            };
            return Readable.from(pieces(), { objectMode: false, highWaterMark: 1 }).once('close', () => void close());
          },
        } satisfies OpenFile;
      },
    }),
  );
  return { files, open };
}

/** A server that sends these files as a zip to whoever asks. */
async function serverWith(
  files: readonly NamedFile[],
  { read = async () => ({ title: 'my film', files }), check = async () => {} } = {},
) {
  const app = fastify();
  const send = zipSender(() => check);
  const started: string[] = [];
  app.decorateRequest('caller', null);
  app.setErrorHandler((error, _request, reply) =>
    reply.code(409).send({ code: error instanceof Problem ? error.code : String(error) }),
  );
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zip',
    exposeHeadRoute: false,
    handler: (sent, reply) => {
      sent.caller = { clientId: String(sent.headers['x-client'] ?? 'amy') } as Caller;
      const { 'x-visitor': visitor } = sent.headers;
      const onStart = () => void started.push(String(visitor ?? sent.caller?.clientId));
      return send(sent, reply, { read, onStart, ...(visitor !== undefined && { visitor: String(visitor) }) });
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  /** `visitor`: the address of somebody with a shared link of `client`. */
  const get = async (method = 'GET', client = 'amy', visitor?: string): Promise<IncomingMessage> => {
    const { port } = app.server.address() as { readonly port: number };
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      path: '/zip',
      agent: false,
      headers: { 'x-client': client, ...(visitor !== undefined && { 'x-visitor': visitor }) },
    });
    call.end();
    const [reply] = await once(call, 'response');
    return reply as IncomingMessage;
  };
  return { get, started };
}

test('a zip has each file with its name and its bytes, and its exact length is known before', async () => {
  const contents = {
    'film.mp4': Buffer.alloc(300_000, 'film'),
    'hls/süß 1.ts': Buffer.from('segment'),
    'empty.txt': Buffer.alloc(0),
  };
  const { files, open } = filesOf(contents);
  const { get } = await serverWith(files);
  const reply = await get();
  expect(reply.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="my film.zip"',
  });
  const bytes = await buffer(reply);
  expect(bytes.length).toBe(Number(reply.headers['content-length']));
  expect(readZip(bytes)).toEqual(Object.entries(contents).map(([name, content]) => ({ name, content })));
  expect(open).toMatchObject({ now: 0, most: 1 });
  const head = await get('HEAD');
  expect(head.headers['content-length']).toBe(String(bytes.length));
  expect(open.opened, 'HEAD looks whether the first file is there').toHaveLength(4);
  await expect.poll(() => open.now).toBe(0);
});

test('an unpacker on Windows keeps all files of a zip in its folder, and each shows its extension', async () => {
  const names = [
    '..\\..\\Startup\\x.exe',
    'C:\\x.exe',
    'C:x.exe',
    'a_b.ts',
    'a\\b.ts',
    'a\u202eb.ts',
    'hls/at 10:30.ts',
    'gpj.\u202eexe',
    'd.1\\x',
    'd.1_x',
  ];
  const { files } = filesOf(Object.fromEntries(names.map((name) => [name, Buffer.from(name)])));
  const { get } = await serverWith(files);
  const reply = await get();
  const bytes = await buffer(reply);
  expect(bytes.length).toBe(Number(reply.headers['content-length']));
  expect(readZip(bytes).map(({ name, content }) => [content.toString(), name])).toEqual([
    ['..\\..\\Startup\\x.exe', '.._.._Startup_x.exe'],
    ['C:\\x.exe', 'C__x.exe'],
    ['C:x.exe', 'C_x.exe'],
    ['a_b.ts', 'a_b.ts'],
    ['a\\b.ts', 'a_b-2.ts'],
    ['a\u202eb.ts', 'a_b-3.ts'],
    ['hls/at 10:30.ts', 'hls/at 10:30.ts'],
    ['gpj.\u202eexe', 'gpj._exe'],
    ['d.1\\x', 'd-4.1_x'],
    ['d.1_x', 'd.1_x'],
  ]);
});

test('a client that leaves ends the reading, and the files that it never reached are not opened', async () => {
  const { files, open } = filesOf({ 'large.mp4': Buffer.alloc(64 * 2 ** 20), 'next.mp4': Buffer.alloc(10) });
  const { get } = await serverWith(files);
  const reply = await get();
  await once(reply, 'readable');
  reply.destroy();
  await expect.poll(() => open.now).toBe(0);
  expect(open.opened).toEqual(['large.mp4']);
});

test('a client has a few zips at once, others have theirs, and the next one starts when one has ended', async () => {
  const { files, open } = filesOf({ 'large.mp4': Buffer.alloc(64 * 2 ** 20) });
  const { get } = await serverWith(files);
  const [first, second] = await Promise.all([get(), get()]);
  const third = await get();
  expect([third.statusCode, JSON.parse((await buffer(third)).toString())]).toEqual([409, { code: 'RATE_LIMITED' }]);
  const other = await get('GET', 'bob');
  expect(other.statusCode).toBe(200);
  for (const reply of [first, second, other]) reply.destroy();
  await expect.poll(() => open.now).toBe(0);
  const next = await get();
  expect(next.statusCode).toBe(200);
  next.destroy();
  await expect.poll(() => open.now).toBe(0);
});

test('strangers with a link never take the zips of its client, nor those of other clients', async () => {
  const { files, open } = filesOf({ 'large.mp4': Buffer.alloc(64 * 2 ** 20) });
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { title: 'my film', files };
  };
  const { get, started } = await serverWith(files, { read });
  const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'];
  const zips = await Promise.all(addresses.map((address) => get('GET', 'amy', address)));
  expect(zips.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  for (const address of ['192.0.2.1', '192.0.2.4']) {
    const rejected = await get('GET', 'amy', address);
    expect([address, rejected.statusCode]).toEqual([address, 409]);
    rejected.resume();
  }
  expect(reads, 'a rejected request reads no outputs').toBe(4);
  const own = await Promise.all([get(), get(), get('GET', 'bob', '192.0.2.4')]);
  expect(own.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(started.toSorted()).toEqual([...addresses, 'amy', 'amy', '192.0.2.4'].toSorted());
  for (const reply of [...zips, ...own]) reply.destroy();
  await expect.poll(() => open.now).toBe(0);
});

test('files that are gone are an error before the first byte, and cut the download off later', async () => {
  const gone: NamedFile = {
    name: 'gone.mp4',
    sizeBytes: 10,
    open: async () => {
      throw new Problem('OUTPUT_GONE', 'It is gone.');
    },
  };
  const { get, started } = await serverWith([gone]);
  const early = await get();
  expect(JSON.parse((await buffer(early)).toString())).toEqual({ code: 'OUTPUT_GONE' });
  expect(early.headers).not.toHaveProperty('content-disposition');
  expect((await get('HEAD')).statusCode).toBe(409);
  expect(started, 'what did not begin does not count as a use').toEqual([]);
  const { files, open } = filesOf({ 'film.mp4': Buffer.alloc(100_000) });
  const late = await (await serverWith([...files, gone])).get();
  expect(late.statusCode).toBe(200);
  await expect(buffer(late)).rejects.toThrow('aborted');
  expect(open.now).toBe(0);
});

test('a zip whose link is revoked is cut off before its next file', async () => {
  const { files, open } = filesOf({
    'first.mp4': Buffer.alloc(10),
    'large.mp4': Buffer.alloc(64 * 2 ** 20),
    'next.mp4': Buffer.alloc(10),
  });
  let isRevoked = false;
  const check = async (): Promise<void> => {
    if (isRevoked) throw new Problem('LINK_REVOKED', 'The link was revoked.');
  };
  const reply = await (await serverWith(files, { check })).get();
  await expect.poll(() => open.opened).toEqual(['first.mp4', 'large.mp4']);
  isRevoked = true;
  await expect(buffer(reply)).rejects.toThrow('aborted');
  expect(open.opened).not.toContain('next.mp4');
  expect(open.now).toBe(0);
});

test('a file of another size than when it was written is not sent', async () => {
  const { files, open } = filesOf({ 'film.mp4': Buffer.alloc(100) });
  const [film] = files;
  if (film === undefined) throw new Error('There is no file.');
  const reply = await (await serverWith([{ ...film, sizeBytes: 99 }])).get();
  expect(JSON.parse((await buffer(reply)).toString())).toEqual({ code: 'OUTPUT_GONE' });
  expect(open.now).toBe(0);
});

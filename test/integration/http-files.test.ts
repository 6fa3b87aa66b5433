import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { OutputLinksView } from '../../packages/contract/src/wire/files.ts';
import { type FileOperations, fileOperations } from '../../packages/service/src/files/file-operations.ts';
import type { FileReply, FileStore, OpenFile } from '../../packages/service/src/files/ports.ts';
import type { UploadOperations } from '../../packages/service/src/files/uploads.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeFiles, fakeUploads } from '../support/http-fakes.ts';
import { rawReply } from '../support/raw-reply.ts';

const FACTS = { path: 'a b.txt' as MediaPath, sizeBytes: 10, modifiedAt: new Date(), fingerprint: '1:2:3' };

/** The error that Node reports when a request exceeds its time limit. */
const requestTimeout = (): Error => Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

async function begin(path: string, method: string, type: string) {
  let first = (): void => {};
  const reading = new Promise<void>((done) => {
    first = done;
  });
  const put: UploadOperations['put'] = async (_uploader, { bytes }) => {
    for await (const _ of bytes) first();
    return { file: FACTS, before: undefined };
  };
  const { app } = httpApp({ uploads: fakeUploads({ put }) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const [serverSocket] = (await once(app.server, 'connection')) as [Socket];
  const requested = once(app.server, 'request');
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer good\r\n` +
      `Content-Type: ${type}\r\nContent-Length: 10\r\n\r\n12345`,
  );
  await requested;
  return { app, socket, serverSocket, reading };
}

test('lets an upload exceed the request timeout of Node, but not a JSON body', async () => {
  const upload = await begin('/api/files/a.txt', 'PUT', 'text/plain');
  await upload.reading;
  upload.app.server.emit('clientError', requestTimeout(), upload.serverSocket);
  upload.socket.write('67890');
  expect(await rawReply(upload.socket)).toMatchObject({ status: 201, headers: { location: '/api/files/a%20b.txt' } });

  const json = await begin('/api/conversion', 'POST', 'application/json');
  json.app.server.emit('clientError', requestTimeout(), json.serverSocket);
  expect((await rawReply(json.socket)).status).toBe(408);
});

const CHANGES: readonly (readonly [string, string, string, object | undefined])[] = [
  ['remove', 'DELETE', '/api/files/a.txt', undefined],
  ['removeAll', 'POST', '/api/file-deletions', { paths: ['a.txt'] }],
  ['move', 'POST', '/api/file-moves', { from: 'a.txt', to: 'b.txt' }],
  ['createFolder', 'POST', '/api/folders', { path: 'm' }],
  ['restore', 'POST', `/api/bin/${'a'.repeat(24)}/restore`, {}],
];

test.each(CHANGES)(
  'tells the queue of changes that the client of "%s" has disconnected',
  async (name, method, path, body) => {
    const called = Promise.withResolvers<Caller>();
    const change = (caller: Caller) => {
      called.resolve(caller);
      return new Promise<never>(() => {});
    };
    const { app } = httpApp({ files: fakeFiles({ [name]: change }) });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const sent = body === undefined ? '' : JSON.stringify(body);
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n` +
        `${sent && 'Content-Type: application/json\r\n'}Content-Length: ${sent.length}\r\n\r\n${sent}`,
    );
    socket.on('data', (reply) => called.reject(new Error(String(reply))));
    const { hangUp } = await called.promise;
    expect(hangUp?.aborted).toBe(false);
    const aborted = hangUp && once(hangUp, 'abort');
    socket.destroy();
    await aborted;
  },
);

test('answers a storage failure with a problem and logs its cause', async () => {
  const cause = new Error('EIO: /srv/media/secret');
  const fails = async () => {
    throw new Problem('STORAGE_FAULT', 'The storage failed while reading the file (EIO).', { cause });
  };
  const { inject, lines } = httpApp({ files: fakeFiles({ open: fails }) });
  const reply = await inject({ method: 'GET', url: '/api/files/a.txt', headers: BEARER });
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('secret');
  expect(lines.find(({ level }) => level === 'error')?.fields).toMatchObject({ code: 'STORAGE_FAULT', err: cause });
});

test('a search that takes long does not keep the list of files waiting', async () => {
  const searching = Promise.withResolvers<void>();
  const searched = Promise.withResolvers<void>();
  const store: Pick<FileStore, 'list' | 'search'> = {
    list: async () => ({ entries: [], more: false }),
    search: async () => {
      searching.resolve();
      await searched.promise;
      return { entries: [] };
    },
  };
  const { list, search } = fileOperations({ store } as Parameters<typeof fileOperations>[0]);
  const { inject } = httpApp({ files: fakeFiles({ list, search }) });
  const get = (url: string) => inject({ method: 'GET', url, headers: BEARER });
  const found = get('/api/files?q=film');
  await searching.promise;
  expect((await get('/api/files')).statusCode).toBe(200);
  searched.resolve();
  expect((await found).statusCode).toBe(200);
});

test('redirects a download to the storage, if clients can reach it', async () => {
  const asked: FileReply[] = [];
  let open = 0;
  const file: OpenFile = {
    ...FACTS,
    path: 'ü/a b.mp4' as MediaPath,
    isOutput: () => true,
    directUrl: async (reply) => {
      asked.push(reply);
      return 'https://s3.example.org/b/k?X-Amz-Signature=s';
    },
    read: (first, last) => Readable.from([Buffer.from('0123456789').subarray(first, last + 1)]).once('close', closed),
    close: async () => closed(),
  };
  const closed = (): void => {
    open -= 1;
  };
  const { inject } = httpApp({
    files: fakeFiles({
      open: async () => {
        open += 1;
        return file;
      },
    }),
  });
  const get = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    inject({ method, url: '/api/files/a.mp4', headers: { ...BEARER, ...headers } });
  const redirected = await get({ range: 'bytes=0-3' });
  expect(redirected.statusCode).toBe(302);
  expect(redirected.body).toBe('');
  expect(redirected.headers).toMatchObject({
    location: 'https://s3.example.org/b/k?X-Amz-Signature=s',
    'cache-control': 'private, no-store',
    etag: expect.any(String),
  });
  expect(asked).toEqual([{ contentType: 'video/mp4', contentDisposition: 'attachment; filename="a b.mp4"' }]);
  const etag = String(redirected.headers.etag);
  // The service answers where the reply of the storage would differ.
  expect((await get({}, 'HEAD')).statusCode).toBe(200);
  expect((await get({ range: 'bytes=10-' })).statusCode).toBe(416);
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304);
  expect((await get({ 'if-match': '"other"' })).statusCode).toBe(412);
  expect((await get({ 'if-match': etag })).body).toBe('0123456789');
  expect((await get({ 'if-range': etag, range: 'bytes=2-3' })).body).toBe('23');
  expect(asked).toHaveLength(1);
  await expect.poll(() => open).toBe(0);
});

test('a file knows how much of a download its client has not taken yet', async () => {
  // More than the buffers of the kernel take.
  const [chunk, count] = [Buffer.alloc(2 ** 16), 1024];
  const sizeBytes = chunk.length * count;
  let unsent = (): number => -1;
  const read: OpenFile['read'] = (_first, _last, unsentBytes = unsent) => {
    unsent = unsentBytes;
    return Readable.from(Array.from({ length: count }, () => chunk));
  };
  const file = { ...FACTS, sizeBytes, isOutput: () => false, close: async () => undefined, read };
  const { app } = httpApp({ files: fakeFiles({ open: async () => file }) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /api/files/a.mp4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer good\r\n\r\n');
  // It reads nothing.
  await expect.poll(() => unsent()).toBeGreaterThan(0);
  socket.resume();
  await once(socket, 'close');
  expect(unsent()).toBe(0);
  expect(socket.bytesRead).toBeGreaterThan(sizeBytes);
});

test('answers an unsupported method on files with 405 and the allowed methods', async () => {
  const { inject } = httpApp();
  const reply = await inject({ method: 'POST', url: '/api/files/a/b.txt', headers: BEARER });
  expect(reply.statusCode).toBe(405);
  expect(reply.headers['allow']).toBe('GET, HEAD, PUT, DELETE');
  expect((await inject({ method: 'GET', url: '/api/file' })).json().detail).toContain('/api/files');
});

test('signed links begin with the public URL of the service', async () => {
  const { inject } = httpApp({
    publicUrl: 'https://media.example.org',
    jobsChange: { outputs: async () => ({ outputs: [{ path: 'a b.mp4', sizeBytes: 1 }], count: 1 }) },
  });
  const url = '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/links';
  const reply = await inject({ method: 'GET', url, headers: BEARER });
  expect(reply.json()).toEqual({
    expiresAt: '1970-01-01T00:00:02.000Z',
    links: [
      {
        path: 'a b.mp4',
        url: `https://media.example.org${url}/alice~1~2~k~s/a%20b.mp4`,
      },
    ],
  });
});

test('logs no signed link, however its URL is spelled, and every other path as it is', async () => {
  const { app, lines } = httpApp();
  const job = '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
  const paths: readonly (readonly [string, string])[] = [
    [`${job}/links/secret/links/out.mp4`, `${job}/links/(hidden)/links/out.mp4`],
    [`${job}/%6cinks/secret/out.mp4?x=secret`, `${job}/%6cinks/(hidden)/out.mp4`],
    [`/media${job}/links/a~1~2~k~secret/out.mp4`, `/media${job}/links/(hidden)/out.mp4`],
    ['/api/files/links/a.mp4', '/api/files/links/a.mp4'],
  ];
  for (const [url] of paths) await app.inject({ method: 'GET', url });
  expect(lines.flatMap(({ fields }) => fields['path'] ?? [])).toEqual(paths.map(([, shown]) => shown));
});

test('one list of files of a client runs at a time', async () => {
  let running = 0;
  let most = 0;
  const list: FileOperations['list'] = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return { entries: [] };
  };
  const { app } = httpApp({ files: fakeFiles({ list }) });
  await app.ready();
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => app.inject({ url: '/api/files', headers: BEARER })),
  );
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(most).toBe(1);
});

test('links to thousands of outputs are made in pages', async () => {
  const outputs = Array.from({ length: 9883 }, (_, i) => ({ path: `out/${i}.ts`, sizeBytes: 1 }));
  const { inject } = httpApp({
    jobsChange: {
      outputs: async (_caller, _jobId, { first, limit }) => ({
        outputs: outputs.slice(first, first + limit),
        count: outputs.length,
      }),
    },
  });
  const url = '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/links';
  const first = await inject({ url, headers: BEARER });
  expect(first.json().links).toHaveLength(100);
  expect(first.body.length).toBeLessThan(32 * 1024);
  const paths: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const reply = await inject({ url: `${url}?limit=1000${cursor && `&cursor=${cursor}`}`, headers: BEARER });
    const page = reply.json<OutputLinksView>();
    expect(page.links.length).toBeLessThanOrEqual(1000);
    paths.push(...page.links.map(({ path }) => path));
    cursor = page.nextCursor;
  }
  expect(paths).toEqual(outputs.map(({ path }) => path));
});

test.each([
  ['GET', '/api/usage/files', undefined],
  ['GET', '/api/files.zip?path=m/', undefined],
  ['POST', '/api/file-moves', { from: 'm/', to: 'n/' }],
  ['POST', '/api/file-deletions', { paths: ['m/'], keep: true }],
  ['POST', '/api/bin/0199a7c2-5b1e-4c3d-9f21-6a4f0c9b8e15/restore', {}],
])('the reads of %s %s end when their client leaves', async (method, url, sent) => {
  const started = Promise.withResolvers<AbortSignal>();
  /** Changes get the signal as a member of their caller, and other reads as their last argument. */
  const read = (caller: { readonly hangUp?: AbortSignal }, ...args: readonly unknown[]): Promise<never> => {
    const signal = caller.hangUp ?? (args.at(-1) as AbortSignal);
    started.resolve(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const files = fakeFiles({ chosen: read, move: read, removeAll: read, restore: read });
  const { app, lines } = httpApp({ files, jobsChange: { largestFiles: read } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const body = sent === undefined ? '' : JSON.stringify(sent);
  socket.write(
    `${method} ${url} HTTP/1.1\r\nhost: x\r\nauthorization: ${BEARER.authorization}\r\n` +
      `${body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`}\r\n${body}`,
  );
  const signal = await started.promise;
  const ended = once(signal, 'abort');
  socket.destroy();
  await ended;
  await app.close();
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

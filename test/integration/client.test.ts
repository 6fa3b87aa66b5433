import { EventEmitter } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ClientError } from '../../packages/client/src/client-error.ts';
import { createNodeClient } from '../../packages/client/src/node/node-client.ts';
import { testFolder } from '../support/folders.ts';
import { listenOnLoopback } from '../support/loopback.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A service that sends these replies in order. It also issues tokens. */
async function service(...answers: readonly Answer[]) {
  const seen: { readonly request: IncomingMessage; readonly body: Buffer; readonly at: number }[] = [];
  const logins: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api/auth/')) {
      logins.push([request.url, await json(request)]);
      const tokens = {
        accessToken: `token-${logins.length}`,
        refreshToken: 'refresh',
        tokenType: 'Bearer',
        expiresIn: 900,
      };
      return reply(response, 200, tokens);
    }
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    seen.push({ request, body, at: performance.now() });
    const answer = answers[seen.length - 1];
    if (answer === undefined) response.destroy(new Error('nobody expected this request'));
    else answer(request, response, body);
  });
  const url = await listenOnLoopback(server);
  return { url, server, seen, logins, client: createNodeClient(url, { clientId: 'amy', clientSecret: 'hush' }) };
}

function reply(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
}

const problem = (status: number, code: string) => ({
  type: 'about:blank',
  title: code,
  status,
  detail: `${code}!`,
  code,
  requestId: 'r',
});
const rejectWith =
  (status: number, code: string, headers?: Record<string, string>): Answer =>
  (_request, response) =>
    reply(response, status, problem(status, code), headers);
const answer =
  (status: number, body: object): Answer =>
  (_request, response) =>
    reply(response, status, body);
const hangUp: Answer = (request) => request.socket.destroy();

const JOB = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const REQUEST = { input: 'a.mp4', output: 'b.mp4' };
const accepted = answer(202, { jobId: JOB, status: 'PENDING', message: 'queued' });

const failureOf = (call: Promise<unknown>): Promise<ClientError> =>
  call.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ClientError);
      return error as ClientError;
    },
  );

test('waits for a job by requests that the service delays, and polls where it does not', async () => {
  const job = (status: string, delayed: boolean): Answer => {
    const headers = delayed ? { 'preference-applied': 'wait=20' } : undefined;
    return (_request, response) => reply(response, 200, { jobId: JOB, status }, headers);
  };
  const { client, seen } = await service(
    job('PENDING', false),
    job('PROCESSING', true),
    job('PROCESSING', false),
    job('COMPLETED', true),
  );
  const statuses: string[] = [];
  expect(await client.wait(JOB, { onUpdate: ({ status }) => statuses.push(status) })).toMatchObject({ jobId: JOB });
  expect(statuses).toEqual(['PENDING', 'PROCESSING', 'PROCESSING', 'COMPLETED']);
  const prefer = 'wait=20; until=change';
  expect(seen.map(({ request }) => request.headers['prefer'])).toEqual([undefined, prefer, prefer, prefer]);
  const [, , third = { at: 0 }, fourth = { at: 0 }] = seen;
  expect(fourth.at - third.at).toBeGreaterThan(100);
});

test('retries a busy service, not before its Retry-After', async () => {
  const { client, seen } = await service(
    rejectWith(503, 'UNAVAILABLE', { 'retry-after': '1' }),
    rejectWith(429, 'RATE_LIMITED'),
    accepted,
  );
  expect(await client.submit(REQUEST)).toMatchObject({ jobId: JOB });
  expect(seen).toHaveLength(3);
  // A timer may fire a little early by this clock.
  expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
});

test('reports at once a service that is busy for longer than the retry budget', async () => {
  const { client, seen } = await service(rejectWith(429, 'TOO_MANY_PENDING', { 'retry-after': '3600' }));
  const error = await failureOf(client.submit(REQUEST));
  expect(error).toMatchObject({ kind: 'rejected', status: 429, retryAfterSeconds: 3600 });
  expect(error.problem?.code).toBe('TOO_MANY_PENDING');
  expect(seen).toHaveLength(1);
});

test('repeats a submission whose reply was lost with the same key', async () => {
  const { client, seen } = await service(hangUp, accepted);
  expect(await client.submit(REQUEST)).toMatchObject({ jobId: JOB });
  const keys = seen.map(({ request }) => request.headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(seen[1]?.body.equals(seen[0]?.body ?? Buffer.alloc(0))).toBe(true);
});

test('gives each submission a key of its own', async () => {
  const { client, seen } = await service(accepted, accepted);
  await client.submit(REQUEST);
  await client.submit(REQUEST);
  expect(new Set(seen.map(({ request }) => request.headers['idempotency-key'])).size).toBe(2);
});

test('repeats a job retry whose reply was lost with the same key, so that one job is created', async () => {
  const { client, seen } = await service(hangUp, accepted, hangUp, accepted);
  expect(await client.retry(JOB)).toMatchObject({ jobId: JOB });
  expect(await client.retry(JOB, { request: REQUEST })).toMatchObject({ jobId: JOB });
  const [first, second, third, fourth] = seen.map(({ request, body }) => ({
    key: request.headers['idempotency-key'],
    body: body.toString(),
  }));
  expect(first?.key).toMatch(/^[\da-f]{32}$/);
  expect(second).toEqual({ key: first?.key, body: '' });
  expect(third?.key).not.toBe(first?.key);
  expect(fourth).toEqual({ key: third?.key, body: JSON.stringify(REQUEST) });
});

test('checks a request as that of a retry, without creating a job', async () => {
  const { client, seen } = await service(answer(200, { argv: [], plan: {}, warnings: [] }));
  await client.dryRun(REQUEST, { retryOf: JOB });
  expect(seen.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
    `POST /api/conversion/${JOB}/retry?dryRun=true`,
  ]);
});

test('uses one token for many calls, and renews a rejected one once', async () => {
  const job = { jobId: JOB, status: 'PENDING' };
  const { client, seen, logins } = await service(
    answer(200, job),
    answer(200, job),
    rejectWith(401, 'INVALID_TOKEN'),
    answer(200, job),
  );
  await Promise.all([client.get(JOB), client.get(JOB)]);
  expect(logins).toEqual([['/api/auth/token', { clientId: 'amy', clientSecret: 'hush' }]]);
  await client.get(JOB);
  expect(logins).toHaveLength(2);
  expect(seen.map(({ request }) => request.headers.authorization)).toEqual(
    ['token-1', 'token-1', 'token-1', 'token-2'].map((token) => `Bearer ${token}`),
  );
});

test('reports the problem of the service if a new token is rejected', async () => {
  const { client, seen } = await service(rejectWith(401, 'INVALID_TOKEN'), rejectWith(401, 'INVALID_TOKEN'));
  const error = await failureOf(client.get(JOB));
  expect(error.problem).toMatchObject({ code: 'INVALID_TOKEN', detail: 'INVALID_TOKEN!' });
  expect(seen).toHaveLength(2);
});

test('does not send a secret to the target of a redirect', async () => {
  const { url, seen, logins } = await service();
  const other = createServer((_request, response) =>
    response.writeHead(307, { location: `${url}/api/auth/token` }).end(),
  );
  const at = await listenOnLoopback(other);
  const error = await failureOf(createNodeClient(at, { clientId: 'amy', clientSecret: 'hush' }).get(JOB));
  expect(error).toMatchObject({ kind: 'unexpected', status: 307 });
  expect([...seen, ...logins]).toEqual([]);
});

test('reports a server that is not Telecine', async () => {
  const { client } = await service(
    (_request, response) => response.end('<html>'),
    (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
  );
  expect(await failureOf(client.get(JOB))).toMatchObject({ kind: 'unexpected' });
  expect((await failureOf(client.get(JOB))).message).toContain('status 404');
});

test('rejects an aborted call with the reason, also during a retry pause', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client } = await service((request, response, body) => {
    rejectWith(503, 'UNAVAILABLE', { 'retry-after': '20' })(request, response, body);
    response.once('finish', () => controller.abort(reason));
  });
  await expect(client.get(JOB, { signal: controller.signal })).rejects.toBe(reason);
});

test('gives up an unreachable service, and token requests do not multiply the retries', async () => {
  const { client, server } = await service();
  let tries = 0;
  server.removeAllListeners('request').on('request', ({ socket }) => {
    tries += 1;
    socket.destroy();
  });
  expect(await failureOf(client.get(JOB))).toMatchObject({ kind: 'unreachable' });
  expect(tries).toBe(5);
});

test('reports each reply while it waits, and survives a short outage', async () => {
  const running = { jobId: JOB, status: 'PROCESSING', progress: 50 };
  const { client } = await service(
    answer(200, running),
    hangUp,
    rejectWith(503, 'UNAVAILABLE'),
    answer(200, { ...running, status: 'FAILED' }),
  );
  const progressReports: unknown[] = [];
  expect(await client.wait(JOB, { onUpdate: ({ status }) => progressReports.push(status) })).toMatchObject({
    status: 'FAILED',
  });
  expect(progressReports).toEqual(['PROCESSING', 'FAILED']);
});

const BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251));
const range =
  (etag: string, bytes = BYTES): Answer =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const same = request.headers['if-range'] === etag;
    const body = same ? bytes.subarray(from) : bytes;
    response.writeHead(same ? 206 : 200, {
      etag,
      'content-length': body.length,
      ...(same && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    response.end(body);
  };
/** Sends the first bytes, and closes the connection once some have arrived. */
function broken(etag: string) {
  const arrived = new EventEmitter();
  const answer: Answer = (_request, response) => {
    arrived.once('bytes', () => response.destroy());
    response.writeHead(200, { etag, 'content-length': BYTES.length });
    response.write(BYTES.subarray(0, 70_000));
  };
  return { answer, onBytes: (done: number): unknown => done > 0 && arrived.emit('bytes') };
}

test('resumes a broken download where it stopped', async () => {
  const folder = await testFolder('download');
  const { answer: breaksOff, onBytes } = broken('"a"');
  const { client, seen } = await service(breaksOff, range('"a"'));
  const progressReports: number[] = [];
  await client.saveOutput(JOB, join(folder, 'out.bin'), {
    path: 'x/out.bin',
    onBytes: (done) => progressReports.push(done) && onBytes(done),
  });
  expect(BYTES.equals(await readFile(join(folder, 'out.bin')))).toBe(true);
  expect(seen.map(({ request }) => request.url)).toEqual(
    Array(2).fill(`/api/conversion/${JOB}/output?path=x%2Fout.bin`),
  );
  expect(seen[1]?.request.headers).toMatchObject({
    range: expect.stringMatching(/^bytes=[1-9]\d*-$/),
    'if-range': '"a"',
  });
  expect(progressReports.at(-1)).toBe(BYTES.length);
  expect(await readdir(folder)).toEqual(['out.bin']);
});

test('a download follows a redirect to the object store without its token, and resumes at the service', async () => {
  const folder = await testFolder('download');
  const { answer: breaksOff, onBytes } = broken('"of the store"');
  const store = await service(breaksOff);
  const redirect: Answer = (_request, response) =>
    response.writeHead(302, { location: `${store.url}/bucket/key?signature=s`, etag: '"a"' }).end();
  const { client, seen } = await service(redirect, range('"a"'));
  await client.saveOutput(JOB, join(folder, 'out.bin'), { onBytes });
  expect(BYTES.equals(await readFile(join(folder, 'out.bin')))).toBe(true);
  expect(store.seen.map(({ request }) => [request.url, request.headers.authorization])).toEqual([
    ['/bucket/key?signature=s', undefined],
  ]);
  expect(seen[1]?.request.headers).toMatchObject({ authorization: 'Bearer token-1', 'if-range': '"a"' });
});

test('restarts a download if the file has changed', async () => {
  const folder = await testFolder('download');
  const other = Buffer.alloc(1000, 7);
  const { answer: breaksOff, onBytes } = broken('"a"');
  const { client } = await service(breaksOff, range('"b"', other), range('"b"', other));
  await client.saveOutput(JOB, join(folder, 'out.bin'), { onBytes });
  expect(other.equals(await readFile(join(folder, 'out.bin')))).toBe(true);
});

test('a download keeps an existing file, unless told to replace it', async () => {
  const folder = await testFolder('download');
  const target = join(folder, 'out.bin');
  await writeFile(target, 'mine');
  const { client } = await service(range('"a"'), range('"a"'));
  await expect(client.saveOutput(JOB, target)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(target, 'utf8')).toBe('mine');
  await client.saveOutput(JOB, target, { replace: true });
  expect((await readFile(target)).length).toBe(BYTES.length);
  expect(await readdir(folder)).toEqual(['out.bin']);
});

test('a rejected download leaves no file', async () => {
  const folder = await testFolder('download');
  const { client } = await service(rejectWith(410, 'OUTPUT_GONE'));
  expect((await failureOf(client.saveOutput(JOB, join(folder, 'out.bin')))).problem?.code).toBe('OUTPUT_GONE');
  expect(await readdir(folder)).toEqual([]);
});

test('a download is a response whose body continues after a broken connection', async () => {
  const { answer: breaksOff, onBytes } = broken('"a"');
  const { client, seen } = await service(breaksOff, range('"a"'));
  const reply = await client.download(JOB, { onBytes });
  expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(BYTES.length)]);
  expect(BYTES.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
  expect(seen[1]?.request.headers).toMatchObject({
    range: expect.stringMatching(/^bytes=[1-9]\d*-$/),
    'if-range': '"a"',
  });
});

test('a download of a range continues within the range', async () => {
  const part = BYTES.subarray(1000, 101_000);
  const partly: Answer = (request, response) => {
    const from = Number(/^bytes=(\d+)-100999$/.exec(request.headers.range ?? '')?.[1]) - 1000;
    const rest = part.subarray(from);
    response.writeHead(206, { etag: '"a"', 'content-length': rest.length });
    if (from > 0) response.end(rest);
    else response.write(rest.subarray(0, 60_000), () => setImmediate(() => response.destroy()));
  };
  const { client, seen } = await service(partly, partly);
  const reply = await client.readFile('a b.bin', { range: { start: 1000, end: 100_999 } });
  expect(reply.status).toBe(206);
  expect(part.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
  expect(seen.map(({ request }) => request.url)).toEqual(Array(2).fill('/api/files/a%20b.bin'));
});

test('a download fails if the file was replaced meanwhile', async () => {
  const { answer: breaksOff, onBytes } = broken('"a"');
  const { client } = await service(breaksOff, range('"b"'));
  const reply = await client.download(JOB, { onBytes });
  const error = await reply.body?.pipeTo(new WritableStream()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ kind: 'changed', code: 'CHANGED' });
});

test('a download whose reader stops closes its connection', async () => {
  let closed = false;
  const { client } = await service((request, response) => {
    request.socket.once('close', () => {
      closed = true;
    });
    response.writeHead(200, { etag: '"a"', 'content-length': BYTES.length });
    response.write(BYTES.subarray(0, 70_000));
  });
  const reader = (await client.download(JOB)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await expect.poll(() => closed).toBe(true);
});

test('an error names the fields at fault and what to send instead', async () => {
  const errors = [
    { field: '/parameters/crf', code: 'WRONG_TYPE', message: 'no', fix: 'Send "23".' },
    { field: '/output', code: 'MISSING', message: 'no' },
  ];
  const { client } = await service((_request, response) =>
    reply(response, 400, { ...problem(400, 'INVALID_REQUEST'), errors }),
  );
  const error = await failureOf(client.submit(REQUEST));
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', errors, fixes: ['Send "23".'] });
});

test('an error without a problem document has a code and no fixes', async () => {
  const { client, url } = await service((_request, response) => response.writeHead(418).end('<html>'));
  expect(await failureOf(client.get(JOB))).toMatchObject({ code: 'HTTP_ERROR', errors: [], fixes: [] });
  const elsewhere = createNodeClient(
    `${url}/nowhere`,
    { accessToken: 'a' },
    { fetch: () => Promise.reject(new TypeError()) },
  );
  expect(await failureOf(elsewhere.get(JOB))).toMatchObject({ code: 'UNREACHABLE' });
});

test('asks for another access token when the service rejects the last one', async () => {
  const job = { jobId: JOB, status: 'PENDING' };
  const { url, seen } = await service(
    answer(200, job),
    rejectWith(401, 'INVALID_TOKEN'),
    answer(200, job),
    answer(200, job),
  );
  let count = 0;
  const client = createNodeClient(url, {
    accessToken: async () => {
      count += 1;
      return `own-${count}`;
    },
  });
  await client.get(JOB);
  await Promise.all([client.get(JOB), client.get(JOB)]);
  expect(seen.map(({ request }) => request.headers.authorization)).toEqual(
    expect.arrayContaining(['Bearer own-1', 'Bearer own-1', 'Bearer own-2']),
  );
  expect(count).toBe(2);
});

test('sends all requests by the function that the caller gives, also those for tokens', async () => {
  const { url } = await service(accepted);
  const sent: string[] = [];
  const client = createNodeClient(
    url,
    { clientId: 'amy', clientSecret: 'hush' },
    {
      fetch: (target, init) => {
        sent.push(`${init.method} ${new URL(target).pathname}`);
        return fetch(target, init);
      },
    },
  );
  await client.submit(REQUEST);
  expect(sent).toEqual(['POST /api/auth/token', 'POST /api/conversion']);
});

async function fileOf(bytes: Buffer): Promise<string> {
  const file = join(await testFolder('upload'), 'in.bin');
  await writeFile(file, bytes);
  return file;
}

const created: Answer = (_request, response) => response.writeHead(201, { location: '/api/uploads/u1' }).end();
const offsetIs =
  (offset: number): Answer =>
  (_request, response) =>
    response.writeHead(204, { 'upload-offset': offset, 'upload-length': BYTES.length }).end();

test('an upload has a length, does not replace a file, and arrives unchanged', async () => {
  const { client, seen } = await service(created, offsetIs(BYTES.length));
  const progressReports: number[] = [];
  await client.uploadFile(await fileOf(BYTES), 'a b/ü%.bin', { onBytes: (done) => progressReports.push(done) });
  const [first, second] = seen;
  expect(first?.request.headers).toMatchObject({
    ...{ 'upload-length': `${BYTES.length}`, 'if-none-match': '*' },
    'upload-metadata': `path ${Buffer.from('a b/ü%.bin').toString('base64')}`,
  });
  expect(second?.request.url).toBe('/api/uploads/u1');
  expect(second?.body.equals(BYTES)).toBe(true);
  expect(progressReports.at(-1)).toBe(BYTES.length);
});

test('an upload whose last reply was lost is complete', async () => {
  const { client, seen } = await service(created, hangUp, offsetIs(BYTES.length));
  await client.uploadFile(await fileOf(BYTES), 'in.bin');
  expect(seen.map(({ request }) => request.method)).toEqual(['POST', 'PATCH', 'HEAD']);
});

test('does not send the body of an upload that the service rejects', async () => {
  const { client, seen } = await service(rejectWith(412, 'PRECONDITION_FAILED'));
  const progressReports: number[] = [];
  const upload = client.uploadFile(await fileOf(Buffer.alloc(2 ** 20)), 'in.bin', {
    onBytes: (done) => progressReports.push(done),
  });
  expect((await failureOf(upload)).code).toBe('PRECONDITION_FAILED');
  expect(seen.map(({ request, body }) => [request.method, request.url, body.length])).toEqual([
    ['POST', '/api/uploads', 0],
  ]);
  expect(progressReports).toEqual([]);
});

test('reports an unreadable local file without retrying', async () => {
  const { client } = await service();
  await expect(client.uploadFile('/nowhere/in.bin', 'in.bin')).rejects.toMatchObject({
    code: 'ENOENT',
    path: '/nowhere/in.bin',
  });
});

test('replays deliveries about jobs and batches, which callbacks have too', async () => {
  const { client, seen } = await service(answer(202, {}), answer(202, {}));
  await client.replayJobDelivery('job', 'delivery');
  await client.replayBatchDelivery('batch', 'delivery');
  expect(seen.map(({ request: { method, url } }) => `${method} ${url}`)).toEqual([
    'POST /api/conversion/job/deliveries/delivery/replay',
    'POST /api/conversions/batch/deliveries/delivery/replay',
  ]);
});

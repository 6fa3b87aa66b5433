import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { buildHealthApp } from '../../packages/service/src/http/app.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../../packages/service/src/http/connections/connection-table.ts';
import type { HttpDeps } from '../../packages/service/src/http/deps.ts';
import type { JobOperations } from '../../packages/service/src/jobs/job-operations.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { fakeShares, jobOf } from '../support/http-fakes.ts';
import { mediaRoot } from '../support/media-root.ts';
import { rawReplies, rawReply } from '../support/raw-reply.ts';
import { sampled } from '../support/sampled.ts';

type Change = Parameters<typeof httpApp>[0];

/** The app, listening, and a function that opens a connection from a local address. */
async function open(connectionLimits: HttpDeps['connectionLimits'] = {}, change: Change = {}) {
  const refused: string[] = [];
  const metrics: HttpDeps['metrics'] = {
    countRequest: () => undefined,
    countRefusal: (why) => refused.push(why),
    text: async () => ({ contentType: 'text/plain', body: '' }),
  };
  const world = httpApp({ connectionLimits, metrics, ...change });
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  const dial = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { ...world, dial, refused, isOpen: () => connectionsOf(world.app.server) };
}

const connectionsOf = (server: ReturnType<typeof httpApp>['app']['server']): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

const request = (line: string, ...fields: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...fields, '\r\n'].join('\r\n');
const HEALTH = request('GET /health', 'Connection: close');
const TOKEN = `Authorization: ${BEARER.authorization}`;

/** Sends a request and reads the whole reply. */
async function exchange(socket: Socket, sent: string) {
  const reply = rawReply(socket);
  socket.write(sent);
  return reply;
}

/** Sends a request on a connection that stays open, and waits for the head of its reply. */
async function begin(socket: Socket, sent: string): Promise<Socket> {
  socket.write(sent);
  await once(socket, 'readable');
  return socket;
}

/** More than the buffers of the kernel can take of a reply that is not read: a reply that is all in them has been sent. */
const LONG_BYTES = Number(readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').split(/\s+/)[2]) + 4 * 2 ** 20;

const LONG_LIST = Array.from({ length: 200 }, () =>
  jobOf({ request: { ...jobOf().request, metadata: { note: 'x'.repeat(LONG_BYTES / 200) } } }),
);
const longList: Change = { jobsChange: { list: async () => ({ jobs: LONG_LIST }) } };

/** A console with a long script. */
async function longScript(): Promise<Change> {
  const consoleFolder = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(consoleFolder, { recursive: true }));
  await mkdir(join(consoleFolder, 'assets'));
  await writeFile(join(consoleFolder, 'assets/long.js'), 'x'.repeat(LONG_BYTES));
  return { consoleFolder };
}

const LONG_REPLIES = [
  ['a static document', request('GET /assets/long.js'), 80],
  ['a long list', request('GET /api/conversion?limit=200', TOKEN), 40],
] as const;

test.each(sampled(LONG_REPLIES, 2))(
  'clients that do not read %s take little memory, and are disconnected',
  { tags: 'long' },
  async (_, sent, count) => {
    const { dial, app, refused } = await open({ stallMs: 1500 }, { ...longList, ...(await longScript()) });
    // What the first reply loads is not counted.
    await app.inject({ method: 'GET', url: '/assets/long.js' });
    const before = process.memoryUsage.rss();
    await Promise.all(Array.from({ length: count }, () => begin(dial(), sent)));
    const addedMegabytes = (process.memoryUsage.rss() - before) / 2 ** 20;
    // With a copy for each reply, 80 static documents take more than 600 MB, and 40 lists 320 MB.
    expect(addedMegabytes).toBeLessThan(250);
    // A list for which there was no memory was replaced by a short reply.
    const isEnded = (why: string): boolean => why === 'stalled' || why === 'bytes';
    await expect.poll(() => refused.filter(isEnded).length, { timeout: 20_000 }).toBe(count);
    expect(refused).toContain('stalled');
  },
);

test('a client that reads slowly gets the whole reply', async () => {
  const { dial, inject } = await open({ stallMs: 1000 });
  const { headers } = await inject({ method: 'GET', url: '/docs/scalar.js' });
  const socket = dial();
  socket.write(request('GET /docs/scalar.js', 'Connection: close'));
  let bytes = 0;
  for await (const chunk of socket) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(Number(headers['content-length']));
});

test('one address cannot use up the connections without a token, and others are served', async () => {
  const { dial, refused, isOpen, lines } = await open({ withoutTokenPerAddress: 5 });
  const silent = Array.from({ length: 5 }, () => dial());
  await expect.poll(isOpen).toBe(5);
  const reply = await rawReply(dial());
  expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '5', connection: 'close' } });
  expect(JSON.parse(reply.body)).toMatchObject({ code: 'TOO_MANY_CONNECTIONS' });
  expect((await exchange(dial('127.0.0.2'), HEALTH)).status).toBe(200);
  expect(refused).toEqual(['address']);
  expect(lines).toContainEqual({
    level: 'warn',
    fields: { refused: { address: 1 }, msg: 'connections or requests refused' },
  });
  silent[0]?.destroy();
  await expect.poll(isOpen).toBe(4);
  expect((await exchange(dial(), HEALTH)).status).toBe(200);
});

test('connections with a valid token do not count for their address', async () => {
  const { dial, isOpen } = await open({ withoutTokenPerAddress: 2 });
  for (let i = 0; i < 6; i++) await begin(dial(), request('GET /api/usage', TOKEN));
  await expect.poll(isOpen).toBe(6);
  // A wrong token counts.
  for (let i = 0; i < 2; i++) await begin(dial(), request('GET /api/usage', 'Authorization: Bearer bad'));
  expect((await rawReply(dial())).status).toBe(429);
});

test('after a request by a link, later requests on its connection count for their address', async () => {
  const gate = Promise.withResolvers<void>();
  const ready = async () => {
    await gate.promise;
    return {};
  };
  const { dial, app, refused } = await open(
    { withoutTokenPerAddress: 2 },
    {
      shares: fakeShares({
        find: async () => ({
          ...{ shareId: 'id', clientId: 'alice', path: 'a.mp4' as MediaPath, uses: 0 },
          ...{ createdAt: '2026-01-31T12:00:00.000Z', expiresAt: '2100-01-31T12:00:00.000Z' },
        }),
        readerOf: async (clientId) => ({ clientId, scopes: ['files:read'], root: mediaRoot('/media'), policy: {} }),
      }),
      health: { version: '0.1.0', uptimeSeconds: () => 1, ready },
    },
  );
  const sockets: Socket[] = [];
  for (let i = 0; i < 4; i++) {
    const socket = await begin(dial(), request(`GET /s/tcl_${'x'.repeat(43)}`));
    // The shared file does not exist.
    expect(`${socket.read()}`).toMatch(/^HTTP\/1.1 404 /);
    sockets.push(socket);
  }
  const [first, second, third] = sockets as [Socket, Socket, Socket];
  for (const socket of [first, second]) {
    const started = once(app.server, 'request');
    socket.write(request('GET /ready'));
    await started;
  }
  const rejected = await exchange(third, request('GET /ready', 'Connection: close'));
  expect([rejected.status, JSON.parse(rejected.body).code]).toEqual([429, 'TOO_MANY_CONNECTIONS']);
  expect(refused).toEqual(['address']);
  gate.resolve();
});

test('the oldest connection without a token gives way to a new one, and those with a token stay', async () => {
  const { dial, refused } = await open({ withoutToken: 3, withoutTokenPerAddress: 3 });
  const trusted = await begin(dial(), request('GET /api/usage', TOKEN));
  const [oldest, ...others] = [1, 2, 3].map((i) => dial(`127.0.0.1${i}`));
  await Promise.all([oldest, ...others].map((socket) => socket && once(socket, 'connect')));
  const closed = oldest && once(oldest.resume(), 'close');
  expect((await exchange(dial('127.0.0.2'), HEALTH)).status).toBe(200);
  await closed;
  expect(refused).toEqual(['replaced']);
  expect([trusted, ...others].map((socket) => socket.destroyed)).toEqual([false, false, false]);
});

test('the connection that has been idle longest gives way if all are in use, and a running request does not', async () => {
  const gate = Promise.withResolvers<void>();
  const usage = async () => {
    await gate.promise;
    throw new Error('The test has ended.');
  };
  const { dial, app } = await open({ all: 3 }, { jobsChange: { usage } });
  onTestFinished(() => gate.resolve());
  const list = request('GET /api/conversion', TOKEN);
  const running = dial();
  const started = once(app.server, 'request');
  running.write(request('GET /api/usage', TOKEN));
  await started;
  const [first, second] = [await begin(dial(), list), await begin(dial(), list)];
  const closed = once(first.resume(), 'close');
  const third = await begin(dial(), list);
  await closed;
  expect([running, second, third].map((socket) => socket.destroyed)).toEqual([false, false, false]);
});

test('a connection is refused if requests run on all', async () => {
  const gate = Promise.withResolvers<void>();
  const list = async () => {
    await gate.promise;
    return { jobs: [] };
  };
  const { dial, app, refused } = await open({ all: 4 }, { jobsChange: { list } });
  for (let i = 0; i < 2; i++) {
    const started = once(app.server, 'request');
    dial().write(request('GET /api/conversion', TOKEN));
    await started;
  }
  // A client can have half of the connections.
  const third = await exchange(dial(), request('GET /api/conversion', TOKEN, 'Connection: close'));
  expect([third.status, JSON.parse(third.body).code]).toEqual([429, 'TOO_MANY_CONNECTIONS']);
  expect(refused).toEqual(['client']);
  gate.resolve();
});

test.each([
  ['header fields', 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'headersMs'],
  ['a body', request('POST /api/auth/token', 'Content-Type: application/json', 'Content-Length: 50'), 'requestMs'],
  ['nothing', '', 'headersMs'],
])('a client that sends %s and no more gets 408', async (_, sent, limit) => {
  const { dial } = await open({ headersMs: 400, requestMs: limit === 'requestMs' ? 500 : 60_000 });
  const reply = await exchange(dial(), sent);
  expect(reply).toMatchObject({ status: 408, headers: { connection: 'close' } });
});

test('the requests of a connection run one after the other, and too many sent ahead close it', async () => {
  let running = 0;
  let most = 0;
  const list = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return { jobs: [jobOf()] };
  };
  const { dial, refused } = await open({}, { jobsChange: { list } });
  const one = request('GET /api/conversion', TOKEN);
  const socket = dial();
  const replies = rawReplies(socket);
  socket.write(one.repeat(9) + request('GET /nowhere', 'Connection: close'));
  expect((await replies).map(({ status }) => status)).toEqual([...Array(9).fill(200), 404]);
  expect(most).toBe(1);
  const flood = dial();
  flood.write(one.repeat(100));
  await text(flood).catch(() => '');
  expect(refused).toEqual(['pipelining']);
});

test('a body for which there is no memory is rejected before it is read, but not before its token is checked', async () => {
  const { dial, app, refused } = await open({ bytesInFlight: 200_000 });
  const length = JSON.stringify(BODY).length + 90_000;
  const head = ['Content-Type: application/json', `Content-Length: ${length}`];
  const started = once(app.server, 'request');
  const slow = dial();
  slow.write(request('POST /api/conversion', TOKEN, ...head));
  await started;
  const rejected = await exchange(dial(), request('POST /api/conversion', TOKEN, ...head, 'Connection: close'));
  expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(JSON.parse(rejected.body)).toMatchObject({ code: 'UNAVAILABLE' });
  expect((await exchange(dial(), request('POST /api/conversion', ...head, 'Connection: close'))).status).toBe(401);
  const small = JSON.stringify(BODY);
  const lengthOfSmall = `Content-Length: ${small.length}`;
  const type = 'Content-Type: application/json';
  const sent = request('POST /api/conversion', TOKEN, type, lengthOfSmall, 'Connection: close') + small;
  expect((await exchange(dial(), sent)).status).toBe(202);
  // The slow body counts until its connection is closed.
  slow.destroy();
  await expect.poll(() => connectionsOf(app.server)).toBe(0);
  const again = exchange(
    dial(),
    request('POST /api/conversion', TOKEN, ...head, 'Connection: close') + small.padEnd(length),
  );
  expect((await again).status).toBe(202);
  expect(refused).toEqual(['bytes']);
});

test('the body of a rejected request is read, and its memory is free at once', async () => {
  const { dial, app } = await open();
  const parts: Buffer[] = [];
  app.server.prependListener('request', (incoming) => {
    const { push } = incoming;
    incoming.push = (part: Buffer | null) => {
      if (part !== null) parts.push(part);
      return push.call(incoming, part);
    };
  });
  const body = ' '.repeat(900_000);
  const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
  const rejected = await exchange(dial(), request('POST /api/conversion', ...fields) + body);
  expect(rejected.status).toBe(401);
  await expect.poll(() => connectionsOf(app.server)).toBe(0);
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.map(({ length }) => length)).toEqual(parts.map(() => 0));
});

test('a reply for which there is no memory becomes 503, and others are complete', async () => {
  const { dial, refused } = await open({ bytesInFlight: 10_000_000 }, longList);
  const list = request('GET /api/conversion?limit=200', TOKEN, 'Connection: close');
  const whole = await exchange(dial(), list);
  expect(whole.status).toBe(200);
  expect(whole.body).toHaveLength(Number(whole.headers['content-length']));
  expect(JSON.parse(whole.body).jobs).toHaveLength(200);
  const unread = await begin(dial(), list);
  const rejected = await exchange(dial(), list);
  expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(JSON.parse(rejected.body)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(refused).toEqual(['bytes']);
  unread.destroy();
  await expect.poll(async () => (await exchange(dial(), list)).status).toBe(200);
});

test('a list for which there is no memory is not made', async () => {
  let made = 0;
  const listInSteps: JobOperations['listInSteps'] = async (_caller, { limit }, { requireRoom, write }) => {
    requireRoom?.([{ jobId: 'a', bytes: limit * 1_000_000 }]);
    made += 1;
    write(LONG_LIST);
    return {};
  };
  const { dial, inject, refused } = await open({ bytesInFlight: 2.5 * LONG_BYTES }, { jobsChange: { listInSteps } });
  const list = async (limit: number): Promise<number> =>
    (await inject({ method: 'GET', url: `/api/conversion?limit=${limit}`, headers: BEARER })).statusCode;
  const unread = await begin(dial(), request('GET /api/conversion', TOKEN));
  expect([await list(100), made, refused]).toEqual([503, 1, ['bytes']]);
  unread.destroy();
  await expect.poll(() => list(100)).toBe(200);
});

test('a client that disconnects before its reply is made leaves no memory in use', async () => {
  let gate = Promise.withResolvers<void>();
  const list = async () => {
    await gate.promise;
    return { jobs: [jobOf({ request: { ...jobOf().request, metadata: { note: 'x'.repeat(80_000) } } })] };
  };
  const { dial, app, inject } = await open({ bytesInFlight: 200_000 }, { jobsChange: { list } });
  for (let i = 0; i < 4; i++) {
    const started = once(app.server, 'request');
    const socket = dial();
    socket.write(request('GET /api/conversion', TOKEN));
    const [, response] = await started;
    const closed = once(response, 'close');
    socket.destroy();
    await closed;
    gate.resolve();
    await new Promise(setImmediate);
    gate = Promise.withResolvers();
  }
  gate.resolve();
  expect((await inject({ method: 'GET', url: '/api/conversion', headers: BEARER })).statusCode).toBe(200);
});

test('behind a trusted proxy, requests without a token count for the address of the caller', async () => {
  const gate = Promise.withResolvers<void>();
  const ready = async () => {
    await gate.promise;
    return {};
  };
  const { dial, app, isOpen } = await open(
    { withoutTokenPerAddress: 3 },
    { trustProxy: ['127.0.0.0/8'], health: { version: '0.1.0', uptimeSeconds: () => 1, ready } },
  );
  const from = (address: string, path = '/ready') =>
    request(`GET ${path}`, `X-Forwarded-For: ${address}`, 'Connection: close');
  const running = [];
  for (let i = 0; i < 3; i++) {
    const started = once(app.server, 'request');
    running.push(exchange(dial(), from('2001:db8::7')));
    await started;
  }
  // An address of the same /64.
  expect((await exchange(dial(), from('2001:db8::8'))).status).toBe(429);
  expect((await exchange(dial(), from('198.51.100.1', '/health'))).status).toBe(200);
  gate.resolve();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect.poll(isOpen).toBe(0);
  expect((await exchange(dial(), from('2001:db8::8', '/health'))).status).toBe(200);
});

test('behind a trusted proxy, the oldest request without a token gives way if there are too many', async () => {
  const ready = () => new Promise<never>(() => {});
  const { dial, app, refused } = await open(
    { withoutToken: 2 },
    { trustProxy: ['127.0.0.1'], health: { version: '0.1.0', uptimeSeconds: () => 1, ready } },
  );
  const sockets = [];
  for (let i = 1; i <= 3; i++) {
    const started = once(app.server, 'request');
    const socket = dial();
    socket.write(request('GET /ready', `X-Forwarded-For: 198.51.100.${i}`));
    sockets.push(socket.resume());
    await started;
  }
  const [oldest] = sockets;
  if (oldest?.destroyed === false) await once(oldest, 'close');
  expect(refused).toEqual(['replaced']);
  expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false, false]);
});

test('behind a trusted proxy, connections that are idle after a request without a token give way before a running one', async () => {
  const gate = Promise.withResolvers<void>();
  const ready = async () => {
    await gate.promise;
    return {};
  };
  const { dial, app, refused } = await open(
    { withoutToken: 3 },
    { trustProxy: ['127.0.0.1'], health: { version: '0.1.0', uptimeSeconds: () => 1, ready } },
  );
  const from = (i: number, path: string) => request(`GET ${path}`, `X-Forwarded-For: 198.51.100.${i}`);
  const started = once(app.server, 'request');
  const running = dial();
  const reply = once(running, 'readable');
  running.write(from(1, '/ready'));
  await started;
  const idle: Socket[] = [];
  for (let i = 2; i <= 5; i++) {
    const answered = once(app.server, 'request').then(([, response]) => once(response, 'close'));
    const socket = dial();
    socket.write(from(i, '/health'));
    idle.push(socket.resume());
    await answered;
  }
  await expect.poll(() => idle.map((socket) => socket.destroyed)).toEqual([true, true, false, false]);
  expect(refused).toEqual(['replaced', 'replaced']);
  gate.resolve();
  await reply;
  expect(`${running.read()}`).toMatch(/^HTTP\/1.1 200 /);
});

test.each([
  ['begin a request and do not finish it', 'GET /health HTTP/1.1\r\nHo'],
  ['finish a request without a token', request('GET /health', 'X-Forwarded-For: 198.51.100.1')],
])('from a trusted proxy, connections that %s keep out nobody', async (_, sent) => {
  const { dial, isOpen, refused } = await open({ all: 6, withoutToken: 2 }, { trustProxy: ['127.0.0.1'] });
  const list = request('GET /api/conversion', TOKEN, 'X-Forwarded-For: 198.51.100.2');
  const trusted = await begin(dial(), list);
  for (let i = 0; i < 8; i++) {
    const socket = dial().resume();
    await once(socket, 'connect');
    socket.write(sent);
  }
  await expect.poll(() => refused).toEqual(Array(6).fill('replaced'));
  await expect.poll(isOpen).toBe(3);
  expect((await exchange(dial(), HEALTH)).status).toBe(200);
  await begin(trusted, list);
  await begin(dial('127.0.0.2'), request('GET /api/conversion', TOKEN));
  expect(trusted.destroyed).toBe(false);
  expect(new Set(refused)).toEqual(new Set(['replaced']));
});

test('the health checks of a worker have the same limits', async () => {
  const app = buildHealthApp({
    connectionLimits: { ...DEFAULT_CONNECTION_LIMITS, withoutTokenPerAddress: 1 },
    health: { version: '0.1.0', uptimeSeconds: () => 1, ready: async () => ({}) },
    metrics: { countRequest: () => {}, countRefusal: () => {}, text: () => Promise.reject(new Error('None.')) },
    logger: { error: () => {}, warn: () => {} },
  });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const first = connect(port, '127.0.0.1');
  await once(first, 'connect');
  await expect.poll(() => connectionsOf(app.server)).toBe(1);
  expect((await rawReply(connect(port, '127.0.0.1'))).status).toBe(429);
  expect((await exchange(first, HEALTH)).status).toBe(200);
});

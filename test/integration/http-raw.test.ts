import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { BODY, httpApp } from '../support/http-app.ts';
import { JOB_ID, jobOf } from '../support/http-fakes.ts';
import { contractChecker, problemChecker } from '../support/openapi-contract.ts';
import { rawReplies, rawReply } from '../support/raw-reply.ts';

type World = ReturnType<typeof httpApp>;

async function open(change: Parameters<typeof httpApp>[0] = {}): Promise<{ world: World; dial: () => Socket }> {
  const world = httpApp(change);
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  return { world, dial: () => connect(port, '127.0.0.1') };
}

const connections = ({ app }: World): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_, n) => resolve(n)));

async function fetchHealth(socket: Socket): Promise<void> {
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await text(socket);
}

let document: Promise<unknown> | undefined;
/** The same for all worlds of this file, and it takes a second to make. */
const openapi = ({ app }: World): Promise<unknown> => {
  document ??= app.inject('/openapi.json').then((reply) => reply.json());
  return document;
};

/** Sends `bytes`. Returns the reply after checking that it is a problem document. */
async function send(world: World, socket: Socket, bytes: string) {
  const check = problemChecker(await openapi(world));
  const rawAnswer = rawReply(socket);
  socket.write(bytes);
  const reply = await rawAnswer;
  return { ...reply, problem: check(reply) };
}

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'two Content-Length fields',
    'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    400,
    'BAD_REQUEST',
  ],
  [
    'two Host header fields',
    'GET /health HTTP/1.1\r\nHost: x\r\nHOST: y\r\nConnection: close\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'a body in a coding that is not decoded',
    'POST /api/conversion HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    501,
    'NOT_IMPLEMENTED',
  ],
  ['a request for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 501, 'NOT_IMPLEMENTED'],
  [
    'an expectation that HTTP does not define',
    'PUT /api/files/a HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nContent-Length: 1\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  [
    'oversized headers',
    `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['an oversized URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
])('answers %s with a problem document', async (_, bytes, status, code) => {
  const { dial, world } = await open();
  const { problem, headers, ...reply } = await send(world, dial(), bytes);
  expect({ status: reply.status, code: problem.code }).toEqual({ status, code });
  expect(headers).toMatchObject({ connection: 'close', 'x-request-id': problem.requestId });
});

test('answers a valid request even if malformed bytes follow it', async () => {
  const { dial, world } = await open();
  const check = contractChecker(await openapi(world));
  const body = JSON.stringify(BODY);
  const head = `POST /api/conversion HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n`;
  const whole = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  for (const [sent, answers] of [
    [`${whole}JUNK JUNK\r\n\r\n`, [202, 400]],
    [`${whole}${whole}JUNK\r\n\r\n`, [202, 202, 400]],
    [`${whole}${head}Transfer-Encoding: chunked\r\n\r\nnot a chunk\r\n`, [202, 400]],
    [`${head}Transfer-Encoding: chunked\r\n\r\nnot a chunk\r\n`, [400]],
  ] as const) {
    const socket = dial();
    socket.write(sent);
    const replies = await rawReplies(socket);
    for (const reply of replies) check({ method: 'POST', url: '/api/conversion', ...reply });
    expect(replies.map(({ status }) => status)).toEqual(answers);
  }
  expect(world.submitted).toHaveLength(4);
});

test('a request for a tunnel is not answered before the request that runs', async () => {
  const { dial, world } = await open({
    health: { version: '0.1.0', uptimeSeconds: () => 1, ready: () => new Promise<never>(() => {}) },
  });
  const socket = dial();
  socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n\r\nCONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await text(socket)).toBe('');
  await expect.poll(() => connections(world)).toBe(0);
});

test('answers an offer to upgrade as if it were not there', async () => {
  const { dial } = await open();
  const reply = rawReply(
    dial().end('GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n'),
  );
  expect((await reply).status).toBe(200);
});

test('answers an unusual HTTP method with 405', async () => {
  const { dial, world } = await open();
  const { status } = await send(world, dial(), 'PROPFIND /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(status).toBe(405);
});

test('keeps running when clients disconnect at once', async () => {
  const { dial, world } = await open();
  for (let i = 0; i < 20; i++) dial().end('POST /api/conversion HTTP/1.1\r\nHost: x\r\nContent-Le').destroy();
  expect((await world.inject({ method: 'GET', url: '/health' })).statusCode).toBe(200);
});

test('closes without waiting for a client that stopped inside its body', {
  tags: 'long',
  timeout: 15_000,
}, async () => {
  const { dial, world } = await open();
  const socket = dial().on('error', () => {});
  socket.write(
    'POST /api/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"cli',
  );
  await expect.poll(() => connections(world)).toBe(1);
  await world.app.close();
  expect(world.app.server.listening).toBe(false);
});

test('closes at once a connection on which its client sent nothing', async () => {
  const { dial, world } = await open();
  const socket = dial().on('error', () => {});
  await expect.poll(() => connections(world)).toBe(1);
  const begin = performance.now();
  await world.app.close();
  expect(performance.now() - begin, 'it waits less than the 5 s that a busy connection gets').toBeLessThan(4000);
  expect(await text(socket)).toBe('');
});

test('lets a running request finish on close, and does not wait for its connection', async () => {
  const gate = Promise.withResolvers<void>();
  const ready = async () => {
    await gate.promise;
    return {};
  };
  const { dial, world } = await open({ health: { version: '0.1.0', uptimeSeconds: () => 1, ready } });
  const check = contractChecker(await openapi(world));
  const reached = once(world.app.server, 'request');
  const socket = dial();
  const rawAnswer = rawReply(socket);
  socket.write('GET /ready HTTP/1.1\r\nHost: x\r\n\r\n');
  await reached;
  const closed = world.app.close();
  await expect.poll(() => world.app.server.listening).toBe(false);
  gate.resolve();
  await closed;
  const reply = await rawAnswer;
  check({ method: 'GET', url: '/ready', ...reply });
  expect(reply.status).toBe(200);
});

test('answers a request during shutdown with 503 and Retry-After', async () => {
  const { dial, world } = await open();
  const check = contractChecker(await openapi(world));
  const socket = dial();
  const rawAnswer = rawReply(socket);
  socket.write('GET /health HTTP/1.1\r\nHo');
  await expect.poll(() => connections(world)).toBe(1);
  // This request is sent last, so its reply shows that the server has read all earlier bytes.
  await fetchHealth(dial());
  const closed = world.app.close();
  await expect.poll(() => world.app.server.listening).toBe(false);
  socket.write('st: x\r\n\r\n');
  await closed;
  const reply = await rawAnswer;
  check({ method: 'GET', url: '/health', ...reply });
  expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(reply.body).toContain('"code":"UNAVAILABLE"');
});

test('a client that hangs up is in the audit log with its address', async () => {
  const cancelling = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { world, dial } = await open({
    jobsChange: {
      cancel: async () => {
        cancelling.resolve();
        await gone.promise;
        return jobOf();
      },
    },
  });
  const socket = dial();
  world.app.server.once('connection', (connection: Socket) => connection.once('close', () => gone.resolve()));
  socket.write(
    `POST /api/conversion/${JOB_ID}/cancel HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 0\r\n\r\n`,
  );
  await cancelling.promise;
  socket.destroy();
  await vi.waitFor(() => expect(world.audited).toHaveLength(1));
  expect(world.audited).toMatchObject([{ action: 'job.cancel', target: JOB_ID, address: '127.0.0.1' }]);
});

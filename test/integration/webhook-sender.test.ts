import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { outgoingClient } from '../../packages/service/src/outgoing/outgoing-client.ts';
import { webhookSender } from '../../packages/service/src/webhooks/webhook-sender.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** Sends one delivery to a URL, with its host allowed. */
async function send(url: string, signal = new AbortController().signal) {
  const { hostname, port } = new URL(url);
  const client = outgoingClient({ isPublicAllowed: false, hosts: [{ host: hostname, port: Number(port) }] });
  onTestFinished(() => client.close());
  const startMs = performance.now();
  const result = await webhookSender(
    client,
    'telecine/test',
  )({
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal,
  });
  return { result, seconds: (performance.now() - startMs) / 1000 };
}

const serve = (listener: RequestListener): Promise<string> => listenOnLoopback(createHttp(listener));

/** Serves what `answer` writes into the connection after the request. */
async function serveBytes(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an endless reply is read only at its begin', async () => {
  let sentBytes = 0;
  const url = await serve((_request, response) => {
    response.writeHead(200);
    const write = (): void => {
      sentBytes += 65_536;
      if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(write);
    };
    response.on('drain', write);
    write();
  });
  const { result } = await send(url);
  expect(result).toEqual({ status: 200, body: 'x'.repeat(256) });
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
});

test('a reply whose body never comes, or comes a byte at a time, ends within seconds', async () => {
  const silent = await serve((_request, response) => void response.writeHead(200).flushHeaders());
  const slow = await serve((_request, response) => {
    response.writeHead(500);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  });
  const [first, second] = await Promise.all([send(silent), send(slow)]);
  expect(first.result).toMatchObject({ status: 200 });
  expect(second.result).toMatchObject({ status: 500 });
  for (const { seconds } of [first, second]) expect(seconds).toBeLessThan(8);
});

test('headers without an end are not read into memory', async () => {
  const url = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const write = (): void => {
      if (!socket.destroyed && socket.write(`x-filler: ${'y'.repeat(1000)}\r\n`)) setImmediate(write);
    };
    socket.on('drain', write);
    write();
  });
  expect((await send(url)).result).toMatchObject({ error: expect.any(String), isFinal: false });
});

test.each([
  ['closes the connection', (socket: Socket) => void socket.destroy()],
  ['speaks no HTTP', (socket: Socket) => void socket.end('220 mail.example.org ESMTP\r\n')],
])('a receiver that %s is tried again', async (_what, answer) => {
  expect((await send(await serveBytes(answer))).result).toMatchObject({ error: expect.any(String), isFinal: false });
});

test('a receiver that is down is tried again, and the error names only its host', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const { result } = await send(`http://127.0.0.1:${port}/secret-path?key=1`);
  expect(result).toMatchObject({ isFinal: false });
  expect(JSON.stringify(result)).not.toMatch(/secret-path|key=1/);
});

test('a redirect is a reply, and its target gets nothing', async () => {
  let requests = 0;
  const target = await serve((_request, response) => {
    requests += 1;
    response.end();
  });
  const url = await serve((_request, response) => void response.writeHead(307, { location: target }).end());
  expect((await send(url)).result).toMatchObject({ status: 307 });
  expect(requests).toBe(0);
});

test('a receiver that never replies ends when the service stops', async () => {
  const stopping = new AbortController();
  const url = await serveBytes(() => stopping.abort());
  await expect(send(url, stopping.signal)).rejects.toThrow('aborted');
});

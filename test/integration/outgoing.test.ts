import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type OutgoingClient,
  type OutgoingClientOptions,
  outgoingClient,
} from '../../packages/service/src/outgoing/outgoing-client.ts';
import type { OutgoingPolicy } from '../../packages/service/src/outgoing/outgoing-policy.ts';
import type { OutgoingReply, OutgoingRequest } from '../../packages/service/src/outgoing/outgoing-request.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { tlsCertificate } from '../support/tls-certificate.ts';

const PUBLIC: OutgoingPolicy = { isPublicAllowed: true, hosts: [] };

/** A client that may connect to 127.0.0.1 at the ports of these URLs, until the test ends. */
function clientFor(urls: readonly string[], options: OutgoingClientOptions = {}): OutgoingClient {
  const hosts = urls.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) }));
  return clientWith({ isPublicAllowed: false, hosts }, options);
}

function clientWith(policy: OutgoingPolicy, options: OutgoingClientOptions = {}): OutgoingClient {
  const client = outgoingClient(policy, options);
  onTestFinished(() => client.close());
  return client;
}

const get = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url: new URL(url),
  method: 'GET',
  replyTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  maxBodyBytes: 1_000_000,
  ...more,
});

async function textOf({ body }: OutgoingReply): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A server that counts its connections. */
async function site(listener: RequestListener): Promise<{ readonly url: string; connections: number }> {
  const server = createServer(listener);
  const counted = { url: '', connections: 0 };
  server.on('connection', () => {
    counted.connections += 1;
  });
  counted.url = await listenOnLoopback(server);
  return counted;
}

/** A server that answers each connection by `answer`. */
async function rawSite(answer: (socket: Socket) => void, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sends a request to a listed address, and reads the reply', async () => {
  const { url } = await site((request, response) => {
    response.setHeader('x-one', ['a', 'b']).end(`${request.method} ${request.url} ${request.headers['x-mine']}`);
  });
  const reply = await clientFor([url]).send(get(`${url}/a%20b?c=d#e`, { headers: { 'X-Mine': 'yes' } }));
  expect(reply).toMatchObject({ status: 200, headers: { 'x-one': 'a, b' } });
  expect(await textOf(reply)).toBe('GET /a%20b?c=d yes');
});

test('sends the body of a POST', async () => {
  const { url } = await site((request, response) => void request.pipe(response));
  expect(await textOf(await clientFor([url]).send(get(url, { method: 'POST', body: '{"a":1}' })))).toBe('{"a":1}');
});

test('does not connect to an address that is not allowed', async () => {
  const server = await site((_, response) => response.end());
  const port = new URL(server.url).port;
  const client = clientWith(PUBLIC);
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', '[::1]'])
    await expect(client.send(get(`http://${host}:${port}/`))).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  expect(server.connections).toBe(0);
});

test('does not connect when a name resolves to an address that is not allowed', async () => {
  const server = await site((_, response) => response.end());
  const { findAddresses, questions } = await startDnsServer(() => ['127.0.0.1']);
  const failed = clientWith(PUBLIC, { findAddresses }).send(get(`http://files.example:${new URL(server.url).port}/`));
  await expect(failed).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  await expect(failed).rejects.not.toThrow('127.0.0.1');
  expect(questions).toEqual(['files.example']);
  expect(server.connections).toBe(0);
});

test('checks each answer of DNS, so that an answer that changes leads nowhere', async () => {
  const server = await site((_, response) => response.setHeader('connection', 'close').end('reply'));
  const port = Number(new URL(server.url).port);
  const { findAddresses } = await startDnsServer((_, askedBefore) => [askedBefore < 2 ? '127.0.0.1' : '127.0.0.2']);
  // Only the first address is listed; the server listens on both.
  const client = clientWith({ isPublicAllowed: true, hosts: [{ host: '127.0.0.1', port }] }, { findAddresses });
  const url = `http://files.example:${port}/`;
  expect(await findAddresses('files.example')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await textOf(await client.send(get(url)))).toBe('reply');
  await expect(client.send(get(url))).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  expect(server.connections).toBe(1);
});

test('uses only those of several addresses that are allowed', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.socket.localAddress));
    response.setHeader('connection', 'close').end('reply');
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { findAddresses } = await startDnsServer(() => ['127.0.0.3', '127.0.0.1', '::1', '127.0.0.2']);
  const client = clientWith({ isPublicAllowed: false, hosts: [{ host: '127.0.0.1', port }] }, { findAddresses });
  for (let i = 0; i < 3; i++) await textOf(await client.send(get(`http://files.example:${port}/`)));
  expect(seen).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});

test('resolves a name once for each connection, and sends the name as Host', async () => {
  const { url } = await site((request, response) => response.end(request.headers.host));
  const { port } = new URL(url);
  const { findAddresses, questions } = await startDnsServer(() => ['127.0.0.1']);
  const client = clientWith(
    { isPublicAllowed: false, hosts: [{ host: 'files.example', port: Number(port) }] },
    { findAddresses },
  );
  expect(await textOf(await client.send(get(`http://FILES.example:${port}/`)))).toBe(`files.example:${port}`);
  expect(questions).toEqual(['files.example']);
  await expect(client.send(get(`http://other.example:${port}/`))).rejects.toMatchObject({
    code: 'ADDRESS_NOT_ALLOWED',
  });
});

test('says that a name has no address', async () => {
  const { findAddresses } = await startDnsServer(() => []);
  await expect(clientWith(PUBLIC, { findAddresses }).send(get('http://none.example/'))).rejects.toMatchObject({
    code: 'HOST_NOT_FOUND',
    message: 'none.example has no address in DNS, or DNS did not answer.',
    isTransient: true,
  });
});

test('a DNS server that does not answer takes no longer than the time for connecting', async () => {
  const client = clientWith(PUBLIC, { findAddresses: () => new Promise(() => undefined), connectTimeoutMs: 50 });
  await expect(client.send(get('http://slow.example/'))).rejects.toMatchObject({ code: 'TIMEOUT' });
});

test('says that nothing listens', async () => {
  const client = clientWith({ isPublicAllowed: false, hosts: [{ host: '127.0.0.1', port: 1 }] });
  await expect(client.send(get('http://127.0.0.1:1/'))).rejects.toMatchObject({
    code: 'CONNECT_FAILED',
    message: '127.0.0.1 did not accept a connection.',
  });
});

test('returns a redirect as a reply, unless redirects are to be followed', async () => {
  const { url } = await site((request, response) => {
    if (request.url === '/to') response.end('there');
    else response.writeHead(302, { location: '/to' }).end();
  });
  const client = clientFor([url]);
  const reply = await client.send(get(url));
  expect(reply).toMatchObject({ status: 302, headers: { location: '/to' } });
  reply.discard();
  const followed = await client.send(get(url, { maxRedirects: 1 }));
  expect(followed.url.href).toBe(`${url}/to`);
  expect(await textOf(followed)).toBe('there');
});

test.each([
  ['UTF-8', 'utf8', '/caf%C3%A9/%E4%B8%AD.mp4', '/café/中.mp4'],
  ['Latin-1', 'latin1', '/caf%C3%A9.mp4', '/café.mp4'],
  ['percent-encoding', 'latin1', '/caf%C3%A9.mp4', '/caf%C3%A9.mp4'],
] as const)('follows a redirect to a name in %s', async (_what, encoding, path, location) => {
  const lines: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      lines.push(data.toString('latin1').split(' ')[1] ?? '');
      if (lines.length > 1) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else
        socket.end(Buffer.from(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`, encoding));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await textOf(await clientFor([url]).send(get(`${url}/from`, { maxRedirects: 1 })))).toBe('ok');
  expect(lines).toEqual(['/from', path]);
});

test('checks the target of each redirect', async () => {
  const inner = await site((_, response) => response.end('secret'));
  let location = '';
  const { url } = await site((_, response) => response.writeHead(302, { location }).end());
  const client = clientFor([url]);
  for (const [target, code] of [
    [inner.url, 'ADDRESS_NOT_ALLOWED'],
    [inner.url.replace('127.0.0.1', 'localhost'), 'ADDRESS_NOT_ALLOWED'],
    ['http://169.254.169.254/latest/meta-data/', 'ADDRESS_NOT_ALLOWED'],
    ['file:///etc/passwd', 'URL_NOT_ALLOWED'],
    ['ftp://127.0.0.1/', 'URL_NOT_ALLOWED'],
    [url.replace('http://', 'http://user:password@'), 'URL_NOT_ALLOWED'],
    ['http://[bad', 'INVALID_REPLY'],
  ] as const) {
    location = target;
    await expect(client.send(get(url, { maxRedirects: 5 }))).rejects.toMatchObject({ code });
  }
  expect(inner.connections).toBe(0);
});

test('ends a loop of redirects', async () => {
  let requests = 0;
  const { url } = await site((_, response) => {
    requests += 1;
    response.writeHead(307, { location: '/' }).end();
  });
  await expect(clientFor([url]).send(get(url, { maxRedirects: 5 }))).rejects.toMatchObject({
    code: 'TOO_MANY_REDIRECTS',
    message: '127.0.0.1 redirects more than 5 times.',
  });
  expect(requests).toBe(6);
});

test('sends the user of a URL only if allowed, and not to another host', async () => {
  const other = await site((request, response) => response.end(`other: ${request.headers.authorization}`));
  const { url } = await site((request, response) => {
    if (request.url === '/') response.end(request.headers.authorization);
    else response.writeHead(302, { location: request.url === '/away' ? other.url : '/' }).end();
  });
  const client = clientFor([url, other.url]);
  const withUser = url.replace('http://', 'http://us%20er:p%40ss@');
  await expect(client.send(get(withUser))).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
  const allowed = { isUserAllowed: true, maxRedirects: 1 };
  const basic = `Basic ${Buffer.from('us er:p@ss').toString('base64')}`;
  expect(await textOf(await client.send(get(withUser, allowed)))).toBe(basic);
  expect(await textOf(await client.send(get(`${withUser}/same`, allowed)))).toBe(basic);
  expect(await textOf(await client.send(get(`${withUser}/away`, allowed)))).toBe('other: undefined');
  const malformed = get(url.replace('http://', 'http://a%zz@'), allowed);
  await expect(client.send(malformed)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
});

test('ignores proxy variables', async () => {
  const proxy = await site((_, response) => response.end('proxy'));
  const { url } = await site((_, response) => response.end('direct'));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await textOf(await clientFor([url]).send(get(url)))).toBe('direct');
  expect(proxy.connections).toBe(0);
});

test('asks for a body without compression, and decompresses none', async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  const { url } = await site((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.setHeader('content-encoding', 'gzip').end(bomb);
  });
  const reply = await clientFor([url]).send(get(url));
  let bytes = 0;
  for await (const part of reply.body) bytes += part.length;
  expect(bytes).toBe(bomb.length);
});

test('ends a body at its limit', async () => {
  const { url } = await site((request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    request.on('close', () => response.destroy());
    more();
  });
  const reply = await clientFor([url]).send(get(url, { maxBodyBytes: 100_000 }));
  await expect(textOf(reply)).rejects.toMatchObject({
    code: 'BODY_TOO_LARGE',
    message: '127.0.0.1 sent more than the limit of 100000 bytes.',
  });
});

test.each<[string, (socket: Socket) => void, string]>([
  ['nothing', () => undefined, 'TIMEOUT'],
  ['one byte of a header at a time', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\nx-long: '), 'TIMEOUT'],
  [
    'an informational reply again and again',
    (socket) => dribble(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'TIMEOUT',
  ],
  [
    'too many headers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-long: abc\r\n'.repeat(5000)}\r\n`),
    'INVALID_REPLY',
  ],
  ['something else than HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n'), 'INVALID_REPLY'],
  [
    'two lengths',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    'CUT',
  ],
  ['a status that answers no request', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 'INVALID_REPLY'],
  ['the end of the connection', (socket) => socket.end(), 'CUT'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'CUT'],
])('fails when a server sends %s', async (_, answer, code) => {
  const url = await rawSite(answer);
  await expect(clientFor([url]).send(get(url, { replyTimeoutMs: 1500 }))).rejects.toMatchObject({ code });
});

test('keeps the bytes of a reply that is not HTTP out of errors', async () => {
  const url = await rawSite((socket) => socket.write('HTTP/1.1 200 OK\r\nbad header with hunter2\r\n\r\n'));
  const error: unknown = await clientFor([url])
    .send(get(url))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'INVALID_REPLY' });
  expect(error).toHaveProperty('cause.message', expect.stringContaining('HTTPParserError'));
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter2');
});

test('says that the service is stopping when the client is closed during a request', async () => {
  const asked = Promise.withResolvers<void>();
  const url = await rawSite(() => asked.resolve());
  const client = clientFor([url]);
  const failed = client.send(get(url)).catch((reason: unknown) => reason);
  await asked.promise;
  await client.close();
  expect(await failed).toMatchObject({ code: 'CUT', message: expect.stringContaining('the service is stopping') });
});

test.each<[string, (socket: Socket) => void]>([
  ['ends', (socket) => socket.end()],
  ['is reset', (socket) => socket.resetAndDestroy()],
])('a connection that %s during TLS may succeed later', async (_, answer) => {
  const url = await rawSite(answer);
  await expect(clientFor([url]).send(get(url.replace('http:', 'https:')))).rejects.toMatchObject({
    code: 'CONNECT_FAILED',
    message: '127.0.0.1 closed the connection during TLS.',
    isTransient: true,
  });
});

/** Sends `start`, then `again` in small steps for ever. */
function dribble(socket: Socket, start: string, again = 'a'): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(again), 20);
  socket.once('close', () => clearInterval(timer));
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

function resetAfter(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
}

test.each<[string, (socket: Socket) => void, string]>([
  ['stops', (socket) => socket.write(`${HEAD}abc`), 'TIMEOUT'],
  ['is cut', (socket) => socket.end(`${HEAD}abc`), 'CUT'],
  ['is reset', (socket) => resetAfter(socket, `${HEAD}abc`), 'CUT'],
  ['has no length and is reset', (socket) => resetAfter(socket, 'HTTP/1.1 200 OK\r\n\r\nabc'), 'CUT'],
  [
    'has no length, is announced as the last one and is reset',
    (socket) => resetAfter(socket, 'HTTP/1.0 200 OK\r\nconnection: close\r\n\r\nabc'),
    'CUT',
  ],
  ['ends without its last chunk', (socket) => socket.end(`${CHUNKED}3\r\nabc\r\n`), 'CUT'],
  ['ends within its last chunk', (socket) => socket.end(`${CHUNKED}3\r\nabc\r\n0\r\n`), 'CUT'],
  [
    'has a broken chunk',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
    'INVALID_REPLY',
  ],
])('fails when a body %s', async (_, answer, code) => {
  const url = await rawSite(answer);
  const client = clientFor([url]);
  const failed = client.send(get(url, { idleTimeoutMs: 1000 })).then(textOf);
  await expect(failed).rejects.toMatchObject({ code });
});

test.each([131_072, 3_000_000])(
  'has all of a body of %i bytes whose connection ends without being announced, however slowly it is read',
  async (length) => {
    const body = 'x'.repeat(length);
    const url = await rawSite((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`));
    const reply = await clientFor([url]).send(get(url, { maxBodyBytes: length }));
    let bytes = 0;
    for await (const part of reply.body) {
      bytes += part.length;
      // Let everything arrive that fits into the buffers, before more is read.
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    }
    expect(bytes).toBe(length);
  },
);

test('has all of a body that nobody reads before the server has closed the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await rawSite((socket) => {
    socket.once('close', () => closed.resolve());
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(100_000)}`);
  });
  const reply = await clientFor([url]).send(get(url));
  await closed.promise;
  expect(await textOf(reply)).toHaveLength(100_000);
});

test.each([
  ['ends', (socket: Socket, text: string) => socket.end(text)],
  ['is reset', resetAfter],
])('has all of a body whose connection %s after its last byte', async (_, send) => {
  const url = await rawSite((socket) => void send(socket, `${HEAD}0123456789`));
  expect(await textOf(await clientFor([url]).send(get(url)))).toBe('0123456789');
});

test.each([
  ['more bytes than its length', `${HEAD}0123456789abc`],
  ['no length, if the connection ends in order', 'HTTP/1.0 200 OK\r\n\r\n0123456789'],
  ['a last chunk', `${CHUNKED}a\r\n0123456789\r\n0\r\n\r\n`],
  [
    'informational replies before it',
    `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${HEAD}0123456789`,
  ],
])('reads a body with %s', async (_, text) => {
  const url = await rawSite((socket) => socket.end(text));
  expect(await textOf(await clientFor([url]).send(get(url)))).toBe('0123456789');
});

test('keeps a connection for the next request after a body that was read slowly', async () => {
  const server = await site((_, response) => response.setHeader('content-length', 200_000).end('x'.repeat(200_000)));
  const client = clientFor([server.url]);
  for (let request = 0; request < 3; request++) {
    const { body } = await client.send(get(server.url));
    for await (const _part of body) await new Promise(setImmediate);
  }
  expect(server.connections).toBe(1);
});

test('ends at the signal of the caller, with its reason', async () => {
  const url = await rawSite(() => undefined);
  const body = await rawSite((socket) => socket.write(`${HEAD}abc`));
  const client = clientFor([url, body]);
  const reason = new Error('cancelled');
  await expect(client.send(get(url, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = client.send(get(url, { signal: controller.signal }));
  const reply = await client.send(get(body, { signal: controller.signal }));
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(textOf(reply)).rejects.toBe(reason);
});

test('closes the connection of a reply that is discarded', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await site((_, response) => {
    response.on('close', closed.resolve);
    response.write('start');
  });
  const reply = await clientFor([url]).send(get(url));
  reply.discard();
  await expect(closed.promise).resolves.toBe(undefined);
});

test('trusts only certificates of known authorities for the host', async () => {
  const [own, other] = [await tlsCertificate('DNS:files.example'), await tlsCertificate('DNS:other.example')];
  const server = createTlsServer(own, (request, response) => {
    if (request.url === '/down') response.writeHead(302, { location: 'http://files.example/' }).end();
    else response.end(`${request.headers.host} over TLS`);
  });
  const { port } = new URL(await listenOnLoopback(server));
  const { findAddresses } = await startDnsServer(() => ['127.0.0.1']);
  const policy: OutgoingPolicy = { isPublicAllowed: true, hosts: [{ host: '127.0.0.1', port: Number(port) }] };
  const trusting = clientWith(policy, { findAddresses, ca: own.cert });
  expect(await textOf(await trusting.send(get(`https://files.example:${port}/`)))).toBe(
    `files.example:${port} over TLS`,
  );
  await expect(trusting.send(get(`https://other.example:${port}/`))).rejects.toMatchObject({ code: 'TLS_FAILED' });
  await expect(trusting.send(get(`https://files.example:${port}/down`, { maxRedirects: 1 }))).rejects.toMatchObject({
    code: 'URL_NOT_ALLOWED',
    message: 'files.example redirects from https to http.',
  });
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const options of [{}, { ca: other.cert }])
    await expect(
      clientWith(policy, { findAddresses, ...options }).send(get(`https://files.example:${port}/`)),
    ).rejects.toMatchObject({ code: 'TLS_FAILED' });
});

test('a server that speaks no TLS takes no longer than the time for connecting', async () => {
  const url = await rawSite(() => undefined);
  const client = clientFor([url], { connectTimeoutMs: 300 });
  await expect(client.send(get(url.replace('http:', 'https:')))).rejects.toMatchObject({ code: 'TIMEOUT' });
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bridge, linesOf } from '../../packages/cli/src/commands/mcp.ts';
import { createTransport } from '../../packages/client/src/transport.ts';
import { listenOnLoopback } from '../support/loopback.ts';

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object };
}

type Answer = (request: IncomingMessage, response: ServerResponse, message: Rpc) => void;

/** A bridge between a client and a service that sends these replies in order. The service also issues tokens. */
async function bridged(...answers: readonly Answer[]) {
  const seen: { readonly headers: IncomingMessage['headers']; readonly message: Rpc }[] = [];
  let logins = 0;
  const server = createServer(async (request, response) => {
    const message = (await json(request)) as Rpc;
    if (request.url?.startsWith('/api/auth/')) {
      logins += 1;
      const tokens = { accessToken: `token-${logins}`, refreshToken: 'refresh', tokenType: 'Bearer', expiresIn: 900 };
      return reply(response, 200, tokens);
    }
    seen.push({ headers: request.headers, message });
    const answer = answers[seen.length - 1];
    if (answer === undefined) response.destroy(new Error('nobody expected this request'));
    else answer(request, response, message);
  });
  const url = await listenOnLoopback(server);
  const input = new PassThrough();
  const written = new PassThrough({ objectMode: true });
  const log: string[] = [];
  const ended = bridge({
    transport: createTransport(url, { clientId: 'amy', clientSecret: 'hush' }),
    lines: linesOf(input.setEncoding('utf8'), new AbortController().signal),
    write: (message) => written.write(message),
    log: (line) => log.push(line),
  });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  return {
    seen,
    log,
    input,
    ended,
    say: (message: Rpc) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    raw: (line: string) => input.write(`${line}\n`),
    /** Returns the next message that the client receives. */
    next: async (): Promise<Rpc> => {
      if (written.readableLength === 0) await once(written, 'readable');
      return written.read();
    },
    /** The number of messages that the client received and `next` has not returned. */
    more: () => written.readableLength,
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  const type = status < 400 || 'jsonrpc' in body ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

const result =
  (value: object): Answer =>
  (_request, response, { id }) =>
    reply(response, 200, { jsonrpc: '2.0', id, result: value });
const rejectWith =
  (status: number, code: string): Answer =>
  (_request, response) =>
    reply(response, status, { type: 'about:blank', title: code, status, detail: `${code}!`, code, requestId: 'r' });
const hangUp: Answer = (request) => request.socket.destroy();

const tool = (name: string, args: object = {}): Rpc => ({ method: 'tools/call', params: { name, arguments: args } });

test('copies the message fields of the newer protocol to HTTP headers', async () => {
  const { say, next, seen } = await bridged(result({}), result({}));
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  say({ id: 'a', method: 'tools/call', params: { _meta, name: 'list_jobs' } });
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
  say({ id: 7, method: 'resources/read', params: { _meta, uri: 'media://jobs/größe' } });
  await next();
  const sentHeaders = seen.map(({ headers }) => [
    headers['mcp-protocol-version'],
    headers['mcp-method'],
    headers['mcp-name'],
  ]);
  const encoded = `=?base64?${Buffer.from('media://jobs/größe').toString('base64')}?=`;
  expect(sentHeaders).toEqual([
    ['2026-07-28', 'tools/call', 'list_jobs'],
    ['2026-07-28', 'resources/read', encoded],
  ]);
});

test('sends the negotiated version of the older protocol with each request, and no notifications', async () => {
  const { say, next, seen } = await bridged(result({ protocolVersion: '2025-11-25' }), result({}));
  say({ id: 0, method: 'initialize', params: { clientInfo: { name: 'Bürotisch\r\nx: y' } } });
  await next();
  say({ method: 'notifications/initialized' });
  say({ id: 1, method: 'ping' });
  await next();
  expect(seen.map(({ message }) => message.method)).toEqual(['initialize', 'ping']);
  expect(seen[0]?.headers['mcp-protocol-version']).toBeUndefined();
  expect(seen[1]?.headers).toMatchObject({
    'mcp-protocol-version': '2025-11-25',
    'user-agent': 'B?rotisch??x: y',
    authorization: 'Bearer token-1',
  });
});

test('forwards progress notifications before the reply', async () => {
  const { say, next } = await bridged((_request, response, { id }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1, message: 'größer' } };
    const bytes = Buffer.from(`id: 1\ndata:\n\n: still here\n\n${event(progress)}`);
    // Cut the text in the middle of a UTF-8 character.
    const cut = bytes.indexOf('ö') + 1;
    response.write(bytes.subarray(0, cut));
    response.write(bytes.subarray(cut), () => response.end(event({ jsonrpc: '2.0', id, result: { done: true } })));
  });
  say({ id: 1, ...tool('wait_for_job') });
  expect(await next()).toMatchObject({ params: { progress: 1, message: 'größer' } });
  expect(await next()).toMatchObject({ id: 1, result: { done: true } });
});

test('cancelling a request closes its connection, and no reply follows', async () => {
  const hungUp = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const { say, next, more } = await bridged(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      response.once('close', hungUp.resolve);
      called.resolve();
    },
    result({ after: true }),
  );
  say({ id: 1, ...tool('wait_for_job') });
  await called.promise;
  say({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await hungUp.promise;
  say({ id: 2, method: 'ping' });
  expect(await next()).toMatchObject({ id: 2, result: { after: true } });
  expect(more()).toBe(0);
});

test('renews a rejected token', async () => {
  const { say, next, seen } = await bridged(rejectWith(401, 'INVALID_TOKEN'), result({ fine: true }));
  say({ id: 1, method: 'tools/list' });
  expect(await next()).toMatchObject({ id: 1, result: { fine: true } });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
});

test.each([
  [tool('wait_for_job')],
  [tool('convert_media', { idempotencyKey: 'k' })],
  [tool('convert_media', { dryRun: true })],
  [{ method: 'prompts/list' }],
])('repeats an idempotent request whose reply was lost: %j', async (request) => {
  const { say, next, seen } = await bridged(hangUp, result({ fine: true }));
  say({ id: 1, ...request });
  expect(await next()).toMatchObject({ id: 1, result: { fine: true } });
  expect(seen).toHaveLength(2);
});

test('never repeats a conversion without an idempotency key', async () => {
  const { say, next, seen, log } = await bridged(hangUp);
  say({ id: 1, ...tool('convert_media') });
  expect(await next()).toMatchObject({
    id: 1,
    error: { code: -32000, data: { code: 'UNREACHABLE', retryable: true } },
  });
  expect(seen).toHaveLength(1);
  expect(log).toEqual([expect.stringContaining('tools/call: http://127.0.0.1')]);
});

test('a rejection of the service becomes a protocol error with the same text', async () => {
  const { say, next } = await bridged(rejectWith(403, 'INSUFFICIENT_SCOPE'), (_request, response) =>
    reply(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'version?' } }),
  );
  say({ id: 1, method: 'tools/list' });
  expect(await next()).toMatchObject({
    id: 1,
    error: { code: -32000, message: 'INSUFFICIENT_SCOPE!', data: { code: 'INSUFFICIENT_SCOPE', retryable: false } },
  });
  say({ id: 2, method: 'tools/list' });
  expect(await next()).toMatchObject({ id: 2, error: { code: -32022, message: 'version?' } });
});

test.each([
  ['{', -32700],
  ['[]', -32600],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
  ['"ping"', -32600],
])('rejects the message %s', async (line, code) => {
  const { raw, next } = await bridged();
  raw(line);
  expect(await next()).toMatchObject({ id: null, error: { code } });
});

test('a model that sends a line separator in a text gets the reply to its request', async () => {
  const { say, next, seen } = await bridged(result({}));
  const title = 'one\u2028two\u2029three\u0085four';
  say({ id: 1, ...tool('convert_media', { metadata: { title } }) });
  expect(await next()).toMatchObject({ id: 1, result: {} });
  expect(seen[0]?.message.params).toEqual(tool('convert_media', { metadata: { title } }).params);
});

test('a service cannot send requests to the model or the user, and no message without its envelope', async () => {
  const stream =
    (...messages: readonly unknown[]): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''));
    };
  const ask = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: { message: 'Your password?' } });
  const done = { jsonrpc: '2.0', id: 99, result: { done: true } };
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
  const { say, next, more } = await bridged(
    stream(ask('elicitation/create'), ask('sampling/createMessage'), ask('roots/list'), progress, done),
    stream([1, 2]),
  );
  say({ id: 1, ...tool('wait_for_job') });
  expect([await next(), await next()]).toEqual([progress, { ...done, id: 1 }]);
  say({ id: 2, ...tool('convert_media') });
  expect(await next()).toMatchObject({ id: 2, error: { code: -32000 } });
  expect(more()).toBe(0);
});

test('the end of input closes the connections of running requests', async () => {
  const hungUp = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const { say, input, ended, more } = await bridged((_request, response) => {
    response.once('close', hungUp.resolve);
    called.resolve();
  });
  say({ id: 1, ...tool('wait_for_job') });
  await called.promise;
  input.end();
  await Promise.all([ended, hungUp.promise]);
  expect(more()).toBe(0);
});

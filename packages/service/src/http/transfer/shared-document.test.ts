import { brotliCompressSync } from 'node:zlib';
import fastify, { type InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { sendShared, sharedDocument } from './reply-pieces.ts';

const TEXT = 'window.telecine = 1;\n'.repeat(100);

function served(compressed?: Buffer) {
  const document = sharedDocument(TEXT, compressed);
  const app = fastify();
  app.get('/app.js', (request, reply) => sendShared(request, reply.type('text/javascript'), document));
  const get = (headers: InjectOptions['headers'] = {}) => app.inject({ method: 'GET', url: '/app.js', headers });
  return { app, get };
}

test('a client that has the document gets 304', async () => {
  const { get } = served();
  const { headers, body } = await get();
  expect(body).toBe(TEXT);
  const again = await get({ 'if-none-match': `"other", W/${headers.etag}` });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip;q=0.5, br;q=0.7', true],
  ['br; q=0', false],
  ['br;q=0.000, gzip', false],
  ['gzip', false],
  ['brotli', false],
  [undefined, false],
])('Accept-Encoding "%s" gets the compressed document: %s', async (accepted, isCompressed) => {
  const compressed = brotliCompressSync(TEXT);
  const { get } = served(compressed);
  const reply = await get(accepted === undefined ? {} : { 'accept-encoding': accepted });
  expect(reply.headers.vary).toBe('Accept-Encoding');
  expect(reply.headers['content-encoding']).toBe(isCompressed ? 'br' : undefined);
  expect(reply.rawPayload.equals(isCompressed ? compressed : Buffer.from(TEXT))).toBe(true);
});

test('the compressed document has an ETag of its own', async () => {
  const { get } = served(brotliCompressSync(TEXT));
  const { headers } = await get();
  const other = await get({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
  expect(other.statusCode).toBe(200);
  expect(other.headers.etag).not.toBe(headers.etag);
});

test('HEAD gets the length without the document', async () => {
  const { app } = served();
  const { headers, body } = await app.inject({ method: 'HEAD', url: '/app.js' });
  expect([headers['content-length'], body]).toEqual([String(TEXT.length), '']);
});

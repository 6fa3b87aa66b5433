import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { OpenFile } from '../../packages/service/src/files/ports.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../../packages/service/src/http/connections/connection-table.ts';
import { STREAM_BYTES } from '../../packages/service/src/http/transfer/reply-pieces.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeFiles, fakeLinks, fakeShares } from '../support/http-fakes.ts';
import { mediaRoot } from '../support/media-root.ts';

const JOB = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const TIMES = { createdAt: '2026-01-31T12:00:00.000Z', expiresAt: '2100-02-07T12:00:00.000Z' };
const FACTS = { path: 'a.ts' as MediaPath, sizeBytes: 10, modifiedAt: new Date(TIMES.createdAt), fingerprint: 'f' };

type Change = Parameters<typeof httpApp>[0];

/** The app. No download ends before the test, and links of two clients, alice and bob, open a file. */
function slowDownloads(streams: number, change: Change = {}) {
  const running: Readable[] = [];
  const open = async (): Promise<OpenFile> => ({
    ...FACTS,
    isOutput: () => true,
    read: () => {
      const stream = new Readable({ read: () => {} });
      stream.push('first');
      running.push(stream);
      return stream;
    },
    close: async () => {},
  });
  const file = { name: 'a.ts', sizeBytes: FACTS.sizeBytes, open };
  const files = { title: 'a', count: 1, sizeBytes: 10, first: async () => [file], named: async () => file };
  const noZip = (): Promise<never> => Promise.reject(new Error('No test opens a zip.'));
  const callerOf = (clientId: string) =>
    ({ clientId, scopes: ['files:read'], root: mediaRoot('/media'), policy: {} }) as const;
  const { app } = httpApp({
    ...change,
    connectionLimits: { bytesInFlight: streams * STREAM_BYTES, ...change?.connectionLimits },
    files: fakeFiles({
      open,
      outputs: async () => ({ ...files, open, openLinked: open, find: open, all: noZip, clientId: 'alice' }),
    }),
    links: { ...fakeLinks(), verify: async (_subject, { client }) => callerOf(client) },
    shares: fakeShares({
      find: async (secret) => ({ shareId: JOB, jobId: JOB, clientId: clientOf(secret), uses: 0, ...TIMES }),
      readerOf: async (clientId) => callerOf(clientId),
      open: async () => ({ ...files, all: noZip }),
    }),
  });
  onTestFinished(() => running.forEach((stream) => void stream.destroy()));
  let addresses = 0;
  /** `from`: by default, an address from which no other request comes. */
  const begin = (url: string, from = `192.0.2.${++addresses}`, headers = {}) =>
    app.inject({ method: 'GET', url, headers, remoteAddress: from, payloadAsStream: true });
  return {
    signed: (client = 'alice', from?: string) => begin(`/api/conversion/${JOB}/links/${client}~1~2~k~s/a.ts`, from),
    shared: (client = 'alice', from?: string) => begin(`/s/${secretOf(client)}/files/a.ts`, from),
    own: () => begin('/api/files/a.ts', '192.0.2.1', BEARER),
    endAll: () => running.splice(0).forEach((stream) => void stream.push(null)),
  };
}

const secretOf = (client: string): string => `tcl_${client.padEnd(43, 'x')}`;
const clientOf = (secret: string): string => /^tcl_(.*?)x+$/.exec(secret)?.[1] ?? '';

/** Begins downloads until one is refused. Returns how many began, and the refusal. */
async function untilRefused(download: () => ReturnType<ReturnType<typeof slowDownloads>['own']>) {
  for (let begun = 0; ; begun++) {
    const reply = await download();
    if (reply.statusCode !== 200) return { begun, reply };
  }
}

test.each(['signed', 'shared'] as const)(
  'downloads by %s links do not take the downloads of their client',
  async (kind) => {
    const downloads = slowDownloads(16);
    const { begun, reply } = await untilRefused(downloads[kind]);
    expect([begun > 0, reply.statusCode, reply.headers['retry-after']]).toEqual([true, 503, '5']);
    expect((await untilRefused(downloads.own)).begun).toBe(8);
  },
);

test('visitors of all clients together leave three quarters of the memory, and those of one client leave some of theirs', async () => {
  const { signed, shared, own, endAll } = slowDownloads(16);
  expect((await untilRefused(() => signed('alice'))).begun).toBe(3);
  expect((await shared('alice')).statusCode, 'both kinds of links count together').toBe(503);
  expect((await untilRefused(() => shared('bob'))).begun).toBe(1);
  expect((await untilRefused(own)).begun).toBe(8);
  endAll();
  await expect.poll(async () => (await shared('alice')).statusCode).toBe(200);
});

test('visitors of all clients together leave three quarters of the running requests', async () => {
  const { signed, own } = slowDownloads(1000, { connectionLimits: { all: 32 } });
  const ofAlice = await untilRefused(() => signed('alice'));
  expect([ofAlice.begun, ofAlice.reply.statusCode, ofAlice.reply.headers['retry-after']]).toEqual([6, 429, '1']);
  const ofBob = await untilRefused(() => signed('bob'));
  expect([ofBob.begun, JSON.parse(await text(ofBob.reply.stream()))]).toEqual([
    2,
    expect.objectContaining({
      code: 'TOO_MANY_CONNECTIONS',
      detail: '8 requests by links are running. Retry in 1 s.',
    }),
  ]);
  expect((await untilRefused(own)).begun).toBe(16);
});

test.each(['192.0.2.9', '2001:db8::9'])(
  'one address, such as %s, leaves memory to other visitors of the client',
  async (address) => {
    const { signed, shared, own } = slowDownloads(16);
    const { begun, reply } = await untilRefused(() => shared('alice', address));
    expect([begun, reply.statusCode, reply.headers['retry-after']]).toEqual([2, 503, '5']);
    expect((await signed('bob', address)).statusCode, 'with another link').toBe(503);
    expect((await signed('alice')).statusCode).toBe(200);
    expect((await untilRefused(own)).begun).toBe(8);
  },
);

test('the running requests by links of one address have a limit, for a whole network of IPv6', async () => {
  const { signed, shared } = slowDownloads(1000, { connectionLimits: { withoutTokenPerAddress: 3 } });
  const { begun, reply } = await untilRefused(() => signed('alice', '2001:db8::1'));
  expect([begun, reply.statusCode, reply.headers['retry-after']]).toEqual([3, 429, '1']);
  expect(JSON.parse(await text(reply.stream()))).toMatchObject({
    code: 'TOO_MANY_CONNECTIONS',
    detail: '3 requests by links from this address are running. Retry in 1 s.',
  });
  expect((await shared('bob', '2001:db8::2')).statusCode).toBe(429);
  expect((await shared('bob', '2001:db8:0:1::2')).statusCode).toBe(200);
});

test('with the default limits, two people with one address can load a page of 20 images and a player', async () => {
  const { shared } = slowDownloads(DEFAULT_CONNECTION_LIMITS.bytesInFlight / STREAM_BYTES);
  const { begun } = await untilRefused(() => shared('alice', '192.0.2.9'));
  expect(begun).toBeGreaterThanOrEqual(2 * 22);
});

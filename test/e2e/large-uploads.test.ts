import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import type { CreatedShareView } from '../../packages/contract/src/wire/share.ts';
import { adminClient } from '../support/api-client.ts';
import { filesClient } from '../support/files-client.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { inBucket, onDisk } from '../support/test-engines.ts';
import { tusRequests, tusUpload } from '../support/tus.ts';

const MEBIBYTE = 2 ** 20;

const test = needs('ffmpeg');
const EACH = [{ by: 'token' }, { by: 'link' }] as const;

/** What the official client sends as its token: an access token, or the secret of a link to the folder `in/`. */
async function tokenFor(server: TestServer, by: 'token' | 'link'): Promise<string> {
  const client = await adminClient(server);
  if (by === 'token') return client.token;
  const body = { path: 'in/', files: 1000 };
  const link = await client.request<CreatedShareView>('/api/shares', { method: 'POST', body });
  return link.body.url.split('/').at(-1) ?? '';
}

/** Where a file is that was uploaded as `name`. */
const stored = (by: 'token' | 'link', name: string): string => (by === 'token' ? name : `in/${name}`);

test.each(EACH)(
  'a service that is killed twice in one upload by a $by gets no acknowledged byte again',
  {
    tags: 'long',
  },
  async ({ by }) => {
    let server = await startServer();
    let token = await tokenFor(server, by);
    const content = randomBytes(30 * MEBIBYTE);
    let acknowledged = 0;
    let at: string | undefined;
    for (const killAt of [9 * MEBIBYTE, 21 * MEBIBYTE]) {
      const cut = await tusUpload(server.url, token, content, {
        metadata: { path: 'killed.mp4' },
        ...(at !== undefined && { uploadUrl: at }),
        onChunk: (bytes) => {
          expect(bytes).toBeGreaterThan(acknowledged);
          acknowledged = bytes;
          if (bytes >= killAt) void server.kill9('group');
          return undefined;
        },
      });
      expect(cut.error).toBeDefined();
      await server.exited;
      const { dataDir, mediaRoot } = server;
      server = await startServer({ dataDir, mediaRoot });
      // A link works after a restart.
      if (by === 'token') token = await tokenFor(server, by);
      at = new URL(new URL(cut.url).pathname, server.url).href;
      const { headers } = await tusRequests(server.url, token).head(at);
      expect(Number(headers['upload-offset'])).toBeGreaterThanOrEqual(acknowledged);
    }
    const { error } = await tusUpload(server.url, token, content, { uploadUrl: at ?? '' });
    expect(error).toBeUndefined();
    expect((await server.media.get(stored(by, 'killed.mp4'))).equals(content)).toBe(true);
  },
);

test.each(EACH)(
  'two clients that fight for one upload by a $by store its content',
  { tags: 'long' },
  async ({ by }) => {
    const server = await startServer();
    const token = await tokenFor(server, by);
    const content = randomBytes(12 * MEBIBYTE);
    const retryDelays = Array<number>(20).fill(100);
    const options = { metadata: { path: 'fought.bin' }, chunkSize: 3 * MEBIBYTE, retryDelays };
    let second: ReturnType<typeof tusUpload> | undefined;
    const first = await tusUpload(server.url, token, content, {
      ...options,
      onChunk: (_acknowledged, uploadUrl) => {
        second ??= tusUpload(server.url, token, content, { ...options, uploadUrl });
        return undefined;
      },
    });
    expect([first.error, (await second)?.error]).toEqual([undefined, undefined]);
    expect((await server.media.get(stored(by, 'fought.bin'))).equals(content)).toBe(true);
  },
);

test.each(EACH)(
  'five hundred small files by a $by are all stored',
  { tags: 'long', timeout: 300_000 },
  async ({ by }) => {
    const server = await startServer();
    const token = await tokenFor(server, by);
    const inTurn = pLimit(4);
    const files = Array.from({ length: 500 }, (_, index) => ({
      path: `small/${index % 7}/${index}.txt`,
      text: `file ${index}`,
    }));
    const results = await Promise.all(
      files.map(({ path, text }) =>
        inTurn(() => tusUpload(server.url, token, Buffer.from(text), { metadata: { path } })),
      ),
    );
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
    const found = await server.media.list();
    expect(found.toSorted()).toEqual(files.map(({ path }) => stored(by, path)).toSorted());
    for (const { path, text } of files.filter((_, index) => index % 50 === 0))
      expect((await server.media.get(stored(by, path))).toString()).toBe(text);
  },
);

/** The most memory that the service ever had, in bytes. */
async function peak({ pid }: TestServer): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** How much more memory than before the service may need for one upload, whatever the size of the file. */
const MOST_BYTES = 160 * MEBIBYTE;

/** Uploads `count` mebibytes, and expects that the service needs little memory for them. */
async function passesThrough(by: 'token' | 'link', count: number): Promise<void> {
  const server = await startServer();
  const token = await tokenFor(server, by);
  const block = randomBytes(MEBIBYTE);
  const before = await peak(server);
  const content = Readable.from(Array<Buffer>(count).fill(block), { objectMode: false });
  const { error } = await tusUpload(server.url, token, content, {
    metadata: { path: 'large.bin' },
    uploadSize: count * block.length,
    chunkSize: 64 * MEBIBYTE,
  });
  expect(error).toBeUndefined();
  expect((await peak(server)) - before).toBeLessThan(MOST_BYTES);
  const files = filesClient(server.url, (await adminClient(server)).token);
  const { headers } = await files.send('HEAD', `/api/files/${stored(by, 'large.bin')}`);
  expect(headers['content-length']).toBe(`${count * block.length}`);
}

onDisk('The object store of the tests keeps objects in memory.', 'ffmpeg').each(EACH)(
  'a file of five gigabytes by a $by passes through little memory',
  { tags: 'long', timeout: 900_000 },
  ({ by }) => passesThrough(by, 5 * 1024),
);

inBucket('See above.', 'ffmpeg').each(EACH)(
  'a file of many parts by a $by passes through little memory',
  { tags: 'long' },
  ({ by }) => passesThrough(by, 400),
);

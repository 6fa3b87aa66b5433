// @module-tag long
import { randomBytes } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClientError } from '../../packages/client/src/client-error.ts';
import { createNodeClient } from '../../packages/client/src/node/node-client.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const MEBIBYTE = 2 ** 20;

const start = sharedServer();
const test = needs('ffmpeg');

async function fileOf(bytes: Buffer): Promise<string> {
  const file = join(await testFolder('upload'), 'in.bin');
  await writeFile(file, bytes);
  return file;
}

test('our client continues a large upload whose connection breaks again and again', async ({ expect }) => {
  const { server } = await start();
  const content = randomBytes(40 * MEBIBYTE + 321);
  let cuts = 0;
  const proxy = await startCuttingProxy(server.url, ({ sentBytes, cut }) => {
    if (sentBytes() < (cuts + 1) * 2 * MEBIBYTE) return;
    cuts += 1;
    cut();
  });
  const client = createNodeClient(proxy.url, await insertClient(server, 'cut'));
  const progress: number[] = [];
  await client.uploadFile(await fileOf(content), 'cut.bin', { onBytes: (done) => progress.push(done) });
  expect((await server.media.get('cut.bin')).equals(content)).toBe(true);
  // More often than it tries without progress.
  expect(cuts).toBeGreaterThan(12);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect([progress[0], progress.at(-1)]).toEqual([0, content.length]);
  // Nothing begins again: after each cut, at most what was on its way is sent once more.
  expect(proxy.sentBytes()).toBeLessThan(2 * content.length);
});

test('our client continues a large upload when the service was killed and starts again', async ({ expect }) => {
  const server = await startServer();
  const content = randomBytes(40 * MEBIBYTE);
  const credentials = await insertClient(server, 'amy');
  let restarted: Promise<void> | undefined;
  const restart = async (forwardTo: (url: string | undefined) => void): Promise<void> => {
    await server.kill9('group');
    const { dataDir, mediaRoot } = server;
    forwardTo((await startServer({ dataDir, mediaRoot })).url);
  };
  const proxy = await startCuttingProxy(server.url, ({ sentBytes, forwardTo }) => {
    if (restarted !== undefined || sentBytes() < 21 * MEBIBYTE) return;
    forwardTo(undefined);
    restarted = restart(forwardTo);
  });
  await createNodeClient(proxy.url, credentials).uploadFile(await fileOf(content), 'killed.bin');
  await restarted;
  expect((await server.media.get('killed.bin')).equals(content)).toBe(true);
});

test('a large upload does not replace a file unless asked, and leaves nothing when it fails', async ({ expect }) => {
  const { server, admin } = await start();
  const client = createNodeClient(server.url, await insertClient(server, 'careful', { root: 'careful' }));
  const content = randomBytes(17 * MEBIBYTE);
  const file = await fileOf(content);
  await client.uploadFile(file, 'a b/ü%.bin');
  const again = await client.uploadFile(file, 'a b/ü%.bin').catch((error: unknown) => error);
  expect(again).toBeInstanceOf(ClientError);
  expect((again as ClientError).problem?.code).toBe('PRECONDITION_FAILED');
  await client.uploadFile(file, 'a b/ü%.bin', { replace: true });
  const entries: string[] = [];
  const keep = { replace: true, keepReplaced: true, onReplaced: (entryId: string) => entries.push(entryId) };
  await client.uploadFile(file, 'a b/ü%.bin', keep);
  await client.upload(new Blob(['small']), 'a b/ü%.bin', keep);
  await client.upload(new Blob(['new']), 'new.bin', keep);
  expect((await client.bin()).entries.map(({ entryId }) => entryId).sort()).toEqual(entries.toSorted());
  expect(entries).toHaveLength(2);
  const restored = await client.restoreFile(entries[0] ?? '', { to: 'first.bin' });
  expect(restored).toMatchObject({ path: 'first.bin', sizeBytes: content.length });
  await client.removeFile('first.bin');
  await client.removeFile('new.bin');
  await client.upload(new Blob(['small']), 'blob.txt');
  expect(await server.media.below('careful').list()).toEqual(['a b/ü%.bin', 'blob.txt']);

  const stop = new AbortController();
  const aborted = client.uploadFile(file, 'aborted.bin', { signal: stop.signal, onBytes: () => stop.abort('enough') });
  await expect(aborted).rejects.toBe('enough');
  const changed = client.uploadFile(file, 'changed.bin', {
    onBytes: (done) => {
      if (done === 0) void truncate(file, 100);
    },
  });
  await expect(changed).rejects.toThrow(`${file} changed during the upload`);
  expect(await server.media.below('careful').list()).toEqual(['a b/ü%.bin', 'blob.txt']);
  const { body } = await admin.request<string>('/metrics');
  expect(body).toMatch(/^telecine_resumable_uploads_open 0$/m);
});

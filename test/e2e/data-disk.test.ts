// @module-tag long
import { existsSync, statfsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AuditListView } from '../../packages/contract/src/wire/audit.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { login, sendRequest } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const MEGABYTE = 1_000_000;
const DISK = 32 * MEGABYTE;
const RESERVE = 12 * MEGABYTE;

const credentials = { clientId: 'admin', clientSecret: 'a secret of the tests' };

/** A service whose data folder is a small disk in its own mount namespace. */
async function smallDataDisk(disk: number, reserve: number) {
  const folder = await testFolder('data-disk');
  const [dataDir, mediaRoot, secret] = [join(folder, 'data'), join(folder, 'media'), join(folder, 'secret')];
  for (const each of [dataDir, mediaRoot]) await mkdir(each);
  await writeFile(secret, credentials.clientSecret, { mode: 0o600 });
  await putClip(mediaRoot, '480p', 10, 'movie.mp4');
  const server = await startServer({
    dataDir,
    mediaRoot,
    launcher: ['bwrap', '--dev-bind', '/', '/', '--size', `${disk}`, '--tmpfs', dataDir],
    env: {
      TELECINE_ADMIN_SECRET_FILE: secret,
      TELECINE_MIN_FREE_DATA_DISK: String(reserve),
      TELECINE_CONCURRENCY: '1',
    },
  });
  const pids = [server.pid, ...(await descendants(server.pid))];
  const seen = pids.map((pid) => `/proc/${pid}/root${dataDir}`).find((root) => existsSync(join(root, 'telecine.db')));
  if (seen === undefined) throw new Error('No process of the service sees its small disk.');
  const admin = await login(server.url, credentials);
  // The record of the login is written a little later, and would not fit on a full disk.
  await waitUntil('the record of the login', async () => {
    const { body } = await admin.request<AuditListView>('/api/audit?action=token.issue');
    return body.records.length > 0 || undefined;
  });
  const foreign: string[] = [];
  return {
    server,
    admin,
    freeBytes: (): number => {
      const { bavail, bsize } = statfsSync(seen);
      return bavail * bsize;
    },
    /** Fills the disk with another file until only `left` bytes are free. */
    fill: async (left: number): Promise<void> => {
      const { bavail, bsize } = statfsSync(seen);
      const file = join(seen, `foreign-${foreign.length}.bin`);
      foreign.push(file);
      await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize - left))).catch((error) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    free: () => Promise.all(foreign.map((file) => rm(file))),
    ready: (status: number) =>
      waitUntil(`/ready to be ${status}`, async () => {
        const reply = await admin.request<ReadyView>('/ready');
        return reply.status === status ? reply.body : undefined;
      }),
    askForToken: () => sendRequest(server.url, '/api/auth/token', { body: credentials }),
  };
}

const FULL = {
  status: 503,
  body: { code: 'UNAVAILABLE', detail: expect.stringMatching(/database has too little free space .* Retry in 30 s/) },
};

/** The options of a conversion that takes a second or more. */
const SLOW = { 'c:v': 'libx264', preset: 'fast', an: '' };
const copy = (output: string) => ({ input: 'movie.mp4', output, parameters: { c: 'copy', t: '1' } });

const linesWith = (log: string, text: string): readonly string[] =>
  log.split('\n').filter((line) => line.includes(text));

needs('bubblewrap', 'linux')(
  'with a nearly full data disk, jobs are rejected and wait, running ones end, and all goes on once there is room',
  async () => {
    const { server, admin, fill, free, ready, askForToken } = await smallDataDisk(DISK, RESERVE);
    const running = await admin.accept({ input: 'movie.mp4', output: 'slow.mp4', parameters: SLOW });
    await admin.wait(running, ({ status }: JobView) => status === 'PROCESSING');
    const queued = await admin.accept({ input: 'movie.mp4', output: 'queued.mp4', parameters: { ...SLOW, t: '6' } });
    await fill(RESERVE - 2 * MEGABYTE);

    expect((await ready(503)).checks).toMatchObject({
      dataDisk: {
        status: 'failed',
        message: expect.stringMatching(/^[\d.]+ [kMGT]?B are free in the data folder; at least/),
      },
      store: { status: 'ok' },
      disk: { status: 'ok' },
    });
    const rejected = await admin.request('/api/conversion', { body: copy('rejected.mkv') });
    expect(rejected).toMatchObject(FULL);
    expect(rejected.headers.get('retry-after')).toBe('30');
    expect((await askForToken()).status).toBe(200);
    // Only running jobs may use the last half of the reserve.
    await fill(RESERVE / 2 - 2 * MEGABYTE);
    const token = await waitUntil('no more tokens', async () => {
      const reply = await askForToken();
      return reply.status === 200 ? undefined : reply;
    });
    expect(token).toMatchObject(FULL);
    expect(token.headers.get('retry-after')).toBe('30');

    expect((await admin.wait(running)).status).toBe('COMPLETED');
    expect((await admin.job(queued)).status).toBe('PENDING');
    await free();
    await ready(200);
    expect((await admin.wait(queued)).status).toBe('COMPLETED');
    expect((await admin.run(copy('accepted.mkv'))).status).toBe('COMPLETED');
    expect((await askForToken()).status).toBe(200);

    const log = server.log();
    expect(linesWith(log, 'the data disk is nearly full')).toHaveLength(1);
    expect(linesWith(log, 'the data disk has enough free space again')).toHaveLength(1);
    expect(linesWith(log, '"level":"error"')).toEqual([]);
  },
);

needs('bubblewrap', 'linux')(
  'a service on a full data disk answers 503, never 500, and recovers by itself',
  async () => {
    const { server, admin, fill, free, ready, askForToken } = await smallDataDisk(DISK, 0);
    const slow = await admin.accept({ input: 'movie.mp4', output: 'slow.mp4', parameters: SLOW });
    await admin.wait(slow, ({ status }: JobView) => status === 'PROCESSING');
    await fill(0);
    await ready(503);
    for (let i = 0; i < 20; i += 1) {
      expect(await admin.request('/api/conversion', { body: copy(`${i}.mkv`) })).toMatchObject(FULL);
      expect(await askForToken()).toMatchObject(FULL);
    }
    expect((await admin.request('/health')).status).toBe(200);
    expect((await admin.job(slow)).status).toBe('PROCESSING');
    await free();
    await ready(200);
    expect((await admin.wait(slow)).status).toBe('COMPLETED');
    expect((await admin.run(copy('after.mkv'))).status).toBe('COMPLETED');
    expect(linesWith(server.log(), '"level":"error"')).toEqual([]);
  },
);

needs('bubblewrap', 'linux')('previews keep the reserve of the data disk, and get 507 on a full one', async () => {
  const { server, admin, fill, free, freeBytes } = await smallDataDisk(DISK, RESERVE);
  for (const name of ['a.ts', 'b.ts']) await server.media.put(name, Buffer.alloc(5 * MEGABYTE));
  const parts = '#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n';
  await server.media.put('long.m3u8', `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${parts.repeat(12)}`);
  let least = freeBytes();
  const watch = setInterval(() => (least = Math.min(least, freeBytes())), 1);
  const previews = await Promise.all([1, 2, 3].map((at) => admin.request(`/api/files/long.m3u8?view=frame&at=${at}`)));
  clearInterval(watch);
  for (const { status, body } of previews)
    expect({ status, body }).toMatchObject({ status: 507, body: { code: 'NO_SPACE' } });
  expect(least).toBeGreaterThanOrEqual(RESERVE - MEGABYTE);
  expect(freeBytes(), 'what was staged is removed').toBeGreaterThan(RESERVE + 2 * MEGABYTE);
  await fill(0);
  const onFull = await admin.request('/api/files/movie.mp4?view=frame');
  expect(onFull).toMatchObject({ status: 507, body: { code: 'NO_SPACE' } });
  await free();
  const headers = { authorization: `Bearer ${admin.token}` };
  expect((await fetch(`${server.url}/api/files/movie.mp4?view=frame`, { headers })).status).toBe(200);
});

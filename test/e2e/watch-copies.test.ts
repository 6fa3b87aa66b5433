// @module-tag long
import { execFile } from 'node:child_process';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { fileAt, filesClient, openRequest } from '../support/files-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';
import { soundOf, soundSame } from '../support/sounds.ts';
import { inBucket, onDisk } from '../support/test-engines.ts';
import { locationOf, tusRequests, tusUpload } from '../support/tus.ts';
import { makeWatch, type TestWatch, type WatchingClient, watchingClient } from '../support/watch-client.ts';

const run = promisify(execFile);
const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');
const A_DISK = 'Programs copy into folders.';

/** Longer than a scan takes on a busy machine, and shorter than the slow copies. */
const SETTLE_SECONDS = 4;

interface Watching extends WatchingClient {
  readonly watch: TestWatch;
}

async function watching(name: string, body: object = {}): Promise<Watching> {
  const { server } = await start();
  const client = await watchingClient(server, name);
  await client.media.put('in/before.wav', soundOf(0));
  const watch = await makeWatch(client, { settleSeconds: SETTLE_SECONDS, ...body });
  // `scan` counts the scans of all watches.
  onTestFinished(() => watch.remove());
  await watch.until({ converted: 1 });
  return { ...client, watch };
}

/** Expects that these files and no others were converted, each by one job and from its first to its last sample. */
async function expectConverted({ watch, client, media }: Watching, sounds: Readonly<Record<string, Buffer>>) {
  const names = Object.keys(sounds);
  await watch.until({ converted: names.length + 1 });
  await watch.scan();
  const { counts } = await watch.read();
  expect(counts).toEqual({
    ...{ ready: 0, submitted: 0, failed: 0, needsAttention: 0, skipped: 0 },
    converted: names.length + 1,
  });
  const { jobs } = await client.list(`?watch=${watch.watchId}&limit=100`);
  expect(jobs.map(({ input }) => input).toSorted()).toEqual(
    [...names, 'before.wav'].map((name) => `in/${name}`).toSorted(),
  );
  for (const [name, sound] of Object.entries(sounds))
    expect(soundSame(await media.get(`out/${name}`), sound), `out/${name} has the sound of in/${name}`).toBe(true);
}

/** Expects that nothing is known of the files that are being copied, after a scan. */
async function expectUntaken({ watch }: Watching): Promise<void> {
  await watch.scan();
  expect((await watch.files()).map(({ path }) => path)).toEqual(['in/before.wav']);
}

/**
 * Writes pieces with scans between them, for twice as long as a file must be the same to count, and then the rest. So each scan sees another
 * size, as long as the machine takes no more than `SETTLE_SECONDS` for a piece.
 */
async function writeSlowly(one: Watching, content: Buffer, write: (piece: Buffer) => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const size = Math.ceil(content.length / 100);
  let at = 0;
  for (; at + size < content.length && performance.now() < began + 2000 * SETTLE_SECONDS; at += size) {
    await write(content.subarray(at, at + size));
    await expectUntaken(one);
  }
  await write(content.subarray(at));
}

test('uploads by PUT are converted once and whole, also a slow one', async () => {
  const one = await watching('putter');
  const { url } = one.server;
  const { token } = one.client;
  const sounds = { 'a.wav': soundOf(1, 2), 'day 1/b é.wav': soundOf(2, 3), 'slow.wav': soundOf(3, 2) };
  const { sent, answered } = openRequest(url, 'PUT', fileAt('in/slow.wav'), {
    ...{ authorization: `Bearer ${token}`, 'content-length': sounds['slow.wav'].length },
  });
  await writeSlowly(one, sounds['slow.wav'], (piece) => new Promise((done) => sent.write(piece, done)));
  sent.end();
  const reply = await answered;
  expect([reply.statusCode, await buffer(reply).then(String)]).toMatchObject([201, expect.anything()]);
  for (const name of ['a.wav', 'day 1/b é.wav'] as const)
    expect((await filesClient(url, token).put(`in/${name}`, sounds[name])).status).toBe(201);
  await expectConverted(one, sounds);
});

test('resumable uploads are converted once and whole, also a slow one in parts', async () => {
  const one = await watching('tus');
  const { url } = one.server;
  const { token } = one.client;
  const sounds = { 'a.wav': soundOf(1, 4), 'slow.wav': soundOf(2, 4) };
  const requests = tusRequests(url, token);
  const at = locationOf(await requests.create('in/slow.wav', sounds['slow.wav'].length));
  let offset = 0;
  await writeSlowly(one, sounds['slow.wav'], async (piece) => {
    expect((await requests.patch(at, offset, piece)).status).toBe(204);
    offset += piece.length;
  });
  const upload = await tusUpload(url, token, sounds['a.wav'], { metadata: { path: 'in/a.wav' }, chunkSize: 20_000 });
  expect(upload.error).toBeUndefined();
  await expectConverted(one, sounds);
});

test('uploads by a link to the folder are converted once and whole', async () => {
  const one = await watching('link');
  const body = { path: 'in/', files: 9 };
  const { url } = (await one.client.request<{ url: string }>('/api/shares', { method: 'POST', body })).body;
  const sounds = { 'a.wav': soundOf(1, 4), 'film/b.wav': soundOf(2, 4) };
  for (const [path, sound] of Object.entries(sounds)) {
    const sent = { metadata: { path }, chunkSize: 20_000 };
    expect((await tusUpload(one.server.url, url.split('/').at(-1) ?? '', sound, sent)).error).toBeUndefined();
  }
  await expectConverted(one, sounds);
});

inBucket('Other programs write objects.', 'ffmpeg')(
  'objects of other programs are converted once and whole, also one that is uploaded in parts',
  async () => {
    // The SDK is large, and most test processes use a disk alone.
    const { beginParts } = await import('../support/s3-parts.ts');
    const one = await watching('aws');
    const sounds = { 'a.wav': soundOf(1, 2), 'film/large.wav': soundOf(2, 360) };
    const large = sounds['film/large.wav'];
    const upload = await beginParts(one.server, `${one.root}/in/film/large.wav`);
    await upload.add(large.subarray(0, 5 * 2 ** 20));
    await one.media.put('in/a.wav', sounds['a.wav']);
    await one.watch.until({ converted: 2 });
    expect((await one.watch.files()).map(({ path }) => path)).toEqual(['in/a.wav', 'in/before.wav']);
    await upload.add(large.subarray(5 * 2 ** 20));
    await upload.complete();
    await expectConverted(one, sounds);
  },
);

onDisk(
  A_DISK,
  'ffmpeg',
  'rsync',
)('copies by rsync are converted once and whole, also a slow one in place', async () => {
  const one = await watching('rsync');
  const target = join(one.server.mediaRoot, one.root, 'in/');
  const from = await testFolder('from');
  const sounds = { 'a.wav': soundOf(1, 2), 'day 1/b.wav': soundOf(2, 3), 'slow.wav': soundOf(3, 6) };
  for (const [name, sound] of Object.entries(sounds)) {
    await mkdir(dirname(join(from, name)), { recursive: true });
    await writeFile(join(from, name), sound);
  }
  // Writes to the name itself, at 10 KiB in a second.
  let isCopying = true;
  const slow = run('rsync', ['-a', '--inplace', '--bwlimit=10', join(from, 'slow.wav'), target]).finally(() => {
    isCopying = false;
  });
  let scans = 0;
  for (; isCopying; scans += 1) {
    await one.watch.scan();
    const files = await one.watch.files();
    if (isCopying) expect(files.map(({ path }) => path)).toEqual(['in/before.wav']);
  }
  expect(scans).toBeGreaterThan(1);
  await slow;
  await run('rsync', ['-a', `${from}/`, target]);
  await expectConverted(one, sounds);
  // Nothing has changed, so this copies nothing.
  await run('rsync', ['-a', `${from}/`, target]);
  await expectConverted(one, sounds);
});

onDisk(
  A_DISK,
  'ffmpeg',
  'linux',
)('copies by cp and mv are converted once and whole, also a slow one', async () => {
  const one = await watching('cp');
  const target = join(one.server.mediaRoot, one.root, 'in');
  const from = await testFolder('from');
  const sounds = {
    'a.wav': soundOf(1, 2),
    'day 1/b.wav': soundOf(2, 3),
    'c.wav': soundOf(3),
    'slow.wav': soundOf(4, 2),
  };
  for (const name of ['a.wav', 'day 1/b.wav', 'c.wav'] as const) {
    await mkdir(dirname(join(from, name)), { recursive: true });
    await writeFile(join(from, name), sounds[name]);
  }
  // cp copies what it reads from a pipe, when it comes.
  const pipe = join(from, 'pipe');
  await run('mkfifo', [pipe]);
  const copied = run('cp', [pipe, join(target, 'slow.wav')]);
  const end = await open(pipe, 'w');
  await writeSlowly(one, sounds['slow.wav'], (piece) => end.writeFile(piece));
  await end.close();
  await copied;
  await rm(pipe);
  await run('mv', [join(from, 'c.wav'), target]);
  await run('cp', ['-r', `${from}/.`, target]);
  await expectConverted(one, sounds);
});

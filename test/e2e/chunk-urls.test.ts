// @module-tag long
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { adminClient } from '../support/api-client.ts';
import { differences, filmFacts } from '../support/compare-media.ts';
import { type FileSite, sendFile, startFileSite } from '../support/file-site.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { ffmpegIn } from '../support/run-chunks.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');
const SECONDS = 60;
/** Each chunk takes as long as its programs need to start, so both slots encode some of them. */
const X264 = { 'c:v': 'libx264', preset: 'ultrafast', crf: '40', 'c:a': 'aac' };
/** The film is made, converted twice and compared frame by frame. */
const TIMEOUT_MS = 180_000;
const SECRETS = ['hunter2', 'signature-of-url'];

let site: FileSite;
beforeAll(async () => {
  site = await startFileSite();
});
afterAll(() => site.close());

/** Starts a service with two slots that may fetch from the site, and has the film in its media root. */
async function startService() {
  // Noise without loss is large, and small frames are quick: a chunk needs the first 5.5 MB of its input in any case.
  const noise = `testsrc2=s=128x72:r=24:d=${SECONDS},noise=alls=100:allf=t,format=yuv420p`;
  const folder = await makeOnce('large-film', (dir) =>
    ffmpegIn(dir, [
      ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-t', `${SECONDS}`, '-i', 'sine=440'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '24', '-c:a', 'aac'],
      ...['-movflags', '+faststart', 'film.mp4'],
    ]),
  );
  const server = await startServer({ env: { TELECINE_INPUT_URLS: site.host, TELECINE_CONCURRENCY: '2' } });
  await copyFile(join(folder, 'film.mp4'), join(server.mediaRoot, 'film.mp4'));
  return { server, admin: await adminClient(server), film: await readFile(join(folder, 'film.mp4')) };
}

let started: ReturnType<typeof startService> | undefined;
const start = (): ReturnType<typeof startService> => {
  started ??= startService();
  return started;
};

/** The ranges that were requested of a path of the site. undefined: the whole file. */
const rangesOf = (path: string): readonly (string | undefined)[] =>
  site.requests.filter(({ line }) => line.startsWith(`GET ${path}`)).map(({ headers }) => headers.range);

const bytesIn = (range: string | undefined): number => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return Number(to) - Number(from) + 1;
};

test('a chunk of a film at a URL fetches the bytes that it is made from, and the output equals that of the file', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { server, admin, film } = await start();
  site.answer('/film.mp4', (request, response) => sendFile(request, response, film));
  const [password, signature] = SECRETS;
  const input = `http://user:${password}@${site.host}/film.mp4?sig=${signature}`;
  const request = { input, output: 'chunked.mp4', parameters: X264, chunks: { seconds: 10 } };
  const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan.chunks).toEqual({ isWhole: false });
  expect(rangesOf('/film.mp4')).toEqual(['bytes=0-0']);

  const job = await admin.run(request);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  const requests = rangesOf('/film.mp4').slice(1);
  // The worker of the job fetches the film once, for the audio and for its own chunks.
  expect(requests.filter((range) => range === undefined)).toHaveLength(1);
  const parts = requests.filter((range) => range !== undefined && range !== 'bytes=0-0');
  const chunks = parts.filter((range) => range?.startsWith('bytes=0-')).length;
  expect(chunks).toBeGreaterThan(0);
  expect(parts.reduce((sum, range) => sum + bytesIn(range), 0)).toBeLessThan(0.7 * film.length * chunks);
  const sent = site.requests.filter(({ line }) => line.startsWith('GET /film.mp4'));
  expect(new Set(sent.map(({ headers }) => headers.authorization)).size).toBe(1);
  const views = JSON.stringify([body, job, await admin.log(job.jobId), server.log()]);
  for (const secret of SECRETS) expect(views).not.toContain(secret);

  const whole = await admin.run({ input: 'film.mp4', output: 'whole.mp4', parameters: X264 });
  expect(whole.status).toBe('COMPLETED');
  const facts = (name: string) => filmFacts(server.mediaRoot, name);
  expect(differences(await facts('whole.mp4'), await facts('chunked.mp4'))).toEqual([]);
});

test('other slots encode chunks of a film while the worker of the job still fetches it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { server, admin } = await start();
  // The index is at the end.
  const looped = ['-stream_loop', '-1', '-i', 'film.mp4', '-fs', '110000000', '-c', 'copy', 'large.mp4'];
  await ffmpegIn(server.mediaRoot, ['-v', 'error', '-nostdin', ...looped]);
  const film = await readFile(join(server.mediaRoot, 'large.mp4'));
  const encoded = Promise.withResolvers<void>();
  site.answer('/held.mp4', (request, response) => {
    if (request.headers.range === undefined) void encoded.promise.then(() => sendFile(request, response, film));
    else sendFile(request, response, film);
  });
  const input = `${site.url}/held.mp4`;
  const jobId = await admin.accept({ input, output: 'held.mp4', parameters: X264, chunks: { seconds: 30 } });
  using database = new DatabaseSync(join(server.dataDir, 'telecine.db'), { readOnly: true });
  const statesOf = () =>
    database.prepare('select state from job_chunks where job_id = ?').all(jobId) as { readonly state: string }[];
  await waitUntil('a chunk to be encoded', async () =>
    statesOf().some(({ state }) => state === 'DONE') ? true : undefined,
  );
  // All chunks are known by now.
  const known = statesOf().length;
  expect(known).toBeGreaterThan(3);
  encoded.resolve();
  const totals = new Set<number>();
  const job = await admin.wait(jobId, ({ status, encodedChunks }) => {
    if (encodedChunks !== undefined) totals.add(encodedChunks.total);
    return status === 'COMPLETED' || status === 'FAILED';
  });
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  expect([...totals]).toEqual([known]);
  expect(rangesOf('/held.mp4').filter((range) => range === undefined)).toHaveLength(1);
  const whole = await admin.run({ input: 'large.mp4', output: 'not-held.mp4', parameters: X264 });
  expect(whole.status).toBe('COMPLETED');
  const facts = (name: string) => filmFacts(server.mediaRoot, name);
  expect(differences(await facts('not-held.mp4'), await facts('held.mp4'))).toEqual([]);
});

test('a film at a server that sends no parts, or names no version, runs whole, and the dry run says why', async () => {
  const { admin, film } = await start();
  site.answer('/whole.mp4', film);
  site.answer('/weak.mp4', (request, response) => sendFile(request, response, film, { etag: 'W/"a"' }));
  for (const [name, reason] of [
    ['whole.mp4', 'sends the whole input when a part is requested'],
    ['weak.mp4', 'must send a strong ETag'],
  ] as const) {
    const request = { input: `${site.url}/${name}`, output: `from-${name}`, parameters: X264, chunks: { seconds: 10 } };
    const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
    expect(body.plan.chunks).toEqual({ isWhole: true, reason: expect.stringContaining(reason) });
    const job = await admin.run(request);
    expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(job.warnings).toEqual([
      expect.objectContaining({ code: 'NOT_CHUNKED', message: expect.stringContaining(site.host) }),
    ]);
  }
});

test('a film that is replaced while its chunks are encoded is encoded from what the worker of the job has fetched', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { server, admin, film } = await start();
  const other = Buffer.from(film);
  other.fill(0, Math.floor(film.length / 2));
  let parts = 0;
  site.answer('/replaced.mp4', (request, response) => {
    const isPart = request.headers.range !== undefined && request.headers.range !== 'bytes=0-0';
    if (isPart) parts += 1;
    sendFile(request, response, isPart ? other : film, isPart ? { etag: '"version-2"' } : {});
  });
  const input = `${site.url}/replaced.mp4`;
  const job = await admin.run({ input, output: 'replaced.mp4', parameters: X264, chunks: { seconds: 10 } });
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(parts).toBeGreaterThan(0);
  const whole = await admin.run({ input: 'film.mp4', output: 'not-replaced.mp4', parameters: X264 });
  expect(whole.status).toBe('COMPLETED');
  const facts = (name: string) => filmFacts(server.mediaRoot, name);
  expect(differences(await facts('not-replaced.mp4'), await facts('replaced.mp4'))).toEqual([]);
});

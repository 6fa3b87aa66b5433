import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { adminClient, clientWithToken, login, sendRequest } from '../support/api-client.ts';
import { sendFile, slowFile, startFileSite } from '../support/file-site.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

/** The environment of services that share a new database. */
async function newDatabase(): Promise<{ readonly TELECINE_DATABASE_URL: string }> {
  databases += 1;
  await postgres.sql(`create database telecine${databases}`);
  return { TELECINE_DATABASE_URL: postgres.url(`telecine${databases}`) };
}

/** The environment of a machine without ffmpeg. The set-up of the tests sets FFMPEG_PATH. */
const noFfmpeg = async () => ({ PATH: await testFolder('no-programs'), FFMPEG_PATH: '', FFPROBE_PATH: '' });

const NO_PROBER = 'No worker that can probe files is registered';

/** A worker has no /openapi.json with which its replies could be compared. */
async function fetchJson<T>(url: string): Promise<{ readonly status: number; readonly body: T }> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as T };
}

test('an API machine without ffmpeg accepts what a worker can run, and the worker runs it', async () => {
  const env = await newDatabase();
  const api = await startServer({ env: { ...env, ...(await noFfmpeg()) }, args: ['--no-worker'] });
  const admin = await adminClient(api);
  const request = { input: 'movie.mp4', output: 'movie.mkv', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } };

  expect(api.log()).not.toContain('ffmpeg found');
  const refused = await admin.request('/api/conversion', { body: request });
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(refused.body.detail).toContain('telecine worker');
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await admin.request('/api/capabilities/codecs')).toMatchObject({ status: 503 });
  const notReady = await sendRequest<ReadyView>(api.url, '/ready');
  expect(notReady).toMatchObject({ status: 503, body: { checks: { workers: { status: 'failed' } } } });
  expect(notReady.body.checks['workers']?.message).toContain('telecine worker');

  const worker = await startServer({ env, mediaRoot: api.mediaRoot, command: 'worker' });
  await becomesReady(api.url);
  await putSmallMovie(api.mediaRoot, 2, 'movie.mp4');
  const dry = await admin.request<{ argv: string[][] }>('/api/conversion?dryRun=true', { body: request });
  expect(dry.body.argv.flat()).toEqual(expect.arrayContaining(['-c:v', 'libx264']));
  expect(await admin.run(request)).toMatchObject({ status: 'COMPLETED', outputs: [{ path: 'movie.mkv' }] });
  const wrong = await admin.request('/api/conversion', { body: { ...request, parameters: { 'c:v': 'libnone' } } });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: '/parameters/c:v' }] } });
  const codec = await admin.request('/api/capabilities/codecs/libx264');
  expect(codec).toMatchObject({ status: 200, body: { name: 'libx264', encodes: true } });
  expect(await admin.request('/api/capabilities/options/movflags')).toMatchObject({ status: 200 });

  expect(await fetchJson(`${worker.url}/health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  const ready = await fetchJson<ReadyView>(`${worker.url}/ready`);
  expect(Object.keys(ready.body.checks).toSorted()).toEqual([
    ...['dataDisk', 'disk', 'ffmpeg', 'limits', 'queue', 'sandbox', 'store', 'workers'],
  ]);
  expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('telecine_');
  expect(await fetchJson(`${worker.url}/api/conversion`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

test('the worker fetches inputs and probes from URLs, and the API machine nothing', async () => {
  const site = await startFileSite();
  onTestFinished(() => site.close());
  const env = { ...(await newDatabase()), TELECINE_INPUT_URLS: site.host };
  const api = await startServer({ env: { ...env, ...(await noFfmpeg()) }, args: ['--no-worker'] });
  const admin = await adminClient(api);
  await startServer({ env, mediaRoot: api.mediaRoot, command: 'worker' });
  await becomesReady(api.url);
  const movie = join(await testFolder('site'), 'movie.mp4');
  await putSmallMovie(dirname(movie), 1, basename(movie));
  const content = await readFile(movie);
  site.answer('/movie.mp4', (request, response) => sendFile(request, response, content));
  const input = `${site.url}/movie.mp4?token=secret-of-url`;
  expect((await admin.request('/api/conversion?dryRun=true', { body: { input, output: 'a.mkv' } })).status).toBe(200);
  expect(site.requests).toEqual([]);
  const job = await admin.run({ input, output: 'a.mkv', parameters: { c: 'copy' } });
  expect(job).toMatchObject({ status: 'COMPLETED', input: `${site.url}/movie.mp4?(hidden)` });
  expect(await admin.request('/api/probe', { body: { input } })).toMatchObject({ status: 200 });
  const missing = await admin.request('/api/probe', { body: { input: `${site.url}/none.mp4` } });
  expect(missing).toMatchObject({ status: 404, body: { code: 'INPUT_NOT_FOUND' } });
  expect(site.requests.map(({ line }) => line.replace(/\?.*/, ''))).toEqual([
    ...['GET /movie.mp4', 'GET /movie.mp4', 'GET /none.mp4'],
  ]);
});

test('an API machine without ffmpeg leaves probes, previews and trials to workers, also when one is killed', async () => {
  const env = await newDatabase();
  const api = await startServer({ env: { ...env, ...(await noFfmpeg()) }, args: ['--no-worker'] });
  const { mediaRoot } = api;
  const admin = await adminClient(api);
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  await writeFile(join(mediaRoot, 'text.mp4'), 'not media');
  const probe = (input: string) => admin.request<Record<string, unknown>>('/api/probe', { body: { input } });
  expect(api.log()).not.toContain('ffmpeg found');
  const preview = (path: string) =>
    fetch(`${api.url}/api/files/${path}?view=sheet&columns=2&rows=1`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
  expect((await preview('movie.mp4')).status).toBe(503);
  const early = await probe('movie.mp4');
  expect(early).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE', detail: expect.stringContaining(NO_PROBER) },
  });
  expect(early.headers.get('retry-after')).toBe('10');
  const worker = await startServer({ env, mediaRoot, command: 'worker' });
  await becomesReady(api.url);
  expect(await probe('movie.mp4')).toMatchObject({
    status: 200,
    body: { format: { names: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'] } },
  });
  const broken = await probe('text.mp4');
  expect(broken).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID', errors: [{ field: '/input' }] } });
  const picture = await preview('movie.mp4');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  expect((await picture.arrayBuffer()).byteLength).toBe(Number(picture.headers.get('content-length')));
  expect((await preview('text.mp4')).status).toBe(422);
  expect(await probe('missing.mp4')).toMatchObject({ status: 404, body: { code: 'INPUT_NOT_FOUND' } });
  expect(await probe('..')).toMatchObject({ status: 400 });
  const warningsOf = async (parameters: object) => {
    const body = { inputs: ['movie.mp4'], output: 'tried.mp4', parameters };
    return (await admin.request<DryRunView>('/api/conversion?dryRun=true', { body })).body.warnings;
  };
  expect(await warningsOf({ filter_complex: '[0:v]overlay' })).toMatchObject([
    { code: 'FFMPEG_FAILED', message: expect.stringContaining('overlay has an input without a label') },
  ]);
  expect(await warningsOf({ vf: 'crop=iw/2:ih' })).toEqual([]);

  // Stopped, the worker takes no task. Killed, it has none.
  process.kill(worker.pid, 'SIGSTOP');
  const others = Array.from({ length: 9 }, (_, index) => `other-${index}.mp4`);
  for (const path of others) await putSmallMovie(mediaRoot, 1, path);
  const [first = '', ...more] = others;
  const waiting = probe(first);
  await worker.kill9('group');
  expect((await probe('movie.mp4')).status, 'what was read needs no worker').toBe(200);
  await startServer({ env, mediaRoot, command: 'worker' });
  expect(await waiting).toMatchObject({ status: 200 });
  expect(await Promise.all(more.map(async (path) => (await probe(path)).status))).toEqual(more.map(() => 200));
});

test('on workers too, probes of a slow server keep no other client from probing', async () => {
  const site = await startFileSite();
  onTestFinished(() => site.close());
  const env = { ...(await newDatabase()), TELECINE_INPUT_URLS: site.host };
  const noFfmpegEnv = { ...env, ...(await noFfmpeg()) };
  const first = await startServer({ env: noFfmpegEnv, args: ['--no-worker'] });
  const { mediaRoot } = first;
  const others = await Promise.all(
    Array.from({ length: 3 }, () => startServer({ env: noFfmpegEnv, mediaRoot, args: ['--no-worker'] })),
  );
  await startServer({ env, mediaRoot, command: 'worker' });
  await becomesReady(first.url);
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const movie = await readFile(join(mediaRoot, 'movie.mp4'));
  site.answer('/fast.mp4', (request, response) => sendFile(request, response, movie));
  const credentials = await insertClient({ ...first, databaseUrl: env.TELECINE_DATABASE_URL }, 'amy');
  const slow = slowFile(site, '/slow.mp4');
  // More than a worker fetches at a time, by as many services.
  const probes = [first, ...others].map(async ({ url }) => {
    const amy = await login(url, credentials);
    const replies = Array.from({ length: 8 }, () => amy.request('/api/probe', { body: { input: slow.url } }));
    return (await Promise.all(replies)).map(({ status }) => status);
  });
  await waitUntil('probes of the slow server', async () => slow.requests() === 4 || undefined);
  const admin = await adminClient(first);
  const probe = (input: string) => admin.request('/api/probe', { body: { input } });
  expect(await probe('movie.mp4')).toMatchObject({ status: 200 });
  expect(await probe(`${site.url}/fast.mp4`)).toMatchObject({ status: 200 });
  expect(slow.requests()).toBe(4);
  slow.release();
  expect(new Set((await Promise.all(probes)).flat())).toEqual(new Set([404]));
});

test('a service without ffprobe refuses probes at once as long as no other one has ffprobe', async () => {
  const env = await newDatabase();
  const noFfprobe = { FFPROBE_PATH: join(await testFolder('no-programs'), 'ffprobe') };
  const server = await startServer({ env: { ...env, ...noFfprobe } });
  const { mediaRoot } = server;
  const admin = await adminClient(server);
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const probe = () => admin.request('/api/probe', { body: { input: 'movie.mp4' } });
  expect(await probe()).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE', detail: expect.stringContaining(NO_PROBER) },
  });
  await startServer({ env, mediaRoot, command: 'worker' });
  expect(await probe()).toMatchObject({ status: 200 });
});

test('requests are accepted while all workers are away for days, and run when one comes back', async () => {
  const env = await newDatabase();
  const worker = await startServer({ env, command: 'worker' });
  const { mediaRoot } = worker;
  const api = await startServer({ env, mediaRoot, args: ['--no-worker'] });
  await becomesReady(api.url);
  await worker.stop();
  await postgres.sql(
    `update workers set last_seen_at = to_char(now() - interval '2 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    `telecine${databases}`,
  );
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const admin = await adminClient(api);
  await waitUntil('the service to say that no worker runs', async () => {
    const { status, body } = await admin.request<ReadyView>('/ready');
    expect(status).toBe(200);
    return body.checks['workers']?.message?.startsWith('No worker runs: jobs are accepted') || undefined;
  });
  expect(await admin.request('/api/workers')).toMatchObject({ body: { workers: [{ state: 'stopped' }] } });
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'movie.mkv', parameters: { c: 'copy' } });
  await startServer({ env, mediaRoot, dataDir: worker.dataDir, command: 'worker' });
  expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
});

test('a worker needs PostgreSQL, and says which setting to set', async () => {
  const { code, stdout, stderr } = await runCli(['worker'], {
    TELECINE_DATA_DIR: join(await testFolder('sqlite'), 'data'),
    TELECINE_PORT: '0',
  });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('TELECINE_DATABASE_URL: a worker needs the PostgreSQL database');
});

test('a worker has no administrator of its own, and its jobs have the limits of their client', async () => {
  const env = await newDatabase();
  const api = await startServer({ env, args: ['--no-worker'] });
  const { mediaRoot } = api;
  const worker = await startServer({ env, mediaRoot, command: 'worker' });
  expect(worker.log()).not.toContain('admin client written');
  await becomesReady(api.url);
  const { token } = await adminClient(api);
  await putSmallMovie(mediaRoot, 3, 'movie.mp4');
  const admin = clientWithToken(api.url, token);
  expect(
    (await runCli(['client', 'set', 'admin', '--limit', 'duration=1s'], { ...env, TELECINE_DATA_DIR: api.dataDir }))
      .code,
  ).toBe(0);
  const job = await admin.run({ input: 'movie.mp4', output: 'movie.mkv' });
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'LIMIT_EXCEEDED' } });
});

test('the doctor checks what each kind of process needs', async () => {
  const folder = await testFolder('doctor');
  const env = { ...(await newDatabase()), TELECINE_DATA_DIR: join(folder, 'data') };
  const findings = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { code, stdout } = await runCli(['doctor', '--json', ...args], { ...env, ...more });
    const found = JSON.parse(stdout) as readonly { readonly name: string; readonly state: string }[];
    return { code, states: Object.fromEntries(found.map(({ name, state }) => [name, state])) };
  };
  const noPrograms = await noFfmpeg();
  const alone = await findings(noPrograms, '--no-worker');
  expect(alone).toMatchObject({ code: 0, states: { workers: 'warn', store: 'ok' } });
  expect(alone.states).not.toHaveProperty('ffmpeg');
  await startServer({ env: { TELECINE_DATABASE_URL: env.TELECINE_DATABASE_URL }, command: 'worker' });
  expect((await findings(noPrograms, '--no-worker')).states).toMatchObject({ workers: 'ok' });
  expect((await findings(noPrograms, '--worker')).states).toMatchObject({ ffmpeg: 'bad', store: 'ok' });
  expect(await findings({ TELECINE_DATABASE_URL: '' }, '--worker')).toMatchObject({
    code: 1,
    states: { store: 'bad' },
  });
});

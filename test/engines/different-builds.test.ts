import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

/** An encoder that no installed ffmpeg has. The program in ffmpeg's place runs libx264 for it. */
const RARE = 'libx264rare';

/** The path of a build that has one encoder more than the installed one, with the options of libx264rgb, which are those of libx264. */
async function rareBuild(): Promise<string> {
  const { ffmpegPath: installed } = tools();
  const ffmpegPath = join(await testFolder('rare-build'), 'ffmpeg');
  const lines = [
    '#!/bin/bash',
    `run() { '${installed}' "\${@/#${RARE}/libx264}"; }`,
    'case "$*" in',
    `-version) run "$@"; echo 'with ${RARE}' ;;`,
    `*' -encoders') run "$@" | sed -E 's/^( V\\S+ )libx264 (.*)$/&\\n\\1${RARE} \\2/' ;;`,
    `*' -h full') run "$@" | sed 's/^libx264rgb AVOptions:/${RARE} AVOptions:/' ;;`,
    `*) exec '${installed}' "\${@/#${RARE}/libx264}" ;;`,
    'esac',
  ];
  await writeFile(ffmpegPath, `${lines.join('\n')}\n`, { mode: 0o755 });
  return ffmpegPath;
}

/** An API machine on a database of its own, and functions that start workers with the ordinary and the rare build. */
async function machines(more: Readonly<Record<string, string>> = {}) {
  databases += 1;
  await postgres.sql(`create database telecine${databases}`);
  const env = { ...more, TELECINE_DATABASE_URL: postgres.url(`telecine${databases}`) };
  const api = await startServer({ env, args: ['--no-worker'] });
  const { mediaRoot } = api;
  await putSmallMovie(mediaRoot, 2, 'movie.mp4');
  const ffmpegPath = await rareBuild();
  const startOrdinary = (): Promise<TestServer> => startServer({ env, mediaRoot, command: 'worker' });
  const startRare = (): Promise<TestServer> =>
    startServer({
      // The script in ffmpeg's place is not in the sandbox.
      env: { ...env, FFMPEG_PATH: ffmpegPath, TELECINE_SANDBOX: 'off' },
      ...{ mediaRoot, command: 'worker' },
    });
  return { api, startOrdinary, startRare };
}

/** An API machine and an ordinary worker, and a function that starts a worker with the rare build. */
async function cluster(more: Readonly<Record<string, string>> = {}) {
  const { api, startOrdinary, startRare } = await machines(more);
  const ordinary = await startOrdinary();
  await becomesReady(api.url);
  return { api, ordinary, startRare, admin: await adminClient(api) };
}

const request = (output: string) => ({ input: 'movie.mp4', output, parameters: { 'c:v': RARE, an: '' } });

test('a job that only one build runs waits for a worker with it, while others run the other jobs', async () => {
  const { ordinary, startRare, admin } = await cluster();
  const unknown = await admin.request('/api/conversion', { body: request('early.mkv') });
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: '/parameters/c:v' }] } });

  const rare = await startRare();
  const codecs = () => admin.request(`/api/capabilities/codecs/${RARE}`);
  await waitUntil('the build to be registered', async () => (await codecs()).status === 200 || undefined);
  expect(await admin.run(request('rare.mkv'))).toMatchObject({ status: 'COMPLETED' });
  expect(rare.log()).toContain('"attempt started"');
  expect(ordinary.log()).not.toContain('"attempt started"');

  await rare.stop();
  const waiting = await admin.accept(request('waiting.mkv'));
  const parameters = { 'c:v': 'libx264', an: '' };
  expect(await admin.run({ input: 'movie.mp4', output: 'usual.mkv', parameters })).toMatchObject({
    status: 'COMPLETED',
  });
  expect((await admin.request<JobView>(`/api/conversion/${waiting}`)).body).toMatchObject({
    status: 'PENDING',
    message: `The job is queued for processing. It waits for a worker with encoder ${RARE}.`,
  });
  await startRare();
  expect(await admin.wait(waiting)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});

test('a job fails when no worker has had what it needs for too long', async () => {
  const { startRare, admin } = await cluster({ TELECINE_WORKER_WAIT_SECONDS: '2' });
  const rare = await startRare();
  const codecs = () => admin.request(`/api/capabilities/codecs/${RARE}`);
  await waitUntil('the build to be registered', async () => (await codecs()).status === 200 || undefined);
  await rare.stop();
  const job = await admin.wait(await admin.accept(request('never.mkv')));
  expect(job).toMatchObject({
    status: 'FAILED',
    attempt: 0,
    error: { code: 'NO_WORKER', message: expect.stringContaining(`encoder ${RARE}`), fix: expect.any(String) },
  });
});

test('a job that was accepted before a lesser build came waits for a worker that can run it', async () => {
  const { api, startOrdinary, startRare } = await machines();
  const rare = await startRare();
  await becomesReady(api.url);
  const admin = await adminClient(api);
  expect(await admin.request('/api/queue/pause', { method: 'POST' })).toMatchObject({ status: 200 });
  const job = await admin.accept(request('moved.mkv'));
  await rare.stop();
  await startOrdinary();
  expect(await admin.request('/api/queue/resume', { method: 'POST' })).toMatchObject({ status: 200 });
  const waiting = 'The job is queued for processing. It waits for a worker with encoder libx264rare.';
  await waitUntil('the ordinary worker to leave the job to others', async () => {
    const { body } = await admin.request<JobView>(`/api/conversion/${job}`);
    expect(body.status).not.toBe('FAILED');
    return body.message === waiting || undefined;
  });
  await startRare();
  expect(await admin.wait(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});

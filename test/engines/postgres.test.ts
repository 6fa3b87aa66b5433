import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { adminClient, clientWithToken, sendRequest } from '../support/api-client.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { runCli } from '../support/run-cli.ts';
import { scratchProcesses, signalEach } from '../support/scratch-processes.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

const LEASE_MS = 15_000;

/** How often a service looks for expired leases. */
const MONITOR_MS = 10_000;

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'), { durable: true });
});
afterAll(() => postgres?.stop());

/** The environment of services that share a new database. */
async function newDatabase(): Promise<{ readonly TELECINE_DATABASE_URL: string }> {
  databases += 1;
  await postgres.sql(`create database telecine${databases}`);
  return { TELECINE_DATABASE_URL: postgres.url(`telecine${databases}`) };
}

test('a job that one service accepts is run by another one on the same database, and both show it', async () => {
  const env = await newDatabase();
  const worker = await startServer({ env });
  const { mediaRoot } = worker;
  const front = await startServer({ env, mediaRoot, args: ['--no-worker'] });
  await becomesReady(front.url);
  await putSmallMovie(mediaRoot, 2, 'movie.mp4');
  const { token } = await adminClient(worker);
  const admin = clientWithToken(front.url, token);
  const job = await admin.run({ input: 'movie.mp4', output: 'movie.mkv' });
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1, outputs: [{ path: 'movie.mkv' }] });
  expect(await clientWithToken(worker.url, token).job(job.jobId)).toEqual(job);
  expect(await admin.log(job.jobId)).toContain('movie.mkv');
});

test('a service that starts runs queued jobs whose tickets got lost', async () => {
  const env = await newDatabase();
  const worker = await startServer({ env, command: 'worker' });
  const { mediaRoot } = worker;
  const front = await startServer({ env, mediaRoot, args: ['--no-worker'] });
  await becomesReady(front.url);
  await worker.stop();
  const admin = await adminClient(front);
  const jobId = await admin.accept({ input: 'missing.mp4', output: 'o.mkv' });
  await postgres.sql('delete from telecine_queue.job', `telecine${databases}`);
  await startServer({ env, mediaRoot });
  expect(await admin.wait(jobId)).toMatchObject({ status: 'FAILED' });
});

for (const [how, listens] of [
  ['by notifications', true],
  ['by polling', false],
] as const)
  test(`a caller that waits at one service learns that another has ended or cancelled its job, ${how}`, async () => {
    const env = await newDatabase();
    const all = { ...env, ...(listens && { TELECINE_DATABASE_LISTEN_URL: env.TELECINE_DATABASE_URL }) };
    const worker = await startServer({ env: all });
    const front = await startServer({ env: all, mediaRoot: worker.mediaRoot, args: ['--no-worker'] });
    await becomesReady(front.url);
    await putSmallMovie(worker.mediaRoot, 20, 'movie.mp4');
    const admin = clientWithToken(front.url, (await adminClient(worker)).token);
    const waitFor = (jobId: string, prefer: string) =>
      admin.request<JobView>(`/api/conversion/${jobId}`, { headers: { prefer } });

    const short = await admin.accept({ input: 'movie.mp4', output: 'short.mkv', parameters: { c: 'copy' } });
    const ended = await waitFor(short, 'wait=30');
    expect(ended.body).toMatchObject({ status: 'COMPLETED' });

    const long = await admin.accept({
      input: 'movie.mp4',
      output: 'long.mkv',
      parameters: { 'c:v': 'libx264', preset: 'veryslow' },
    });
    await admin.wait(long, ({ phase }) => phase === 'CONVERTING');
    await admin.request(`/api/conversion/${long}/cancel`, { method: 'POST' });
    expect((await waitFor(long, 'wait=30')).body).toMatchObject({ status: 'CANCELLED' });
  });

test('two services share the jobs of a media root; when one is killed, the other one runs its jobs too', async () => {
  const env = { ...(await newDatabase()), TELECINE_CONCURRENCY: '1' };
  const first = await startServer({ env });
  const second = await startServer({ env, mediaRoot: first.mediaRoot });
  await putSmallMovie(first.mediaRoot, 5, 'movie.mp4');
  const { token } = await adminClient(first);
  const admin = clientWithToken(second.url, token);
  const submit = (count: number, name: string) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        admin.accept({ input: 'movie.mp4', output: `${name}${n}.mkv`, parameters: { preset: 'veryslow', an: '' } }),
      ),
    );
  const attemptsOf = ({ log }: TestServer): number => log().match(/"attempt started"/g)?.length ?? 0;
  for (const jobId of await submit(6, 'shared')) expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  expect(attemptsOf(first), 'jobs of the first').toBeGreaterThan(0);
  expect(attemptsOf(second), 'jobs of the second').toBeGreaterThan(0);

  const jobs = await submit(4, 'killed');
  const startedBefore = attemptsOf(first);
  await waitUntil('the first to start a job', async () => attemptsOf(first) > startedBefore || undefined);
  await first.kill9('group');
  const ended = await Promise.all(jobs.map((jobId) => admin.wait(jobId)));
  for (const job of ended) expect(job).toMatchObject({ status: 'COMPLETED' });
  expect(ended.map(({ attempt }) => attempt).toSorted(), 'one attempt was lost').toEqual([1, 1, 1, 2]);
  const outputs = (await readdir(first.mediaRoot)).filter((name) => name.startsWith('killed'));
  expect(outputs.toSorted()).toEqual(['killed0.mkv', 'killed1.mkv', 'killed2.mkv', 'killed3.mkv']);
  await waitUntil('the scratch folder of the killed service to be gone', async () => {
    const names = await pathsBelow(join(first.mediaRoot, '.telecine'));
    return !names.some((name) => jobs.some((jobId) => name.includes(jobId))) || undefined;
  });
});

test('while the database is down, requests get 503; then the running job goes on, and an accepted one is run', async () => {
  const server = await startServer({ env: { ...(await newDatabase()), TELECINE_CONCURRENCY: '1' } });
  await putSmallMovie(server.mediaRoot, 60, 'movie.mp4');
  const admin = await adminClient(server);
  // Slow enough that the test sees it convert.
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', an: '' };
  const request = (output: string) => ({ input: 'movie.mp4', output, parameters });
  const running = await admin.accept(request('running.mkv'));
  const queued = await admin.accept(request('queued.mkv'));
  await admin.wait(running, ({ phase }) => phase === 'CONVERTING');
  // Paused, so that the conversion does not end before the database is down.
  const conversion = await scratchProcesses(server.mediaRoot, running);
  signalEach(conversion, 'SIGSTOP');

  await postgres.kill();
  const refused = await admin.request('/api/conversion', { body: request('refused.mkv') });
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  const ready = await sendRequest<ReadyView>(server.url, '/ready');
  expect(ready).toMatchObject({ status: 503, body: { checks: { store: { status: 'failed' } } } });
  signalEach(conversion, 'SIGCONT');

  await postgres.start();
  await waitUntil(
    'the service to be ready',
    async () => (await sendRequest(server.url, '/ready')).status === 200 || undefined,
  );
  for (const jobId of [running, queued])
    expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const outages = server.log().match(/the database cannot be reached/g);
  expect(outages, 'one line for the outage').toHaveLength(1);
  expect(server.log()).not.toContain('internal error');
});

test('of submissions that are sent together while the database crashes, those with a 202 are stored, and no other gets a 2xx', async () => {
  const server = await startServer({ env: await newDatabase() });
  const admin = await adminClient(server);
  await admin.request('/api/queue/pause', { method: 'POST' });
  const replies: { readonly status: number; readonly jobId: string | undefined }[] = [];
  let isDown = false;
  const submitUntilDown = async (): Promise<void> => {
    do {
      const body = { input: 'missing.mkv', output: 'o.mkv' };
      const reply = await admin.request<Partial<AcceptedView>>('/api/conversion', { body });
      replies.push({ status: reply.status, jobId: reply.body.jobId });
    } while (!isDown);
  };
  const submitting = Promise.all(Array.from({ length: 64 }, submitUntilDown));
  await waitUntil('some of them to be accepted', async () => replies.length > 200 || undefined);
  await postgres.kill9();
  isDown = true;
  await submitting;
  await postgres.start();
  await becomesReady(server.url);

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202, 503]));
  const accepted = replies.flatMap(({ status, jobId }) => (status === 202 ? [jobId] : []));
  const stored = new Set<string | undefined>();
  for (let query = '?limit=100'; query !== ''; ) {
    const page = await admin.list(query);
    for (const { jobId } of page.jobs) stored.add(jobId);
    query = page.nextCursor === undefined ? '' : `?limit=100&cursor=${page.nextCursor}`;
  }
  expect(accepted.filter((jobId) => !stored.has(jobId))).toEqual([]);
  const name = `telecine${databases}`;
  await postgres.sql(
    `do $$ begin
       if exists (select from jobs j full join telecine_queue.job t on t.id = j.job_id::uuid
                  where (t.name = 'conversions' or t.name is null) and (j.job_id is null or t.id is null)) then
         raise exception 'a job without a ticket, or a ticket without a job';
       end if;
     end $$`,
    name,
  );
  expect(server.log()).not.toContain('internal error');
});

for (const [when, whenEnded] of [
  ['during the conversion', false],
  ['while it ends', true],
] as const)
  test(`an outage longer than the lease costs no attempt, ${when}`, { timeout: 120_000 }, async () => {
    const server = await startServer({ env: await newDatabase() });
    await putSmallMovie(server.mediaRoot, 60, 'movie.mp4');
    const admin = await adminClient(server);
    // Slow enough that the test sees it convert.
    const parameters = { 'c:v': 'libx264', preset: 'veryslow', an: '' };
    const job = await admin.accept({ input: 'movie.mp4', output: 'o.mkv', parameters });
    await admin.wait(job, ({ phase }) => phase === 'CONVERTING');
    const conversion = await scratchProcesses(server.mediaRoot, job);
    const signalAll = (signal: NodeJS.Signals): void => {
      signalEach(conversion, signal);
    };
    signalAll('SIGSTOP');
    await postgres.kill();
    if (whenEnded) signalAll('SIGCONT');
    await sleep(LEASE_MS + 5000);
    await postgres.start();
    if (!whenEnded) {
      // The service looks for expired leases.
      await sleep(MONITOR_MS + 2000);
      signalAll('SIGCONT');
    }
    expect(await admin.wait(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    await waitUntil('its scratch folder to be gone', async () => {
      const names = await pathsBelow(join(server.mediaRoot, '.telecine'));
      return !names.some((name) => name.includes(job)) || undefined;
    });
    expect(server.log().match(/"attempt started"/g)).toHaveLength(1);
  });

test('a paused service deletes no output of a job that another one has completed', { timeout: 120_000 }, async () => {
  const env = { ...(await newDatabase()), TELECINE_CONCURRENCY: '1' };
  const first = await startServer({ env });
  const { mediaRoot } = first;
  await putSmallMovie(mediaRoot, 60, 'movie.mp4');
  const { token } = await adminClient(first);
  const job = await clientWithToken(first.url, token).accept({
    input: 'movie.mp4',
    output: 'o.mkv',
    parameters: { 'c:v': 'libx264', preset: 'veryslow', an: '' },
  });
  await clientWithToken(first.url, token).wait(job, ({ phase }) => phase === 'CONVERTING');
  const scratchFolders = async (): Promise<readonly string[]> =>
    (await pathsBelow(join(mediaRoot, '.telecine'))).filter((name) => name.endsWith(`/${job}.1`));
  expect(await scratchFolders()).toHaveLength(1);
  process.kill(first.pid, 'SIGSTOP');
  const second = await startServer({ env, mediaRoot });
  expect(await clientWithToken(second.url, token).wait(job)).toMatchObject({ status: 'COMPLETED', attempt: 2 });
  const output = await readFile(join(mediaRoot, 'o.mkv'));
  process.kill(first.pid, 'SIGCONT');
  await waitUntil('the first to give the job up', async () => (await scratchFolders()).length === 0 || undefined);
  expect((await readFile(join(mediaRoot, 'o.mkv'))).equals(output)).toBe(true);
  expect(await clientWithToken(first.url, token).job(job)).toMatchObject({ status: 'COMPLETED', attempt: 2 });
});

test('without its database a service does not start, and says which setting to look at, but not the password', async () => {
  const folder = await testFolder('unusable');
  const start = (url: string) =>
    runCli(['serve'], {
      TELECINE_DATABASE_URL: url,
      TELECINE_DATA_DIR: join(folder, 'data'),
      TELECINE_PORT: '0',
    });
  const missing = await start(postgres.url('missing').replace('telecine@', 'telecine:secret@'));
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain(
    'TELECINE_DATABASE_URL: the database cannot be used: database \\"missing\\" does not exist',
  );
  expect(missing.stdout + missing.stderr).not.toContain('secret');
  const unreachable = await start('postgres://telecine:secret@127.0.0.1:1/telecine');
  expect(unreachable.stdout).toContain('TELECINE_DATABASE_URL: the database cannot be used: connect ECONNREFUSED');
  expect(unreachable.stdout + unreachable.stderr).not.toContain('secret');
});

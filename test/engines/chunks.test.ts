import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { adminClient, login } from '../support/api-client.ts';
import { shortfalls } from '../support/as-good.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { clipWithKeyFrames, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL', 'linux');

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

const SECONDS = 12;
/** Each chunk of two seconds takes a second or more, so that a test can act meanwhile. */
const PARAMETERS = { 'c:v': 'libx264', preset: 'slow', crf: '28', 'c:a': 'aac' };
/** A chunk of this takes minutes. */
const ENDLESS = { ...PARAMETERS, preset: 'placebo', vf: 'scale=3840:-2' };
const CHUNKS = { seconds: 2 };

/** A change of the state of a chunk or of a job, in the order of the commits. */
interface StateChange {
  readonly kind: 'chunk' | 'job';
  readonly id: string;
  readonly place: number | null;
  readonly state: string;
  readonly fence: number;
  readonly worker: string | null;
  /** Whether the chunk is a sample of a search. null: it is a job. */
  readonly sample: boolean | null;
}

/** Records all states of chunks and jobs, because the rows of chunks are removed when their job ends. */
const RECORD_STATES = `
  create table state_changes (
    number serial, kind text, id text, client text, place integer, state text, fence integer, worker text, sample boolean
  );
  create function record_chunk() returns trigger language plpgsql as $$ begin
    insert into state_changes (kind, id, client, place, state, fence, worker, sample)
      values ('chunk', new.chunk_id, new.client_id, new.place, new.state, new.fence, new.worker_id,
        new.task::jsonb ? 'sample');
    return null;
  end $$;
  create function record_job() returns trigger language plpgsql as $$ begin
    insert into state_changes (kind, id, client, state, fence, worker)
      values ('job', new.job_id, new.client_id, new.status, new.fence, new.worker_id);
    return null;
  end $$;
  create trigger chunk_inserted after insert on job_chunks for each row execute function record_chunk();
  create trigger chunk_changed after update on job_chunks for each row
    when (old.state is distinct from new.state or old.fence is distinct from new.fence)
    execute function record_chunk();
  create trigger job_changed after update on jobs for each row
    when (old.status is distinct from new.status or old.fence is distinct from new.fence)
    execute function record_job();`;

/** An API machine on a database of its own, and `count` workers of one slot that share its media root. */
async function cluster(count: number, server = postgres) {
  databases += 1;
  const name = `chunks${databases}`;
  await server.sql(`create database ${name}`);
  const url = server.url(name);
  const env = { TELECINE_DATABASE_URL: url, TELECINE_CONCURRENCY: '1' };
  const api = await startServer({ env, args: ['--no-worker'] });
  const { mediaRoot } = api;
  await server.sql(RECORD_STATES, name);
  const startWorker = (): Promise<TestServer> => startServer({ env, mediaRoot, command: 'worker' });
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  await becomesReady(api.url);
  const input = 'in.mp4';
  await cp(await clipWithKeyFrames(SECONDS), join(mediaRoot, input));
  const query = async <T>(text: string): Promise<T[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows as T[];
    } finally {
      await client.end();
    }
  };
  const changes = (): Promise<StateChange[]> => query('select * from state_changes order by number');
  const admin = await adminClient(api);
  return {
    ...{ api, env, mediaRoot, workers, input, changes, databaseUrl: url, admin },
    /** Waits until a job has ended. A lease lasts 15 s, and the work of a killed worker follows. */
    ended: (jobId: string) => admin.wait(jobId, undefined, 100),
    /** The states of the chunks of the only job that is encoded in chunks, without the samples of its search. */
    chunks: () =>
      query<{
        place: number;
        state: string;
        fence: number;
        worker_id: string | null;
        job_fence: number | null;
        task: string;
      }>(
        "select place, state, fence, worker_id, job_fence, task from job_chunks where task::jsonb ? 'part' order by place",
      ),
    /** The worker that runs the job, and the other one. */
    async roles(jobId: string) {
      const runner = await waitUntil('a worker to run the job', async () =>
        workers.find(({ log }) =>
          log()
            .split('\n')
            .some((line) => line.includes('"attempt started"') && line.includes(jobId)),
        ),
      );
      const other = workers.find((worker) => worker !== runner);
      if (other === undefined) throw new Error('There is only one worker.');
      return { runner, other };
    },
  };
}

type Cluster = Awaited<ReturnType<typeof cluster>>;

const request = (input: string, output: string, parameters: object = PARAMETERS) => ({ input, output, parameters });

let whole: Promise<Buffer> | undefined;

/** The film, encoded whole. */
function wholeFilm({ admin, mediaRoot, input }: Cluster): Promise<Buffer> {
  whole ??= admin.run(request(input, 'whole.mp4')).then(({ status }) => {
    expect(status).toBe('COMPLETED');
    return readFile(join(mediaRoot, 'whole.mp4'));
  });
  return whole;
}

/** Expects that a film in chunks is as good as the whole conversion. */
async function expectAsGood(on: Cluster, output: string): Promise<void> {
  const dir = await testFolder('compared');
  await mkdir(join(dir, 'pass'));
  await writeFile(join(dir, 'whole.mp4'), await wholeFilm(on));
  for (const name of [on.input, output]) await cp(join(on.mediaRoot, name), join(dir, name));
  const files = { source: on.input, whole: 'whole.mp4', inChunks: output, filters: 'null' };
  expect(await shortfalls(dir, { ...files, chunks: SECONDS / CHUNKS.seconds, seams: [] })).toEqual([]);
}

/** The chunk changes of the history to a state. */
const to = (all: readonly StateChange[], state: string, kind: StateChange['kind'] = 'chunk'): readonly StateChange[] =>
  all.filter((change) => change.kind === kind && change.state === state);

/** Expects one output that is as good as the whole conversion, chunks that were each finished once, and no file that is left. */
async function expectWhole(on: Cluster, jobId: string, output: string): Promise<readonly StateChange[]> {
  const all = await on.changes();
  const states = JSON.stringify(all);
  const done = to(all, 'DONE').map(({ id }) => id);
  expect(done.length, states).toBeGreaterThan(3);
  expect(new Set(done).size, `finished once: ${states}`).toBe(done.length);
  for (const id of done) expect(all.findLast((change) => change.id === id)?.state, states).toBe('DONE');
  expect(to(all, 'COMPLETED', 'job').filter(({ id }) => id === jobId)).toHaveLength(1);
  await expectAsGood(on, output);
  await waitUntil('the files of chunks and scratch folders to be removed', async () => {
    const files = (await pathsBelow(join(on.mediaRoot, '.telecine'))).filter(
      (path) => path.includes('/') && !path.startsWith('receipts/'),
    );
    return files.length === 0 || undefined;
  });
  expect(await on.chunks()).toEqual([]);
  const names = (await readdir(on.mediaRoot)).filter((name) => name !== '.telecine' && name !== 'whole.mp4');
  expect(names.toSorted()).toEqual([on.input, output].toSorted());
  return all;
}

/** Waits until both workers encode a chunk and at least one chunk is done. Returns the chunks at that time. */
const bothEncode = (on: Cluster) =>
  waitUntil('both workers to encode', async () => {
    const chunks = await on.chunks();
    const running = chunks.filter(({ state }) => state === 'RUNNING');
    const isOneDone = chunks.some(({ state }) => state === 'DONE');
    return isOneDone && new Set(running.map((chunk) => chunk.worker_id)).size === 2 ? chunks : undefined;
  });

/** Sends a signal to a worker and to all that it started. */
async function signalTree({ pid }: TestServer, signal: NodeJS.Signals): Promise<void> {
  for (const each of [pid, ...(await descendants(pid))])
    try {
      process.kill(each, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

test('two workers encode the chunks of one film, and the output is as good as one continuous encode', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const all = await expectWhole(on, jobId, 'o.mp4');
  expect(new Set(to(all, 'DONE').map(({ worker }) => worker)).size).toBe(2);
  expect(to(all, 'RUNNING'), 'each chunk is encoded once').toHaveLength(to(all, 'DONE').length);
});

test('after the worker of the job was killed, the other worker encodes no finished chunk again', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  await wholeFilm(on);
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  await bothEncode(on);
  const { runner } = await on.roles(jobId);
  await runner.kill9('group');
  const done = (await on.chunks()).filter(({ state }) => state === 'DONE');
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 2 });
  const all = await expectWhole(on, jobId, 'o.mp4');
  for (const { place, fence } of done)
    expect(to(all, 'RUNNING').filter((change) => change.place === place)).toEqual([expect.objectContaining({ fence })]);
});

test('after another worker was killed, only its chunk is encoded again', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  await wholeFilm(on);
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  const { other } = await on.roles(jobId);
  await bothEncode(on);
  await other.kill9('group');
  const lost = (await on.chunks()).filter(({ state, job_fence }) => state === 'RUNNING' && job_fence === null);
  expect(lost).toHaveLength(1);
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const all = await expectWhole(on, jobId, 'o.mp4');
  const repeated = to(all, 'RUNNING').filter(({ fence }) => fence > 1);
  expect(repeated.map(({ place }) => place)).toEqual(lost.map(({ place }) => place));
});

test('with a quality target, both workers encode with one value, and a kill of the worker of the job repeats neither the search nor a finished chunk', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  const { crf: _, ...parameters } = PARAMETERS;
  const quality = { target: 0.97 };
  const jobId = await admin.accept({ ...request(input, 'o.mp4', parameters), quality, chunks: CHUNKS });
  await bothEncode(on);
  const { runner } = await on.roles(jobId);
  await runner.kill9('group');
  const chunks = await on.chunks();
  const found = new Set(chunks.map(({ task }) => JSON.stringify(JSON.parse(task).part.run.chosen.quality)));
  expect(found.size, 'one value for all').toBe(1);
  const job = await on.ended(jobId);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 2 });
  const all = (await on.changes()).filter(({ sample }) => sample !== true);
  for (const { place, fence } of chunks.filter(({ state }) => state === 'DONE'))
    expect(to(all, 'RUNNING').filter((change) => change.place === place)).toEqual([expect.objectContaining({ fence })]);
  expect(new Set(to(all, 'DONE').map(({ worker }) => worker)).size).toBe(2);
  const { quality: reached } = job.outputs?.[0] ?? {};
  expect(reached).toEqual(JSON.parse([...found][0] ?? '{}'));
});

test('both workers try the samples of a ladder, each once, before they encode its chunks', async () => {
  const on = await cluster(2);
  const { admin, mediaRoot } = on;
  // The film of the other tests is larger: its samples would take minutes in each size.
  const input = await putSmallMovie(mediaRoot, 40, 'small.mp4');
  const { crf: _, ...parameters } = PARAMETERS;
  const ladder = { ladder: { target: 0.97 }, parameters: { ...parameters, preset: 'medium', hls_time: '2' } };
  const jobId = await admin.accept({ input, output: 'l/master.m3u8', ...ladder, chunks: { seconds: 4 } });
  const job = await on.ended(jobId);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  const all = await on.changes();
  const [tried, encoded] = [true, false].map((isSample) => to(all, 'DONE').filter(({ sample }) => sample === isSample));
  for (const done of [tried, encoded]) expect(new Set(done?.map(({ worker }) => worker)).size).toBe(2);
  expect(new Set(tried?.map(({ id }) => id)).size).toBe(tried?.length);
  const lastSample = all.findLastIndex(({ sample }) => sample === true);
  expect(all.findIndex(({ sample }) => sample === false)).toBeGreaterThan(lastSample);
  await waitUntil('the chunks to be removed', async () => (await on.chunks()).length === 0 || undefined);
});

test('after the worker of a job was killed during its search, another one searches again', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  const { crf: _, ...parameters } = PARAMETERS;
  const jobId = await admin.accept({
    ...request(input, 'o.mp4', parameters),
    quality: { target: 0.97 },
    chunks: CHUNKS,
  });
  await waitUntil('a sample to be tried', async () => to(await on.changes(), 'RUNNING').length > 0 || undefined);
  await (await on.roles(jobId)).runner.kill9('group');
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 2 });
  const done = to(await on.changes(), 'DONE').filter(({ sample }) => sample === false);
  expect(new Set(done.map(({ id }) => id)).size, 'finished once').toBe(done.length);
  await waitUntil('the chunks to be removed', async () => (await on.chunks()).length === 0 || undefined);
});

test.for([
  ['the worker of the job', 2],
  ['another worker', 1],
] as const)('after %s was paused for longer than a lease, there is one output', async ([which, attempt]) => {
  const on = await cluster(2);
  const { admin, input } = on;
  await wholeFilm(on);
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  await bothEncode(on);
  const { runner, other } = await on.roles(jobId);
  const paused = attempt === 2 ? runner : other;
  await signalTree(paused, 'SIGSTOP');
  const taken = await waitUntil(`the work of ${which} to be claimed again`, async () => {
    const all = await on.changes();
    const again =
      attempt === 2
        ? to(all, 'PROCESSING', 'job').filter(({ fence }) => fence === 2)
        : to(all, 'RUNNING').filter(({ fence }) => fence === 2);
    return again.length > 0 ? again : undefined;
  });
  expect(taken).toHaveLength(1);
  await signalTree(paused, 'SIGCONT');
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt });
  await expectWhole(on, jobId, 'o.mp4');
  const completed = [runner, other].flatMap(({ log }) =>
    log()
      .split('\n')
      .filter((line) => line.includes('"attempt ended"') && line.includes('COMPLETED') && line.includes(jobId)),
  );
  expect(completed).toHaveLength(1);
});

test('a cancelled job ends the conversions of all workers', async () => {
  const on = await cluster(2);
  const { admin, input, mediaRoot, workers } = on;
  const jobId = await admin.accept({ ...request(input, 'o.mp4', ENDLESS), chunks: CHUNKS });
  await waitUntil('both workers to run ffmpeg', async () => {
    const children = await Promise.all(workers.map(({ pid }) => descendants(pid)));
    const running = (await on.chunks()).filter(({ state }) => state === 'RUNNING');
    return (children.every(({ length }) => length > 0) && running.length === 2) || undefined;
  });
  await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  // A chunk takes minutes, so that none ends by itself.
  await waitUntil(
    'all conversions to end',
    async () => (await scratchProcesses(mediaRoot)).length === 0 || undefined,
    30,
  );
  expect(await on.ended(jobId)).toMatchObject({ status: 'CANCELLED' });
  // The first chunk is the audio, which takes a moment.
  expect(to(await on.changes(), 'DONE').filter(({ place }) => place !== 0)).toEqual([]);
  await waitUntil('the chunks to be removed', async () => (await on.chunks()).length === 0 || undefined);
  expect((await readdir(mediaRoot)).filter((name) => name !== '.telecine')).toEqual([input]);
});

test('a crash of PostgreSQL in the middle of a film repeats nothing that is finished', async () => {
  const server = await startPostgres(await testFolder('postgres'), { durable: true });
  const on = await cluster(2, server);
  const { admin, input } = on;
  await wholeFilm(on);
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  await bothEncode(on);
  await server.kill9();
  await server.start();
  await waitUntil('the service to answer', async () => {
    const { status } = await admin.request(`/api/conversion/${jobId}`);
    return status === 200 || undefined;
  });
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED' });
  await expectWhole(on, jobId, 'o.mp4');
  await server.stop();
});

test('while a long film is encoded in chunks, the jobs of another client take their turns', async () => {
  const on = await cluster(2);
  const { admin, api, input, mediaRoot, databaseUrl } = on;
  await putSmallMovie(mediaRoot, 6, 'small.mp4');
  const member = await login(api.url, await insertClient({ ...api, databaseUrl }, 'member'));
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: { seconds: 2 } });
  await bothEncode(on);
  const before = (await on.changes()).length;
  const small = await Promise.all(
    Array.from({ length: 3 }, (_, n) => member.accept(request('small.mp4', `small${n}.mp4`))),
  );
  for (const each of small) expect(await member.wait(each)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect((await admin.job(jobId)).status, 'the film is longer').toBe('PROCESSING');
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED' });
  const all = (await on.changes()).slice(before);
  const runner = all.find(({ id, state }) => id === jobId && state === 'COMPLETED')?.worker;
  // The worker of the film encodes its chunks one after the other. The other one serves both clients.
  const starts = all.filter(({ state, worker }) => ['RUNNING', 'PROCESSING'].includes(state) && worker !== runner);
  const turns = starts.map(({ kind }) => kind).join(' ');
  // A chunk may have started before the first of these jobs was accepted. Between two of them, at most one starts.
  expect(turns).toMatch(/^(?:chunk ){0,2}job (?:chunk )?job (?:chunk )?job/);
});

test('"auto" converts a film of less than ten minutes whole', async () => {
  const on = await cluster(2);
  const { admin, input } = on;
  const body = { ...request(input, 'o.mp4', { ...PARAMETERS, preset: 'ultrafast' }), chunks: 'auto' };
  const { body: foreseen } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body });
  expect(foreseen.plan.chunks).toEqual({
    isWhole: true,
    reason: expect.stringMatching(/^The input has \d+ s\. With "auto"/),
  });
  const job = await admin.run(body);
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  expect((await on.changes()).filter(({ kind }) => kind === 'chunk')).toEqual([]);
});

/** Starts a worker whose ffmpeg says that it is another build, although it is the installed one. */
async function startOtherBuild({ env, mediaRoot }: Cluster): Promise<TestServer> {
  const folder = await testFolder('other-build');
  const { ffmpegPath: installed } = tools();
  const ffmpegPath = join(folder, 'ffmpeg');
  const version = `[ "$*" = -version ] && { '${installed}' -version; echo 'with other flags'; exit; }`;
  await writeFile(ffmpegPath, `#!/bin/bash\n${version}\nexec '${installed}' "$@"\n`, { mode: 0o755 });
  return startServer({
    // The script in ffmpeg's place is not in the sandbox.
    env: { ...env, FFMPEG_PATH: ffmpegPath, TELECINE_SANDBOX: 'off' },
    ...{ mediaRoot, command: 'worker' },
  });
}

test('a worker with another build of ffmpeg takes no chunk', async () => {
  const on = await cluster(1);
  const { admin, input } = on;
  await wholeFilm(on);
  const jobId = await admin.accept({ ...request(input, 'o.mp4'), chunks: CHUNKS });
  const other = await startOtherBuild(on);
  expect(await on.ended(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const all = await expectWhole(on, jobId, 'o.mp4');
  const [worker] = to(all, 'COMPLETED', 'job').map((change) => change.worker);
  expect(new Set(to(all, 'RUNNING').map((change) => change.worker))).toEqual(new Set([worker]));
  expect(other.log()).not.toContain('"attempt started"');
});

import { existsSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { adminClient } from '../support/api-client.ts';
import { shortfalls } from '../support/as-good.ts';
import { commonServer } from '../support/common-server.ts';
import { similarity } from '../support/compare-media.ts';
import { makeMedia } from '../support/decoded.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');
const start = commonServer();

const X264 = { 'c:v': 'libx264', preset: 'ultrafast', crf: '28', 'c:a': 'aac' };
/** Slow enough that a test can act while it runs. */
const SLOW = { ...X264, preset: 'veryslow' };
/** The length of the film in seconds. With `chunks: { seconds: 2 }`, it has four chunks. */
const SECONDS = 8;
/** The length of a film of two chunks. */
const SHORT_SECONDS = 4;

/** The stored chunks of a job. Those of a failed job stay for a retry. */
function storedChunks({ dataDir }: TestServer, jobId: string) {
  const file = join(dataDir, 'telecine.db');
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare('select place, state, fence from job_chunks where job_id = ? order by place')
    .all(jobId);
  return rows as { place: number; state: string; fence: number }[];
}

/** The files of the chunks of a job, and those that belong to no stored chunk. */
function chunkFiles({ dataDir, scratchParent }: TestServer, jobId: string): readonly string[] {
  // The rows are read later, so that those of all listed files exist.
  const files = globSync('.telecine/chunks-*/*', { cwd: scratchParent });
  using database = new DatabaseSync(join(dataDir, 'telecine.db'), { readOnly: true });
  const rows = database.prepare('select chunk_id as id from job_chunks where job_id <> ?').all(jobId);
  const others = (rows as { id: string }[]).map(({ id }) => id);
  return files.filter((file) => !others.some((id) => file.includes(id)));
}

/** Expects that no chunk of a job is left. The rows of chunks go before their files. */
async function expectNoChunks(server: TestServer, jobId: string): Promise<void> {
  expect(storedChunks(server, jobId)).toEqual([]);
  await expect.poll(() => chunkFiles(server, jobId), { timeout: 60_000 }).toEqual([]);
}

/** Expects that a film in chunks has the frames, length, audio offset, tags and quality of the whole one. */
async function expectAsGood(
  { mediaRoot }: TestServer,
  {
    input,
    whole,
    chunked,
    filters = 'null',
  }: { readonly input: string; readonly whole: string; readonly chunked: string; readonly filters?: string },
): Promise<void> {
  await mkdir(join(mediaRoot, 'pass'), { recursive: true });
  const files = { source: input, whole, inChunks: chunked, filters };
  expect(await shortfalls(mediaRoot, { ...files, chunks: 4, seams: [] })).toEqual([]);
}

test('a film that is encoded in chunks is as good as the whole conversion, and nothing else is left', async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SHORT_SECONDS, 'short.mp4');
  const whole = await own.run({ input, output: 'whole.mp4', parameters: X264 });
  const chunked = await own.run({ input, output: 'chunked.mp4', parameters: X264, chunks: { seconds: 2 } });
  expect(whole.status).toBe('COMPLETED');
  expect(chunked, JSON.stringify(chunked)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  // A job that ran whole has a warning about it.
  expect(chunked.warnings).toEqual(whole.warnings);
  expect(await own.log(chunked.jobId)).not.toContain('rror');
  await expectAsGood(server, { input, whole: 'whole.mp4', chunked: 'chunked.mp4' });
  await expectNoChunks(server, chunked.jobId);
});

test('HLS in two qualities has the same segments and warnings from chunks', { tags: 'long' }, async () => {
  const folder = 'two-qualities';
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, 12, 'long.mp4');
  const parameters = {
    ...X264,
    'b:a': '64k',
    filter_complex: '[0:v]split[a][b];[a]scale=-2:240[high];[b]scale=-2:120[low]',
    map: ['[high]', '0:a:0', '[low]', '0:a:0'],
    force_key_frames: 'expr:gte(t,n_forced*2)',
    sc_threshold: '0',
    hls_time: '2',
    hls_segment_type: 'fmp4',
    ...{ 'maxrate:v:0': '300k', 'bufsize:v:0': '600k', 'maxrate:v:1': '150k', 'bufsize:v:1': '300k' },
    master_pl_name: 'master.m3u8',
    var_stream_map: 'v:0,a:0 v:1,a:1',
  };
  const filesOf = (version: string) => globSync('**/*', { cwd: join(server.mediaRoot, folder, version) }).sort();
  const whole = await own.run({ input, output: `${folder}/whole/s_%v.m3u8`, parameters });
  const chunked = await own.run({ input, output: `${folder}/chunked/s_%v.m3u8`, parameters, chunks: { seconds: 3 } });
  expect(whole.status).toBe('COMPLETED');
  expect(chunked, JSON.stringify(chunked)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  // The playlists lack the first of six segments, as those of the whole conversion.
  expect(whole.warnings).toContainEqual(expect.objectContaining({ code: 'PARTIAL_PLAYLIST' }));
  expect(chunked.warnings).toEqual(whole.warnings);
  expect(filesOf('chunked')).toEqual(filesOf('whole'));
  for (const [playlist, filters] of [
    ['s_0.m3u8', 'scale=-2:240'],
    ['s_1.m3u8', 'scale=-2:120'],
  ] as const) {
    const [whole, chunked] = [`${folder}/whole/${playlist}`, `${folder}/chunked/${playlist}`];
    await expectAsGood(server, { input, whole, chunked, filters });
  }
  await expectNoChunks(server, chunked.jobId);
});

test('recipes for streaming and for several files can be encoded in chunks', { tags: 'long' }, async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'ladder.mp4');
  const recipes = {
    hls: { output: 'ladder/s_%v.m3u8' },
    dash: { output: 'ladder/manifest.mpd' },
    'mp4-ladder': { output: 'three.mp4' },
    fade: { output: 'fade.mp4' },
  };
  for (const [name, { output, ...preset }] of Object.entries(recipes)) {
    const request = { input, output, preset: { name, ...preset }, chunks: { seconds: 2 } };
    const { body } = await own.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
    expect(body.plan.chunks, name).toEqual({ isWhole: false });
  }
});

test('all chunks have the frame size that the job chooses first', { tags: 'long', timeout: 180_000 }, async () => {
  const { own } = await start();
  // Samples pay from three minutes on.
  const made = await own.run({
    inputs: [{ source: 'testsrc2=s=214x120:r=6:d=190' }],
    output: 'film.mp4',
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '10', g: '12' },
  });
  expect(made, JSON.stringify(made)).toMatchObject({ status: 'COMPLETED' });
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', 'b:v': '20k' };
  const job = await own.run({
    ...{ input: 'film.mp4', output: 'fits.mp4', parameters, frameSize: 'auto' as const, chunks: { seconds: 60 } },
  });
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings?.filter(({ code }) => code === 'NOT_CHUNKED') ?? []).toEqual([]);
  const [{ frameSize, streams = [] } = {}] = job.outputs ?? [];
  expect(frameSize).toMatchObject({ reason: expect.stringMatching(/^At \d+ kb\/s, samples in/) });
  expect(streams[0]).toMatchObject({ width: frameSize?.width, height: frameSize?.height });
});

test('chunks have one value for a quality target, and the job says what its samples had', {
  tags: 'long',
}, async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const { crf: _, ...parameters } = X264;
  const request = { input, parameters, quality: { target: 0.95 }, chunks: { seconds: 4 } };
  const dryRun = { ...request, output: 'judged.mp4' };
  const { body } = await own.request<DryRunView>('/api/conversion?dryRun=true', { body: dryRun });
  expect(body.plan.chunks).toEqual({ isWhole: false });
  const job = await own.run({ ...request, output: 'judged.mp4' });
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  expect(job.warnings).toBeUndefined();
  const { quality } = job.outputs?.[0] ?? {};
  expect(quality).toMatchObject({ metric: 'ssim', target: 0.95, option: 'crf', value: expect.any(Number) });
  expect(quality).not.toHaveProperty('reached');
  const measured = await similarity(server.mediaRoot, input, 'judged.mp4');
  expect(Math.abs(measured - 0.95)).toBeLessThan(0.02);
  expect(await own.log(job.jobId)).toMatch(/^Quality, samples: crf .* has SSIM 0\.\d+ at \d+ kb\/s$/m);
  await expectNoChunks(server, job.jobId);
});

test('a quality target with a limit of the size runs whole, and the dry run says why', async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const quality = { target: 0.95, maxSize: 1_000_000 };
  const request = { input, output: 'limited.mp4', quality, chunks: { seconds: 4 } };
  const { body } = await own.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan.chunks).toMatchObject({ isWhole: true, reason: expect.stringContaining('"maxSize"') });
});

test('chunks of one job run at the same time on free slots, and end within seconds when it is cancelled', async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const jobId = await own.accept({ input, output: 'cancelled.mp4', parameters: SLOW, chunks: { seconds: 2 } });
  const running = await waitUntil('two chunks to run', async () => {
    const states = storedChunks(server, jobId).filter(({ state }) => state === 'RUNNING');
    return states.length === 2 ? states : undefined;
  });
  expect(running).toHaveLength(2);
  await own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  expect(await own.wait(jobId)).toMatchObject({ status: 'CANCELLED' });
  await waitUntil('the chunks to be removed', async () =>
    storedChunks(server, jobId).length + chunkFiles(server, jobId).length === 0 ? true : undefined,
  );
});

test('after a kill of the service, no finished chunk is encoded again', { tags: 'long' }, async () => {
  const first = await startServer({ env: { TELECINE_CONCURRENCY: '1' } });
  const input = await putSmallMovie(first.mediaRoot, SECONDS, 'in.mp4');
  const jobId = await (await adminClient(first)).accept({
    input,
    output: 'killed.mp4',
    // The kill comes while another of the four chunks runs.
    parameters: { ...X264, preset: 'medium' },
    chunks: { seconds: 2 },
  });
  const done = await waitUntil('a chunk to be done', async () => {
    const all = storedChunks(first, jobId).filter(({ state }) => state === 'DONE');
    return all.length > 0 ? all : undefined;
  });
  await first.kill9('group');
  const { dataDir, mediaRoot } = first;
  const second = await startServer({ dataDir, mediaRoot, env: { TELECINE_CONCURRENCY: '1' } });
  const admin = await adminClient(second);
  let last = storedChunks(second, jobId);
  await admin.wait(jobId, (job) => {
    const now = storedChunks(second, jobId);
    if (now.length > 0) last = now;
    return job.status === 'COMPLETED' || job.status === 'FAILED';
  });
  expect(await admin.job(jobId)).toMatchObject({ status: 'COMPLETED' });
  const lines = second.log().split('\n');
  const recovery = lines.find((line) => line.includes('jobs of a crashed service start again'));
  expect(recovery).toContain('"jobs":1');
  for (const { place, fence } of done) expect(last).toContainEqual({ place, fence, state: 'DONE' });
});

test('a retry of a failed job encodes only what the failed one lacks', { tags: 'long' }, async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const output = 'retried.mp4';
  const failing = await own.accept({ input, output, parameters: SLOW, chunks: { seconds: 2 } });
  await waitUntil('the chunks to be stored', async () => storedChunks(server, failing).length > 0 || undefined);
  // Somebody else writes a file to the path of the output.
  writeFileSync(join(server.mediaRoot, output), 'other');
  expect(await own.wait(failing)).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
  const before = storedChunks(server, failing);
  expect(before.length).toBeGreaterThan(3);
  expect(before.every(({ state }) => state === 'DONE')).toBe(true);
  rmSync(join(server.mediaRoot, output));
  // The file of one chunk is lost.
  const [lost = ''] = chunkFiles(server, failing);
  rmSync(join(server.scratchParent, lost));
  // The rows are gone when the job has ended, so a trigger notes which chunks workers take.
  using database = new DatabaseSync(join(server.dataDir, 'telecine.db'));
  database.exec(`create table taken (place integer);
    create trigger note_taken after update of fence on job_chunks when new.fence > old.fence
    begin insert into taken values (new.place); end`);
  const { body } = await own.request<{ jobId: string }>(`/api/conversion/${failing}/retry`, { method: 'POST' });
  const retried = await own.wait(body.jobId);
  expect(retried, JSON.stringify(retried)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(database.prepare('select place from taken').all()).toHaveLength(1);
  database.exec('drop trigger note_taken; drop table taken');
  const whole = await own.run({ input, output: 'not-retried.mp4', parameters: SLOW });
  expect(whole.status).toBe('COMPLETED');
  await expectAsGood(server, { input, whole: 'not-retried.mp4', chunked: output });
});

test('the limit "scratch" counts all chunks of a job together with what is joined from them', {
  tags: 'long',
}, async () => {
  const { server, own } = await start();
  // Nearly lossless, so that no chunk has as many bytes as the audio, the index and the rounding of the disk.
  const parameters = { ...X264, crf: '6' };
  const request = {
    input: await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4'),
    parameters,
    chunks: { seconds: 2 },
  };
  const free = await own.run({ ...request, output: 'unlimited.mp4' });
  expect(free.status).toBe('COMPLETED');
  const bytes = statSync(join(server.mediaRoot, 'unlimited.mp4')).size;
  // One chunk has a quarter of it, the output all of it, and the chunks as much again.
  const limit = `scratch=${Math.round(1.5 * bytes)}`;
  const limited = await startServer({ env: { TELECINE_CONCURRENCY: '2', TELECINE_CLIENT_LIMITS: limit } });
  await putSmallMovie(limited.mediaRoot, SECONDS, 'in.mp4');
  const other = await adminClient(limited);
  const job = await other.run({ ...request, output: 'limited.mp4' });
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'LIMIT_EXCEEDED' } });
  expect(job.error?.message).toContain('"scratch"');
  const whole = await other.run({ ...request, output: 'limited.mp4', chunks: 'off' });
  expect(whole.status).toBe('COMPLETED');
});

test('a film without sound runs in chunks', { tags: 'long' }, async () => {
  const { own, server } = await start();
  await makeMedia(server.mediaRoot, ...['-f', 'lavfi', '-i', 'testsrc2=s=160x96:d=6:r=25', '-g', '50', 'silent.mp4']);
  const job = await own.run({ input: 'silent.mp4', output: 'silent-chunks.mp4', chunks: { seconds: 2 } });
  expect(job.status).toBe('COMPLETED');
  expect(job.warnings).toBeUndefined();
});

test('a conversion that cannot be split runs whole', { tags: 'long' }, async () => {
  const { server, own } = await start();
  const input = await putSmallMovie(server.mediaRoot, SHORT_SECONDS, 'short.mp4');
  const request = { input, output: 'reversed.mp4', parameters: { ...X264, vf: 'reverse' }, chunks: { seconds: 2 } };
  const { body } = await own.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan.chunks).toMatchObject({ isWhole: true, reason: expect.stringContaining('"reverse"') });
  const job = await own.run(request);
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toContainEqual(expect.objectContaining({ field: '/chunks', code: 'NOT_CHUNKED' }));
});

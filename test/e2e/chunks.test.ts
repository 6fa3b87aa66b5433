import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { adminClient } from '../support/api-client.ts';
import { averageRate, differences, filmFacts, similarity } from '../support/compare-media.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');
const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });

const X264 = { 'c:v': 'libx264', preset: 'ultrafast', crf: '28', 'c:a': 'aac' };
/** Slow enough that a test can act while it runs. */
const SLOW = { ...X264, preset: 'veryslow' };
/** The length of the film: four chunks of two seconds. */
const SECONDS = 8;

/** The stored chunks of all jobs. */
function storedChunks({ dataDir }: TestServer) {
  const file = join(dataDir, 'telecine.db');
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select place, state, fence from job_chunks order by place').all();
  return rows as { place: number; state: string; fence: number }[];
}

const chunkFiles = ({ mediaRoot }: TestServer): readonly string[] =>
  globSync('.telecine/chunks-*/*', { cwd: mediaRoot });

test('a film that is encoded in chunks has the frames, times and audio of the whole conversion, and nothing else is left', async () => {
  const { server, admin } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const whole = await admin.run({ input, output: 'whole.mp4', parameters: X264 });
  const chunked = await admin.run({ input, output: 'chunked.mp4', parameters: X264, chunks: { seconds: 4 } });
  expect(whole.status).toBe('COMPLETED');
  expect(chunked, JSON.stringify(chunked)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  expect(await admin.log(chunked.jobId)).not.toContain('rror');
  const facts = async (file: string) => filmFacts(server.mediaRoot, file);
  expect(differences(await facts('whole.mp4'), await facts('chunked.mp4'))).toEqual([]);
  const quality = (file: string) => similarity(server.mediaRoot, input, file);
  expect(Math.abs((await quality('whole.mp4')) - (await quality('chunked.mp4')))).toBeLessThan(0.002);
  expect(storedChunks(server)).toEqual([]);
  expect(chunkFiles(server)).toEqual([]);
});

const LIMITS = { 'maxrate:v:0': '300k', 'bufsize:v:0': '600k', 'maxrate:v:1': '150k', 'bufsize:v:1': '300k' };

for (const [what, limits] of Object.entries({ 'with maximum bit rates': LIMITS, 'without bit rates': {} }))
  test(`HLS in two qualities ${what} has the same segments, playlists and warnings from chunks`, { tags: 'long' }, () =>
    compareHls(what.replaceAll(' ', '-'), limits),
  );

async function compareHls(folder: string, limits: Readonly<Record<string, string>>): Promise<void> {
  const { server, admin } = await start();
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
    ...limits,
    master_pl_name: 'master.m3u8',
    var_stream_map: 'v:0,a:0 v:1,a:1',
  };
  const filesOf = (version: string) =>
    globSync('**/*', { cwd: join(server.mediaRoot, folder, version) })
      .sort()
      .map((name) =>
        name.endsWith('.m3u8') ? [name, readFileSync(join(server.mediaRoot, folder, version, name), 'utf8')] : name,
      );
  const whole = await admin.run({ input, output: `${folder}/whole/s_%v.m3u8`, parameters });
  const chunked = await admin.run({ input, output: `${folder}/chunked/s_%v.m3u8`, parameters, chunks: { seconds: 3 } });
  expect(whole.status).toBe('COMPLETED');
  expect(chunked, JSON.stringify(chunked)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  // The playlists lack the first of six segments, as those of the whole conversion.
  expect(whole.warnings).toContainEqual(expect.objectContaining({ code: 'PARTIAL_PLAYLIST' }));
  expect(chunked.warnings).toEqual(whole.warnings);
  expect(filesOf('chunked')).toEqual(filesOf('whole'));
  for (const playlist of ['s_0.m3u8', 's_1.m3u8']) {
    const facts = async (version: string) => filmFacts(server.mediaRoot, `${folder}/${version}/${playlist}`);
    expect(differences(await facts('whole'), await facts('chunked'))).toEqual([]);
  }
  expect(storedChunks(server)).toEqual([]);
  expect(chunkFiles(server)).toEqual([]);
}

test('recipes for streaming, for several files and for a size can be encoded in chunks', async () => {
  const { server, admin } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'ladder.mp4');
  const recipes = {
    hls: { output: 'ladder/s_%v.m3u8' },
    dash: { output: 'ladder/manifest.mpd' },
    'mp4-ladder': { output: 'three.mp4' },
    'target-size': { output: 'small.mp4', arguments: { size: 0.4 } },
    fade: { output: 'fade.mp4' },
  };
  for (const [name, { output, ...preset }] of Object.entries(recipes)) {
    const request = { input, output, preset: { name, ...preset }, chunks: { seconds: 2 } };
    const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
    expect(body.plan.chunks, name).toEqual({ isWhole: false });
  }
});

test('all chunks have the frame size that the job chooses first', { tags: 'long', timeout: 180_000 }, async () => {
  const { admin } = await start();
  // Samples pay from three minutes on.
  const made = await admin.run({
    inputs: [{ source: 'testsrc2=s=214x120:r=6:d=190' }],
    output: 'film.mp4',
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '10', g: '12' },
  });
  expect(made, JSON.stringify(made)).toMatchObject({ status: 'COMPLETED' });
  const preset = { name: 'target-size', arguments: { size: 1 } };
  const parameters = { preset: 'ultrafast', level: '3.0' };
  const request = { input: 'film.mp4', output: 'fits.mp4', preset, parameters, chunks: { seconds: 60 } };
  const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan).toMatchObject({
    chunks: { isWhole: false },
    frameSize: expect.stringMatching(/^The job encodes samples/),
  });
  const job = await admin.run(request);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  const [{ frameSize, streams = [], sizeBytes } = { sizeBytes: 0 }] = job.outputs ?? [];
  expect(frameSize).toMatchObject({ reason: expect.stringMatching(/^At \d+ kb\/s, samples in/) });
  expect(streams[0]).toMatchObject({ width: frameSize?.width, height: frameSize?.height });
  expect(sizeBytes).toBeLessThan(1_000_000);
});

test('two passes share their bit rate among chunks, and leave nothing behind', { tags: 'long' }, async () => {
  const { server, admin } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', 'b:v': '200k', level: '3.0', pass: '2', 'c:a': 'aac' };
  const whole = await admin.run({ input, output: 'two-passes.mp4', parameters });
  const chunked = await admin.run({ input, output: 'two-passes-chunked.mp4', parameters, chunks: { seconds: 4 } });
  expect(whole.status).toBe('COMPLETED');
  expect(chunked, JSON.stringify(chunked)).toMatchObject({ status: 'COMPLETED', attempt: 1, progress: 100 });
  expect(chunked.warnings).toEqual(whole.warnings);
  const facts = async (file: string) => filmFacts(server.mediaRoot, file);
  expect(differences(await facts('two-passes.mp4'), await facts('two-passes-chunked.mp4'))).toEqual([]);
  const rate = await averageRate(server.mediaRoot, 'two-passes-chunked.mp4');
  expect(Math.abs(rate / 200_000 - 1)).toBeLessThan(0.025);
  expect(storedChunks(server)).toEqual([]);
  expect(chunkFiles(server)).toEqual([]);
});

test('chunks of one job run at the same time on free slots, and end within seconds when it is cancelled', async () => {
  const { server, admin } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'in.mp4');
  const jobId = await admin.accept({ input, output: 'cancelled.mp4', parameters: SLOW, chunks: { seconds: 2 } });
  const running = await waitUntil('two chunks to run', async () => {
    const states = storedChunks(server).filter(({ state }) => state === 'RUNNING');
    return states.length === 2 ? states : undefined;
  });
  expect(running).toHaveLength(2);
  await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  expect(await admin.wait(jobId)).toMatchObject({ status: 'CANCELLED' });
  await waitUntil('the chunks to be removed', async () =>
    storedChunks(server).length + chunkFiles(server).length === 0 ? true : undefined,
  );
});

test('after a kill of the service, no finished chunk is encoded again', async () => {
  const first = await startServer({ env: { TELECINE_CONCURRENCY: '1' } });
  const input = await putSmallMovie(first.mediaRoot, SECONDS, 'in.mp4');
  const jobId = await (await adminClient(first)).accept({
    input,
    output: 'killed.mp4',
    parameters: SLOW,
    chunks: { seconds: 2 },
  });
  const done = await waitUntil('a chunk to be done', async () => {
    const all = storedChunks(first).filter(({ state }) => state === 'DONE');
    return all.length > 0 ? all : undefined;
  });
  await first.kill9('group');
  const { dataDir, mediaRoot } = first;
  const second = await startServer({ dataDir, mediaRoot, env: { TELECINE_CONCURRENCY: '1' } });
  const admin = await adminClient(second);
  let last = storedChunks(second);
  await admin.wait(jobId, (job) => {
    const now = storedChunks(second);
    if (now.length > 0) last = now;
    return job.status === 'COMPLETED' || job.status === 'FAILED';
  });
  expect(await admin.job(jobId)).toMatchObject({ status: 'COMPLETED' });
  for (const { place, fence } of done) expect(last).toContainEqual({ place, fence, state: 'DONE' });
});

test('a conversion that cannot be split runs whole', async () => {
  const { server, admin } = await start();
  const input = await putSmallMovie(server.mediaRoot, SECONDS, 'small.mp4');
  const parameters = { ...X264, vf: 'fps=10' };
  const request = { input, output: 'fps.mp4', parameters, chunks: { seconds: 2 } };
  const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan.chunks).toMatchObject({ isWhole: true, reason: expect.stringContaining('"fps"') });
  const job = await admin.run(request);
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toEqual([expect.objectContaining({ field: '/chunks', code: 'NOT_CHUNKED' })]);
});

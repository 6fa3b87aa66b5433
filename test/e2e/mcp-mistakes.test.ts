// @module-tag long
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { command } from '../../scripts/setup/command.ts';
import { CONNECTIONS, type ToolConnection } from '../mcp-tasks/connections.ts';
import type { ClientCredentials } from '../support/api-client.ts';
import { writePictures } from '../support/conversion-media.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { pgsFile } from '../support/pgs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

let added: Promise<ClientCredentials> | undefined;

/** A client of SDK v1 with a few files. */
async function connect(): Promise<ToolConnection> {
  const { server } = await start();
  added ??= insertClient(server, 'mistaken', { root: 'mistaken' }).then(async (credentials) => {
    const root = join(server.mediaRoot, 'mistaken');
    for (const folder of ['wavs', 'photos', 'more']) await mkdir(join(root, folder), { recursive: true });
    await putSmallMovie(root, 4, 'film.mp4');
    await putSample(root, 'wav', 'wavs/a.wav');
    await writeSilentMedia(root);
    await writePictures(join(root, 'photo.png'), 1);
    await writePictures(join(root, 'photos/%d.png'), 2);
    return credentials;
  });
  return CONNECTIONS['SDK v1'](server.url, await added);
}

/** Films of another rate, of varying rate and with two sounds, and a song. */
async function writeSilentMedia(root: string): Promise<void> {
  const at = (name: string): string => join(root, 'more', name);
  const make = async (...args: readonly string[]): Promise<void> => {
    const made = await command(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args]);
    if (!made.ok) throw new Error(made.text);
  };
  const sound = ['-f', 'lavfi', '-i', 'sine=d=4', '-ac', '2', '-c:v', 'libx264', '-preset', 'ultrafast'];
  await make('-f', 'lavfi', '-i', 'testsrc2=s=214x120:r=50:d=4', ...sound, at('fast.mp4'));
  // With the pixels of film.mp4, which "concat" joins with no others.
  await make('-i', at('fast.mp4'), '-vf', 'setsar=427/428:max=1000', '-preset', 'ultrafast', at('shaped.mp4'));
  // A size of broadcasts, whose pixels the file calls square, and an upright film.
  await make('-f', 'lavfi', '-i', 'testsrc2=s=544x576:r=25:d=1', '-vf', 'setsar=1', at('broadcast.mp4'));
  await make('-f', 'lavfi', '-i', 'testsrc2=s=90x160:r=25:d=1', at('upright.mp4'));
  const uneven = ['-vf', "select='not(eq(mod(n,20),3))'", '-vsync', 'vfr', '-preset', 'ultrafast', '-c:a', 'copy'];
  await make('-i', at('fast.mp4'), ...uneven, at('uneven.mp4'));
  await make('-i', at('fast.mp4'), '-map', '0', '-map', '0:a', '-c', 'copy', at('two.mkv'));
  await make('-f', 'lavfi', '-i', 'sine=d=8', at('song.mp3'));
  await writeFile(at('talk.srt'), '1\n00:00:00,500 --> 00:00:02,000\nHello\n');
  const german = ['-metadata:s:a', 'language=deu', '-metadata:s:s', 'language=deu', '-c', 'copy', '-c:s', 'srt'];
  await make('-i', at('fast.mp4'), '-i', at('talk.srt'), ...german, at('german.mkv'));
  const spoken = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu', '-map', '0', '-c', 'copy'];
  await make('-i', at('two.mkv'), ...spoken, at('languages.mkv'));
  const tracks = ['-map', '0', '-map', '1', '-map', '1', '-c', 'copy', '-c:s', 'srt'];
  await make('-i', at('two.mkv'), '-i', at('talk.srt'), ...tracks, at('tracks.mkv'));
  const chapter = (start: number, end: number): string => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${end}\n`;
  await writeFile(at('chapters.txt'), `;FFMETADATA1\n${chapter(0, 2)}${chapter(2, 4)}`);
  await make(
    '-i',
    at('fast.mp4'),
    '-i',
    at('chapters.txt'),
    '-map',
    '0',
    '-map_chapters',
    '1',
    '-c',
    'copy',
    at('chapters.mp4'),
  );
  await make('-f', 'lavfi', '-i', 'aevalsrc=0|0|0|0|0|0:c=5.1:d=1', at('surround.wav'));
  await writeFile(at('disc.sup'), pgsFile([[1, 2]], { width: 214, height: 120 }));
  await make('-i', at('fast.mp4'), '-i', at('disc.sup'), '-map', '0', '-map', '1', '-c', 'copy', at('disc.mkv'));
}

/** The texts of the answer, also of a protocol error. */
async function answerTo(
  client: ToolConnection,
  { tool, args }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
): Promise<string> {
  try {
    const { content } = await client.call(tool, args);
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  } catch (error) {
    return String(error);
  }
}

test('an empty media root asks for an upload, and does not repeat the call', async () => {
  const { server } = await start();
  await mkdir(join(server.mediaRoot, 'without-files'), { recursive: true });
  const credentials = await insertClient(server, 'without-files', { root: 'without-files' });
  const client = await CONNECTIONS['SDK v1'](server.url, credentials);
  for (const prefix of ['', './'])
    expect(await answerTo(client, { tool: 'list_files', args: { prefix } })).toContain(
      'The media root is empty. Call create_upload_link for a file first.',
    );
});

test('whoever asks for the output of a running job learns to wait for it', async () => {
  const { server, admin } = await start();
  await putSmallMovie(server.mediaRoot, 4, 'long.mp4');
  const client = await mcpClient(server.url, admin.token);
  const { jobId } = await callTool<JobSummary>(client, 'convert_media', {
    inputs: [{ input: 'long.mp4', parameters: { stream_loop: '999' } }],
    output: 'running.mkv',
    parameters: { 'c:v': 'libx264', preset: 'veryslow', threads: '1' },
  });
  const wait = `call wait_for_job with {"jobId": "${jobId}"}`;
  const later = { code: 'JOB_NOT_FINISHED', fix: expect.stringMatching(new RegExp(wait, 'i')), retryable: true };
  expect(await callRejectedTool(client, 'render_preview', { jobId })).toMatchObject(later);
  for (const input of ['running.mkv', './running.mkv'])
    expect(await callRejectedTool(client, 'probe_media', { input })).toMatchObject(later);
  expect(await callRejectedTool(client, 'render_preview', { input: 'running.mkv' })).toMatchObject(later);
  for (const input of ['running.mkv', './running.mkv']) {
    const next = await callTool<JobSummary>(client, 'convert_media', { input, output: 'next.mp4', dryRun: true });
    expect(next.warnings).toMatchObject([{ fix: `Send "after": ["${jobId}"] as well: that job writes it.` }]);
  }
  const sent = [{ input: jobId }, { input: 'its output', after: [jobId] }];
  const fixes = [];
  for (const one of sent) {
    const next = await callTool<JobSummary>(client, 'convert_media', { ...one, output: 'next.mp4', dryRun: true });
    fixes.push(next.warnings?.map(({ fix }) => fix));
  }
  expect(fixes).toEqual([
    [`Send "running.mkv" and "after": ["${jobId}"] as well: that is the output of that job.`],
    ['Send "running.mkv": that is the output of that job.'],
  ]);
  await callTool(client, 'cancel_job', { jobId });
});

test('a job that would certainly fail is rejected, unless a job before it changes the files', async () => {
  const { server, admin } = await start();
  await putSmallMovie(server.mediaRoot, 1, 'certain.mp4');
  const client = await mcpClient(server.url, admin.token);
  const once = { input: 'certain.mp4', output: 'certain/once.mkv', parameters: { c: 'copy' }, idempotencyKey: 'once' };
  const { jobId } = await callTool<JobSummary>(client, 'convert_media', once);
  expect((await callTool<JobSummary>(client, 'wait_for_job', { jobId })).status).toBe('COMPLETED');
  // The same call gets the same job, although its output exists by now.
  expect((await callTool<JobSummary>(client, 'convert_media', once)).jobId).toBe(jobId);

  const { idempotencyKey: _, ...again } = once;
  expect(await callRejectedTool(client, 'convert_media', again)).toMatchObject({
    code: 'OUTPUT_EXISTS',
    field: '/output',
    fix: expect.stringContaining('"y": ""'),
  });
  expect(await callRejectedTool(client, 'cancel_job', { jobId })).toMatchObject({
    code: 'JOB_FINISHED',
    fix: expect.stringContaining('"y": "" in "parameters"'),
  });
  const later = await callTool<JobSummary>(client, 'convert_media', { ...again, after: [jobId] });
  expect(later.warnings).toMatchObject([{ code: 'OUTPUT_EXISTS' }]);
  // A missing input may be on its way, and REST accepts all of them.
  const missing = await callTool<JobSummary>(client, 'convert_media', { ...again, input: 'no.mp4', output: 'no.mkv' });
  expect(missing.warnings).toMatchObject([{ code: 'INPUT_NOT_FOUND' }]);
  const { status } = await admin.request('/api/conversion', { method: 'POST', body: again });
  expect(status).toBe(202);
});

test('a job that a warning only doubts is queued, and completes', async () => {
  const { server, admin } = await start();
  await putSmallMovie(server.mediaRoot, 1, 'doubted.mp4');
  const client = await mcpClient(server.url, admin.token);
  const convert = async (args: Record<string, unknown>) => {
    const { jobId, warnings } = await callTool<JobSummary>(client, 'convert_media', args);
    return { ...(await callTool<JobSummary>(client, 'wait_for_job', { jobId })), warnings };
  };
  const mute = { input: 'doubted.mp4', output: 'doubted/mute.mp4', parameters: { c: 'copy', an: '' } };
  expect((await convert(mute)).status).toBe('COMPLETED');
  // Programs read a picture by its content, and no sound is encoded.
  for (const args of [
    { input: 'doubted.mp4', output: 'doubted/t.jpg', parameters: { 'c:v': 'png', 'frames:v': '1' } },
    { input: 'doubted/mute.mp4', output: 'doubted/o.mov', parameters: { 'c:v': 'libx264', 'c:a': 'libopus' } },
  ])
    expect(await convert(args)).toMatchObject({
      status: 'COMPLETED',
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'CODEC_NOT_HELD' })]),
    });
});

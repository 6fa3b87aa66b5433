// @module-tag long
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { CONNECTIONS, type ToolConnection } from '../mcp-tasks/connections.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

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

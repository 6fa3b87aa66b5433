// @module-tag long
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { applyPatches } from '../../packages/contract/src/wire/apply-patch.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { login } from '../support/api-client.ts';
import { writePictures } from '../support/conversion-media.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

let added: ReturnType<typeof addClient> | undefined;

/** A client with a few files. */
async function addClient() {
  const { server } = await start();
  const credentials = await insertClient(server, 'mistaken', { root: 'mistaken' });
  const root = join(server.mediaRoot, 'mistaken');
  for (const folder of ['wavs', 'photos']) await mkdir(join(root, folder), { recursive: true });
  await putSmallMovie(root, 4, 'film.mp4');
  await putSample(root, 'wav', 'wavs/a.wav');
  await writePictures(join(root, 'photos/%d.png'), 2);
  return login(server.url, credentials);
}

async function connect() {
  const { server } = await start();
  added ??= addClient();
  const api = await added;
  return { api, client: await mcpClient(server.url, api.token) };
}

/** The texts of the answer, also of a protocol error. */
async function answerTo(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  try {
    const { content } = await client.callTool({ name, arguments: args });
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  } catch (error) {
    return String(error);
  }
}

/** Wrong parts of a conversion of `film.mp4` to `out.mp4`. */
const WRONG: readonly Readonly<Record<string, unknown>>[] = [
  { parameters: { crff: '23' } },
  { parameters: { 'c:v': 'libx246' } },
  { parameters: { 'c:v': 'libx264', crf: '99' } },
  { parameters: { vf: 'scal=640:-2' } },
  { parameters: { crff: '23', 'c:v': 'libx246' } },
  { parameters: { crff: '23', vf: 'scale=640:' } },
  { parameters: { 'c:v': { name: 'libx264' } } },
  { parametres: {} },
  { output: undefined },
  { inputs: ['film.mp4'] },
  { outputs: [] },
  { format: 'mp5' },
  { preset: { name: 'web-h265' } },
  { preset: { name: 'web-h264', arguments: { heigth: 720 } } },
  { preset: { name: 'web-h264', arguments: { height: 72_000 } } },
  { arguments: { input: 'film.mp4', output: 'out.mp4' } },
  { priority: 'high' },
  { join: 'add' },
  { output: '../out.mp4' },
];

test.for(WRONG)('a wrong call has the errors of REST, and is corrected only by its patches: %j', async (wrong) => {
  const { api, client } = await connect();
  const call: object = JSON.parse(JSON.stringify({ input: 'film.mp4', output: 'out.mp4', ...wrong }));
  const dryRun = (body: unknown) =>
    api.request<ProblemView>('/api/conversion?dryRun=true', { method: 'POST', body: body as object });
  const rest = await dryRun(call);
  const { errors = [] } = rest.body;
  expect(rest.status, JSON.stringify(rest.body)).toBe(400);
  const { more = [], corrected, ...first } = await callRejectedTool(client, 'convert_media', { ...call });
  const said = ({ field, code, message }: { field?: string; code: string; message: string }) => [field, code, message];
  expect([first, ...more].map(said)).toEqual(errors.map(said));
  const patches = errors.flatMap(({ apply }) => (apply === undefined ? [] : [apply]));
  const patched = applyPatches(call, patches);
  const isCorrected = patches.length === errors.length && (await dryRun(patched)).status === 200;
  expect(corrected).toEqual(isCorrected ? patched : undefined);
});

/** Calls of tools, and what each answer says. */
const ANSWERS: readonly (readonly [tool: string, args: Record<string, unknown>, says: RegExp])[] = [
  // What is clear is accepted.
  ['convert_media', { parameters: { '-t': 1, '-an': '' } }, /"commands":\["[^"]*-t 1 -an/],
  ['convert_media', { parameters: ['-t', '1', '-an'] }, /"commands":\["[^"]*-t 1 -an/],
  ['convert_media', { parameters: '{"t": "1"}' }, /"commands":\["[^"]*-t 1/],
  ['convert_media', { preset: 'web-h264' }, /"commands":\["[^"]*libx264/],
  ['probe_media', { input: 'film.mp4', measure: 'volume', t: 1 }, /"measurements":\{"volume"/],
  ['render_preview', { input: 'film.mp4', at: 1 }, /Frame at 1 s/],
  // The nearest name, or all names that there are.
  ['convert_medai', {}, /Did you mean convert_media\?/],
  ['transcribe', {}, /Use one of: convert_media, wait_for_job/],
  // A folder where a call reads one file.
  ['probe_media', { input: 'photos/' }, /Files in .*photos\/1\.png/],
  ['render_preview', { input: 'film.mp4', original: 'photos/', view: 'compare' }, /"field":"\/original".*Files in/],
  // Patterns of names, and of folders.
  ['list_files', { prefix: 'wavs/*.wav' }, /^\{"files":\[\{"path":"wavs\/a\.wav"/],
  ['list_files', { prefix: 'p*' }, /^\{"files":\[\{"path":"photos\/"\}\],/],
  ['list_files', { prefix: 'wavs/*.xyz' }, /matches.*call list_files with \{\\"prefix\\":\\"wavs\/\\"\}/],
  ['list_files', { prefix: '**/*.mp4' }, /one folder is listed at a time/],
  // Arguments without effect.
  ['find_capability', { kind: 'codecs', of: 'mp4' }, /\\"of\\" has no effect with .*"field":"\/of"/],
  ['find_capability', { kind: 'codecs', name: 'libx264', query: 'h264' }, /\\"query\\" has no effect with \\"name\\"/],
  ['probe_media', { input: 'film.mp4', ss: '1' }, /\\"ss\\" has no effect without \\"measure\\"/],
  ['file_links', { action: 'share', path: 'a.mp4', shareId: 'a' }, /\\"shareId\\" has no meaning with/],
  // What the service cannot do or read.
  ['find_capability', { query: 'transcribe' }, /"unavailable":"Captions of speech need/],
  ['find_capability', { query: 'zscale colorspace matrix' }, /"capabilities"|"near"/],
  ['probe_media', { input: 'https://example.com/a.mp4' }, /file_links/],
];

test.for(ANSWERS)('%s with %j says what is wrong, or does it', async ([name, args, says]) => {
  const { client } = await connect();
  const request = name === 'convert_media' ? { input: 'film.mp4', output: 'out.mp4', dryRun: true } : {};
  expect(await answerTo(client, name, { ...request, ...args })).toMatch(says);
});

test('an empty media root asks for an upload, and does not repeat the call', async () => {
  const { server } = await start();
  await mkdir(join(server.mediaRoot, 'without-files'), { recursive: true });
  const credentials = await insertClient(server, 'without-files', { root: 'without-files' });
  const client = await mcpClient(server.url, (await login(server.url, credentials)).token);
  for (const prefix of ['', './'])
    expect(await answerTo(client, 'list_files', { prefix })).toContain(
      'The media root is empty. Call file_links with {\\"action\\": \\"share\\", \\"path\\": \\"in\\", \\"files\\": 1} for an upload first.',
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
    const { jobId } = await callTool<JobSummary>(client, 'convert_media', args);
    return callTool<JobSummary>(client, 'wait_for_job', { jobId });
  };
  const mute = { input: 'doubted.mp4', output: 'doubted/mute.mp4', parameters: { c: 'copy', an: '' } };
  expect((await convert(mute)).status).toBe('COMPLETED');
  // Programs read a picture by its content, and no sound is encoded.
  for (const args of [
    { input: 'doubted.mp4', output: 'doubted/t.jpg', parameters: { 'c:v': 'png', 'frames:v': '1' } },
    { input: 'doubted/mute.mp4', output: 'doubted/o.mov', parameters: { 'c:v': 'libx264', 'c:a': 'libopus' } },
  ])
    expect((await convert(args)).status).toBe('COMPLETED');
});

import type { CallToolResult } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { mcpClient, resultOf } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg');

/** What all tools may cost, now and with those that are to come. */
const ALL_TOOLS = 4400;
/** For tools to come. */
const RESERVE = 50;
/** A usual result: one film with sound. */
const ONE_RESULT = 400;

const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

/** The tokens of the text that a model reads. */
function tokensOfText({ content }: CallToolResult): number {
  const [first] = content;
  return encode(first?.type === 'text' ? first.text : '').length;
}

test('the list of all tools leaves room for others, and a client with fewer scopes pays for fewer', {
  tags: 'long',
}, async () => {
  const { server, own } = await start();
  const { tools } = await (await mcpClient(server.url, own.token)).listTools();
  const all = tokensOf({ tools });
  expect(all).toBeLessThanOrEqual(ALL_TOOLS - RESERVE);
  const reader = await login(server.url, await insertClient(server, 'cheap', { scopes: ['jobs:read'] }));
  const few = tokensOf({ tools: (await (await mcpClient(server.url, reader.token)).listTools()).tools });
  expect(few).toBeLessThan(all / 2);
});

test('an analysis is a job, which the request waits for if it prefers to', async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'wav', 'song.wav');
  const body = { input: 'song.wav', measure: ['loudness', 'bitrate'] };
  const waited = await own.request<JobView>('/api/analyze', { method: 'POST', body, headers: { prefer: 'wait=30' } });
  expect(waited).toMatchObject({
    status: 200,
    body: {
      status: 'COMPLETED',
      message: 'The analysis is complete.',
      analysis: { measure: ['loudness', 'bitrate'] },
      measurements: { loudness: { integratedLufs: expect.closeTo(-17, 0) }, bitrate: { intervalSeconds: 1 } },
    },
  });
  expect(waited.body).not.toHaveProperty('output');
  expect(waited.body.links).not.toHaveProperty('output');
  const queued = await own.request<JobView>('/api/analyze', { method: 'POST', body });
  expect(queued).toMatchObject({ status: 202, body: { jobId: expect.any(String) } });
  const missing = await own.request('/api/analyze', { method: 'POST', body: { ...body, measure: ['ssim'] } });
  expect(missing).toMatchObject({ status: 400, body: { errors: [{ field: '/reference', code: 'MISSING' }] } });
});

test('a job, a probe and a dry run of a film are short', { tags: 'long' }, async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, '480p', 'films/holiday 2026.mp4');
  const client = await mcpClient(server.url, own.token);
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const parameters = {
    'c:v': 'libx264',
    preset: 'ultrafast',
    crf: '30',
    s: '320x180',
    t: '2',
    'c:a': 'aac',
    'b:a': '96k',
  };
  const request = { input: 'films/holiday 2026.mp4', output: 'films/small/holiday 2026.mp4', parameters };

  const dry = await call('convert_media', { ...request, dryRun: true });
  const accepted = await call('convert_media', request);
  const { jobId } = resultOf<JobSummary>(accepted);
  const waited = await call('wait_for_job', { jobId });
  expect(resultOf<JobSummary>(waited)).toMatchObject({
    status: 'COMPLETED',
    outputs: [{ url: expect.any(String) }],
  });
  const probe = await call('probe_media', { input: request.input });
  const measure = ['loudness', 'silence', 'black', 'scenes', 'crop', 'keyframes'];
  const analysis = await call('probe_media', { input: request.input, measure, t: '3' });
  expect(resultOf<JobSummary>(analysis)).toMatchObject({
    status: 'COMPLETED',
    measurements: { loudness: { rangeLu: expect.any(Number) }, keyframes: { count: expect.any(Number) } },
  });
  const sizes = {
    analysis: tokensOfText(analysis),
    dry: tokensOfText(dry),
    accepted: tokensOfText(accepted),
    waited: tokensOfText(waited),
    probe: tokensOfText(probe),
  };
  expect(JSON.stringify(dry.structuredContent)).not.toContain('format_whitelist');
  for (const [name, tokens] of Object.entries(sizes))
    expect([name, tokens <= ONE_RESULT ? 'short' : tokens]).toEqual([name, 'short']);
});

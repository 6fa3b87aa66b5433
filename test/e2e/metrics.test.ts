import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { COMMON, commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { pauseForTest } from '../support/pause-for-test.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg');

/** The value of a sample, whose name includes its labels. */
const sampleOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

const read = async (url: string, headers: Record<string, string> = {}): Promise<string> => {
  const reply = await fetch(`${url}/metrics`, { headers });
  expect(reply.status).toBe(200);
  return reply.text();
};

test('counts accepted jobs, finished attempts, phases and requests', async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, '480p', 'in.mp4');
  // Jobs of earlier tests count at their ends.
  const before = await waitUntil('the end of earlier jobs', async () => {
    const now = await read(server.url);
    return sampleOf(now, 'telecine_jobs_running') === 0 ? now : undefined;
  });
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', t: '1', y: '' };
  await own.run({ input: 'in.mp4', output: 'out.mp4', parameters });
  await own.run({ input: 'missing.mp4', output: 'no.mp4' });
  /** How much a sample has risen. */
  const rise = (now: string, sample: string) => (sampleOf(now, sample) ?? 0) - (sampleOf(before, sample) ?? 0);
  const text = await waitUntil('the attempts', async () => {
    const now = await read(server.url);
    return rise(now, 'telecine_attempts_total{status="FAILED",code="INPUT_NOT_FOUND"}') === 1 ? now : undefined;
  });
  expect(rise(text, 'telecine_jobs_accepted_total')).toBe(2);
  expect(rise(text, 'telecine_attempts_total{status="COMPLETED",code=""}')).toBe(1);
  expect(rise(text, 'telecine_job_queued_seconds_count')).toBe(2);
  for (const phase of ['STAGING', 'CONVERTING', 'PUBLISHING'])
    expect(rise(text, `telecine_phase_seconds_count{phase="${phase}"}`)).toBe(phase === 'STAGING' ? 2 : 1);
  expect(rise(text, 'telecine_conversion_speed_count')).toBe(1);
  expect(rise(text, 'telecine_http_request_seconds_count{method="POST",route="/api/conversion",status="202"}')).toBe(2);
  expect(sampleOf(text, 'telecine_job_slots')).toBe(COMMON.slots);
  expect(sampleOf(text, 'nodejs_eventloop_lag_mean_seconds')).toBeGreaterThan(0);
});

test('shows the running job, and how many jobs are queued and for how long', async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, '480p', 'long.mp4');
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', r: '240' };
  const submit = async (output: string) => {
    const jobId = await own.accept({ input: 'long.mp4', output, parameters });
    onTestFinished(async () => void (await own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' })));
    return jobId;
  };
  const running = await Promise.all(Array.from({ length: COMMON.slots }, (_, slot) => submit(`${slot}.mp4`)));
  for (const jobId of running) await own.wait(jobId, ({ status }) => status === 'PROCESSING');
  await submit('queued.mp4');
  const text = await read(server.url);
  expect(sampleOf(text, 'telecine_jobs_running')).toBe(COMMON.slots);
  expect(sampleOf(text, 'telecine_job_slots_used{lane="full"}')).toBe(COMMON.slots);
  expect(sampleOf(text, 'telecine_queue_jobs{lane="full"}')).toBe(1);
  expect(sampleOf(text, 'telecine_queue_oldest_seconds{lane="full"}')).toBeGreaterThanOrEqual(0);
});

test('shows the jobs that wait for others, and the batches with unfinished jobs', async () => {
  const { server, admin } = await start();
  await pauseForTest(admin);
  const requests = ['a', 'b', 'c'].map((name) => ({
    ...{ name, input: 'none.mp4', output: `${name}.mkv` },
    ...(name !== 'a' && { after: ['a'] }),
  }));
  const { body } = await admin.request<{ batchId: string }>('/api/conversions', { body: { requests } });
  const text = await read(server.url);
  expect(sampleOf(text, 'telecine_jobs_waiting')).toBe(2);
  expect(sampleOf(text, 'telecine_batches_unfinished')).toBe(1);
  await admin.request(`/api/conversions/${body.batchId}/cancel`, { method: 'POST' });
  const after = await read(server.url);
  expect(sampleOf(after, 'telecine_jobs_waiting')).toBe(0);
  expect(sampleOf(after, 'telecine_batches_unfinished')).toBe(0);
  await admin.request('/api/queue/resume', { method: 'POST' });
});

test('hides the metrics from callers that come through a proxy or under another name', async () => {
  const { server } = await start();
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
    const reply = await fetch(`${server.url}/metrics`, { headers });
    expect(reply.status).toBe(401);
    expect(await reply.text()).toContain('TELECINE_METRICS_TOKEN_FILE');
  }
});

test('a configured token is required, also of callers on the same machine', { tags: 'long' }, async () => {
  const file = join(await testFolder('metrics-token'), 'token');
  await writeFile(file, 'token-of-thirty-two-characters-0\n');
  const server = await startServer({ env: { TELECINE_METRICS_TOKEN_FILE: file } });
  await read(server.url, { authorization: 'Bearer token-of-thirty-two-characters-0' });
  for (const headers of [{}, { authorization: 'Bearer another' }] as const)
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(401);
});

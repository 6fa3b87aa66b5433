// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { attributeOf, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

/** A trace that the sender of a request has begun. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SENDER = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const NOT_SAMPLED = '00-11111111111111111111111111111111-b7ad6b7169203331-00';

const EASY = { 'c:v': 'libx264', preset: 'ultrafast', t: '1' };

test('joins a request, its time in the queue and its run of ffmpeg in the trace of the sender', async () => {
  const receiver = await startOtlpReceiver();
  const server = await startServer({ env: { TELECINE_OTLP_ENDPOINT: receiver.url } });
  const admin = await adminClient(server);
  await putSample(server.mediaRoot, '480p', 'in.mp4');
  const jobId = await admin.accept({ input: 'in.mp4', output: 'out.mp4', parameters: EASY }, { traceparent: SENDER });
  await admin.wait(jobId);
  await server.stop();
  const spans = await receiver.receive(
    TRACE_ID,
    ...(['POST /api/conversion', 'wait in queue', 'run job', 'stage inputs', 'run ffmpeg', 'publish outputs'] as const),
  );
  const request = spans['POST /api/conversion'];
  expect(request.parentSpanId).toBe('b7ad6b7169203331');
  expect(attributeOf(request, 'http.response.status_code')).toBe(202);
  expect(attributeOf(request, 'telecine.client.id')).toBe('admin');
  expect(spans['wait in queue'].parentSpanId).toBe(request.spanId);
  const run = spans['run job'];
  expect(run.parentSpanId).toBe(request.spanId);
  expect(attributeOf(run, 'telecine.job.id')).toBe(jobId);
  expect(attributeOf(run, 'telecine.job.status')).toBe('COMPLETED');
  const phases = [spans['stage inputs'], spans['run ffmpeg'], spans['publish outputs']];
  for (const phase of phases) expect(phase.parentSpanId).toBe(run.spanId);
  const times = [request, ...phases].map((span) => BigInt(span.startTimeUnixNano));
  expect(times).toEqual(times.toSorted((a, b) => Number(a - b)));
  expect(BigInt(phases[2]?.endTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(run.endTimeUnixNano));
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.includes(TRACE_ID));
  for (const msg of ['request', 'attempt started', 'attempt ended'])
    expect(lines.filter((line) => line.includes(`"msg":"${msg}"`))).toHaveLength(1);
});

test('marks the run of a job that fails, and joins the attempts of a retry', async () => {
  const receiver = await startOtlpReceiver();
  const server = await startServer({ env: { TELECINE_OTLP_ENDPOINT: receiver.url } });
  const admin = await adminClient(server);
  const { jobId } = await admin.run({ input: 'missing.mp4', output: 'no.mp4' });
  const retry = await admin.request<AcceptedView>(`/api/conversion/${jobId}/retry`, {
    method: 'POST',
    headers: { traceparent: SENDER },
  });
  await admin.wait(retry.body.jobId);
  await server.stop();
  const { 'run job': run } = await receiver.receive(TRACE_ID, 'run job');
  expect(run.status).toEqual({ code: 2, message: 'INPUT_NOT_FOUND' });
  expect(attributeOf(run, 'error.type')).toBe('INPUT_NOT_FOUND');
});

test('traces nothing of requests that are not sampled, and no health checks', async () => {
  const receiver = await startOtlpReceiver();
  const server = await startServer({ env: { TELECINE_OTLP_ENDPOINT: receiver.url, TELECINE_TRACE_RATIO: '0' } });
  const admin = await adminClient(server);
  for (const path of ['/health', '/ready', '/metrics'])
    await fetch(server.url + path, { headers: { traceparent: SENDER } });
  await admin.run({ input: 'missing.mp4', output: 'no.mp4' });
  const refused = await admin.accept({ input: 'missing.mp4', output: 'no.mp4' }, { traceparent: NOT_SAMPLED });
  await admin.wait(refused);
  const traced = await admin.accept({ input: 'missing.mp4', output: 'no.mp4' }, { traceparent: SENDER });
  await admin.wait(traced);
  await server.stop();
  await receiver.receive(TRACE_ID, 'run job');
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  expect(receiver.spans.filter(({ name }) => name.startsWith('GET')).map(nameOf)).toEqual([]);
});

const nameOf = ({ name }: ReceivedSpan): string => name;

test('a malformed traceparent starts a new trace', async () => {
  const receiver = await startOtlpReceiver();
  const server = await startServer({ env: { TELECINE_OTLP_ENDPOINT: receiver.url } });
  await fetch(`${server.url}/openapi.json`, { headers: { traceparent: `${SENDER}'; --` } });
  await server.stop();
  const [span] = receiver.spans;
  expect(span?.name).toBe('GET /openapi.json');
  expect(span?.parentSpanId ?? '').toBe('');
  expect(span?.traceId).not.toBe(TRACE_ID);
});

test('sends the header fields of a file, and never logs them', async () => {
  const receiver = await startOtlpReceiver();
  const file = join(await testFolder('otlp-headers'), 'headers');
  await writeFile(file, 'x-api-key: key-of-the-collector\n');
  const server = await startServer({
    env: { TELECINE_OTLP_ENDPOINT: receiver.url, TELECINE_OTLP_HEADERS_FILE: file },
  });
  await fetch(`${server.url}/openapi.json`);
  await server.stop();
  expect(receiver.header('x-api-key')).toEqual(['key-of-the-collector']);
  expect(server.log()).not.toContain('key-of-the-collector');
});

test('a collector that is down is logged once and delays nothing', async () => {
  const receiver = await startOtlpReceiver(400);
  const server = await startServer({ env: { TELECINE_OTLP_ENDPOINT: receiver.url } });
  const admin = await adminClient(server);
  await admin.run({ input: 'missing.mp4', output: 'no.mp4' });
  await waitUntil('the warning', async () => (server.log().includes('traces could not be sent') ? true : undefined));
  await admin.run({ input: 'missing.mp4', output: 'no.mp4' });
  expect((await server.stop()).code).toBe(0);
  expect(server.log().split('traces could not be sent')).toHaveLength(2);
});

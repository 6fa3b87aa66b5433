import { expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient, resultOf } from '../support/mcp-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg');

interface Waited {
  readonly running: number;
  readonly jobs: readonly {
    readonly jobId: string;
    readonly status: string;
    readonly outputs?: readonly { readonly path: string; readonly sizeBytes: number; readonly url?: string }[];
  }[];
  readonly totalBytes?: number;
  readonly next: string;
}

test('one call waits for several jobs, by their ids, their batch or their metadata, and tells files and warnings in few words', async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, 'mp3', 'song.mp3');
  const request = (name: string) => ({
    input: 'song.mp3',
    output: `several/${name}.mka`,
    parameters: { 'c:a': 'copy' },
    llmId: 'a test',
    metadata: { order: 'one' },
  });
  const body = {
    requests: [
      request('a'),
      { ...request('b'), parameters: { 'c:a': 'copy', crf: '23' } },
      { ...request('c'), input: 'missing.mp3' },
    ],
  };
  const { batchId, jobs } = (
    await own.request<{ batchId: string; jobs: { jobId: string }[] }>('/api/conversions', { method: 'POST', body })
  ).body;
  const jobIds = jobs.map(({ jobId }) => jobId);
  const client = await mcpClient(server.url, own.token);

  const progress: (string | undefined)[] = [];
  const result = await client.callTool(
    { name: 'wait_for_job', arguments: { jobIds } },
    { onprogress: ({ message }) => progress.push(message) },
  );
  const byIds = resultOf<Waited>(result);
  expect(byIds).toMatchObject({
    running: 0,
    jobs: [
      { jobId: jobIds[0], status: 'COMPLETED', outputs: [{ path: 'several/a.mka' }] },
      {
        jobId: jobIds[1],
        status: 'COMPLETED',
        outputs: [{ path: 'several/b.mka' }],
        warnings: { count: 1, first: expect.stringContaining('crf') },
      },
      { jobId: jobIds[2], status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } },
    ],
    next: 'For links to the outputs and all warnings of one, call wait_for_job with its "jobId" and "timeoutSeconds": 0.',
  });
  expect(byIds.jobs[0]).not.toHaveProperty('warnings');
  expect(progress[0]).toMatch(/^\d of 3 jobs have ended\.$/);
  expect(result.content).toHaveLength(1);
  // The links of ten jobs have more tokens than all else.
  expect(JSON.stringify(byIds)).not.toContain('http');
  const sizes = byIds.jobs.flatMap(({ outputs = [] }) => outputs.map(({ sizeBytes }) => sizeBytes));
  expect(byIds.totalBytes).toBe(sizes.reduce((sum, bytes) => sum + bytes, 0));
  const { outputs = [] } = await callTool<Waited['jobs'][number]>(client, 'wait_for_job', {
    jobId: jobIds[0],
    timeoutSeconds: 0,
  });
  expect((await fetch(outputs[0]?.url ?? '')).status).toBe(200);

  const states = (waited: Waited) => waited.jobs.map(({ jobId, status }) => [jobId, status]);
  expect(states(await callTool<Waited>(client, 'wait_for_job', { batchId }))).toEqual(states(byIds));
  const byMetadata = await callTool<Waited>(client, 'wait_for_job', { metadata: { order: 'one' } });
  expect(states(byMetadata).toSorted()).toEqual(states(byIds).toSorted());
  expect(await callTool(client, 'wait_for_job', { metadata: { order: 'two' } })).toMatchObject({
    jobs: [],
    next: expect.stringContaining('list_jobs'),
  });
});

test('a wait for several jobs ends at its timeout, and says which to wait for again', { tags: 'long' }, async () => {
  const { server, own } = await start();
  await putSample(server.mediaRoot, '480p', 'clip.mp4');
  const quick = await own.accept({ input: 'clip.mp4', output: 'quick.mkv', parameters: { c: 'copy', t: '1' } });
  const long = await own.accept({
    inputs: [{ input: 'clip.mp4', parameters: { stream_loop: '999' } }],
    output: 'long.mkv',
    parameters: { 'c:v': 'libx264', preset: 'veryslow', threads: '1' },
  });
  const client = await mcpClient(server.url, own.token);
  await callTool(client, 'wait_for_job', { jobId: quick });
  const waited = await callTool<Waited>(client, 'wait_for_job', { jobIds: [quick, long], timeoutSeconds: 1 });
  expect(waited).toMatchObject({ running: 1, jobs: [{ status: 'COMPLETED' }, {}] });
  expect(waited.jobs[1]).not.toHaveProperty('outputs');
  expect(waited.next).toContain('1 of 2 jobs have not ended: call wait_for_job again with their ids as "jobIds"');
  await callTool(client, 'cancel_job', { jobId: long });
  expect(await callTool(client, 'wait_for_job', { jobIds: [long] })).toMatchObject({ jobs: [{ status: 'CANCELLED' }] });
});

test('a call that selects no jobs, or in two ways, says what to send', async () => {
  const { server, own } = await start();
  const jobId = await own.accept({ input: 'none.mp4', output: 'not-yours.mp4' });
  const client = await mcpClient(server.url, own.token);
  const rejected = (args: Record<string, unknown>) => callRejectedTool(client, 'wait_for_job', args);
  expect(await rejected({})).toMatchObject({ field: '/jobId', fix: expect.stringContaining('list_jobs') });
  expect(await rejected({ metadata: {} })).toMatchObject({ field: '/metadata', code: 'EMPTY' });
  expect(await rejected({ jobIds: [] })).toMatchObject({ field: '/jobIds' });
  const written = { jobId: jobId.toUpperCase() };
  expect(await callTool(client, 'wait_for_job', written)).toMatchObject({ jobId });
  expect(await callTool(client, 'wait_for_job', { ...written, timeoutSeconds: 0 })).toMatchObject({ jobId });
  expect(await rejected({ jobId, batchId: jobId })).toMatchObject({
    field: '/batchId',
  });
  expect(await rejected({ batchId: jobId })).toMatchObject({ code: 'BATCH_NOT_FOUND' });
  expect(await rejected({ batchId: 'films' })).toMatchObject({
    message: '"batchId" must be a UUID, not "films".',
    fix: expect.stringMatching(/^Send the "batchId" of a job: .*list_jobs/),
  });
  const reader = await login(server.url, await insertClient(server, 'reader', { scopes: ['jobs:read'] }));
  const other = await mcpClient(server.url, reader.token);
  expect(await callRejectedTool(other, 'wait_for_job', { jobIds: [jobId] })).toMatchObject({ code: 'JOB_NOT_FOUND' });
});

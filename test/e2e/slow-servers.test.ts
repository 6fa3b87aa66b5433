import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from 'vitest';
import { samplePath } from '../../scripts/lib/samples.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { type FileSite, sendFile, slowFile, startFileSite } from '../support/file-site.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg');
/** A film that waits for a slot: a few seconds would not. */
const SMALL = { 'c:v': 'mpeg4', s: '160x90', t: '6', an: '' };

describe('servers that send slowly', () => {
  let site: FileSite;
  let server: TestServer;
  let [amy, bob]: ApiClient[] = [];
  beforeAll(async () => {
    ({ site, server } = await start());
    const sample = await readFile(samplePath('480p'));
    site.answer('/fast.mp4', (request, response) => sendFile(request, response, sample));
    await server.media.put('local.mp4', sample);
    amy = await login(server.url, await insertClient(server, 'amy'));
    bob = await login(server.url, await insertClient(server, 'bob'));
  });
  const clients = (): readonly [ApiClient, ApiClient] => {
    if (amy === undefined || bob === undefined) throw new Error('There are no clients.');
    return [amy, bob];
  };

  test('a client with twenty probes of a slow server keeps no other client from probing', {
    tags: 'long',
  }, async () => {
    const [amy, bob] = clients();
    const slow = slowFile(site, '/slow-probe.mp4');
    const statuses: number[] = [];
    const probes = Array.from({ length: 20 }, async (_, i) => {
      const { status } = await amy.request('/api/probe', { body: { input: `${slow.url}?${i}` } });
      statuses.push(status);
    });
    await waitUntil(
      'probes of the slow server',
      async () => (slow.requests() === 4 && statuses.length === 12) || undefined,
    );
    expect(new Set(statuses)).toEqual(new Set([429]));

    const probe = (client: ApiClient, input: string) => client.request('/api/probe', { body: { input } });
    expect(await probe(bob, `${site.url}/fast.mp4`)).toMatchObject({ status: 200 });
    expect(await probe(bob, 'local.mp4')).toMatchObject({ status: 200 });
    // Her own too: her files need no server.
    expect(await probe(amy, 'local.mp4')).toMatchObject({ status: 200 });
    expect(statuses).toHaveLength(12);
    expect(slow.requests()).toBe(4);
    slow.release();
    await Promise.all(probes);
    expect(statuses.slice(12)).toEqual(Array.from({ length: 8 }, () => 404));
  });

  test('a probe fetches no file that is larger than its limit', async () => {
    const [amy] = clients();
    site.answer('/huge.mp4', (_request, response) =>
      response.writeHead(200, { 'content-length': 5 * 2 ** 30 }).write('a'),
    );
    expect(await amy.request('/api/probe', { body: { input: `${site.url}/huge.mp4` } })).toMatchObject({
      status: 422,
      body: {
        code: 'INPUT_INVALID',
        errors: [
          {
            message: `"${site.url}/huge.mp4" is 5.37 GB; a probe fetches at most 4.29 GB (4 GiB).`,
            fix: 'Convert the URL without a probe, or upload the file and probe that.',
          },
        ],
      },
    });
  });

  test('a client whose jobs fetch from a slow server keeps no slot from others', { tags: 'long' }, async () => {
    const [amy, bob] = clients();
    const slow = slowFile(site, '/slow-job.mp4');
    const jobIds: string[] = [];
    for (let i = 0; i < 6; i++)
      jobIds.push(await amy.accept({ input: `${slow.url}?${i}`, output: `slow/${i}.mp4`, parameters: SMALL }));
    await waitUntil('downloads from the slow server', async () => slow.requests() === 4 || undefined);

    const run = (client: ApiClient, input: string, output: string) => client.run({ input, output, parameters: SMALL });
    const others = await Promise.all([
      run(bob, 'local.mp4', 'bob/local.mp4'),
      run(bob, `${site.url}/fast.mp4`, 'bob/fast.mp4'),
      // Her own too, if they fetch nothing.
      run(amy, 'local.mp4', 'amy/local.mp4'),
    ]);
    expect(others.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    expect(slow.requests()).toBe(4);
    const statuses = await Promise.all(jobIds.map(async (jobId) => (await amy.job(jobId)).status));
    expect(statuses.filter((status) => status === 'PROCESSING')).toHaveLength(4);
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(2);
    slow.release();
    for (const jobId of jobIds)
      expect(await amy.wait(jobId)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
  });
});

test('while all slots are busy, jobs fetch their inputs, and then take turns with those in the queue', {
  tags: 'long',
}, async () => {
  const site = await startFileSite();
  const server = await startServer({ env: { TELECINE_INPUT_URLS: site.host, TELECINE_CONCURRENCY: '1' } });
  const sample = await readFile(samplePath('480p'));
  site.answer('/fast.mp4', (request, response) => sendFile(request, response, sample));
  await server.media.put('local.mp4', sample);
  const amy = await login(server.url, await insertClient(server, 'amy'));
  const bob = await login(server.url, await insertClient(server, 'bob'));
  const cancel = (jobId: string) => bob.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  const long = { 'c:v': 'libx264', preset: 'veryslow', s: '1280x720', an: '' };
  const blocking = await bob.accept({ input: 'local.mp4', output: 'long.mp4', parameters: long });
  await bob.wait(blocking, ({ phase }) => phase === 'CONVERTING');

  const fetched: string[] = [];
  for (const i of [0, 1, 2, 3])
    fetched.push(await amy.accept({ input: `${site.url}/fast.mp4`, output: `fetched/${i}.mp4`, parameters: SMALL }));
  for (const jobId of fetched) await amy.wait(jobId, ({ phase, progress }) => phase === 'STAGING' && progress === 100);
  const local: string[] = [];
  for (const i of [0, 1])
    local.push(await bob.accept({ input: 'local.mp4', output: `local/${i}.mp4`, parameters: SMALL }));
  const [cancelled = '', ...others] = fetched;
  await amy.request(`/api/conversion/${cancelled}/cancel`, { method: 'POST' });
  expect(await amy.wait(cancelled)).toMatchObject({ status: 'CANCELLED' });
  expect(await bob.job(blocking)).toMatchObject({ status: 'PROCESSING' });
  await cancel(blocking);
  const jobs = await Promise.all([...others.map((jobId) => amy.wait(jobId)), ...local.map((jobId) => bob.wait(jobId))]);
  expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'COMPLETED'));
  const inOrder = jobs.toSorted((a, b) => (a.completedAt ?? '').localeCompare(b.completedAt ?? ''));
  expect(inOrder.map(({ jobId }) => (local.includes(jobId) ? 'queued' : 'fetched'))).toEqual([
    ...['fetched', 'queued', 'fetched', 'queued', 'fetched'],
  ]);
  site.close();
  await server.stop();
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import type { UsageView } from '../../packages/contract/src/wire/usage.ts';
import { readClientLimits } from '../../packages/service/src/config/client-limits.ts';
import { login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli, runClientCommand } from '../support/run-cli.ts';
import { soundOf } from '../support/sounds.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWatch } from '../support/watch-client.ts';

const common = commonServer();
const test = needs('ffmpeg').concurrent;

/** A service with a movie of 8 s, and a function that adds a client with limits to it. */
async function start() {
  const { server, own, admin } = await common();
  await putSmallMovie(server.mediaRoot, 8, 'movie.mp4');
  const addLimited = async (name: string, ...limits: readonly string[]) => {
    const credentials = await insertClient(server, name, { limits: readClientLimits(limits) });
    return { credentials, client: await login(server.url, credentials) };
  };
  return { server, own, admin, addLimited };
}

test('rejects jobs above the quota of a day, says what is used, and counts a cancelled job no more', async ({
  expect,
}) => {
  const { server, addLimited, admin } = await start();
  const { client, credentials } = await addLimited('daily', 'jobs=2', 'media=8s', 'running=1');
  const picture = { input: 'movie.mp4', parameters: { 'frames:v': '1' } };
  expect(await client.run({ ...picture, output: 'daily/1.jpg' })).toMatchObject({ status: 'COMPLETED' });
  expect(
    await client.run({ input: 'movie.mp4', output: 'daily/2.mkv', parameters: { c: 'copy', t: '4' } }),
  ).toMatchObject({
    status: 'COMPLETED',
  });
  const rejected = await client.request('/api/conversion', { body: { ...picture, output: 'daily/3.jpg' } });
  expect(rejected).toMatchObject({
    status: 429,
    body: { code: 'QUOTA_EXCEEDED', quota: { name: 'jobs', used: 2, limit: 2 } },
  });
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  const { body: usage } = await client.request<UsageView>('/api/usage');
  expect(usage).toMatchObject({
    client: credentials.clientId,
    slots: 1,
    quotas: [
      { name: 'jobs', used: 2, limit: 2 },
      { name: 'media', limit: 8 },
      { name: 'storage' },
      { name: 'records' },
    ],
  });
  expect(usage.quotas[1]?.used).toBeCloseTo(4, 0);

  const batch = Array.from({ length: 3 }, (_, i) => ({ ...picture, output: `daily/batch-${i}.jpg` }));
  // It would not fit tomorrow either.
  expect(await client.request('/api/conversions', { body: { requests: batch } })).toMatchObject({
    status: 400,
    body: {
      errors: [{ field: '/requests', code: 'TOO_MANY', message: expect.stringContaining('at most 2 jobs a day') }],
    },
  });

  await admin.request(`/api/clients/${credentials.clientId}`, { method: 'PATCH', body: { limits: { jobs: 'none' } } });
  const tooLong = { input: 'movie.mp4', output: 'daily/4.mkv', parameters: { c: 'copy', t: '5' } };
  // The limits of a client are cached for a second.
  await expect
    .poll(async () => (await client.request<{ quota?: unknown }>('/api/conversion', { body: tooLong })).body.quota)
    .toMatchObject({ name: 'media', limit: 8 });
  const settings = {
    TELECINE_URL: server.url,
    TELECINE_CLIENT_ID: credentials.clientId,
    TELECINE_CLIENT_SECRET: credentials.clientSecret,
  };
  const printed = await runCli(['usage'], settings);
  expect(printed.stdout).toMatch(/^Usage of file-\d+-daily\. The day ends at .*\njobs +2 +none/ms);
  const ofDaily = await admin.request<UsageView>(`/api/usage?client=${credentials.clientId}`);
  expect(ofDaily.body).toMatchObject({ client: credentials.clientId, slots: 1 });
  expect((await admin.request<UsageView>('/api/usage')).body.slots, 'those of the worker').toBe(COMMON.slots);
  expect((await client.request('/api/usage?client=admin')).status).toBe(403);
  expect((await client.request('/api/usage/clients')).status).toBe(403);
  expect((await client.request('/api/usage/files?client=admin')).status).toBe(403);
  expect((await admin.request('/api/usage/files?client=nobody')).status).toBe(404);
  expect((await admin.request('/api/usage?client=nobody')).status).toBe(404);
});

test('a watch waits for the quota of its client, loses no file, and goes on when there is room', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, admin, addLimited } = await start();
  const { client, credentials } = await addLimited('watching', 'jobs=2');
  for (const seed of [1, 2, 3]) await server.media.put(`watched/${seed}.wav`, soundOf(seed));
  const watch = await makeWatch({ server, client }, { folder: 'watched/' });
  await watch.until({ converted: 2, ready: 1 });
  await watch.wait('the watch to say so', async () => (await watch.read()).waitingFor === 'quota' || undefined);
  expect((await watch.read()).counts).toMatchObject({ failed: 0, needsAttention: 0 });
  await admin.request(`/api/clients/${credentials.clientId}`, { method: 'PATCH', body: { limits: { jobs: 'none' } } });
  await watch.until({ converted: 3, ready: 0 });
  await watch.remove();
});

test('publishes nothing above the quota of media, however short a request says that its output is', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, addLimited } = await start();
  const { client } = await addLimited('stated', 'media=10s');
  const second = [{ input: 'movie.mp4', parameters: { t: '1' } }];
  const requests = [
    { input: 'movie.mp4', parameters: { t: '1', 'c:v': 'copy', an: '', 'bsf:v': 'setts=ts=TS*1000' } },
    { inputs: second, parameters: { vf: 'fps=1,tpad=stop_mode=clone:stop_duration=60', an: '' } },
    { inputs: second, parameters: { vf: 'setpts=PTS*60,fps=1', an: '' } },
  ];
  for (const [i, request] of requests.entries()) {
    const job = await client.run({ ...request, output: `stated/${i}.mkv` });
    expect(job).toMatchObject({
      status: 'FAILED',
      error: { code: 'LIMIT_EXCEEDED', message: expect.stringMatching(/the quota "media"/i) },
    });
  }
  // The folder stays if the length is known only when the file is ready to be published, as on ffmpeg 7.
  expect(await readdir(join(server.mediaRoot, 'stated')).catch(() => [])).toEqual([]);
  const { body } = await client.request<UsageView>('/api/usage');
  expect(body.quotas[1]).toEqual({ name: 'media', used: 0, limit: 10 });
  const honest = { inputs: second, output: 'stated/own.mkv', parameters: { c: 'copy' } };
  expect(await client.run(honest)).toMatchObject({ status: 'COMPLETED' });
});

test('counts segments, whose lengths no output shows', { tags: 'long' }, async ({ expect }) => {
  const { addLimited } = await start();
  const { client } = await addLimited('segments', 'media=1h');
  const request = { input: 'movie.mp4', output: 'segments/%d.ts', parameters: { c: 'copy', f: 'segment' } };
  const job = await client.run(request);
  expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'COMPLETED' });
  expect(JSON.stringify(job.outputs)).not.toContain('Seconds');
  const { body } = await client.request<UsageView>('/api/usage');
  expect(body.quotas.find(({ name }) => name === 'media')?.used).toBeCloseTo(8, 0);
});

test('runs no more jobs of a client at the same time than its limit, and those of others beside', {
  tags: 'long',
}, async ({ expect }) => {
  const { addLimited, own } = await start();
  const { client } = await addLimited('narrow', 'running=1');
  const long = {
    inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
    parameters: { 'c:v': 'libx264', tune: 'zerolatency', threads: '1', t: '3600' },
  };
  const first = await client.request<AcceptedView>('/api/conversion', { body: { ...long, output: 'narrow/1.mkv' } });
  await client.wait(first.body.jobId, ({ status }) => status === 'PROCESSING');
  const copy = (output: string) => ({ input: 'movie.mp4', output: `narrow/${output}.mkv`, parameters: { c: 'copy' } });
  let submitted = 1;
  // The limits of clients are cached for a second.
  const second = await waitUntil('the limit to be known', async () => {
    submitted += 1;
    const jobId = await client.accept(copy(`${submitted}`));
    expect(await own.run(copy(`other-${submitted}`))).toMatchObject({ status: 'COMPLETED' });
    return (await client.job(jobId)).status === 'PENDING' ? jobId : undefined;
  });
  await client.request(`/api/conversion/${first.body.jobId}/cancel`, { method: 'POST' });
  expect(await client.wait(second)).toMatchObject({ status: 'COMPLETED' });
});

test('a client may send priorities up to its limit, and a retry after a lower limit has the highest that is left', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, addLimited } = await start();
  const { client, credentials } = await addLimited('urgent', 'priority=5');
  const { client: usual } = await addLimited('usual');
  const picture = { input: 'movie.mp4', parameters: { 'frames:v': '1' } };
  const done = await client.run({ ...picture, output: 'urgent/1.jpg', priority: 5 });
  expect(done).toMatchObject({ status: 'COMPLETED', priority: 5 });
  expect(await client.run({ ...picture, output: 'urgent/2.jpg', priority: -10 })).toMatchObject({ priority: -10 });
  for (const [sender, priority] of [
    [client, 6],
    [usual, 1],
  ] as const) {
    const rejected = await sender.request('/api/conversion', { body: { ...picture, output: 'no.jpg', priority } });
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ field: '/priority', code: 'LIMIT_EXCEEDED' }] } });
  }
  for (const priority of [11, -11, 1.5, '1'])
    expect((await client.request('/api/conversion', { body: { ...picture, output: 'no.jpg', priority } })).status).toBe(
      400,
    );
  await runClientCommand(server, 'set', credentials.clientId, '--limit', 'priority=-1');
  const retry = async () => {
    const { body } = await client.request<AcceptedView>(`/api/conversion/${done.jobId}/retry`, { method: 'POST' });
    return (await client.job(body.jobId)).priority;
  };
  // The limits of a client are cached for a second.
  await expect.poll(retry).toBe(-1);
});

test('the quota of storage counts uploads, unfinished ones and outputs, and falls when files are removed', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, admin } = await start();
  await server.media.put('stored/other', 'other');
  const credentials = await insertClient(server, 'stored', {
    root: 'stored',
    limits: readClientLimits(['storage=100000']),
  });
  const client = await login(server.url, credentials);
  const put = (path: string, bytes: number) =>
    client.request(`/api/files/${path}`, { method: 'PUT', raw: 'x'.repeat(bytes) });
  const storage = async () =>
    (await client.request<UsageView>('/api/usage')).body.quotas.find(({ name }) => name === 'storage');
  const used = async () => (await storage())?.used;
  const exceeded = { status: 507, body: { code: 'STORAGE_EXCEEDED', quota: { name: 'storage', limit: 100_000 } } };
  // What is stored during the first sum may count twice until the next one, a minute later.
  await expect.poll(used, { timeout: 30_000 }).toBe(5);
  expect((await client.request('/api/files/other', { method: 'DELETE' })).status).toBe(204);
  expect((await put('a', 60_000)).status).toBe(201);
  const second = await put('b', 60_000);
  expect(second).toMatchObject(exceeded);
  expect(second.headers.get('retry-after'), 'time does not help').toBeNull();
  expect((await client.request('/api/files/b')).status).toBe(404);
  expect((await put('a', 30_000)).status, 'in place of the first').toBe(204);
  expect(await used()).toBe(30_000);

  const resumable = (bytes: number) =>
    client.request('/api/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(bytes),
        'upload-metadata': `path ${Buffer.from('c').toString('base64')}`,
      },
    });
  expect(await resumable(90_000)).toMatchObject(exceeded);
  const { headers, status } = await resumable(20_000);
  expect(status).toBe(201);
  expect(await used()).toBe(50_000);
  const upload = headers.get('location') ?? '';
  await client.request(upload, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
  expect(await used()).toBe(30_000);

  const pixels = `P6 16 16 255\n${'x'.repeat(768)}`;
  await client.request('/api/files/in.ppm', { method: 'PUT', raw: pixels });
  const before = 30_000 + pixels.length;
  const picture = { input: 'in.ppm', parameters: {} };
  const done = await client.run({ ...picture, output: '1.png' });
  expect(done.status).toBe('COMPLETED');
  expect(await used()).toBe(before + (done.outputs?.[0]?.sizeBytes ?? 0));
  await client.request(`/api/conversion/${done.jobId}?outputs=true`, { method: 'DELETE' });
  expect(await used()).toBe(before);

  await admin.request(`/api/clients/${credentials.clientId}`, {
    method: 'PATCH',
    body: { limits: { storage: before + 1 } },
  });
  const large = { ...picture, output: '2.png' };
  // The limits of a client are cached for a second.
  await expect.poll(async () => (await storage())?.limit).toBe(before + 1);
  expect((await put('d', 100)).status).toBe(507);
  expect(await client.run(large)).toMatchObject({ status: 'FAILED', error: { code: 'LIMIT_EXCEEDED' } });
  expect((await client.request('/api/files/2.png')).status).toBe(404);
  expect((await put('e', 1)).status).toBe(201);
  expect(await client.request('/api/conversion', { body: large }), 'nothing is left').toMatchObject({
    body: { code: 'QUOTA_EXCEEDED' },
  });
  expect((await client.request('/api/files/a', { method: 'DELETE' })).status).toBe(204);
  expect(await client.run(large)).toMatchObject({ status: 'COMPLETED' });
});

test('of 50 uploads and 50 jobs at once at the limit, those that fit are stored, and the others are told why', {
  tags: 'long',
}, async ({ expect }) => {
  const { server } = await start();
  const limit = 50_000;
  const credentials = await insertClient(server, 'crowd', {
    root: 'crowd',
    limits: readClientLimits([`storage=${limit}`]),
  });
  const client = await login(server.url, credentials);
  const pixels = `P6 16 16 255\n${'x'.repeat(768)}`;
  await client.request('/api/files/in.ppm', { method: 'PUT', raw: pixels });
  // A client may send a few at the same time, and the others again.
  const upload = async (path: string): Promise<number> => {
    const { status } = await client.request(`/api/files/${path}`, { method: 'PUT', raw: 'x'.repeat(2000) });
    return status === 429 ? upload(path) : status;
  };
  const uploads = Array.from({ length: 50 }, (_, n) => upload(`u${n}`));
  const jobs = Array.from({ length: 50 }, (_, n) =>
    client.request<AcceptedView>('/api/conversion', { body: { input: 'in.ppm', output: `j${n}.bmp`, parameters: {} } }),
  );
  expect(new Set(await Promise.all(uploads))).toEqual(new Set([201, 507]));
  for (const { status, body } of await Promise.all(jobs)) {
    if (status === 202) {
      const job = await client.wait(body.jobId);
      if (job.status !== 'COMPLETED') expect(job).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
    } else expect(status).toBe(429);
  }
  const { body } = await client.request<{ bytes: number }>('/api/usage/files');
  expect(body.bytes).toBeLessThanOrEqual(limit);
  expect(body.bytes).toBeGreaterThan(limit - 4000);
});

/** A recipe of 12 KB whose requests have 160 KB. */
const LARGE_RECIPE = {
  version: 1,
  title: 'Large',
  description: 'Fills the metadata.',
  words: ['large'],
  inputs: [{ role: 'film', description: 'A video.' }],
  outputs: ['mp4'],
  arguments: { text: { type: 'text', maxLength: 1000, default: 'x'.repeat(1000), description: 'A text.' } },
  request: {
    parameters: { c: 'copy', metadata: Array.from({ length: 20 }, (_, n) => `k${n}=${'{{text}}'.repeat(8)}`) },
  },
};

test('small requests that a recipe makes large end at the quota of records, until their jobs are deleted', async ({
  expect,
}) => {
  const { addLimited } = await start();
  const { client } = await addLimited('records', 'records=2M');
  expect(await client.request('/api/recipes/large', { method: 'PUT', body: LARGE_RECIPE })).toMatchObject({
    status: 201,
  });
  const request = { input: 'movie.mp4', preset: { name: 'large' } };
  const requests = Array.from({ length: 4 }, (_, n) => ({ ...request, output: `records/${n}.mp4` }));
  const submit = () =>
    client.request<{ batchId: string; jobs: { jobId: string }[] }>('/api/conversions', { body: { requests } });
  const jobIds: string[] = [];
  const exceeded = { status: 429, body: { code: 'QUOTA_EXCEEDED', quota: { name: 'records', limit: 2 * 2 ** 20 } } };
  const rejected = await waitUntil('the quota to be used up', async () => {
    const reply = await submit();
    if (reply.status !== 202) return reply;
    jobIds.push(...reply.body.jobs.map(({ jobId }) => jobId));
    await client.request(`/api/conversions/${reply.body.batchId}/cancel`, { method: 'POST' });
    return undefined;
  });
  expect(rejected).toMatchObject(exceeded);
  expect(jobIds.length).toBeLessThan(60);
  const put = () => client.request('/api/files/records/a.txt', { method: 'PUT', raw: 'a' });
  expect(await put()).toMatchObject(exceeded);
  const of = async () =>
    (await client.request<UsageView>('/api/usage')).body.quotas.find(({ name }) => name === 'records');
  expect((await of())?.used).toBeGreaterThan(2 * 2 ** 20);
  for (const jobId of jobIds) {
    await client.wait(jobId);
    expect((await client.request(`/api/conversion/${jobId}`, { method: 'DELETE' })).status).toBe(204);
  }
  expect(await waitUntil('room for records', async () => ((await put()).status === 201 ? true : undefined))).toBe(true);
  expect((await of())?.used).toBeLessThan(100_000);
});

test('the dry run of a batch has a bounded reply, and says how many requests fit', async ({ expect }) => {
  const { addLimited } = await start();
  const { client } = await addLimited('dry-runs');
  await client.request('/api/recipes/large', { method: 'PUT', body: LARGE_RECIPE });
  const requestsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      input: 'movie.mp4',
      preset: { name: 'large' },
      output: `dry/${n}.mp4`,
    }));
  const dryRun = (count: number) =>
    client.request<ProblemView>('/api/conversions?dryRun=true', { body: { requests: requestsOf(count) } });
  const { status, body } = await dryRun(100);
  const [error] = body.errors ?? [];
  expect({ status, code: error?.code, field: error?.field }).toEqual({
    status: 400,
    code: 'TOO_MANY',
    field: expect.stringMatching(/^\/requests\/\d+$/),
  });
  expect((await dryRun(Number(error?.field.slice('/requests/'.length)))).status).toBe(200);
});

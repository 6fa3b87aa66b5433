import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, inject } from 'vitest';
import { samplePath } from '../../scripts/lib/samples.ts';
import { type ApiClient, adminClient, type ClientCredentials, login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { type S3Request, startS3Proxy } from '../support/s3-proxy.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('an S3 server', 'ffmpeg');
const PREFIX = 'telecine/';
const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', t: '1', an: '' };

/** A bucket, and access to the files of the service's media root in it. */
async function bucketOfTest() {
  const client = testClient(s3Server());
  const bucket = await newBucket(client);
  const list = async (): Promise<readonly string[]> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX }));
    return Contents.map(({ Key = '' }) => Key.slice(PREFIX.length));
  };
  return {
    /** Without the receipts of jobs, which the service keeps. */
    list: async () => (await list()).filter((path) => !path.startsWith('.telecine/receipts/')),
    env: s3Environment(s3Server(), bucket, PREFIX),
    put: async (path: string, content: Uint8Array) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: PREFIX + path, Body: content }));
    },
    get: async (path: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: PREFIX + path }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    /** What a job could leave: parts of uploads, and scratch folders. */
    leftovers: async ({ dataDir }: TestServer) => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      return [...Uploads.map(({ Key }) => Key), ...(await readdir(join(dataDir, '.telecine', 'jobs')))].filter(
        (name) => name?.includes('lock') !== true,
      );
    },
  };
}

type Bucket = Awaited<ReturnType<typeof bucketOfTest>>;

async function startOn(bucket: Bucket, options: TestServerOptions = {}) {
  const server = await startServer({ ...options, env: { ...bucket.env, ...options.env } });
  return { server, admin: await adminClient(server) };
}

/** Runs a command. Resolves to its output, also if it fails. */
const telecine = (env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [inject('program').entry, ...args], { env: { ...process.env, ...env } }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );

describe('a service with media on S3', () => {
  let film: Buffer;
  let bucket: Bucket;
  let server: TestServer;
  let admin: ApiClient;
  beforeAll(async () => {
    film = await readFile(samplePath('480p'));
    bucket = await bucketOfTest();
    await bucket.put('in.mp4', film);
    ({ server, admin } = await startOn(bucket));
  });

  test('converts a file, and serves the result', async () => {
    const job = await admin.run({ input: 'in.mp4', output: 'small/out.mp4', parameters: SMALL });
    expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ path: 'small/out.mp4' }] });
    const object = await bucket.get('small/out.mp4');
    expect(object.length).toBe(job.outputs?.[0]?.sizeBytes);
    const reply = await fetch(`${server.url}/api/conversion/${job.jobId}/output`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect([reply.status, Buffer.from(await reply.arrayBuffer()).equals(object)]).toEqual([200, true]);
    await expect.poll(() => bucket.leftovers(server)).toEqual([]);
  });

  test('publishes the segments and the playlist of HLS, and deletes them with the job', async () => {
    const job = await admin.run({
      input: 'in.mp4',
      output: 'hls/all.m3u8',
      parameters: { ...SMALL, g: '6', hls_time: '0.25' },
    });
    expect(job.status).toBe('COMPLETED');
    expect((await bucket.list()).filter((path) => path.startsWith('hls/')).length).toBeGreaterThan(3);
    expect((await admin.request(`/api/conversion/${job.jobId}?outputs=true`, { method: 'DELETE' })).status).toBe(204);
    expect((await bucket.list()).filter((path) => path.startsWith('hls/'))).toEqual([]);
  });

  test('keeps an existing output, and replaces it with "y"', async () => {
    await bucket.put('kept.mp4', Buffer.from('kept'));
    const request = { input: 'in.mp4', output: 'kept.mp4', parameters: SMALL };
    expect(await admin.run(request)).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
    expect((await bucket.get('kept.mp4')).toString()).toBe('kept');
    const replaced = await admin.run({ ...request, parameters: { ...SMALL, y: '' } });
    expect(replaced.status).toBe('COMPLETED');
    expect((await bucket.get('kept.mp4')).length).toBe(replaced.outputs?.[0]?.sizeBytes);
  });

  test('does not convert a job that met an outage while the store can be read but not written', {
    timeout: 180_000,
  }, async () => {
    const own = await bucketOfTest();
    await own.put('in.mp4', film);
    let rejects: (method: string) => boolean = () => false;
    const isTrial = ({ method, url }: S3Request) => method === 'PUT' && url.includes('.telecine/ready');
    const isRead = ({ method, url }: S3Request) => method === 'GET' && url.includes('/in.mp4');
    const { endpoint, requests } = await startS3Proxy(s3Server().endpoint, ({ method }) =>
      rejects(method) ? 'slow down' : undefined,
    );
    const { admin: owner } = await startOn({ ...own, env: { ...own.env, TELECINE_STORAGE_ENDPOINT: endpoint } });
    rejects = (method) => method !== 'HEAD';
    const jobId = await owner.accept({ input: 'in.mp4', output: 'late.mp4', parameters: SMALL });
    const state = async () => {
      const { status, attempt, error } = await owner.job(jobId);
      return { status, attempt, code: error?.code, isTried: requests.some(isTrial) };
    };
    const waiting = { status: 'PENDING', attempt: 0, code: 'STORAGE_FAULT' };
    await expect.poll(state, { timeout: 60_000 }).toMatchObject(waiting);
    const reads = requests.filter(isRead).length;
    rejects = (method) => method !== 'GET' && method !== 'HEAD';
    await expect.poll(state, { timeout: 60_000 }).toEqual({ ...waiting, isTried: true });
    expect(requests.filter(isRead).length).toBe(reads);
    rejects = () => false;
    expect(await owner.wait(jobId, undefined, 60)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect((await own.list()).filter((path) => path.includes('.telecine'))).toEqual([]);
  });

  test('converts each object that a pattern matches, in a batch', async () => {
    const sample = await readFile(samplePath('mp3'));
    for (const name of ['b.mp3', 'a.mp3', 'a.txt', 'sub/c.mp3']) await bucket.put(`each/${name}`, sample);
    const request = { each: 'each/*.mp3', output: 'each/out/{name}.mka', parameters: { c: 'copy' } };
    const { status, body } = await admin.request<{ jobs: { jobId: string }[] }>('/api/conversions', {
      body: { requests: [request, { ...request, each: 'each/', output: 'none' }] },
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ code: 'NO_PLACEHOLDER' }] } });
    const batch = await admin.request<{ jobs: { jobId: string }[] }>('/api/conversions', {
      body: { requests: [request] },
    });
    const jobs = await Promise.all(batch.body.jobs.map(({ jobId }) => admin.wait(jobId)));
    expect(jobs).toMatchObject([
      { status: 'COMPLETED', output: 'each/out/a.mka' },
      { status: 'COMPLETED', output: 'each/out/b.mka' },
    ]);
    const folder = { ...request, each: 'each/out', output: 'each/again/{name}.mka' };
    const ofFolder = await admin.request<{ jobs: { jobId: string }[] }>('/api/conversions', {
      body: { requests: [folder] },
    });
    const again = await Promise.all(ofFolder.body.jobs.map(({ jobId }) => admin.wait(jobId)));
    expect(again, 'the name of a folder means its files').toMatchObject([
      { status: 'COMPLETED', output: 'each/again/a.mka' },
      { status: 'COMPLETED', output: 'each/again/b.mka' },
    ]);
    const missing = await admin.request('/api/conversions', { body: { requests: [{ ...request, each: 'each/no*' }] } });
    expect(missing).toMatchObject({ status: 400, body: { errors: [{ code: 'NO_MATCH' }] } });
  });

  test('answers for missing inputs, folders and probes as on a disk', async () => {
    const missing = await admin.run({ input: 'In.mp4x', output: 'o.mp4' });
    expect(missing).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
    const folder = await admin.request('/api/conversion', {
      method: 'POST',
      body: { input: 'small', output: 'o.mp4' },
    });
    expect(folder.body.errors).toMatchObject([{ field: '/input', code: 'IS_DIRECTORY' }]);
    const probe = () => admin.request<{ format: unknown }>('/api/probe', { method: 'POST', body: { input: 'in.mp4' } });
    expect(await probe()).toMatchObject({ status: 200, body: { streams: expect.any(Array) } });
    // One copy stays for whoever reads the file next.
    const scratch = join(server.dataDir, '.telecine');
    const copies = async () =>
      (await readdir(scratch, { recursive: true })).filter((path) => /^probes-.+\//.test(path));
    const before = await copies();
    expect(await probe()).toMatchObject({ status: 200 });
    expect(await copies()).toEqual(before);
  });

  test('redirects downloads and links to the public address of the store, and logs no such address', async () => {
    const publicEndpoint = s3Server().endpoint.replace('127.0.0.1', 'localhost');
    const own = await bucketOfTest();
    await own.put('in.mp4', film);
    const env = { ...own.env, TELECINE_STORAGE_PUBLIC_ENDPOINT: publicEndpoint };
    const { server: redirecting, admin: client } = await startOn({ ...own, env });
    const { jobId } = await client.run({ input: 'in.mp4', output: 'größe 1.mp4', parameters: SMALL });
    const { body } = await client.request<{ links: readonly { url: string }[] }>(`/api/conversion/${jobId}/links`);
    const link = redirecting.url + (body.links[0]?.url ?? '');
    const redirect = await fetch(link, { redirect: 'manual' });
    const location = new URL(redirect.headers.get('location') ?? '');
    expect([redirect.status, location.origin, location.searchParams.get('X-Amz-Expires')]).toEqual([
      302,
      publicEndpoint,
      '300',
    ]);
    const direct = await fetch(location);
    expect(Buffer.from(await direct.arrayBuffer()).equals(await own.get('größe 1.mp4'))).toBe(true);

    // A condition that holds makes the service send the file itself.
    const streamed = await fetch(link, { headers: { 'if-match': redirect.headers.get('etag') ?? '' } });
    await streamed.body?.cancel();
    const NAMES = ['content-type', 'content-disposition', 'content-length', 'cache-control'];
    const fieldsOf = ({ headers }: Response) => NAMES.map((name) => headers.get(name));
    expect(fieldsOf(direct)).toEqual(fieldsOf(streamed));
    expect(fieldsOf(direct).slice(0, 2)).toEqual([
      'video/mp4',
      expect.stringContaining("filename*=UTF-8''gr%C3%B6%C3%9Fe%201.mp4"),
    ]);
    location.searchParams.set('response-content-type', 'text/html');
    expect((await fetch(location)).status, 'with another type').toBe(403);

    const folder = await testFolder('downloads');
    const logged = { TELECINE_URL: redirecting.url, TELECINE_TOKEN: client.token };
    await telecine(logged, [
      'convert',
      samplePath('480p'),
      join(folder, 'small.mp4'),
      '-p',
      't=1',
      '-p',
      'c:v=libx264',
    ]);
    expect((await readFile(join(folder, 'small.mp4'))).length).toBeGreaterThan(1000);
    // The service writes log lines in groups, so the line may come after the reply.
    await waitUntil('the download in the log', async () => redirecting.log().includes('/output') || undefined, 10);
    expect(redirecting.log()).not.toMatch(/X-Amz|Signature|localhost/i);
  });

  test('the link of a manifest plays to the end, though the segments are redirected to the store', async () => {
    const publicEndpoint = s3Server().endpoint.replace('127.0.0.1', 'localhost');
    const own = await bucketOfTest();
    await own.put('in.mp4', film);
    const env = { ...own.env, TELECINE_STORAGE_PUBLIC_ENDPOINT: publicEndpoint };
    const { server: redirecting, admin: client } = await startOn({ ...own, env });
    const parameters = { c: 'copy', hls_time: '4', hls_playlist_type: 'vod' };
    const { jobId } = await client.run({ input: 'in.mp4', output: 'hls/all.m3u8', parameters });
    const { body } = await client.request<{ links: readonly { url: string }[] }>(`/api/conversion/${jobId}/links`);
    const [manifest = '', segment = ''] = body.links.map(({ url }) => redirecting.url + url);
    expect((await fetch(manifest, { redirect: 'manual' })).status).toBe(200);
    expect((await fetch(segment, { redirect: 'manual' })).status).toBe(302);
    const args = ['-nostdin', '-v', 'error', '-progress', 'pipe:1', '-i', manifest, '-f', 'null', '-'];
    const { stdout, stderr } = await promisify(execFile)(tools().ffmpegPath, args);
    // ffmpeg reports each redirect to another host, and follows it.
    expect(stderr.replace(/.*Cannot reuse HTTP connection for different host.*\n/g, '')).toBe('');
    const times = [...stdout.matchAll(/^out_time_us=(\d+)$/gm)].map(([, us]) => Number(us));
    expect(times.at(-1)).toBeGreaterThan(29e6);
  });

  test('gives each client a prefix of its own', async () => {
    const added = await telecine({ ...bucket.env, TELECINE_DATA_DIR: server.dataDir }, [
      ...['client', 'add', 'amy', '--json', '--root', 'clients/amy'],
      ...['--scope', 'jobs:read', '--scope', 'jobs:write'],
    ]);
    const amy = await login(server.url, JSON.parse(added) as ClientCredentials);
    await bucket.put('clients/amy/mine.mp4', film);
    const job = await amy.run({ input: '/mine.mp4', output: 'out.mp4', parameters: SMALL });
    expect(job.status).toBe('COMPLETED');
    expect(await bucket.list()).toContain('clients/amy/out.mp4');
    const foreign = await amy.run({ input: '../../in.mp4', output: 'x.mp4' }).catch((error: unknown) => String(error));
    expect(foreign).toContain('OUTSIDE_ROOT');
  });

  test('is ready while the bucket can be used, and says so', async () => {
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { storage: { status: 'ok' } } }]);
    const env = { ...bucket.env, TELECINE_STORAGE: 's3://no-such-bucket' };
    const { server: lost } = await startOn({ ...bucket, env });
    const notReady = await fetch(`${lost.url}/ready`);
    expect([notReady.status, await notReady.text()]).toEqual([503, expect.stringContaining('NoSuchBucket')]);
    expect(`${server.log()}${lost.log()}`).not.toContain(s3Server().secretAccessKey);
  });

  test('telecine doctor checks the bucket', async () => {
    const doctor = (env: Readonly<Record<string, string>>) => telecine(env, ['doctor', '--json']);
    const env = { ...bucket.env, TELECINE_DATA_DIR: await testFolder('doctor') };
    const storageIn = (text: string) =>
      (JSON.parse(text) as readonly { readonly name: string }[]).find(({ name }) => name === 'storage');
    expect(storageIn(await doctor(env))).toMatchObject({ state: 'ok' });
    expect(storageIn(await doctor({ ...env, AWS_SECRET_ACCESS_KEY: 'wrong' }))).toMatchObject({
      state: 'bad',
      says: expect.stringContaining('SignatureDoesNotMatch'),
    });
  });

  test.each(['after-claim', 'after-intent', 'after-link', 'after-commit'])(
    'a job survives a crash of the service %s, and nothing is left',
    async (failpoint) => {
      const own = await bucketOfTest();
      await own.put('in.mp4', film);
      const crashing = await startOn(own, { env: { TELECINE_FAILPOINT: failpoint } });
      const jobId = await crashing.admin.accept({ input: 'in.mp4', output: 'out.mp4', parameters: SMALL });
      expect((await crashing.server.exited).signal).toBe('SIGKILL');
      const { dataDir } = crashing.server;
      const { server: next, admin: nextAdmin } = await startOn(own, { dataDir });
      const job = await nextAdmin.wait(jobId);
      expect(job.status).toBe('COMPLETED');
      expect((await own.get('out.mp4')).length).toBe(job.outputs?.[0]?.sizeBytes);
      expect(await own.list()).toEqual(['in.mp4', 'out.mp4']);
      await expect.poll(() => own.leftovers(next)).toEqual([]);
    },
  );
});

import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, inject } from 'vitest';
import { samplePath } from '../../scripts/lib/samples.ts';
import { type ApiClient, adminClient, login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';
import { addClient, runCli } from '../support/run-cli.ts';
import { newBucket, s3Server, testClient } from '../support/s3.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const test = needs('an S3 server', 'ffmpeg');
const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', t: '1', an: '' };

/** A bucket of the S3 server, with the operations of its owner. */
async function bucketOfTest() {
  const client = testClient(s3Server());
  const name = await newBucket(client);
  return {
    name,
    put: async (key: string, content: Uint8Array | string) => {
      await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: content }));
    },
    get: async (key: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    list: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    uploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }));
      return Uploads.flatMap(({ Key }) => Key ?? []);
    },
  };
}

type Bucket = Awaited<ReturnType<typeof bucketOfTest>>;
type Entries = Readonly<Record<string, object>>;

/** The secret of a profile with which the S3 server allows nothing. */
const WRONG_SECRET = 'a-secret-that-is-wrong';

/** Files of an operator: the buckets, and the credentials of two profiles. */
async function bucketsFile(entries: (common: object) => Entries) {
  const folder = await testFolder('buckets');
  const credentialsFile = join(folder, 'credentials');
  const { endpoint, accessKeyId, secretAccessKey } = s3Server();
  const profile = (name: string, secret: string) =>
    `[${name}]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secret}\n`;
  await writeFile(credentialsFile, profile('tests', secretAccessKey) + profile('wrong', WRONG_SECRET), { mode: 0o600 });
  const file = join(folder, 'buckets.json');
  const write = (changed: typeof entries) =>
    writeFile(file, JSON.stringify(changed({ endpoint, profile: 'tests', credentialsFile })));
  await write(entries);
  return { file, credentialsFile, write, env: { TELECINE_STORAGE_BUCKETS: file } };
}

async function startWith(options: TestServerOptions) {
  const server = await startServer(options);
  return { server, admin: await adminClient(server) };
}

/** The names in the scratch folders whose own name begins with `start`. */
const namesIn = async ({ scratchParent }: TestServer, start: string): Promise<readonly string[]> => {
  const folder = join(scratchParent, '.telecine');
  const parents = (await readdir(folder)).filter((name) => name.startsWith(start));
  const found = await Promise.all(parents.map((name) => readdir(join(folder, name)).catch(() => [])));
  return found.flat().filter((name) => !name.includes('lock'));
};

const scratchOf = (server: TestServer): Promise<readonly string[]> => namesIn(server, 'jobs');

/** Copies of objects: those of running probes, and those kept for two minutes for the next job or preview. */
const copiesOf = (server: TestServer): Promise<readonly string[]> => namesIn(server, 'probes');

describe('other buckets', () => {
  let film: Buffer;
  let footage: Bucket;
  let results: Bucket;
  let wrong: string;
  let files: Awaited<ReturnType<typeof bucketsFile>>;
  let server: TestServer;
  let admin: ApiClient;
  let amy: ApiClient;

  beforeAll(async () => {
    film = await readFile(samplePath('480p'));
    [footage, results] = await Promise.all([bucketOfTest(), bucketOfTest()]);
    await footage.put('films/in.mp4', film);
    await footage.put('secret/in.mp4', film);
    wrong = (await bucketOfTest()).name;
    files = await bucketsFile((common) => ({
      [`s3://${footage.name}`]: { ...common, clients: ['*'] },
      [`s3://${footage.name}/secret`]: { ...common, clients: ['nobody'] },
      [`s3://${results.name}/out`]: { ...common, access: 'readWrite', clients: ['admin'] },
      [`s3://${wrong}`]: { ...common, profile: 'wrong', clients: ['*'] },
    }));
    ({ server, admin } = await startWith({ env: files.env }));
    amy = await login(server.url, await addClient(server, 'amy', '--root', 'amy'));
    await server.media.put('own.mp4', film);
  });

  const submit = (client: ApiClient, body: object) => client.request('/api/conversion', { method: 'POST', body });
  const errorsOf = async (client: ApiClient, body: object) => {
    const { status, body: problem } = await submit(client, body);
    return [status, ...(problem.errors ?? []).map(({ field, code, message }) => `${field} ${code} ${message}`)];
  };

  test('reads an input from another bucket', async () => {
    const input = `s3://${footage.name}/films/in.mp4`;
    const job = await admin.run({ input, output: 'from-bucket.mp4', parameters: SMALL });
    expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ path: 'from-bucket.mp4' }] });
    await expect.poll(() => scratchOf(server)).toEqual([]);
  });

  test('reads inputs from several places in one conversion', async () => {
    const inputs = ['own.mp4', `s3://${footage.name}/films/in.mp4`];
    const parameters = { ...SMALL, filter_complex: '[0:v][1:v]hstack', s: undefined };
    const job = await admin.run({ inputs, output: 'both.mp4', parameters });
    expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ streams: [{ width: 1708 }] }] });
  });

  test('probes a file in another bucket, and keeps one copy for the next job or preview', async () => {
    const probed = await amy.request('/api/probe', {
      method: 'POST',
      body: { input: `s3://${footage.name}/films/in.mp4` },
    });
    expect(probed).toMatchObject({ status: 200, body: { streams: expect.any(Array) } });
    await expect.poll(() => copiesOf(server)).toHaveLength(1);
  });

  test('says what is missing, and names the whole path', async () => {
    const input = `s3://${footage.name}/films/IN.mp4`;
    const request = { input, output: 'never.mp4' };
    const dry = await admin.request('/api/conversion?dryRun=true', { method: 'POST', body: request });
    expect(dry.body).toMatchObject({
      warnings: [{ field: '/input', code: 'INPUT_NOT_FOUND', message: expect.stringContaining(input) }],
    });
    expect(await admin.run(request)).toMatchObject({
      status: 'FAILED',
      error: { code: 'INPUT_NOT_FOUND', message: expect.stringContaining(`"s3://${footage.name}/films/in.mp4" does`) },
    });
  });

  test('rejects a bucket that the client may not use, whether it exists or not, with the same words', async () => {
    const wordsOf = async (bucket: string) =>
      (await errorsOf(amy, { input: `s3://${bucket}/in.mp4`, output: 'o.mp4' })).join().replaceAll(bucket, 'B');
    const words = await wordsOf(results.name);
    expect(words).toContain('400,/input STORAGE_NOT_ALLOWED Bucket "B" is not allowed for this client.');
    expect(await wordsOf('no-such-bucket')).toBe(words);
    expect(
      (await amy.request('/api/probe', { method: 'POST', body: { input: `s3://${results.name}/out/x` } })).status,
    ).toBe(400);
  });

  test('the longest entry counts, by whole segments, and no path leaves it', async () => {
    const codeOf = async (input: string) => (await errorsOf(admin, { input, output: 'o.mp4' })).join().split(' ')[1];
    for (const path of ['secret/in.mp4', 'films/../secret/in.mp4', './/secret/in.mp4'])
      expect(await codeOf(`s3://${footage.name}/${path}`), path).toBe('STORAGE_NOT_ALLOWED');
    expect(await codeOf(`s3://${results.name}/output/in.mp4`)).toBe('STORAGE_NOT_ALLOWED');
    expect(await codeOf(`s3://${footage.name}/../x.mp4`)).toBe('OUTSIDE_ROOT');
    expect(await codeOf(`s3://${footage.name}/.telecine/x.mp4`)).toBe('RESERVED_NAME');
    expect(await codeOf(`s3://${footage.name}/`)).toBe('IS_DIRECTORY');
    expect(await codeOf(`S3://${footage.name}/films/in.mp4`)).toBe('STORAGE_NOT_ALLOWED');
  });

  test('grants of one client do not count for another that sends the same request', async () => {
    const request = { input: 'own.mp4', output: `s3://${results.name}/out/mine.mp4`, parameters: SMALL };
    expect((await admin.run(request)).status).toBe('COMPLETED');
    expect(await errorsOf(amy, request)).toEqual([
      400,
      `/output STORAGE_NOT_ALLOWED Bucket "${results.name}" is not allowed for writing for this client.`,
    ]);
  });

  test('rejects an output in a bucket that may only be read', async () => {
    expect(await errorsOf(admin, { input: 'own.mp4', output: `s3://${footage.name}/o.mp4` })).toEqual([
      400,
      `/output STORAGE_NOT_ALLOWED Bucket "${footage.name}" is not allowed for writing for this client.`,
    ]);
    expect(await footage.list()).toEqual(['films/in.mp4', 'secret/in.mp4']);
  });

  test('credentials of one bucket are not used for another, and are in no log', async () => {
    const job = await admin.run({ input: `s3://${wrong}/in.mp4`, output: 'o.mp4' });
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'STORAGE_FAULT' } });
    for (const secret of [WRONG_SECRET, s3Server().secretAccessKey]) expect(server.log()).not.toContain(secret);
  });

  test('writes an output to another bucket, serves it, and deletes it with its job', async () => {
    const output = `s3://${results.name}/out/a/film.mp4`;
    const job = await admin.run({ input: `s3://${footage.name}/films/in.mp4`, output, parameters: SMALL });
    expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ path: output }] });
    const object = await results.get('out/a/film.mp4');
    const path = `/api/conversion/${job.jobId}/output`;
    const download = async (query: string) => {
      const reply = await fetch(server.url + path + query, { headers: { authorization: `Bearer ${admin.token}` } });
      return Buffer.from(await reply.arrayBuffer()).equals(object);
    };
    expect([await download(''), await download(`?path=${encodeURIComponent(output)}`)]).toEqual([true, true]);
    const links = await admin.request<{ links: readonly { url: string }[] }>(`/api/conversion/${job.jobId}/links`);
    const linked = await fetch(new URL(links.body.links[0]?.url ?? '', server.url));
    expect(Buffer.from(await linked.arrayBuffer()).equals(object)).toBe(true);
    const file = await admin.request(`/api/files/${encodeURIComponent(output)}`);
    expect([file.status, file.body.errors?.[0]?.code]).toEqual([400, 'STORAGE_NOT_ALLOWED']);
    const deleted = await admin.request(`/api/conversion/${job.jobId}?outputs=true`, { method: 'DELETE' });
    expect([deleted.status, await results.list()]).toEqual([204, expect.not.arrayContaining(['out/a/film.mp4'])]);
    await expect.poll(() => scratchOf(server)).toEqual([]);
    expect(await results.uploads()).toEqual([]);
  });

  test('publishes the segments and the playlist of HLS', async () => {
    const output = `s3://${results.name}/out/hls/all.m3u8`;
    const job = await admin.run({ input: 'own.mp4', output, parameters: { ...SMALL, g: '6', hls_time: '0.25' } });
    expect(job.status).toBe('COMPLETED');
    const written = (await results.list()).filter((key) => key.startsWith('out/hls/'));
    expect(written.length).toBeGreaterThan(3);
    expect(job.outputs?.map(({ path }) => path).sort()).toEqual(
      written.map((key) => `s3://${results.name}/${key}`).sort(),
    );
  });

  test('keeps an existing output, replaces it with "y", and never replaces an input', async () => {
    await results.put('out/kept.mp4', film);
    const output = `s3://${results.name}/out/kept.mp4`;
    const request = { input: 'own.mp4', output, parameters: SMALL };
    expect(await admin.run(request)).toMatchObject({
      status: 'FAILED',
      error: { code: 'OUTPUT_EXISTS', message: expect.stringContaining(output) },
    });
    expect((await errorsOf(admin, { ...request, input: output, parameters: { ...SMALL, y: '' } })).join()).toContain(
      'OUTPUT_IS_INPUT',
    );
    expect((await results.get('out/kept.mp4')).equals(film)).toBe(true);
    expect((await admin.run({ ...request, parameters: { ...SMALL, y: '' } })).status).toBe('COMPLETED');
    expect((await results.get('out/kept.mp4')).equals(film)).toBe(false);
  });

  test.each(['after-claim', 'after-intent', 'after-link', 'after-commit'])(
    'a job with an output in another bucket survives a crash %s, and nothing is left',
    async (failpoint) => {
      const target = await bucketOfTest();
      const crash = await bucketsFile((common) => ({
        [`s3://${target.name}`]: { ...common, access: 'readWrite', clients: ['*'] },
      }));
      const crashing = await startWith({ env: { ...crash.env, TELECINE_FAILPOINT: failpoint } });
      await crashing.server.media.put('own.mp4', film);
      const jobId = await crashing.admin.accept({
        input: 'own.mp4',
        output: `s3://${target.name}/o.mp4`,
        parameters: SMALL,
      });
      expect((await crashing.server.exited).signal).toBe('SIGKILL');
      const { dataDir, mediaRoot } = crashing.server;
      const next = await startWith({ dataDir, mediaRoot, env: crash.env });
      const job = await next.admin.wait(jobId);
      expect(job.status).toBe('COMPLETED');
      expect((await target.get('o.mp4')).length).toBe(job.outputs?.[0]?.sizeBytes);
      await expect
        .poll(async () => [await target.list(), await target.uploads(), await scratchOf(next.server)])
        .toEqual([['o.mp4'], [], []]);
    },
  );

  test('without its entry, a queued job fails, its outputs are gone, and one that was publishing fails', async () => {
    const target = await bucketOfTest();
    const only = await bucketsFile((common) => ({
      [`s3://${target.name}`]: { ...common, access: 'readWrite', clients: ['*'] },
    }));
    const first = await startWith({ env: only.env });
    await first.server.media.put('own.mp4', film);
    const done = await first.admin.run({ input: 'own.mp4', output: `s3://${target.name}/done.mp4`, parameters: SMALL });
    await first.server.stop();
    const { dataDir, mediaRoot } = first.server;
    const crashing = await startWith({
      dataDir,
      mediaRoot,
      env: { ...only.env, TELECINE_FAILPOINT: 'after-intent', TELECINE_CONCURRENCY: '1' },
    });
    const request = (name: string) => ({ input: 'own.mp4', output: `s3://${target.name}/${name}`, parameters: SMALL });
    const publishing = await crashing.admin.accept(request('a.mp4'));
    const queued = await crashing.admin.accept(request('b.mp4'));
    await crashing.server.exited;

    await only.write(() => ({}));
    const next = await startWith({ dataDir, mediaRoot, env: only.env });
    for (const jobId of [publishing, queued])
      expect(await next.admin.wait(jobId)).toMatchObject({
        status: 'FAILED',
        error: { code: 'UNSUPPORTED', message: expect.stringContaining(target.name) },
      });
    expect((await next.admin.request(`/api/conversion/${done.jobId}/output`)).status).toBe(410);
    expect((await next.admin.request(`/api/conversion/${done.jobId}?outputs=true`, { method: 'DELETE' })).status).toBe(
      204,
    );
    expect(await target.list()).toEqual(['done.mp4']);
  });

  test('warns about credentials that other users can read', async () => {
    expect(server.log()).not.toContain('other users can read the credentials');
    const exposed = await bucketsFile((common) => ({ [`s3://${footage.name}`]: common }));
    await chmod(exposed.credentialsFile, 0o644);
    const other = await startServer({ env: exposed.env });
    expect(other.log()).toContain('other users can read the credentials of a bucket');
  });

  test('a language model reads and writes other buckets by the same rules', async () => {
    const mcp = await mcpClient(server.url, admin.token);
    const input = `s3://${footage.name}/films/in.mp4`;
    expect(await callTool(mcp, 'probe_media', { input })).toMatchObject({ streams: expect.any(Array) });
    const output = `s3://${results.name}/out/mcp.mp4`;
    const accepted = await callTool<{ jobId: string }>(mcp, 'convert_media', {
      input,
      output,
      parameters: SMALL,
      llmId: 'test',
    });
    expect((await admin.wait(accepted.jobId)).outputs?.[0]?.path).toBe(output);
    const denied = await callRejectedTool(mcp, 'probe_media', { input: `s3://${footage.name}/secret/in.mp4` });
    expect(JSON.stringify(denied)).toContain('STORAGE_NOT_ALLOWED');
  });

  test('the command line names objects as files of the service', async () => {
    const [input, output] = [`server:s3://${footage.name}/films/in.mp4`, `server:s3://${results.name}/out/cli.mp4`];
    const options = Object.entries(SMALL).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
    const settings = { ...server.settings, TELECINE_URL: server.url };
    const { code, stderr } = await runCli(['convert', input, output, ...options], settings);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(await results.list()).toContain('out/cli.mp4');
  });

  test('a job can be cancelled while it reads from another bucket and writes to one', async () => {
    const input = `s3://${footage.name}/films/in.mp4`;
    const output = `s3://${results.name}/out/cancelled.mp4`;
    const parameters = { 'c:v': 'libx264', preset: 'veryslow', stream_loop: '20', s: '1280x720' };
    const jobId = await admin.accept({ input, output, parameters });
    await admin.wait(jobId, ({ phase }) => phase === 'CONVERTING');
    await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
    expect((await admin.wait(jobId)).status).toBe('CANCELLED');
    await expect.poll(() => scratchOf(server)).toEqual([]);
    expect([await results.uploads(), await results.list()]).toEqual([
      [],
      expect.not.arrayContaining(['out/cancelled.mp4']),
    ]);
  });

  (inject('engines')?.storage === 's3' ? test : test.skip)(
    'an object of the media root that is named by its address too is the same file',
    async () => {
      const plain = await startServer();
      const { dataDir, mediaRoot, settings } = plain;
      await plain.media.put('own.mp4', film);
      await plain.stop();
      const address = settings['TELECINE_STORAGE']?.replace(/\/$/, '') ?? '';
      const both = await bucketsFile((common) => ({ [address]: { ...common, access: 'readWrite', clients: ['*'] } }));
      const { admin: client } = await startWith({ dataDir, mediaRoot, env: both.env });
      const parameters = { ...SMALL, y: '' };
      for (const [input, output] of [
        ['own.mp4', `${address}/own.mp4`],
        [`${address}/own.mp4`, 'own.mp4'],
      ])
        expect((await errorsOf(client, { input, output, parameters })).join()).toContain('OUTPUT_IS_INPUT');
      expect((await plain.media.get('own.mp4')).equals(film)).toBe(true);
      expect((await client.run({ input: `${address}/own.mp4`, output: 'copy.mp4', parameters })).status).toBe(
        'COMPLETED',
      );
    },
  );

  test('telecine doctor checks each bucket', async () => {
    const { stdout } = await runCli(['doctor', '--json'], { ...server.settings, ...files.env });
    const findings = (JSON.parse(stdout) as readonly { name: string; state: string; says: string }[]).filter(
      ({ name }) => name === 'bucket',
    );
    expect(findings.map(({ state, says }) => `${state} ${says}`)).toEqual([
      `ok s3://${footage.name}/: objects can be listed`,
      `ok s3://${footage.name}/secret/: objects can be listed`,
      `ok s3://${results.name}/out/: objects can be listed, written and deleted`,
      expect.stringMatching(/^bad s3:.*: objects cannot be listed \(SignatureDoesNotMatch\)/),
    ]);
    expect(stdout).not.toContain(WRONG_SECRET);
  });
});

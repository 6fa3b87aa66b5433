import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { differences, filmFacts, similarity } from '../support/compare-media.ts';
import { testFolder } from '../support/folders.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { ffmpegIn, ffprobeIn } from '../support/run-chunks.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('an S3 server', 'ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

test('two workers that share only a bucket encode the chunks of one film, and the output equals one continuous encode', async () => {
  await postgres.sql('create database chunked');
  const client = testClient(s3Server());
  const bucket = await newBucket(client);
  const env = {
    ...s3Environment(s3Server(), bucket, 'telecine/'),
    TELECINE_DATABASE_URL: postgres.url('chunked'),
    TELECINE_CONCURRENCY: '1',
  };
  const keys = async (): Promise<readonly string[]> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.flatMap(({ Key }) => Key ?? []).filter((key) => !key.endsWith('.telecine/ready'));
  };
  onTestFinished(() => client.destroy());
  const dir = await testFolder('films');
  await writeFile(join(dir, 'in.mp4'), await readFile(await clip('480p', 12)));
  const Body = await readFile(join(dir, 'in.mp4'));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'telecine/in.mp4', Body }));

  const one = await startServer({ env });
  const two = await startServer({ env });
  const admin = await adminClient(one);
  const parameters = { 'c:v': 'libx264', preset: 'slower', crf: '28', 'c:a': 'aac' };
  const jobId = await admin.accept({ input: 'in.mp4', output: 'chunked.mp4', parameters, chunks: { seconds: 2 } });
  const database = new Client({ connectionString: postgres.url('chunked') });
  await database.connect();
  onTestFinished(() => database.end());
  const workers = new Set<string>();
  const seen = new Set<string>();
  const job = await waitUntil(
    'the film',
    async () => {
      const { rows } = await database.query<{ id: string }>(
        'select distinct worker_id as id from job_chunks where worker_id is not null',
      );
      for (const { id } of rows) workers.add(id);
      for (const key of await keys()) seen.add(key);
      const now = await clientWithToken(two.url, admin.token).job(jobId);
      return now.status === 'COMPLETED' || now.status === 'FAILED' ? now : undefined;
    },
    100,
  );
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  expect(workers.size).toBe(2);
  expect([...seen].some((key) => key.startsWith('telecine/.telecine/chunks-'))).toBe(true);

  const whole = await admin.run({ input: 'in.mp4', output: 'whole.mp4', parameters });
  expect(whole.status).toBe('COMPLETED');
  for (const name of ['chunked.mp4', 'whole.mp4']) {
    const reply = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `telecine/${name}` }));
    await writeFile(join(dir, name), (await reply.Body?.transformToByteArray()) ?? '');
  }
  expect(differences(await filmFacts(dir, 'whole.mp4'), await filmFacts(dir, 'chunked.mp4'))).toEqual([]);
  // Such short chunks at this preset measured 0.0020 below the whole conversion (0.9823, 0.9844). Wrong frames would be far below.
  const quality = (file: string) => similarity(dir, 'in.mp4', file);
  expect(Math.abs((await quality('whole.mp4')) - (await quality('chunked.mp4')))).toBeLessThan(0.005);
  await expect.poll(keys).toEqual(['telecine/chunked.mp4', 'telecine/in.mp4', 'telecine/whole.mp4']);
});

test('a worker copies of the input what its chunk is made from', async () => {
  await postgres.sql('create database parts');
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  const proxy = await startS3Proxy(s3Server().endpoint, () => undefined);
  const common = { TELECINE_DATABASE_URL: postgres.url('parts'), TELECINE_CONCURRENCY: '1' };
  const dir = await testFolder('films');
  // With the index in front, the file ends with its last frame.
  const more = ['-c', 'copy', '-movflags', '+faststart'];
  const long = ['-stream_loop', '7', '-i', await clip('480p', 30), ...more, 'long.mp4'];
  await ffmpegIn(dir, ['-nostdin', '-v', 'error', ...long]);
  const Body = await readFile(join(dir, 'long.mp4'));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'in.mp4', Body }));

  const direct = { ...common, ...s3Environment(s3Server(), bucket) };
  const admin = await adminClient(await startServer({ env: direct }));
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=128:-2', 'c:a': 'aac' };
  const jobId = await admin.accept({ input: 'in.mp4', output: 'out.mp4', parameters, chunks: { seconds: 20 } });
  await admin.wait(jobId, ({ encodedChunks }) => encodedChunks !== undefined, 100);
  const throughProxy = s3Environment({ ...s3Server(), endpoint: proxy.endpoint }, bucket);
  await startServer({ command: 'worker', env: { ...common, ...throughProxy } });
  const job = await admin.wait(jobId, undefined, 100);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();

  const stored = proxy.requests.filter(({ method, url }) => method === 'PUT' && url.includes('/.telecine/chunks-'));
  expect(stored.length).toBeGreaterThan(0);
  const copied = proxy.requests.flatMap(({ method, url, range = '' }) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return method === 'GET' && url.includes('/in.mp4') ? Number(last) - Number(first) + 1 : [];
  });
  // A whole copy is read in ranges of 16 MiB.
  expect(Math.max(...copied)).toBeLessThan(2 ** 24);
  expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan((stored.length * Body.length) / 2);
});

test('other slots encode chunks of a film while the worker of the job still copies it from the bucket', async () => {
  const client = testClient(s3Server());
  onTestFinished(() => client.destroy());
  const bucket = await newBucket(client);
  const dir = await testFolder('films');
  // Noise without loss is large, and small frames are quick. The index is at the end.
  const noise = 'testsrc2=s=128x72:r=24:d=30,noise=alls=100:allf=t,format=yuv420p';
  const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '24'];
  await ffmpegIn(dir, ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', noise, ...lossless, 'noise.mp4']);
  const looped = ['-stream_loop', '-1', '-i', 'noise.mp4', '-fs', '110000000', '-c', 'copy', 'large.mp4'];
  await ffmpegIn(dir, ['-nostdin', '-v', 'error', ...looped]);
  const Body = await readFile(join(dir, 'large.mp4'));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'in.mp4', Body }));

  const encoded = Promise.withResolvers<void>();
  let held = 0;
  const proxy = await startS3Proxy(s3Server().endpoint, async ({ method, url, range = '' }) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    // A whole copy is read in ranges of 16 MiB, and no chunk needs as much.
    if (method !== 'GET' || !url.includes('/in.mp4') || Number(last) - Number(first) + 1 !== 2 ** 24) return undefined;
    held += 1;
    await encoded.promise;
    return undefined;
  });
  const env = { ...s3Environment({ ...s3Server(), endpoint: proxy.endpoint }, bucket), TELECINE_CONCURRENCY: '2' };
  const server = await startServer({ env });
  const admin = await adminClient(server);
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', crf: '40' };
  const jobId = await admin.accept({ input: 'in.mp4', output: 'out.mp4', parameters, chunks: { seconds: 15 } });
  using database = new DatabaseSync(join(server.dataDir, 'telecine.db'), { readOnly: true });
  const done = database.prepare("select count(*) as count from job_chunks where state = 'DONE'");
  await waitUntil('a chunk to be encoded', async () => Number(done.get()?.['count']) > 0 || undefined);
  encoded.resolve();
  const job = await admin.wait(jobId);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  expect(held).toBeGreaterThan(0);
  const reply = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'out.mp4' }));
  await writeFile(join(dir, 'out.mp4'), (await reply.Body?.transformToByteArray()) ?? '');
  const count = ['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  expect(await ffprobeIn(dir, [...count, 'out.mp4'])).toBe(await ffprobeIn(dir, [...count, 'large.mp4']));
});

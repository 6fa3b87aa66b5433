import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { shortfalls } from '../support/as-good.ts';
import { testFolder } from '../support/folders.ts';
import { clipWithKeyFrames } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('an S3 server', 'ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

test('two workers that share only a bucket encode the chunks of one film, and the output is as good as one continuous encode', async () => {
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
    return Contents.flatMap(({ Key }) => Key ?? []).filter((key) => !/\.telecine\/(?:ready$|receipts\/)/.test(key));
  };
  onTestFinished(() => client.destroy());
  const dir = await testFolder('films');
  await writeFile(join(dir, 'in.mp4'), await readFile(await clipWithKeyFrames(12)));
  const Body = await readFile(join(dir, 'in.mp4'));
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'telecine/in.mp4', Body }));

  const one = await startServer({ env });
  const two = await startServer({ env });
  const admin = await adminClient(one);
  const parameters = { 'c:v': 'libx264', preset: 'slow', crf: '28', 'c:a': 'aac' };
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
  const files = { source: 'in.mp4', whole: 'whole.mp4', inChunks: 'chunked.mp4', filters: 'null' };
  await mkdir(join(dir, 'pass'));
  expect(await shortfalls(dir, { ...files, chunks: 6, seams: [] })).toEqual([]);
  await expect.poll(keys).toEqual(['telecine/chunked.mp4', 'telecine/in.mp4', 'telecine/whole.mp4']);
});

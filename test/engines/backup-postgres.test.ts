import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import { onPath } from '../../scripts/setup/command.ts';
import { postgresPrograms } from '../../scripts/setup/postgres.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';
import { expectNoContradiction, prepareJobs } from '../support/restored-jobs.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg', 'PostgreSQL');

const tool = (name: string, ...args: readonly string[]) =>
  promisify(execFile)(onPath(name) ?? join(postgresPrograms() ?? '', name), args, { cwd: '/' });

test('a dump of PostgreSQL under a running service has its jobs, which run after a restore', async () => {
  const folder = await testFolder('postgres');
  const postgres = await startPostgres(folder);
  onTestFinished(() => postgres.stop());
  for (const name of ['before', 'after']) await postgres.sql(`create database ${name}`);
  const onDatabase = (name: string) => ({ TELECINE_DATABASE_URL: postgres.url(name) });

  const server = await startServer({ env: onDatabase('before') });
  await putSmallMovie(server.mediaRoot, 1, 'movie.mp4');
  const admin = await adminClient(server);
  const request = { input: 'movie.mp4', parameters: { c: 'copy' } };
  const ended = (await admin.run({ ...request, output: 'ended.mkv' })).jobId;
  await admin.request('/api/queue/pause', { method: 'POST' });
  const queued = await admin.accept({ ...request, output: 'queued.mkv' });

  const file = join(await testFolder('dump'), 'telecine.dump');
  await tool('pg_dump', '--format=custom', `--file=${file}`, postgres.url('before'));
  const lost = await admin.accept({ ...request, output: 'lost.mkv' });
  await server.kill9('group');
  await tool('pg_restore', `--dbname=${postgres.url('after')}`, file);

  const { dataDir, mediaRoot } = server;
  const restored = await startServer({ dataDir, mediaRoot, env: onDatabase('after') });
  const again = await adminClient(restored);
  expect(await again.job(ended)).toMatchObject({ status: 'COMPLETED' });
  expect(await again.job(queued)).toMatchObject({ status: 'PENDING' });
  expect(await again.request(`/api/conversion/${lost}`)).toMatchObject({ status: 404 });
  await again.request('/api/queue/resume', { method: 'POST' });
  expect(await again.wait(queued)).toMatchObject({ status: 'COMPLETED' });
});

needs(
  'ffmpeg',
  'PostgreSQL',
  'an S3 server',
)('jobs that ended after a dump are complete again after its restore, with files in a bucket too', async () => {
  const postgres = await startPostgres(await testFolder('postgres'));
  onTestFinished(() => postgres.stop());
  for (const name of ['before', 'after']) await postgres.sql(`create database ${name}`);
  const receiver = await startReceiver();
  const client = testClient(s3Server());
  const bucket = await newBucket(client);
  const envOf = (name: string) => ({
    ...s3Environment(s3Server(), bucket, 'telecine/'),
    TELECINE_WEBHOOK_HOSTS: receiver.host,
    TELECINE_DATABASE_URL: postgres.url(name),
  });
  const put = (path: string, Body: Uint8Array | string) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key: `telecine/${path}`, Body }));
  const local = await testFolder('movie');
  const movie = await readFile(join(local, await putSmallMovie(local, 1, 'movie.mp4')));
  for (const name of ['movie.mp4', 'gone.mp4']) await put(name, movie);

  const server = await startServer({ env: envOf('before') });
  const prepared = await prepareJobs(await adminClient(server), receiver);
  const file = join(await testFolder('dump'), 'telecine.dump');
  await tool('pg_dump', '--format=custom', `--file=${file}`, postgres.url('before'));
  const jobs = await prepared.run();
  await put('foreign.mkv', 'of another program');
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'telecine/gone.mp4' }));
  await server.stop();
  await tool('pg_restore', `--dbname=${postgres.url('after')}`, file);

  const restored = await startServer({ dataDir: server.dataDir, env: envOf('after') });
  await expectNoContradiction(await adminClient(restored), receiver, jobs);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureMergerfs, ensurePgBouncer, ensurePostgres, ensureRadosgw } from '../../scripts/setup/tools.ts';
import { startRadosgw } from '../support/radosgw.ts';
import { newBucket, testClient } from '../support/s3.ts';

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Installs PostgreSQL, mergerfs and the S3 server if they are missing, and starts the S3 server for all tests. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('s3' in vitest.getProvidedContext()) return undefined;
  await ensurePostgres(say);
  await ensurePgBouncer(say);
  await ensureMergerfs(say);
  if (!(await ensureRadosgw(say))) {
    vitest.provide('s3', undefined);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'telecine-s3-'));
  const { stop, ...server } = await startRadosgw(folder);
  const client = testClient(server);
  // The first bucket takes seconds, because the server creates its pools.
  await newBucket(client);
  client.destroy();
  const { endpoint, accessKeyId, secretAccessKey } = server;
  // Only plain values reach the processes of the tests.
  vitest.provide('s3', { endpoint, accessKeyId, secretAccessKey });
  return async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}

import { CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { v7 as uuid } from 'uuid';
import { inject } from 'vitest';
import { s3Client } from '../../packages/service/src/media/s3/client.ts';
import type { S3Server } from './radosgw.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The S3 server of the run; undefined if this machine has none. Only in `npm run test:engines`. */
    s3: S3Server | undefined;
  }
}

/** The S3 server of this test run. Throws without one, so guard the test with `needs('an S3 server')`. */
export function s3Server(): S3Server {
  const server = inject('s3');
  if (server === undefined) throw new Error('There is no S3 server. Start the test with needs("an S3 server").');
  return server;
}

/** A client of the S3 server; `endpoint`: the address of a proxy before it. */
export const testClient = (
  server: S3Server,
  options: { readonly endpoint?: string; readonly socketTimeoutMs?: number } = {},
): S3Client => {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  return s3Client({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
    ...options,
  });
};

/** Creates an empty bucket with a new name. It ends with the server. */
export async function newBucket(client: S3Client): Promise<string> {
  const bucket = `test-${uuid()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return bucket;
}

/**
 * The settings of a service that stores media in a bucket. The credentials are read by the AWS SDK, as an operator sets
 * them.
 */
export const s3Environment = (server: S3Server, bucket: string, prefix = ''): Readonly<Record<string, string>> => ({
  TELECINE_STORAGE: `s3://${bucket}/${prefix}`,
  TELECINE_STORAGE_ENDPOINT: server.endpoint,
  AWS_ACCESS_KEY_ID: server.accessKeyId,
  AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
});

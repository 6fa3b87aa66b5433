import {
  AbortMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { s3ErrorKind } from '../../packages/service/src/media/s3/errors.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Server, testClient } from '../support/s3.ts';

describe('errors of an S3 server', () => {
  const test = needs('an S3 server');
  let client: S3Client;
  let bucket: string;
  beforeAll(async () => {
    client = testClient(s3Server());
    bucket = await newBucket(client);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'hello' }));
  });
  afterAll(() => client.destroy());
  const kindOf = (request: Promise<unknown>) => request.then(() => 'none', s3ErrorKind);

  test('a missing object, upload and bucket, a failed condition and a range differ', async () => {
    const a = { Bucket: bucket, Key: 'a' };
    expect({
      head: await kindOf(client.send(new HeadObjectCommand({ ...a, Key: 'none' }))),
      get: await kindOf(client.send(new GetObjectCommand({ ...a, Key: 'none' }))),
      bucket: await kindOf(client.send(new GetObjectCommand({ ...a, Bucket: `${bucket}-none` }))),
      match: await kindOf(client.send(new GetObjectCommand({ ...a, IfMatch: '"other"' }))),
      noneMatch: await kindOf(client.send(new PutObjectCommand({ ...a, IfNoneMatch: '*', Body: 'x' }))),
      range: await kindOf(client.send(new GetObjectCommand({ ...a, Range: 'bytes=10-20' }))),
      upload: await kindOf(client.send(new AbortMultipartUploadCommand({ ...a, UploadId: '2~none' }))),
    }).toEqual({
      head: 'missing',
      get: 'missing',
      bucket: 'rejected',
      match: 'precondition',
      noneMatch: 'precondition',
      range: 'range',
      upload: 'no-upload',
    });
  });

  test('wrong credentials are rejected, and a server that does not run is unavailable', async () => {
    const stranger = testClient({ ...s3Server(), secretAccessKey: 'wrong' });
    const nowhere = testClient({ ...s3Server(), endpoint: `http://127.0.0.1:${await freePort()}` });
    const head = new HeadObjectCommand({ Bucket: bucket, Key: 'a' });
    expect([await kindOf(stranger.send(head)), await kindOf(nowhere.send(head))]).toEqual(['rejected', 'unavailable']);
  });

  test('an abort by a signal is not an error of the server', async () => {
    const head = new HeadObjectCommand({ Bucket: bucket, Key: 'a' });
    expect(await kindOf(client.send(head, { abortSignal: AbortSignal.abort() }))).toBeUndefined();
  });
});

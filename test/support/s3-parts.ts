import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { s3Server, testClient } from './s3.ts';
import type { TestServer } from './server.ts';

/** A multipart upload, as the AWS command line makes one for a large file. Each part but the last must have 5 MiB. */
export interface PartsUpload {
  add(part: Buffer): Promise<void>;
  complete(): Promise<void>;
}

/** Begins an upload to a path in the media root of a server whose media are in a bucket. */
export async function beginParts(server: Pick<TestServer, 'settings'>, path: string): Promise<PartsUpload> {
  const { hostname: bucket, pathname } = new URL(server.settings['TELECINE_STORAGE'] ?? '');
  const client = testClient(s3Server());
  const object = { Bucket: bucket, Key: `${pathname.slice(1)}${path}` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  const parts: CompletedPart[] = [];
  return {
    async add(part) {
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body: part }));
      parts.push({ PartNumber, ETag });
    },
    async complete() {
      await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: parts } }));
      client.destroy();
    },
  };
}

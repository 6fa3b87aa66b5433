import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { rethrow } from '../errno-codes.ts';
import type { ReceiptFiles } from '../receipts.ts';
import { ifFound } from './errors.ts';
import { listPages } from './list-pages.ts';
import type { S3Location } from './location.ts';
import { storageFailure } from './s3-failures.ts';

const explain = rethrow((error) => storageFailure('storing the receipt of a job', error));

/** Stores receipts as objects under a reserved prefix, which no client can name. */
export function receiptObjects(client: S3Client, { bucket, prefix }: S3Location): ReceiptFiles {
  const folder = `${prefix}${RESERVED_PREFIX}/receipts/`;
  const object = (jobId: string) => ({ Bucket: bucket, Key: `${folder}${jobId}` });
  return {
    write: (jobId, text) => client.send(new PutObjectCommand({ ...object(jobId), Body: text })).catch(explain),
    read: async (jobId) => (await ifFound(client.send(new GetObjectCommand(object(jobId)))))?.Body?.transformToString(),
    list: async () => {
      const jobIds: string[] = [];
      for await (const { Contents = [] } of listPages(client, { Bucket: bucket, Prefix: folder }))
        jobIds.push(...Contents.map(({ Key = '' }) => Key.slice(folder.length)));
      return jobIds;
    },
    remove: (jobId) => client.send(new DeleteObjectCommand(object(jobId))),
  };
}

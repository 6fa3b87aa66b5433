import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import type { RecordedUpload } from '../../../jobs/ports/job-records.ts';
import { all } from '../all.ts';
import type { Buckets } from '../bucket.ts';
import { ifFound } from '../errors.ts';
import type { UnrecordedUploads } from '../uploads/unrecorded-uploads.ts';

/** Aborts uploads, which deletes their parts. Does nothing for those that are complete or aborted. */
export const abortUploads = (
  client: S3Client,
  bucket: string,
  uploads: readonly { readonly key: string; readonly uploadId: string }[],
): Promise<void> =>
  all(uploads, async ({ key, uploadId }) => {
    await ifFound(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })));
  });

/**
 * Aborts the recorded uploads of an attempt, except those in buckets that the service cannot use any more. One without an
 * id may have begun just before a crash. Resolves to false if one of these has to be aborted later, because another upload
 * to its key is about to be recorded.
 */
export async function abortRecorded(
  { clientOf }: Pick<Buckets, 'clientOf'>,
  unrecorded: UnrecordedUploads,
  scratch: string,
  uploads: readonly RecordedUpload[],
): Promise<boolean> {
  let isDone = true;
  await all(uploads, async ({ bucket, key, uploadId, at }) => {
    const client = clientOf(bucket, key);
    if (client === undefined) return;
    if (uploadId !== undefined) return abortUploads(client, bucket, [{ key, uploadId }]);
    if (!(await unrecorded.abortOf(scratch, client, { bucket, key }, Date.parse(at)))) isDone = false;
  });
  return isDone;
}

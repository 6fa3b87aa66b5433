import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { RecordedUpload } from '../../../jobs/ports/output-uploads.ts';
import { all } from '../all.ts';
import type { Buckets } from '../bucket.ts';
import { ifFound } from '../errors.ts';
import type { S3Location } from '../location.ts';

/** How much the clock of the object store may be behind ours. */
const CLOCK_SKEW_MS = 60_000;

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
 * Aborts recorded uploads, except those in buckets that the service cannot use any more. One without an id may have begun
 * just before a crash: then it is an upload for the same key that is not older than its record.
 */
export async function abortRecorded(
  { clientOf }: Pick<Buckets, 'clientOf'>,
  uploads: readonly RecordedUpload[],
): Promise<void> {
  await all(uploads, async ({ bucket, key, uploadId, at }) => {
    const client = clientOf(bucket, key);
    if (client === undefined) return;
    if (uploadId !== undefined) return abortUploads(client, bucket, [{ key, uploadId }]);
    const oldest = new Date(at).getTime() - CLOCK_SKEW_MS;
    for await (const { Key, UploadId, Initiated } of listUploads(client, { bucket, prefix: key }))
      if (Key === key && UploadId !== undefined && (Initiated?.getTime() ?? 0) >= oldest)
        await abortUploads(client, bucket, [{ key, uploadId: UploadId }]);
  });
}

async function* listUploads(client: S3Client, { bucket, prefix }: S3Location): AsyncGenerator<MultipartUpload> {
  for (let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; next !== undefined; ) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, ...(prefix !== '' && { Prefix: prefix }), ...next }),
    );
    yield* page.Uploads ?? [];
    const { NextKeyMarker, NextUploadIdMarker, IsTruncated } = page;
    next =
      IsTruncated === true && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : undefined;
  }
}

import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3';

/** Lists the open multipart uploads to keys that begin with `prefix`. */
export async function listUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
): Promise<readonly MultipartUpload[]> {
  const uploads: MultipartUpload[] = [];
  for (let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; next !== undefined; ) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...next }),
    );
    uploads.push(...(page.Uploads ?? []));
    const { NextKeyMarker, NextUploadIdMarker, IsTruncated } = page;
    next =
      IsTruncated === true && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : undefined;
  }
  return uploads;
}

import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type HeadObjectCommandOutput,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { pick } from '@telecine/contract/domain/defined.ts';
import type { Bucket } from '../bucket.ts';
import { abortUpload, beginMultipart, STORED_HEADERS } from '../multipart-uploads.ts';

export interface CopyDeps extends Bucket {
  /** The largest object that is copied by one request, and the size of the parts of a larger one. Default: 5 GiB. */
  readonly maxCopyBytes?: number;
}

/** The limit of S3 for `CopyObject`, and for one part. */
const MAX_COPY_BYTES = 5 * 2 ** 30;

/**
 * Copies an object within its bucket, with its metadata. `head`: the version to copy; the copy fails if the object has
 * another one. An object that is too large for one request is copied in parts. `versionId`: of an earlier
 * version of the object.
 */
export async function copyObject(
  deps: CopyDeps,
  from: string,
  to: string,
  head: HeadObjectCommandOutput,
  versionId?: string,
): Promise<void> {
  const { client, location, maxCopyBytes = MAX_COPY_BYTES } = deps;
  const { bucket } = location;
  const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
  const source = {
    CopySource: `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}${version}`,
    CopySourceIfMatch: head.ETag,
  };
  const size = head.ContentLength ?? 0;
  if (size <= maxCopyBytes) {
    const command = new CopyObjectCommand({ Bucket: bucket, Key: to, ...source, MetadataDirective: 'COPY' });
    await client.send(command);
    return;
  }
  // Only a copy in one request takes over the metadata and header fields.
  const stored = { metadata: head.Metadata ?? {}, headers: pick(head, STORED_HEADERS) };
  const uploadId = await beginMultipart(client, { bucket, key: to, ...stored });
  const upload = { Bucket: bucket, Key: to, UploadId: uploadId };
  try {
    const parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
    for (let first = 0; first < size; first += maxCopyBytes) {
      const PartNumber = parts.length + 1;
      const CopySourceRange = `bytes=${first}-${Math.min(first + maxCopyBytes, size) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange }),
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
    await client.send(complete);
  } catch (error) {
    await abortUpload(client, { bucket, key: to, uploadId }).catch(() => undefined);
    throw error;
  }
}

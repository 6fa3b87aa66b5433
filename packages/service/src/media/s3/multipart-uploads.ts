import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type Part,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { ifFound } from './errors.ts';
import type { S3Location } from './location.ts';

interface Target {
  readonly bucket: string;
  readonly key: string;
}

export interface UploadRef extends Target {
  readonly uploadId: string;
}

/** Header fields with which an object is stored, and sent to whoever downloads it from the object store. */
export const STORED_HEADERS = [
  'ContentType',
  'ContentDisposition',
  'ContentEncoding',
  'ContentLanguage',
  'CacheControl',
] as const;

type StoredHeaders = Pick<CreateMultipartUploadCommandInput, (typeof STORED_HEADERS)[number]>;

/**
 * Begins a multipart upload. Resolves to its id. If the reply is lost, the SDK repeats the request, and nobody knows the id of the first
 * upload: it has no parts, and `abortAbandoned` aborts it.
 */
export async function beginMultipart(
  client: S3Client,
  { bucket, key, metadata, headers }: Target & { metadata?: Record<string, string>; headers?: StoredHeaders },
): Promise<string> {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ...headers, ...(metadata && { Metadata: metadata }) }),
  );
  if (UploadId === undefined) throw new Error('The object store gave an upload no id.');
  return UploadId;
}

/** Returns the fields of a request that identify a multipart upload. */
export const namesOf = ({ bucket, key, uploadId }: UploadRef) => ({ Bucket: bucket, Key: key, UploadId: uploadId });

/** Aborts an upload, so that the server deletes its parts. Does nothing if the upload is complete or aborted. */
export async function abortUpload(client: S3Client, upload: UploadRef): Promise<void> {
  await ifFound(client.send(new AbortMultipartUploadCommand(namesOf(upload))));
}

/**
 * Lists all parts of an upload, in order. Throws if the server does not list all of them: the object would be
 * incomplete.
 */
export async function listParts(client: S3Client, upload: UploadRef): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (let marker: string | undefined, more = true; more; ) {
    const page: ListPartsCommandOutput = await client.send(
      new ListPartsCommand({ ...namesOf(upload), MaxParts: 1000, PartNumberMarker: marker }),
    );
    parts.push(...(page.Parts ?? []));
    marker = page.NextPartNumberMarker;
    more = page.IsTruncated === true;
    if (more && marker === undefined) throw new Error('The object store listed only some parts of an upload.');
  }
  return parts;
}

/** How long an upload must have got no part until `abortAbandoned` aborts it. */
const ABANDONED_MS = 7 * DAY_MS;

/**
 * Aborts the uploads in a location that have got no part for a long time, also those of other programs. These are left by services that
 * were killed. `isRecorded`: whether the service still knows an upload, by its id. Such an upload stays: its parts may be acknowledged.
 */
export async function abortAbandoned(
  client: S3Client,
  { bucket, prefix }: Pick<S3Location, 'bucket' | 'prefix'>,
  isRecorded: (uploadId: string) => Promise<boolean>,
  abandonedMs = ABANDONED_MS,
): Promise<void> {
  const isOld = (at: Date | undefined): boolean => at !== undefined && at.getTime() <= Date.now() - abandonedMs;
  for (let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; next !== undefined; ) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...next }),
    );
    for (const { Key: key = '', UploadId: uploadId = '', Initiated } of page.Uploads ?? []) {
      const upload = { bucket, key, uploadId };
      if (!isOld(Initiated) || (await isRecorded(uploadId))) continue;
      const parts = (await ifFound(listParts(client, upload))) ?? [];
      if (parts.every(({ LastModified }) => isOld(LastModified))) await abortUpload(client, upload);
    }
    const { NextKeyMarker, NextUploadIdMarker, IsTruncated } = page;
    next =
      IsTruncated === true && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : undefined;
  }
}

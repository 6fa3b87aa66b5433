import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandOutput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ifFound } from '../errors.ts';
import type { S3FilesOptions } from './s3-files-options.ts';

/** The object that an upload creates. */
export interface UploadTarget {
  readonly bucket: string;
  readonly key: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A multipart upload. Its object does not exist before `complete`. */
export interface MultipartUpload {
  /** Uploads one part while the caller goes on. Waits while `MAX_IN_FLIGHT` parts are uploaded. */
  add(body: Uint8Array): Promise<void>;
  /** Waits for all parts. */
  flush(): Promise<void>;
  /** `condition`: many S3-compatible servers ignore it. */
  complete(condition: { readonly IfNoneMatch?: '*' }): Promise<void>;
  /** Deletes the parts. Call this last; it changes nothing if the upload is complete. */
  abort(): Promise<void>;
}

/** Each takes the memory of a part. Two hide the time from the end of one part to the start of the next. */
const MAX_IN_FLIGHT = 2;

export async function beginMultipartUpload(
  { client, openUploads, unrecordedUploads }: Pick<S3FilesOptions, 'client' | 'openUploads' | 'unrecordedUploads'>,
  target: UploadTarget,
): Promise<MultipartUpload> {
  const object = { Bucket: target.bucket, Key: target.key };
  let UploadId = '';
  let reply: CreateMultipartUploadCommandOutput | undefined;
  const begunAt = Date.now();
  const record = await openUploads.record(target.bucket, target.key, async () => {
    reply = await client.send(new CreateMultipartUploadCommand({ ...object, Metadata: { ...target.metadata } }));
    UploadId = reply.UploadId ?? '';
    return UploadId;
  });
  if (reply !== undefined) await unrecordedUploads.abortRepeated(client, target, begunAt, reply);
  const parts: CompletedPart[] = [];
  const inFlight = new Set<Promise<void>>();
  let count = 0;
  let failure: { readonly error: unknown } | undefined;

  const upload = async (PartNumber: number, Body: Uint8Array): Promise<void> => {
    try {
      const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
      parts[PartNumber - 1] = { ETag, PartNumber };
    } catch (error) {
      failure ??= { error };
    }
  };
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    add: async (body) => {
      while (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
      throwFailure();
      count += 1;
      const done = upload(count, body).finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    flush: async () => {
      await Promise.all(inFlight);
      throwFailure();
    },
    complete: async (condition) => {
      await client.send(
        new CompleteMultipartUploadCommand({ ...object, ...condition, UploadId, MultipartUpload: { Parts: parts } }),
      );
    },
    abort: async () => {
      // A part that arrives after the abort could stay in the store.
      await Promise.all(inFlight);
      try {
        await ifFound(client.send(new AbortMultipartUploadCommand({ ...object, UploadId })));
        await record.remove();
      } finally {
        record.leave();
      }
    },
  };
}

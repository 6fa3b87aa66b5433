import { randomUUID } from 'node:crypto';
import { CompleteMultipartUploadCommand, type HeadObjectCommandOutput, PutObjectCommand } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts, Published, UploadSession } from '../../../files/ports.ts';
import { rethrow } from '../../errno-codes.ts';
import { headOf } from '../bucket.ts';
import { s3ErrorKind } from '../errors.ts';
import type { KeyLocks } from '../key-locks.ts';
import { keyOf } from '../location.ts';
import { abortUpload, beginRecorded } from '../multipart-uploads.ts';
import { factsOf } from '../object-facts.ts';
import { fileProblem } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { entryOf } from './bin.ts';
import type { CopyDeps } from './copy-object.ts';
import { partSender } from './part-sender.ts';

export interface S3UploadDeps extends CopyDeps {
  readonly locks: KeyLocks;
  readonly log: { warn(details: object, message: string): void };
}

/**
 * The metadata field with the id of the upload. It identifies the uploaded object even if the reply to the request was
 * lost.
 */
export const UPLOAD_ID = 'telecine-upload';

/** How many times an upload is published while other programs create or delete a file at its path. */
const MAX_ATTEMPTS = 10;

/**
 * Begins an upload to a path of a client. A file that fits into one part is stored by one request. A larger file
 * becomes a multipart upload.
 */
export async function beginUpload(
  files: S3UploadDeps,
  path: MediaPath,
  { sizeBytes, check }: { readonly sizeBytes?: number; readonly check: FileCheck },
): Promise<UploadSession> {
  const throwProblem = rethrow(problemOf);
  check(fileAt(path, await headOfTarget(files, path).catch(throwProblem)));
  const id = randomUUID();
  const { client } = files;
  const { bucket } = files.location;
  const target = { bucket, key: keyOf(files.location, path), metadata: { [UPLOAD_ID]: id } };
  let multipart: Awaited<ReturnType<typeof beginRecorded>> | undefined;
  const parts = partSender(client, target, {
    sizeBytes,
    begin: async () => {
      multipart ??= await beginRecorded(client, target, files);
      return multipart.uploadId;
    },
  });
  /** Deletes the parts. Does nothing to an upload that is complete. */
  const discard = async (): Promise<void> => {
    // Wait for parts that are being sent: one that arrives after the abort could stay in the object store.
    await parts.settle();
    if (multipart === undefined) return;
    const { uploadId, record } = multipart;
    multipart = undefined;
    await abortUpload(client, { ...target, uploadId }).finally(record.leave);
    await record.remove();
  };
  /** Stores the file in one request, or completes its multipart upload. Many S3-compatible servers ignore `condition` of the latter. */
  const store = async (condition: Condition): Promise<void> => {
    const object = { Bucket: bucket, Key: target.key, ...condition };
    if (multipart === undefined)
      await client.send(new PutObjectCommand({ ...object, Metadata: target.metadata, Body: parts.rest() }));
    else {
      const UploadId = multipart.uploadId;
      await client.send(
        new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: parts.sent } }),
      );
    }
  };
  return {
    append: async (bytes) => {
      for await (const chunk of bytes) await parts.add(chunk).catch(throwProblem);
    },
    publish: async (keepsReplaced = false) => {
      try {
        if (multipart !== undefined) await parts.finish();
        return await publishObject(files, path, { id, check, keepsReplaced, store, discard });
      } catch (error) {
        return throwProblem(error);
      }
    },
    discard: () =>
      discard().catch((err) => {
        // Only log this: a sweep aborts the upload.
        files.log.warn({ err, key: target.key }, 'parts of an upload not removed');
      }),
  };
}

export const problemOf = (error: unknown): unknown => fileProblem('writing the file', error);

export const fileAt = (path: MediaPath, head: HeadObjectCommandOutput | undefined): FileFacts | undefined =>
  head && factsOf(path, { ...head, sizeBytes: head.ContentLength });

type Condition = { readonly IfNoneMatch?: '*' };

interface CompleteUpload {
  /** The value for the metadata field `UPLOAD_ID`. */
  readonly id: string;
  readonly check: FileCheck;
  /** See `UploadSession.publish`. */
  readonly keepsReplaced: boolean;
  /** Sends the request that stores the object. */
  store(condition: Condition): Promise<void>;
  /**
   * Deletes the parts after a failure. Otherwise, a slow request could still store the object after the client got an
   * error.
   */
  discard?(): Promise<void>;
}

/** Publishes the object of an upload at a path of a client, if `check` allows that. */
export function publishObject(
  files: CopyDeps & Pick<S3UploadDeps, 'locks'>,
  path: MediaPath,
  { id, check, keepsReplaced, store, discard }: CompleteUpload,
): Promise<Published> {
  const ownFile = (head: HeadObjectCommandOutput | undefined): FileFacts | undefined =>
    head?.Metadata?.[UPLOAD_ID] === id ? fileAt(path, head) : undefined;
  return files.locks.exclusive(files.location, keyOf(files.location, path), async () => {
    for (let attempt = 1; ; attempt += 1) {
      const before = await headOfTarget(files, path);
      const earlier = ownFile(before);
      // An earlier request has completed the upload, but its reply was lost.
      if (earlier !== undefined) return { file: earlier, before: undefined };
      const replacedFile = fileAt(path, before);
      check(replacedFile);
      // Send no If-Match to replace a file: some servers reject even an ETag that matches.
      const failure = await store(before === undefined ? { IfNoneMatch: '*' } : {}).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const isRejected = failure !== undefined && s3ErrorKind(failure.error) === 'precondition';
      let file: FileFacts | undefined;
      try {
        if (failure !== undefined && !isRejected) await discard?.();
        // A failed request may have stored the object all the same: if its reply was lost, the SDK repeats the request,
        // and If-None-Match then rejects it.
        file = ownFile(await headOf(files, path));
      } catch (error) {
        throw failure === undefined ? error : failure.error;
      }
      const replaced = keepsReplaced ? entryOf(path, before) : undefined;
      if (file !== undefined) return { file, before: replacedFile, replaced };
      if (failure === undefined)
        throw new Problem('UNAVAILABLE', 'Another program replaced or deleted the file at once. Send it again.', {
          retryAfterSeconds: 1,
        });
      if (!isRejected || attempt === MAX_ATTEMPTS) throw failure.error;
    }
  });
}

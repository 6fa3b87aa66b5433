import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck, Leases, StoredUpload, UploadParts } from '../../../files/ports.ts';
import { eachReceived } from '../../received-bytes.ts';
import { ifFound, s3ErrorKind } from '../errors.ts';
import { keyOf, rootLocation } from '../location.ts';
import {
  abortUpload,
  listParts,
  namesOf,
  UPLOAD_LEASES,
  type UploadRecord,
  type UploadRef,
} from '../multipart-uploads.ts';
import { uploadPartBytes } from '../part-sizes.ts';
import { uploadGone } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { partSender } from './part-sender.ts';
import { fileAt, problemOf, publishObject, type S3UploadDeps, UPLOAD_ID } from './upload-session.ts';

export interface S3PartsOptions extends Omit<S3UploadDeps, 'location' | 'log'> {
  readonly leases: Leases;
  /** An upload that is not used for this time expires. */
  readonly expirySeconds: number;
}

/** The S3 engine's part of an `UploadRecord` (`data`). */
interface Data {
  readonly bucket: string;
  readonly key: string;
  readonly multipart: string;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
  /** The prefix of the keys of tails. It is followed by the offset of the first byte after the tail. */
  readonly tails: string;
}

/**
 * Added to the lifetime of a lease, so that the sweep of resumable uploads removes an upload before the sweep of
 * multipart uploads could abort it.
 */
const EXTRA_SECONDS = 7200;

/**
 * The holder of all leases on resumable uploads, so that any service can renew them. The lock of an upload decides
 * which service may use the upload.
 */
const HOLDER = 'resumable uploads';

/**
 * Stores resumable uploads as multipart uploads. All parts have the same size, because only the last part of an upload
 * may be smaller. The bytes after the last whole part (the tail) are stored as an object with a reserved key, and
 * become the start of the next part.
 */
export function s3Parts(options: S3PartsOptions): UploadParts {
  const { client, leases } = options;

  /**
   * Records a multipart upload until the resumable upload expires. After a crash, a sweep finds the record and aborts
   * the upload.
   */
  const record = (uploadId: string, data: UploadRecord): Promise<boolean> =>
    leases.take(
      { name: `${UPLOAD_LEASES}${uploadId}`, holder: HOLDER, data: JSON.stringify(data) },
      options.expirySeconds + EXTRA_SECONDS,
    );
  const renew = async (uploadId: string, { bucket, key, multipart, begunAt }: Data): Promise<void> => {
    if (!(await record(uploadId, { bucket, key, begunAt, uploadId: multipart }))) throw uploadGone();
  };
  const orProblem = <T>(run: () => Promise<T>): Promise<T> =>
    run().catch((error: unknown) => {
      const kind = s3ErrorKind(error);
      // 'missing': for a multipart upload that has ended, some servers report that the key does not exist.
      throw kind === 'no-upload' || kind === 'missing' ? uploadGone(error) : problemOf(error);
    });

  return {
    begin: ({ uploadId, root, path }, check) =>
      orProblem(async () => {
        const location = rootLocation(root);
        check(fileAt(path, await headOfTarget({ client, location }, path)));
        const { bucket, prefix } = location;
        const target = { bucket, key: keyOf(location, path), begunAt: Date.now() };
        await record(uploadId, target);
        const reply = await client.send(
          new CreateMultipartUploadCommand({ Bucket: bucket, Key: target.key, Metadata: { [UPLOAD_ID]: uploadId } }),
        );
        const multipart = reply.UploadId ?? '';
        await record(uploadId, { ...target, uploadId: multipart });
        await options.unrecordedUploads.abortRepeated(client, target, target.begunAt, reply);
        const data: Data = { ...target, multipart, tails: `${prefix}${RESERVED_PREFIX}/uploads/${uploadId}.` };
        return JSON.stringify(data);
      }),

    append: async (upload, bytes, onSaved) => {
      const data = JSON.parse(upload.data) as Data;
      const { failure, offset } = await orProblem(async () => {
        await renew(upload.uploadId, data);
        return send(upload, data, bytes, async (saved) => {
          await onSaved?.(saved);
          await renew(upload.uploadId, data);
        });
      });
      if (failure !== undefined) throw failure.error;
      return offset;
    },

    publish: (upload, check, _save, keepsReplaced = false) =>
      orProblem(() => complete(upload, JSON.parse(upload.data) as Data, check, keepsReplaced)),

    remove: ({ uploadId, data: text }) =>
      orProblem(async () => {
        // No data: `begin` crashed before it stored them. The lease names the multipart upload, and the sweep of leases
        // aborts it.
        if (text === '') return;
        const { bucket, key, multipart, tails } = JSON.parse(text) as Data;
        await abortUpload(client, { bucket, key, uploadId: multipart });
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: tails }));
        for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
        await leases.release({ name: `${UPLOAD_LEASES}${uploadId}`, holder: HOLDER });
      }),
  };

  /** Sends parts while more bytes arrive. If `bytes` throws, saves what has arrived and returns the error as `failure`. */
  async function send(
    { offsetBytes, sizeBytes }: StoredUpload,
    { bucket, key, multipart, tails }: Data,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: (offsetBytes: number) => Promise<void>,
  ): Promise<{ readonly failure?: { readonly error: unknown } | undefined; readonly offset: number }> {
    if (offsetBytes === sizeBytes) return { offset: offsetBytes };
    const tailOf = (offset: number) => ({ Bucket: bucket, Key: `${tails}${offset}` });
    const tailBytes = offsetBytes % uploadPartBytes(0, sizeBytes);
    const start = offsetBytes - tailBytes;
    const parts = partSender(
      client,
      { bucket, key },
      { sizeBytes, start, begin: async () => multipart, onSent: onSaved },
    );
    if (tailBytes > 0) {
      const reply = await ifFound(client.send(new GetObjectCommand(tailOf(offsetBytes))));
      const tail = (await reply?.Body?.transformToByteArray()) ?? new Uint8Array();
      if (tail.length !== tailBytes) throw uploadGone();
      await parts.add(tail);
    }
    try {
      const failure = await eachReceived(bytes, parts.add);
      const rest = parts.rest();
      const end = (await parts.flush()) + rest.length;
      if (end === offsetBytes) return { failure, offset: end };
      if (end === sizeBytes) await parts.finish();
      else if (rest.length > 0) {
        await client.send(new PutObjectCommand({ ...tailOf(end), Body: rest }));
        await onSaved(end);
      }
      // A part or the new tail now contains the bytes of the old tail. If this deletion fails, `remove` deletes the old
      // tail.
      if (tailBytes > 0) await client.send(new DeleteObjectCommand(tailOf(offsetBytes))).catch(() => undefined);
      return { failure, offset: end };
    } finally {
      await parts.settle();
    }
  }

  async function complete(
    { uploadId, root, path, sizeBytes }: StoredUpload,
    data: Data,
    check: FileCheck,
    keepsReplaced: boolean,
  ) {
    const location = rootLocation(root);
    // The client may have got another media root since the start of the upload.
    if (location.bucket !== data.bucket || keyOf(location, path) !== data.key) throw uploadGone();
    const upload = { ...data, uploadId: data.multipart };
    const store = async (condition: object): Promise<void> => {
      if (sizeBytes === 0)
        await client.send(new UploadPartCommand({ ...namesOf(upload), PartNumber: 1, Body: new Uint8Array() }));
      const MultipartUpload = { Parts: await partsOf(upload, sizeBytes) };
      await client.send(new CompleteMultipartUploadCommand({ ...namesOf(upload), ...condition, MultipartUpload }));
    };
    return publishObject({ ...options, location }, path, { id: uploadId, check, keepsReplaced, store });
  }

  /** Returns the parts of a complete upload. Throws UPLOAD_NOT_FOUND if they do not have all bytes of the file. */
  async function partsOf(upload: UploadRef, sizeBytes: number): Promise<CompletedPart[]> {
    const parts = await listParts(client, upload);
    const total = parts.reduce((sum, { Size = 0 }) => sum + Size, 0);
    if (total !== sizeBytes) throw uploadGone(new Error(`${parts.length} parts have ${total} of ${sizeBytes} bytes.`));
    return parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }));
  }
}

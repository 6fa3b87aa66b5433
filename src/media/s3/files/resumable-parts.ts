import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandOutput,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import type { FileCheck, FileFacts, Leases, StoredUpload, UploadParts } from '../../../files/ports.ts';
import { eachReceived } from '../../received-bytes.ts';
import { headOf } from '../bucket.ts';
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
import { uploadGone } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import {
  fileAt,
  MAX_ATTEMPTS,
  partSize,
  problemOf,
  replacedAtOnce,
  type S3UploadDeps,
  UPLOAD_ID,
} from './upload-session.ts';

export interface S3PartsOptions extends Pick<S3UploadDeps, 'client' | 'locks' | 'unrecordedUploads'> {
  readonly leases: Leases;
  /** How long an upload stays after its last use. */
  readonly expirySeconds: number;
}

/** What the record of an upload contains. */
interface Data {
  readonly bucket: string;
  readonly key: string;
  /** The id of the multipart upload. */
  readonly multipart: string;
  /** When it was begun, in milliseconds. */
  readonly begunAt: number;
  /** The keys of the bytes after the last whole part begin with it, and end with the offset after these bytes. */
  readonly tails: string;
}

/** So that the sweep of uploads removes an upload before that of multipart uploads aborts it. */
const EXTRA_SECONDS = 7200;

/** All services renew the leases of resumable uploads. The lock of the upload decides who may. */
const HOLDER = 'resumable uploads';

/**
 * Stores resumable uploads in multipart uploads. Parts have a fixed size, because a part can be smaller only if it is the last.
 * What a request leaves after the last whole part is an object that no client can name, and the beginning of the next part.
 */
export function s3Parts(options: S3PartsOptions): UploadParts {
  const { client, leases, locks } = options;

  /** Records a multipart upload for as long as the upload may be used, so that a crash leaves no parts for longer. */
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
      // Some servers say of a multipart upload that has ended that its key is missing.
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
        const reply: CreateMultipartUploadCommandOutput = await client.send(
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
      let failure: { readonly error: unknown } | undefined;
      await orProblem(async () => {
        await renew(upload.uploadId, data);
        failure = await send(upload, data, bytes, async (offset) => {
          await onSaved(offset);
          await renew(upload.uploadId, data);
        });
      });
      if (failure !== undefined) throw failure.error;
    },

    publish: (upload, check) => orProblem(() => complete(upload, JSON.parse(upload.data) as Data, check)),

    remove: ({ uploadId, data: text }) =>
      orProblem(async () => {
        // After a crash in `begin`, the lease leads to the multipart upload.
        if (text === '') return;
        const { bucket, key, multipart, tails } = JSON.parse(text) as Data;
        await abortUpload(client, { bucket, key, uploadId: multipart });
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: tails }));
        for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
        await leases.release({ name: `${UPLOAD_LEASES}${uploadId}`, holder: HOLDER });
      }),
  };

  /** Uploads parts while more bytes arrive. Returns the error of `bytes` once what arrived before it is saved. */
  async function send(
    { offsetBytes, sizeBytes }: StoredUpload,
    { bucket, key, multipart, tails }: Data,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: (offsetBytes: number) => Promise<void>,
  ): Promise<{ readonly error: unknown } | undefined> {
    if (offsetBytes === sizeBytes) return undefined;
    const size = partSize(0, sizeBytes);
    const tailOf = (offset: number) => ({ Bucket: bucket, Key: `${tails}${offset}` });
    /** The offset of the first byte in `pending`. */
    let start = offsetBytes - (offsetBytes % size);
    let pending = await readTail();
    let inFlight: Promise<void> = Promise.resolve();

    async function readTail(): Promise<Buffer> {
      if (offsetBytes === start) return Buffer.alloc(0);
      const reply = await ifFound(client.send(new GetObjectCommand(tailOf(offsetBytes))));
      const tail = Buffer.from((await reply?.Body?.transformToByteArray()) ?? []);
      if (tail.length !== offsetBytes - start) throw uploadGone();
      return tail;
    }
    const sendPart = async (body: Uint8Array): Promise<void> => {
      // One part at a time, while the next one arrives.
      await inFlight;
      const PartNumber = start / size + 1;
      const end = start + body.length;
      start = end;
      inFlight = client
        .send(new UploadPartCommand({ Bucket: bucket, Key: key, UploadId: multipart, PartNumber, Body: body }))
        .then(() => onSaved(end));
      // It is awaited before the next part, or at the end.
      inFlight.catch(() => undefined);
    };
    const finish = async (): Promise<void> => {
      await inFlight;
      const end = start + pending.length;
      if (pending.length > 0 && end !== offsetBytes) {
        if (end === sizeBytes) {
          await sendPart(pending);
          await inFlight;
        } else {
          await client.send(new PutObjectCommand({ ...tailOf(end), Body: pending }));
          await onSaved(end);
        }
      }
      // The tail of the previous request is in a part or in the new tail by now. `remove` removes one that stays.
      if (end !== offsetBytes && offsetBytes % size > 0)
        await client.send(new DeleteObjectCommand(tailOf(offsetBytes))).catch(() => undefined);
    };

    const chunks: Uint8Array[] = [];
    let chunkBytes = 0;
    const join = (): void => {
      if (chunkBytes > 0) pending = Buffer.concat([pending, ...chunks.splice(0)]);
      chunkBytes = 0;
    };
    const failure = await eachReceived(bytes, async (chunk) => {
      chunks.push(chunk);
      chunkBytes += chunk.length;
      if (pending.length + chunkBytes < size) return;
      join();
      while (pending.length >= size) {
        const part = pending.subarray(0, size);
        pending = pending.subarray(size);
        await sendPart(part);
      }
    });
    join();
    await finish();
    return failure;
  }

  async function complete({ uploadId, root, path, sizeBytes }: StoredUpload, data: Data, check: FileCheck) {
    const location = rootLocation(root);
    const upload = { ...data, uploadId: data.multipart };
    const object = namesOf(upload);
    // Another media root of the client would give the file another key.
    if (location.bucket !== data.bucket || keyOf(location, path) !== data.key) throw uploadGone();
    const bucket = { client, location };
    return locks.exclusive(location, data.key, async (): Promise<FileFacts> => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await headOfTarget(bucket, path);
        const current = fileAt(path, before);
        // An earlier request has completed it, whose reply was lost.
        if (current !== undefined && before?.Metadata?.[UPLOAD_ID] === uploadId) return current;
        check(current);
        if (sizeBytes === 0)
          await client.send(new UploadPartCommand({ ...object, PartNumber: 1, Body: new Uint8Array() }));
        const Parts = await partsOf(upload, sizeBytes);
        const failure = await client
          .send(
            new CompleteMultipartUploadCommand({
              ...object,
              // No If-Match for the file that it replaces: some servers reject one that matches.
              ...(current === undefined && { IfNoneMatch: '*' }),
              MultipartUpload: { Parts },
            }),
          )
          .then(
            () => undefined,
            (error: unknown) => ({ error }),
          );
        const head = await headOf(bucket, path);
        const stored = fileAt(path, head);
        if (stored !== undefined && head?.Metadata?.[UPLOAD_ID] === uploadId) return stored;
        if (failure === undefined) throw replacedAtOnce();
        if (s3ErrorKind(failure.error) !== 'precondition' || attempt === MAX_ATTEMPTS) throw failure.error;
      }
    });
  }

  /** The parts of a complete upload. Throws UPLOAD_NOT_FOUND unless they have all of its bytes. */
  async function partsOf(upload: UploadRef, sizeBytes: number): Promise<CompletedPart[]> {
    const parts = await listParts(client, upload);
    const total = parts.reduce((sum, { Size = 0 }) => sum + Size, 0);
    if (total !== sizeBytes) throw uploadGone(new Error(`${parts.length} parts have ${total} of ${sizeBytes} bytes.`));
    return parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }));
  }
}

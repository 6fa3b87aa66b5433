import {
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileFacts, Published, Publishing, StoredUpload, UploadParts } from '../../../files/ports.ts';
import { eachReceived } from '../../received-bytes.ts';
import { type Bucket, headOf } from '../bucket.ts';
import { ifFound, s3ErrorKind } from '../errors.ts';
import type { KeyLocks } from '../key-locks.ts';
import { keyOf, rootLocation } from '../location.ts';
import { abortUpload, beginMultipart, listParts } from '../multipart-uploads.ts';
import { factsOf, UPLOAD_ID } from '../object-facts.ts';
import { uploadPartBytes } from '../part-sizes.ts';
import { fileProblem, uploadGone } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { entryOf } from './bin.ts';
import { partSender } from './part-sender.ts';

interface PartsDeps {
  readonly client: S3Client;
  readonly locks: KeyLocks;
}

/** The S3 engine's part of an `UploadRecord` (`data`). */
interface Data {
  readonly bucket: string;
  readonly key: string;
  /** The id of the multipart upload. Absent until the first part is full. */
  readonly multipart?: string;
  /** The prefix of the keys of tails. It is followed by the offset of the first byte after the tail. */
  readonly tails: string;
}

/** How many times an upload is published while other programs create or delete a file at its path. */
const MAX_ATTEMPTS = 10;

/**
 * Stores uploads as multipart uploads. All parts have the same size, because only the last part of an upload may be
 * smaller. The bytes after the last whole part (the tail) are stored as an object with a reserved key, and become the
 * start of the next part. A file that arrives whole before its first part is full is stored by one request.
 */
export function s3Parts({ client, locks }: PartsDeps): UploadParts {
  const orProblem = <T>(run: () => Promise<T>): Promise<T> =>
    run().catch((error: unknown) => {
      const kind = s3ErrorKind(error);
      // 'missing': for a multipart upload that has ended, some servers report that the key does not exist.
      throw kind === 'no-upload' || kind === 'missing' ? uploadGone(error) : fileProblem('writing the file', error);
    });

  const readTail = async ({ bucket, tails }: Data, offset: number, bytes: number): Promise<Uint8Array> => {
    if (bytes === 0) return new Uint8Array();
    const reply = await ifFound(client.send(new GetObjectCommand({ Bucket: bucket, Key: `${tails}${offset}` })));
    const tail = await reply?.Body?.transformToByteArray();
    if (tail?.length !== bytes) throw uploadGone();
    return tail;
  };

  return {
    begin: ({ root, path }, check) =>
      orProblem(async () => check(fileAt(path, await headOfTarget({ client, location: rootLocation(root) }, path)))),

    append: async (upload, bytes, save) => {
      const { failure, ...stored } = await orProblem(() => send(upload, bytes, save));
      if (failure !== undefined) throw failure.error;
      return stored;
    },

    publish: (upload, publishing) =>
      orProblem(() => {
        const { offsetBytes, uploadId } = upload;
        const data = dataOf(upload);
        const { bucket, key, multipart } = data;
        return publishObject({ client, locks }, upload, publishing, async (condition) => {
          const object = { Bucket: bucket, Key: key, ...condition };
          if (multipart === undefined) {
            const Body = publishing.rest ?? (await readTail(data, offsetBytes, offsetBytes));
            await client.send(new PutObjectCommand({ ...object, Metadata: { [UPLOAD_ID]: uploadId }, Body }));
            return;
          }
          const parts = await listParts(client, { bucket, key, uploadId: multipart });
          const total = parts.reduce((sum, { Size = 0 }) => sum + Size, 0);
          if (total !== offsetBytes) throw uploadGone(new Error(`The parts have ${total} of ${offsetBytes} bytes.`));
          const Parts = parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }));
          const command = { ...object, UploadId: multipart, MultipartUpload: { Parts } };
          await client.send(new CompleteMultipartUploadCommand(command));
        });
      }),

    remove: ({ data: text }) =>
      orProblem(async () => {
        // No data: nothing is stored.
        if (text === '') return;
        const { bucket, key, multipart, tails } = JSON.parse(text) as Data;
        if (multipart !== undefined) await abortUpload(client, { bucket, key, uploadId: multipart });
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: tails }));
        for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      }),
  };

  /** Sends parts while more bytes arrive. If `bytes` throws, saves what has arrived and returns the error as `failure`. */
  async function send(
    upload: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    save: Parameters<UploadParts['append']>[2],
  ): Promise<
    Awaited<ReturnType<UploadParts['append']>> & { readonly failure?: { readonly error: unknown } | undefined }
  > {
    const { uploadId, offsetBytes, sizeBytes } = upload;
    let data = dataOf(upload);
    const { bucket, key, tails } = data;
    const keep = async (change: Partial<Data>): Promise<void> => {
      data = { ...data, ...change };
      await save({ data: JSON.stringify(data) });
    };
    const tailBytes = offsetBytes % uploadPartBytes(0, sizeBytes);
    const parts = partSender(
      client,
      { bucket, key },
      {
        sizeBytes,
        start: offsetBytes - tailBytes,
        begin: async () => {
          if (data.multipart === undefined)
            await keep({
              multipart: await beginMultipart(client, { bucket, key, metadata: { [UPLOAD_ID]: uploadId } }),
            });
          return data.multipart ?? '';
        },
        onSent: (saved) => save({ offsetBytes: saved }),
      },
    );
    try {
      if (tailBytes > 0) await parts.add(await readTail(data, offsetBytes, tailBytes));
      const failure = await eachReceived(bytes, parts.add);
      const rest = parts.rest();
      const end = (await parts.flush()) + rest.length;
      if (failure === undefined && end === (sizeBytes ?? end)) {
        if (data.multipart === undefined) return { offsetBytes: end, rest };
        await parts.finish();
      } else if (end > offsetBytes) {
        if (rest.length > 0) {
          if (upload.data === '' && data.multipart === undefined) await keep({});
          await client.send(new PutObjectCommand({ Bucket: bucket, Key: `${tails}${end}`, Body: rest }));
          await save({ offsetBytes: end });
        }
        // A part or the new tail now contains the bytes of the old tail. If this deletion fails, `remove` deletes it.
        const oldTail = { Bucket: bucket, Key: `${tails}${offsetBytes}` };
        if (tailBytes > 0) await client.send(new DeleteObjectCommand(oldTail)).catch(() => undefined);
      }
      return { failure, offsetBytes: end };
    } finally {
      await parts.settle();
    }
  }
}

/** Returns what is known of the object of an upload. Throws UPLOAD_NOT_FOUND if the client has got another media root meanwhile. */
function dataOf({ root, path, uploadId, data }: StoredUpload): Data {
  const location = rootLocation(root);
  const { bucket, prefix } = location;
  const target = { bucket, key: keyOf(location, path), tails: `${prefix}${RESERVED_PREFIX}/uploads/${uploadId}.` };
  const stored = data === '' ? target : (JSON.parse(data) as Data);
  if (stored.bucket !== bucket || stored.key !== target.key) throw uploadGone();
  return stored;
}

const fileAt = (path: MediaPath, head: HeadObjectCommandOutput | undefined): FileFacts | undefined =>
  head && factsOf(path, { ...head, sizeBytes: head.ContentLength });

/**
 * Publishes the object of an upload at a path of a client, if `check` allows that. `store`: sends the request that stores the object. Many
 * S3-compatible servers ignore its condition if it completes a multipart upload.
 */
function publishObject(
  { client, locks }: PartsDeps,
  { uploadId, root, path }: StoredUpload,
  { check, keepsReplaced = false }: Publishing,
  store: (condition: { readonly IfNoneMatch?: '*' }) => Promise<void>,
): Promise<Published> {
  const files: Bucket = { client, location: rootLocation(root) };
  const ownFile = (head: HeadObjectCommandOutput | undefined): FileFacts | undefined =>
    head?.Metadata?.[UPLOAD_ID] === uploadId ? fileAt(path, head) : undefined;
  return locks.exclusive(files.location, keyOf(files.location, path), async () => {
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
      // A failed request may have stored the object all the same: if its reply was lost, the SDK repeats the request,
      // and If-None-Match then rejects it.
      const file = ownFile(
        await headOf(files, path).catch((error: unknown) => {
          throw failure === undefined ? error : failure.error;
        }),
      );
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

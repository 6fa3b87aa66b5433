import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileReply, OpenFile } from '../../../files/ports.ts';
import { fileNotFound, notAFile } from '../../file-problems.ts';
import { type Bucket, headOf, isFolder } from '../bucket.ts';
import { keyOf } from '../location.ts';
import { isOutputObject } from '../output-object.ts';
import { fileProblem } from './file-problems.ts';
import { factsOf } from './object-facts.ts';
import { type ObjectVersion, readObject } from './read-object.ts';
import type { S3Files } from './s3-files-options.ts';

/**
 * How long an address of a file is valid. Within this time, it works after the client is revoked, and for a file that
 * replaces the file.
 */
const DIRECT_SECONDS = 300;

/** Opens the file at a client's path. Throws FILE_NOT_FOUND, NOT_A_FILE, STORAGE_FAULT, UNAVAILABLE. */
export async function openObject(files: Bucket & Pick<S3Files, 'publicClient'>, path: MediaPath): Promise<OpenFile> {
  const { client, publicClient, location } = files;
  try {
    const head = await headOf(files, path);
    if (head === undefined) throw (await isFolder(files, path)) ? notAFile(path) : fileNotFound(path);
    const version: ObjectVersion = { bucket: location.bucket, key: keyOf(location, path), etag: head.ETag };
    return {
      ...factsOf(path, { ...head, sizeBytes: head.ContentLength }),
      isOutput: (fingerprint) => isOutputObject(head, fingerprint),
      ...(publicClient !== undefined && {
        directUrl: async (reply: FileReply) => {
          const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
          const command = new GetObjectCommand({
            Bucket: version.bucket,
            Key: version.key,
            ResponseContentType: reply.contentType,
            ResponseContentDisposition: reply.contentDisposition,
            ResponseCacheControl: 'private, no-cache',
          });
          return getSignedUrl(publicClient, command, { expiresIn: DIRECT_SECONDS });
        },
      }),
      read: (first, last) => {
        const closed = new AbortController();
        const stream = Readable.from(readObject(client, version, first, last, closed.signal), { objectMode: false });
        return stream.once('close', () => closed.abort());
      },
      // The next request to S3 is that of `read`.
      close: async () => {},
    };
  } catch (error) {
    throw fileProblem('reading the file', error);
  }
}

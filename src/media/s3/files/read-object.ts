import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { s3ErrorKind } from '../errors.ts';
import { fileProblem, fileReplaced } from './file-problems.ts';

/** One content of an object. */
export interface ObjectVersion {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string | undefined;
}

/** The most requests in a row whose replies break off before their first byte. */
const MAX_EMPTY_REPLIES = 3;

/**
 * Reads the bytes from `first` to `last`. Continues where a reply broke off, and throws UNAVAILABLE if the object was
 * replaced meanwhile, so that the bytes are of one content.
 */
export async function* readObject(
  client: S3Client,
  version: ObjectVersion,
  first: number,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let position = first;
  for (let emptyReplies = 0; position <= last; ) {
    const start = position;
    try {
      for await (const chunk of await requestRange(client, version, position, last, signal)) {
        if (position + chunk.length > last + 1) throw new Error('The object store sent more bytes than the range has.');
        position += chunk.length;
        yield chunk;
      }
    } catch (error) {
      const kind = s3ErrorKind(error);
      if (kind === 'precondition' || kind === 'missing' || kind === 'range') throw fileReplaced();
      if (kind !== 'unavailable') throw fileProblem('reading the file', error);
      emptyReplies = position === start ? emptyReplies + 1 : 0;
      if (emptyReplies === MAX_EMPTY_REPLIES) throw fileProblem('reading the file', error);
      continue;
    }
    if (position <= last) throw new Error('The object store sent fewer bytes than the range has.');
  }
}

/** Requests a range, and checks that the reply has this range: a proxy that ignores it would send the whole object. */
async function requestRange(
  client: S3Client,
  { bucket, key, etag }: ObjectVersion,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { Body, ContentRange } = await client.send(
    new GetObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag, Range: `bytes=${first}-${last}` }),
    { abortSignal: signal },
  );
  if (Body === undefined || !ContentRange?.startsWith(`bytes ${first}-${last}/`))
    throw new Error(`The object store sent the range ${ContentRange} instead of ${first}-${last}.`);
  return Body as AsyncIterable<Uint8Array>;
}

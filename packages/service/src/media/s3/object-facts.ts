import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileFacts } from '../../files/ports.ts';
import type { FileVersion } from '../../jobs/ports/media-store.ts';
import { plainETag } from './errors.ts';
import { objectId } from './location.ts';

/** The properties that S3 returns both in a list and in the head of an object. */
interface ObjectFacts {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly sizeBytes: number | undefined;
}

/**
 * Returns a text from ETag and size: two objects with the same ETag and size have the same content, so the time is not
 * needed.
 */
export const fingerprintOf = ({ ETag, sizeBytes = 0 }: Pick<ObjectFacts, 'ETag' | 'sizeBytes'>): string =>
  `${plainETag(ETag)}:${sizeBytes}`;

/** Returns the version of an object, which is the same from a list and from its head. */
export const fileVersionOf = (
  bucket: string,
  key: string,
  object: Pick<ObjectFacts, 'ETag' | 'sizeBytes'>,
): FileVersion => ({
  fileId: objectId(bucket, key),
  fingerprint: fingerprintOf(object),
});

/** Returns facts about an object. `modifiedAt` is in whole seconds, as the head of an object has no fractions. */
export function factsOf(path: MediaPath, object: ObjectFacts): FileFacts {
  const { LastModified, sizeBytes = 0 } = object;
  const seconds = Math.floor((LastModified?.getTime() ?? 0) / 1000);
  return { path, sizeBytes, modifiedAt: new Date(seconds * 1000), fingerprint: fingerprintOf(object) };
}

/**
 * The metadata field in which a published object has the fingerprint of the output. The ETag cannot be the fingerprint,
 * because it is unknown before the object is published.
 */
export const OUTPUT_METADATA = 'telecine-output';

/**
 * The metadata field with the id of the upload. It identifies the uploaded object even if the reply to the request was
 * lost.
 */
export const UPLOAD_ID = 'telecine-upload';

/** Returns whether an object is the output with this fingerprint. */
export const isOutputObject = ({ Metadata }: HeadObjectCommandOutput, fingerprint: string | undefined): boolean =>
  fingerprint !== undefined && Metadata?.[OUTPUT_METADATA] === fingerprint;

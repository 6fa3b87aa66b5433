import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { MediaPath } from '../../domain/media-path.ts';
import type { FileFacts } from '../../files/ports.ts';
import { plainETag } from './errors.ts';

/** What a list and the head of an object both tell of it. */
interface ObjectFacts {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly sizeBytes: number | undefined;
}

/** Two objects with the same ETag and size have the same content, so the time is not part of the fingerprint. */
export const fingerprintOf = ({ ETag, sizeBytes = 0 }: Pick<ObjectFacts, 'ETag' | 'sizeBytes'>): string =>
  `${plainETag(ETag)}:${sizeBytes}`;

/** The facts of an object. `modifiedAt` has whole seconds, because the head of an object has no more. */
export function factsOf(path: MediaPath, object: ObjectFacts): FileFacts {
  const { LastModified, sizeBytes = 0 } = object;
  const seconds = Math.floor((LastModified?.getTime() ?? 0) / 1000);
  return { path, sizeBytes, modifiedAt: new Date(seconds * 1000), fingerprint: fingerprintOf(object) };
}

/**
 * The metadata of an object that a job published; its value is the fingerprint of the output. An ETag would not do: it is
 * known only after publishing, and it is not a hash of the content if the store encrypts it.
 */
export const OUTPUT_METADATA = 'telecine-output';

/** Whether an object is the output that a job published with this fingerprint. */
export const isOutputObject = ({ Metadata }: HeadObjectCommandOutput, fingerprint: string | undefined): boolean =>
  fingerprint !== undefined && Metadata?.[OUTPUT_METADATA] === fingerprint;

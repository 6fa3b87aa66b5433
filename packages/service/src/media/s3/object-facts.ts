import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileFacts } from '../../files/ports.ts';
import { plainETag } from './errors.ts';

/** The properties that a list of objects and the head of an object share. */
interface ObjectFacts {
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly sizeBytes: number | undefined;
}

/** Without the time, because two objects with the same ETag and size have the same content. */
export const fingerprintOf = ({ ETag, sizeBytes = 0 }: Pick<ObjectFacts, 'ETag' | 'sizeBytes'>): string =>
  `${plainETag(ETag)}:${sizeBytes}`;

/** The facts of an object. `modifiedAt` has whole seconds, like the head of an object. */
export function factsOf(path: MediaPath, object: ObjectFacts): FileFacts {
  const { LastModified, sizeBytes = 0 } = object;
  const seconds = Math.floor((LastModified?.getTime() ?? 0) / 1000);
  return { path, sizeBytes, modifiedAt: new Date(seconds * 1000), fingerprint: fingerprintOf(object) };
}

/** The metadata of an object that a job published: the fingerprint of the output. The ETag is unknown before publishing. */
export const OUTPUT_METADATA = 'telecine-output';

/** Whether an object is the output that a job published with this fingerprint. */
export const isOutputObject = ({ Metadata }: HeadObjectCommandOutput, fingerprint: string | undefined): boolean =>
  fingerprint !== undefined && Metadata?.[OUTPUT_METADATA] === fingerprint;

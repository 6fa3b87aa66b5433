import type { MediaPath } from '../../../domain/media-path.ts';
import { type Bucket, headOf } from '../bucket.ts';
import { plainETag } from '../errors.ts';

/** An object that can be copied. */
export interface FoundObject {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
}

/** Finds the object at a path. Undefined if there is none. */
export async function findObject(
  bucket: Bucket,
  path: MediaPath,
  signal?: AbortSignal,
): Promise<FoundObject | undefined> {
  const head = await headOf(bucket, path, signal);
  return head && { path, sizeBytes: head.ContentLength ?? 0, etag: plainETag(head.ETag) };
}

import type { MediaPath } from '../../../domain/media-path.ts';
import type { PlannedInput } from '../../../domain/plan.ts';
import type { Bucket } from '../bucket.ts';
import { listKeys } from '../list-keys.ts';
import { isKeyTooLong, keyOf, objectId } from '../location.ts';
import { inputFailure } from '../s3-failures.ts';
import type { FoundObject } from './find-object.ts';

/** The objects of inputs that lists have found, by `objectId`. */
export type ListedInputs = ReadonlyMap<string, Pick<FoundObject, 'sizeBytes' | 'etag'>>;

/**
 * Looks for the inputs that are one object each. Finds those of a location by a list, if they are many; the others are left
 * to a request for each. Parts of one bucket can have different credentials, which allow no list of the whole bucket. Throws
 * STORAGE_FAULT.
 */
export async function listInputs(
  bucketOf: (path: MediaPath, use: 'read') => Bucket | undefined,
  inputs: readonly PlannedInput[],
  signal: AbortSignal,
): Promise<ListedInputs> {
  const places = inputs.flatMap(({ path, sequence }) => {
    const bucket = sequence === undefined ? bucketOf(path, 'read') : undefined;
    if (bucket === undefined || isKeyTooLong(bucket.location, path)) return [];
    return [{ path, client: bucket.client, location: bucket.location, key: keyOf(bucket.location, path) }];
  });
  const groups = Map.groupBy(places, ({ location: { bucket, prefix } }) => objectId(bucket, prefix));
  const found = await Promise.all(
    [...groups.values()].map(async ([first, ...others]) => {
      if (first === undefined) return [];
      const { bucket } = first.location;
      const keys = [first, ...others].map(({ key }) => key);
      const listed = await listKeys(first.client, bucket, keys, signal).catch((error: unknown) => {
        throw inputFailure(first.path, error);
      });
      return [...(listed?.objects ?? [])].map(([key, facts]) => [objectId(bucket, key), facts] as const);
    }),
  );
  return new Map(found.flat());
}

import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { ifFound } from '../errors.ts';
import { storageFailure } from '../s3-failures.ts';
import { abortUploads } from './abort-uploads.ts';
import type { PublishList } from './intent.ts';
import { all, type PublishDeps } from './prepare.ts';
import { stateOf } from './publish.ts';

/**
 * Aborts the uploads of a list, then removes its objects unless they were replaced since. The object that was published
 * last goes first, so that no manifest refers to an object that is already removed. Throws STORAGE_FAULT.
 */
export async function unpublish(deps: PublishDeps, scratch: string, list: PublishList): Promise<void> {
  const { bucket, objects } = list;
  try {
    await abortUploads(deps.client, bucket, objects);
    const groups = [...Map.groupBy(objects, ({ rank }) => rank)].sort(([a], [b]) => b - a);
    for (const [, group] of groups)
      await all(group, async (object) => {
        const isPublished = async () => (await stateOf(deps, bucket, object)) === 'published';
        if (!(await isPublished())) return;
        const remove = async (): Promise<void> => {
          if (await isPublished())
            await ifFound(deps.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: object.key })));
        };
        await deps.locks.exclusive({ bucket }, object.key, remove, scratch);
      });
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

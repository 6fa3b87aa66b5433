import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { all } from '../all.ts';
import { ifFound } from '../errors.ts';
import { storageFailure } from '../s3-failures.ts';
import { abortUploads } from './abort-uploads.ts';
import type { PublishList } from './intent.ts';
import type { PublishDeps } from './prepare.ts';
import { stateOf, statesOf } from './publish.ts';

/**
 * Aborts the uploads of a list, then removes its objects unless they were replaced since. The object that was published
 * last goes first, so that no manifest refers to an object that is already removed. Throws STORAGE_FAULT.
 */
export async function unpublish(deps: PublishDeps, scratch: string, list: PublishList): Promise<void> {
  const { bucket, objects } = list;
  try {
    await abortUploads(deps.client, bucket, objects);
    const states = await statesOf(deps, list);
    const published = objects.filter((_, index) => states[index] === 'published');
    const groups = [...Map.groupBy(published, ({ rank }) => rank)].sort(([a], [b]) => b - a);
    for (const [, group] of groups)
      await all(group, async (object) => {
        const remove = async (): Promise<void> => {
          if ((await stateOf(deps, bucket, object)) === 'published')
            await ifFound(deps.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: object.key })));
        };
        await deps.locks.exclusive({ bucket }, object.key, remove, scratch);
      });
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

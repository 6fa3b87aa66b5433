import { all } from '../all.ts';
import { deleteOwnObject } from '../delete-object.ts';
import { isOutputObject } from '../output-object.ts';
import { storageFailure } from '../s3-failures.ts';
import { abortUploads } from './abort-uploads.ts';
import type { PublishList } from './intent.ts';
import type { PublishDeps } from './prepare.ts';
import { statesOf } from './publish.ts';

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
        const remove = (): Promise<void> =>
          deleteOwnObject(deps.client, bucket, object.key, (head) => isOutputObject(head, object.fingerprint));
        await deps.locks.exclusive({ bucket }, object.key, remove, scratch);
      });
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

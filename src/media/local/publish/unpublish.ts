import { rm } from 'node:fs/promises';
import { storageFault } from '../errors.ts';
import type { PublishList } from './intent.ts';
import { directoriesOf, type PublishFile, publishStateOf, withPublishFiles } from './publish-state.ts';

/** Takes back what an intent published, where it still is the same file at the same place. */
export async function unpublish(list: PublishList): Promise<void> {
  try {
    await withPublishFiles(list, unpublishFiles);
  } catch (error) {
    throw storageFault('taking back an output', error);
  }
}

/** The named output first, so that no manifest is left that names what is gone. */
export async function unpublishFiles(places: readonly PublishFile[]): Promise<void> {
  for (const spot of places.toReversed()) {
    const standing = await publishStateOf(spot);
    if (standing === 'ours' || standing === 'reserved') await rm(spot.target, { force: true });
  }
  for (const folder of directoriesOf(places)) await folder.sync();
}

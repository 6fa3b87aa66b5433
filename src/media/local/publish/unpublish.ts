import { rm } from 'node:fs/promises';
import type { PublishIntent } from '../../../jobs/ports.ts';
import { storageFault } from '../errors.ts';
import { foldersOf, type Place, standingOf, withPlaces } from './publish-state.ts';

/** Takes back what an intent published, where it still is the same file at the same place. */
export async function withdraw(intent: PublishIntent): Promise<void> {
  try {
    await withPlaces(intent, takeBack);
  } catch (error) {
    throw storageFault('taking back an output', error);
  }
}

/** The named output first, so that no manifest is left that names what is gone. */
export async function takeBack(places: readonly Place[]): Promise<void> {
  for (const spot of places.toReversed()) {
    const standing = await standingOf(spot);
    if (standing === 'ours' || standing === 'reserved') await rm(spot.target, { force: true });
  }
  for (const folder of foldersOf(places)) await folder.sync();
}

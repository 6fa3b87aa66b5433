import { codeOf, failed, outputExists, outputFault, outputOutside } from '../errors.ts';
import type { Failpoint } from '../failpoints.ts';
import { DirectoryMoved } from '../paths/directory-handle.ts';
import type { PublishList } from './intent.ts';
import { linkIntoPlace } from './link-into-place.ts';
import {
  directoriesOf,
  type PublishFile,
  type PublishState,
  publishStateOf,
  withPublishFiles,
} from './publish-state.ts';
import { unpublishFiles } from './unpublish.ts';

/**
 * Lets every intended file appear, or none: what was published is taken back before a failure is thrown. (Files
 * that `replace` has put aside are gone.) Can be called again after a crash at any point. false: a finished file
 * is gone, nothing is published.
 */
export async function publish(failpoint: Failpoint, list: PublishList): Promise<boolean> {
  const last = list.files.at(-1)?.path ?? '';
  try {
    return await withPublishFiles(list, async (places, faults) => {
      try {
        for (const fault of faults) if (codeOf(fault) !== 'ENOENT') throw fault;
        const published = faults.length === 0 && (await placeAll(failpoint, places, list.replace));
        if (!published) await unpublishFiles(places);
        else for (const folder of directoriesOf(places)) await folder.sync();
        return published;
      } catch (error) {
        // The first fault is the one to tell; what cannot be taken back now is when the intent is withdrawn.
        await unpublishFiles(places).catch(() => undefined);
        throw error;
      }
    });
  } catch (error) {
    throw error instanceof DirectoryMoved ? outputOutside(last) : outputFault(last, error);
  }
}

/** Looks at all before it changes one. */
async function placeAll(failpoint: Failpoint, places: readonly PublishFile[], replace: boolean): Promise<boolean> {
  const standings: PublishState[] = [];
  for (const spot of places) standings.push(await publishStateOf(spot));
  if (standings.includes('lost')) return false;
  for (const [i, spot] of places.entries()) refuseTaken(spot, standings[i], replace);
  for (const [i, spot] of places.entries()) {
    if (standings[i] === 'ours') continue;
    if (await linkIntoPlace(failpoint, spot, replace, standings[i] === 'reserved')) continue;
    // Changed since we looked; by ourselves, where two workers finish one lost job.
    const now = await publishStateOf(spot);
    if (now === 'lost') return false;
    if (now !== 'ours') throw outputExists(spot.file.path);
  }
  return true;
}

function refuseTaken({ file }: PublishFile, standing: PublishState | undefined, replace: boolean): void {
  if (standing === 'folder')
    throw failed('UNSUPPORTED', `The output "${file.path}" is a folder.`, 'Send another output path.');
  if (standing === 'foreign' && !replace) throw outputExists(file.path);
}

import type { PublishIntent } from '../../../jobs/ports.ts';
import { codeOf, failed, outputExists, outputFault, outputOutside } from '../errors.ts';
import type { At } from '../failpoints.ts';
import { FolderMoved } from '../paths/directory-handle.ts';
import { place } from './link-into-place.ts';
import { foldersOf, type Place, type Standing, standingOf, withPlaces } from './publish-state.ts';
import { takeBack } from './unpublish.ts';

/**
 * Lets every intended file appear, or none: what was published is taken back before a failure is thrown. (Files
 * that `replace` has put aside are gone.) Can be called again after a crash at any point. false: a finished file
 * is gone, nothing is published.
 */
export async function publish(at: At, intent: PublishIntent): Promise<boolean> {
  const last = intent.files.at(-1)?.path ?? '';
  try {
    return await withPlaces(intent, async (places, faults) => {
      try {
        for (const fault of faults) if (codeOf(fault) !== 'ENOENT') throw fault;
        const published = faults.length === 0 && (await placeAll(at, places, intent.replace));
        if (!published) await takeBack(places);
        else for (const folder of foldersOf(places)) await folder.sync();
        return published;
      } catch (error) {
        // The first fault is the one to tell; what cannot be taken back now is when the intent is withdrawn.
        await takeBack(places).catch(() => undefined);
        throw error;
      }
    });
  } catch (error) {
    throw error instanceof FolderMoved ? outputOutside(last) : outputFault(last, error);
  }
}

/** Looks at all before it changes one. */
async function placeAll(at: At, places: readonly Place[], replace: boolean): Promise<boolean> {
  const standings: Standing[] = [];
  for (const spot of places) standings.push(await standingOf(spot));
  if (standings.includes('lost')) return false;
  for (const [i, spot] of places.entries()) refuseTaken(spot, standings[i], replace);
  for (const [i, spot] of places.entries()) {
    if (standings[i] === 'ours') continue;
    if (await place(at, spot, replace, standings[i] === 'reserved')) continue;
    // Changed since we looked; by ourselves, where two workers finish one lost job.
    const now = await standingOf(spot);
    if (now === 'lost') return false;
    if (now !== 'ours') throw outputExists(spot.file.path);
  }
  return true;
}

function refuseTaken({ file }: Place, standing: Standing | undefined, replace: boolean): void {
  if (standing === 'folder')
    throw failed('UNSUPPORTED', `The output "${file.path}" is a folder.`, 'Send another output path.');
  if (standing === 'foreign' && !replace) throw outputExists(file.path);
}

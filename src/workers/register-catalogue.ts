import { completeCatalogue, isComplete } from '../ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '../ffmpeg/catalogue/live-catalogue.ts';
import { rejectReplaced } from '../ffmpeg/catalogue/program-state.ts';
import { queryFullHelp } from '../ffmpeg/catalogue/query-ffmpeg.ts';
import { encodeCatalogue } from '../ffmpeg/catalogue/registered-catalogue.ts';
import { type CatalogueStore, LIVE_SECONDS, type WorkerDescription, type WorkerStore } from './ports.ts';

/**
 * Stores the complete catalogue of this worker's ffmpeg, unless it is stored. If the catalogue lacks something, the first
 * worker with the build queries it, which takes a minute or two; meanwhile it runs jobs. Then all others resolve to false,
 * and do nothing. Throws the reason of an abort.
 */
export async function registerCatalogue(
  { workers, catalogues }: { readonly workers: Pick<WorkerStore, 'seenWithin'>; readonly catalogues: CatalogueStore },
  { workerId, catalogueKey }: Pick<WorkerDescription, 'workerId' | 'catalogueKey'>,
  live: Pick<LiveCatalogue, 'current' | 'ensure'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (await catalogues.has(catalogueKey)) return true;
  if (!isComplete(live.current)) {
    const peers = (await workers.seenWithin(LIVE_SECONDS)).filter(
      (one) => one.catalogueKey === catalogueKey && one.state !== 'stopped',
    );
    if (peers[0] !== undefined && peers[0].workerId !== workerId) return false;
  }
  const complete = await completeCatalogue(live, signal);
  const help = await queryFullHelp(complete.build);
  rejectReplaced(complete.build);
  await catalogues.add(catalogueKey, await encodeCatalogue(complete, help));
  return true;
}

import type { Catalogue } from '../ffmpeg/catalogue/catalogue.ts';
import { completeCatalogue, isComplete } from '../ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '../ffmpeg/catalogue/live-catalogue.ts';
import { rejectReplaced } from '../ffmpeg/catalogue/program-state.ts';
import { queryFullHelp } from '../ffmpeg/catalogue/query-ffmpeg.ts';
import { encodeCatalogue } from '../ffmpeg/catalogue/registered-catalogue.ts';
import {
  type CatalogueStore,
  completeKeyOf,
  LIVE_SECONDS,
  partialKeyOf,
  type WorkerDescription,
  type WorkerStore,
} from './ports.ts';
import type { Reporting } from './reporting.ts';

interface RegistrationStore {
  readonly workers: Pick<WorkerStore, 'seenWithin'>;
  readonly catalogues: CatalogueStore;
}

/**
 * Stores the complete catalogue of this worker's ffmpeg, unless it is stored. If the catalogue lacks something, stores what is known
 * first, so that requests are accepted within seconds, and the first worker with the build queries the rest, which takes a
 * minute or two; meanwhile it runs jobs. Then all others resolve to false, and query nothing. Throws the reason of an abort.
 *
 * @param worker As it described itself first: with the key of the complete catalogue.
 */
export async function registerCatalogue(
  { workers, catalogues }: RegistrationStore,
  { workerId, catalogueKey }: Pick<WorkerDescription, 'workerId' | 'catalogueKey'>,
  live: Pick<LiveCatalogue, 'current' | 'ensure'>,
  reporting: Pick<Reporting, 'changeCatalogue'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (await catalogues.has(catalogueKey)) {
    await reporting.changeCatalogue(catalogueKey);
    return true;
  }
  if (!isComplete(live.current)) {
    const partialKey = partialKeyOf(catalogueKey);
    await storeCatalogue(catalogues, reporting, partialKey, () => encode(live.current, { isPartial: true }));
    const peers = (await workers.seenWithin(LIVE_SECONDS)).filter(
      (one) => completeKeyOf(one.catalogueKey) === catalogueKey && one.state !== 'stopped',
    );
    if (peers[0] !== undefined && peers[0].workerId !== workerId) return false;
  }
  const complete = await completeCatalogue(live, signal, { inBackground: true });
  await storeCatalogue(catalogues, reporting, catalogueKey, () => encode(complete));
  return true;
}

async function storeCatalogue(
  catalogues: CatalogueStore,
  reporting: Pick<Reporting, 'changeCatalogue'>,
  key: string,
  content: () => Promise<Uint8Array>,
): Promise<void> {
  const add = async (): Promise<void> => {
    if (!(await catalogues.has(key))) await catalogues.add(key, await content());
  };
  await add();
  await reporting.changeCatalogue(key);
  // Until then it was a catalogue that no worker has, which may be removed.
  await add();
}

async function encode(catalogue: Catalogue, options?: { readonly isPartial: boolean }): Promise<Uint8Array> {
  const help = await queryFullHelp(catalogue.build);
  rejectReplaced(catalogue.build);
  return encodeCatalogue(catalogue, help, options);
}

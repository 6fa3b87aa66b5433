import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { completeCatalogue, isComplete } from '@telecine/ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '@telecine/ffmpeg/catalogue/live-catalogue.ts';
import { rejectReplaced } from '@telecine/ffmpeg/catalogue/program-state.ts';
import { queryFullHelp } from '@telecine/ffmpeg/catalogue/query-ffmpeg.ts';
import { encodeCatalogue } from '@telecine/ffmpeg/catalogue/registered-catalogue.ts';
import {
  type CatalogueStore,
  completeKeyOf,
  LIVE_SECONDS,
  partialKeyOf,
  type WorkerDescription,
  type WorkerStore,
} from './ports/worker-store.ts';

/** Reports that the worker has another catalogue now. */
interface CatalogueReporting {
  changeCatalogue(catalogueKey: string): Promise<void>;
}

interface RegistrationStore {
  readonly workers: Pick<WorkerStore, 'seenWithin'>;
  readonly catalogues: CatalogueStore;
}

/**
 * Stores the complete catalogue of the ffmpeg of this worker, unless it is already stored. First stores an incomplete
 * one, so that requests are accepted within seconds. Then the first worker with this build queries the missing facts
 * for a minute or two, while it runs jobs. For all other workers with this build, resolves to false.
 * `worker.catalogueKey`: the key of the complete catalogue. Throws the reason of an abort.
 */
export async function registerCatalogue(
  { workers, catalogues }: RegistrationStore,
  { workerId, catalogueKey }: Pick<WorkerDescription, 'workerId' | 'catalogueKey'>,
  live: Pick<LiveCatalogue, 'current' | 'ensure'>,
  reporting: CatalogueReporting,
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
  reporting: CatalogueReporting,
  key: string,
  content: () => Promise<Uint8Array>,
): Promise<void> {
  const add = async (): Promise<void> => {
    if (!(await catalogues.has(key))) await catalogues.add(key, await content());
  };
  await add();
  await reporting.changeCatalogue(key);
  // Add the catalogue again: before the report, no worker had it, so it may have been removed.
  await add();
}

async function encode(catalogue: Catalogue, options?: { readonly isPartial: boolean }): Promise<Uint8Array> {
  const help = await queryFullHelp(catalogue.build);
  rejectReplaced(catalogue.build);
  return encodeCatalogue(catalogue, help, options);
}

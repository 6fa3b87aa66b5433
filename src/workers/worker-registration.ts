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
  REPORT_SECONDS,
  type WorkerDescription,
  type WorkerState,
  type WorkerStore,
} from './ports.ts';

interface ReportingDeps {
  readonly workers: Pick<WorkerStore, 'report' | 'removeUnseen'>;
  readonly worker: WorkerDescription;
  readonly freeScratchBytes: () => Promise<number>;
  /** For how long requests are accepted for the build of a worker that is gone. */
  readonly buildSeconds: number;
  /** Receives why a report failed. The next one follows. */
  readonly onError: (error: unknown) => void;
}

/** The reports of this worker, from its first one until `stop`. */
export interface Reporting {
  /** Resolves after the first report was tried. */
  readonly started: Promise<void>;
  /** Reports that the worker has another catalogue now. */
  changeCatalogue(catalogueKey: string): Promise<void>;
  /** Reports that the worker takes no more jobs. */
  drain(): Promise<void>;
  /** Reports for the last time, that the worker has stopped. */
  stop(): Promise<void>;
}

/** How long the rows of workers that are gone stay, but for the last one of each build. */
const FORGET_SECONDS = 3600;

/** How many reports apart the rows of others are looked through. */
const REPORTS_PER_REMOVAL = 60;

/** Reports this worker to the other processes every few seconds. */
export function startReporting(deps: ReportingDeps): Reporting {
  const { workers, freeScratchBytes, buildSeconds, onError } = deps;
  let { worker } = deps;
  let state: WorkerState = 'running';
  let reports = 0;
  let last: Promise<void> = Promise.resolve();

  const report = async (): Promise<void> => {
    try {
      // -1: the disk could not be read. `/ready` says so.
      const free = await freeScratchBytes().catch(() => -1);
      await workers.report(worker, { state, freeScratchBytes: Math.max(-1, Math.floor(free)) });
      if (reports % REPORTS_PER_REMOVAL === 0)
        await workers.removeUnseen(FORGET_SECONDS, Math.max(FORGET_SECONDS, buildSeconds));
      reports += 1;
    } catch (error) {
      onError(error);
    }
  };
  /** One after the other, so that an older state never replaces a newer one. */
  const reportNext = (): Promise<void> => {
    last = last.then(report);
    return last;
  };
  const timer = setInterval(() => void reportNext(), REPORT_SECONDS * 1000);
  const change = (next: WorkerState): Promise<void> => {
    state = next;
    return reportNext();
  };
  return {
    started: reportNext(),
    changeCatalogue: (catalogueKey) => {
      if (catalogueKey === worker.catalogueKey) return last;
      worker = { ...worker, catalogueKey };
      return reportNext();
    },
    drain: () => change('draining'),
    stop: () => {
      clearInterval(timer);
      return change('stopped');
    },
  };
}

interface RegistrationStore {
  readonly workers: Pick<WorkerStore, 'seenWithin'>;
  readonly catalogues: CatalogueStore;
}

/**
 * Stores the complete catalogue of this worker's ffmpeg, unless it is stored. An incomplete one is stored first, so
 * that requests are accepted within seconds. The first worker with the build then queries the rest for a minute or two,
 * while it runs jobs; all others resolve to false. `worker`: with the key of the complete catalogue. Throws the reason
 * of an abort.
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

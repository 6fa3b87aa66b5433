import { deviceAbilities } from '@telecine/contract/domain/devices.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { offerOf, withDevices } from '@telecine/ffmpeg/catalogue/changed-catalogue.ts';
import { catalogueKeyOf } from '@telecine/ffmpeg/catalogue/open-catalogue.ts';
import { decodeCatalogue } from '@telecine/ffmpeg/catalogue/serialized-catalogue.ts';
import type { CatalogueStore, WorkerRecord, WorkerStore } from './ports/worker-store.ts';

/** How long a build counts as recent after the last report of its workers: enough for a restart of a machine. */
const RECENT_SECONDS = 300;

/** How long a list of builds is cached, in ms. */
const LIST_MS = 2000;

/** How long an empty list is cached, in ms. This is shorter, because the first worker may be starting. */
const EMPTY_LIST_MS = 500;

export interface KnownBuilds {
  /** The builds of workers that reported lately. If possible, a job runs on one of them. */
  readonly recent: readonly Catalogue[];
  /** The builds of absent workers, which may come back. They are used if no recent build can run the request. */
  readonly away: readonly Catalogue[];
}

/** Reads the registered builds, and caches their catalogues. */
export function registeredBuilds(
  workers: Pick<WorkerStore, 'seenWithinEach'>,
  catalogues: Pick<CatalogueStore, 'read'>,
  buildSeconds: number,
) {
  /**
   * The decoded catalogues by key. undefined: another version of Telecine stored the catalogue in a format that this
   * version cannot read.
   */
  let decoded = new Map<string, Catalogue | undefined>();
  /** By what a worker offers. Plans are cached by catalogue object, so a catalogue with devices is made once. */
  let offered = new Map<string, Catalogue>();
  let known: KnownBuilds = { recent: [], away: [] };
  let readAt = Number.NEGATIVE_INFINITY;

  const decode = async (key: string): Promise<void> => {
    const content = decoded.has(key) ? undefined : await catalogues.read(key);
    // A worker stores its catalogue after its first report.
    if (content !== undefined) decoded.set(key, await decodeCatalogue(content));
  };
  const read = shareRunning(async (): Promise<KnownBuilds> => {
    const spans = [Math.max(buildSeconds, RECENT_SECONDS), RECENT_SECONDS] as const;
    const [seen, seenLately] = await workers.seenWithinEach(spans);
    const keys = new Set(seen.map(({ catalogueKey }) => catalogueKey));
    for (const key of keys) await decode(key);
    decoded = new Map([...decoded].filter(([key]) => keys.has(key)));
    const next: typeof offered = new Map();
    const offersOf = (some: readonly WorkerRecord[]): readonly Catalogue[] => {
      const offers = new Set<Catalogue>();
      // The catalogue of another version of Telecine comes last, because it may lack names that only this version allows.
      for (const { catalogueKey, devices = [] } of some.toSorted(
        (a, b) => Number(isForeign(a)) - Number(isForeign(b)),
      )) {
        const plain = decoded.get(catalogueKey);
        if (plain === undefined) continue;
        const catalogue = withDevices(plain, deviceAbilities(devices));
        const offer = offerOf(catalogue);
        const same =
          next.get(offer) ?? (offered.get(offer)?.classes === plain.classes ? offered.get(offer) : undefined);
        next.set(offer, same ?? catalogue);
        offers.add(same ?? catalogue);
      }
      // Put builds without devices first, because they run most jobs.
      return [...offers].toSorted((a, b) => (a.devices?.size ?? 0) - (b.devices?.size ?? 0));
    };
    const recent = offersOf(seenLately);
    const away = offersOf(seen).filter((one) => !recent.includes(one));
    offered = next;
    known = { recent, away };
    readAt = performance.now();
    return known;
  });

  return {
    /**
     * Lists each combination of a build and a set of devices. Both lists are empty if no worker is registered. Throws
     * `StoreUnavailable`.
     */
    list: async (): Promise<KnownBuilds> => {
      const isEmpty = known.recent.length + known.away.length === 0;
      if (performance.now() - readAt < (isEmpty ? EMPTY_LIST_MS : LIST_MS)) return known;
      return read();
    },
  };
}

const isForeign = ({ buildKey, catalogueKey }: WorkerRecord): boolean =>
  catalogueKey !== catalogueKeyOf({ key: buildKey });

import { deviceAbilities } from '@telecine/contract/domain/devices.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { sourceWithDevices } from '@telecine/ffmpeg/catalogue/changed-source.ts';
import { catalogueKeyOf } from '@telecine/ffmpeg/catalogue/complete-catalogue.ts';
import { type CatalogueSource, decodeCatalogue } from '@telecine/ffmpeg/catalogue/registered-catalogue.ts';
import type { RequestFacts } from '@telecine/ffmpeg/catalogue/remote-facts.ts';
import {
  type CatalogueStore,
  isPartialKey,
  LIVE_SECONDS,
  partialKeyOf,
  type WorkerRecord,
  type WorkerStore,
} from './ports/worker-store.ts';

/** How long a build counts as recent after the last report of its workers: enough for a restart of a machine. */
const RECENT_SECONDS = 300;

/** How long a list of builds is cached, in ms. */
const LIST_MS = 2000;

/** How long an empty list is cached, in ms. This is shorter, because the first worker may be starting. */
const EMPTY_LIST_MS = 500;

export interface KnownBuilds {
  /** The builds of workers that reported lately. If possible, a job runs on one of them. */
  readonly recent: readonly CatalogueSource[];
  /** The builds of absent workers, which may come back. They are used if no recent build can run the request. */
  readonly away: readonly CatalogueSource[];
}

type SeenWorker = Pick<WorkerRecord, 'buildKey' | 'devices' | 'catalogueKey'>;

/** A catalogue that workers with a build have stored. A build can have several. */
interface StoredCatalogue {
  readonly source: CatalogueSource;
  readonly key: string;
  /** true: a live worker has this catalogue. */
  readonly isLive: boolean;
}

/**
 * Returns the catalogues of a build that plans use. Usually, that is only the best one. If the best one is partial and
 * another version of Telecine has stored a complete one, plans also use the complete one, which needs no tasks, and use
 * the partial one only while a live worker can run its tasks.
 */
function sourcesToUse(stored: readonly StoredCatalogue[]): readonly CatalogueSource[] {
  const rank = ({ key, source }: StoredCatalogue): number => rankOf(key, source.current.build);
  const [best, next] = stored.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined) return [];
  if (best.source.isPartial !== true || next === undefined) return [best.source];
  return best.isLive ? [next.source, best.source] : [next.source];
}

/**
 * Reads the registered builds, and caches their catalogues. `request`: asks workers for the missing facts of a partial
 * catalogue.
 */
export function registeredBuilds(
  workers: Pick<WorkerStore, 'seenWithinEach'>,
  catalogues: Pick<CatalogueStore, 'read'>,
  buildSeconds: number,
  request: RequestFacts,
) {
  /**
   * The decoded catalogues by key. undefined: another version of Telecine stored the catalogue in a format that this
   * version cannot read.
   */
  let decoded = new Map<string, CatalogueSource | undefined>();
  /** The catalogues of builds whose workers have devices, by the build and the abilities of the devices. */
  let withDevices = new Map<string, { readonly of: CatalogueSource; readonly source: CatalogueSource }>();
  let known: KnownBuilds = { recent: [], away: [] };
  let readAt = Number.NEGATIVE_INFINITY;

  const read = shareRunning(async (): Promise<KnownBuilds> => {
    const spans = [Math.max(buildSeconds, RECENT_SECONDS), RECENT_SECONDS, LIVE_SECONDS] as const;
    const [seen, seenLately, live] = await workers.seenWithinEach(spans);
    const next = new Map<string, CatalogueSource | undefined>();
    const found: StoredCatalogue[] = [];
    for (const key of new Set(seen.map(({ catalogueKey }) => catalogueKey))) {
      const source = decoded.has(key) ? decoded.get(key) : await decode(key);
      if (source === 'not stored') continue;
      next.set(key, source);
      if (source === undefined) continue;
      const { build } = source.current;
      const hasKey = (one: SeenWorker): boolean => one.catalogueKey === key;
      // A partial catalogue needs tasks, so it is used only if a worker of this version that reported lately has it.
      if (isPartialKey(key) && !(rankOf(key, build) === 1 && seenLately.some(hasKey))) continue;
      found.push({ source, key, isLive: live.some(hasKey) });
    }
    const byBuild = Map.groupBy(found, ({ source }) => source.current.build.key);
    decoded = next;
    const nextWithDevices: typeof withDevices = new Map();
    const sourcesOf = (some: readonly SeenWorker[]): readonly CatalogueSource[] => {
      const sources = new Set(
        some.flatMap(({ buildKey, devices = [] }) => {
          const abilities = deviceAbilities(devices);
          return sourcesToUse(byBuild.get(buildKey) ?? []).map((of) => {
            if (abilities.size === 0) return of;
            const offer = [buildKey, of.isPartial, ...abilities].join(' ');
            const earlier = nextWithDevices.get(offer) ?? withDevices.get(offer);
            const entry = earlier?.of === of ? earlier : { of, source: sourceWithDevices(of, abilities) };
            nextWithDevices.set(offer, entry);
            return entry.source;
          });
        }),
      );
      // Put builds without devices first, because they run most jobs.
      return [...sources].toSorted((a, b) => (a.current.devices?.size ?? 0) - (b.current.devices?.size ?? 0));
    };
    const recent = sourcesOf(seenLately);
    const away = sourcesOf(seen).filter((source) => !recent.includes(source));
    withDevices = nextWithDevices;
    // Keep the same arrays if nothing changed, because plans are cached for them.
    known = { recent: sameOr(known.recent, recent), away: sameOr(known.away, away) };
    readAt = performance.now();
    return known;
  });
  /** Decodes a catalogue. It may not be stored yet, because a worker stores it after its first report. */
  const decode = async (key: string): Promise<CatalogueSource | 'not stored' | undefined> => {
    const content = await catalogues.read(key);
    return content === undefined ? 'not stored' : decodeCatalogue(content, isPartialKey(key) ? request : undefined);
  };

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

/**
 * Ranks the catalogues of a build, the best first. A catalogue of another version of Telecine is the last, because it
 * may lack names that only this version allows.
 */
function rankOf(key: string, build: Catalogue['build']): number {
  const own = catalogueKeyOf(build);
  return key === own ? 0 : key === partialKeyOf(own) ? 1 : 2;
}

const sameOr = <T>(old: readonly T[], next: readonly T[]): readonly T[] =>
  next.length === old.length && next.every((one, index) => one === old[index]) ? old : next;

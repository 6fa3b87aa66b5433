import { deviceAbilities } from '@telecine/contract/domain/devices.ts';
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

/** How many seconds after its last report a build counts as live, so that a worker or its machine may restart. */
const RECENT_SECONDS = 300;

/** How long a list is used before the database is read again, in milliseconds. */
const LIST_MS = 2000;

/** The same while no build is known: the first worker may be starting. */
const EMPTY_LIST_MS = 500;

export interface KnownBuilds {
  /** Builds of recent workers. A job goes to one of them if it can. */
  readonly recent: readonly CatalogueSource[];
  /** Builds of absent workers, which may come back. */
  readonly away: readonly CatalogueSource[];
}

type SeenWorker = Pick<WorkerRecord, 'buildKey' | 'devices' | 'catalogueKey'>;

/** One of the catalogues that the workers with a build have stored. */
interface StoredCatalogue {
  readonly source: CatalogueSource;
  readonly key: string;
  /** Whether a worker that has it is live. */
  readonly isLive: boolean;
}

/**
 * The catalogues of a build to plan with: the best one. With a partial best one, also a complete one of another
 * version, which needs no task; the partial one only while a worker can take its tasks.
 */
function sourcesToUse(stored: readonly StoredCatalogue[]): readonly CatalogueSource[] {
  const rank = ({ key, source }: StoredCatalogue): number => rankOf(key, source.current.build);
  const [best, next] = stored.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined) return [];
  if (best.source.isPartial !== true || next === undefined) return [best.source];
  return best.isLive ? [next.source, best.source] : [next.source];
}

/** Reads the registered builds and caches their catalogues. `request`: gets the missing facts of a partial catalogue. */
export function registeredBuilds(
  workers: Pick<WorkerStore, 'seenWithinEach'>,
  catalogues: Pick<CatalogueStore, 'read'>,
  buildSeconds: number,
  request: RequestFacts,
) {
  /** By key. undefined: a version of Telecine stored it in a form that this one cannot read. */
  let decoded = new Map<string, CatalogueSource | undefined>();
  /** Sources of builds with devices, by the offer of both. */
  let withDevices = new Map<string, { readonly of: CatalogueSource; readonly source: CatalogueSource }>();
  let known: KnownBuilds = { recent: [], away: [] };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<KnownBuilds> | undefined;

  const read = async (): Promise<KnownBuilds> => {
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
      // Tasks of a partial catalogue need a recent worker of this version.
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
      // Builds without devices first: they run most jobs.
      return [...sources].toSorted((a, b) => (a.current.devices?.size ?? 0) - (b.current.devices?.size ?? 0));
    };
    const recent = sourcesOf(seenLately);
    const away = sourcesOf(seen).filter((source) => !recent.includes(source));
    withDevices = nextWithDevices;
    // The same lists as long as nothing changes, because plans are cached for them.
    known = { recent: sameOr(known.recent, recent), away: sameOr(known.away, away) };
    readAt = performance.now();
    return known;
  };
  /** A worker stores its catalogue after its first report. */
  const decode = async (key: string): Promise<CatalogueSource | 'not stored' | undefined> => {
    const content = await catalogues.read(key);
    return content === undefined ? 'not stored' : decodeCatalogue(content, isPartialKey(key) ? request : undefined);
  };

  return {
    /** Each build with each set of devices. Both lists are empty if no worker is registered. Throws `StoreUnavailable`. */
    list: async (): Promise<KnownBuilds> => {
      const isEmpty = known.recent.length + known.away.length === 0;
      if (performance.now() - readAt < (isEmpty ? EMPTY_LIST_MS : LIST_MS)) return known;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

/** Workers of another version may have registered the same build. Their catalogue lacks names that only this version allows. */
function rankOf(key: string, build: Catalogue['build']): number {
  const own = catalogueKeyOf(build);
  return key === own ? 0 : key === partialKeyOf(own) ? 1 : 2;
}

const sameOr = <T>(old: readonly T[], next: readonly T[]): readonly T[] =>
  next.length === old.length && next.every((one, index) => one === old[index]) ? old : next;

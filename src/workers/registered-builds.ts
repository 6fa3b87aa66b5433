import { deviceAbilities } from '../domain/devices.ts';
import type { Catalogue } from '../ffmpeg/catalogue/catalogue.ts';
import { catalogueKeyOf } from '../ffmpeg/catalogue/complete-catalogue.ts';
import { type CatalogueSource, decodeCatalogue } from '../ffmpeg/catalogue/registered-catalogue.ts';
import type { RequestFacts } from '../ffmpeg/catalogue/remote-facts.ts';
import { sourceWithDevices } from '../ffmpeg/catalogue/with-devices.ts';
import { type CatalogueStore, isPartialKey, partialKeyOf, type WorkerRecord, type WorkerStore } from './ports.ts';

/**
 * For how long after the last report of its workers a build is planned for like those of live ones, in seconds. So a worker may
 * restart, or its machine, and meanwhile jobs need nothing else than before.
 */
const RECENT_SECONDS = 300;

/** For how long a list is used before the database is asked again, in milliseconds. */
const LIST_MS = 2000;

/** The same while no build is known: the first worker may be starting. */
const EMPTY_LIST_MS = 500;

/** What tells builds apart: their keys, and what the devices of their workers offer. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

/** The builds that requests may be planned for. */
export interface KnownBuilds {
  /** Those of workers that were seen lately: a job goes to one of them if it can. */
  readonly recent: readonly CatalogueSource[];
  /** Those of workers that are away, but may come back. */
  readonly away: readonly CatalogueSource[];
}

/** The ffmpeg builds of the workers, as far as their catalogues are stored. */
export interface RegisteredBuilds {
  /**
   * Each build once, with each set of devices that its workers have. Both lists are empty if no worker is registered. Throws
   * `StoreUnavailable`.
   */
  list(): Promise<KnownBuilds>;
}

type SeenWorker = Pick<WorkerRecord, 'buildKey' | 'devices'>;

/**
 * Reads the registered builds, and keeps their catalogues in memory. `buildSeconds`: how long a worker may be away. `request`: how
 * a catalogue that its worker has not completed yet gets what it lacks.
 */
export function registeredBuilds(
  workers: Pick<WorkerStore, 'seenWithinEach'>,
  catalogues: Pick<CatalogueStore, 'read'>,
  buildSeconds: number,
  request: RequestFacts,
): RegisteredBuilds {
  /** By key. undefined: a version of Telecine stored it in a form that this one cannot read. */
  let decoded = new Map<string, CatalogueSource | undefined>();
  /** Those of builds whose workers have devices, by what both offer together. */
  let withDevices = new Map<string, { readonly of: CatalogueSource; readonly source: CatalogueSource }>();
  let known: KnownBuilds = { recent: [], away: [] };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<KnownBuilds> | undefined;

  const read = async (): Promise<KnownBuilds> => {
    const [seen, seenLately] = await workers.seenWithinEach([Math.max(buildSeconds, RECENT_SECONDS), RECENT_SECONDS]);
    const next = new Map<string, CatalogueSource | undefined>();
    const byBuild = new Map<string, { readonly source: CatalogueSource; readonly key: string }>();
    for (const key of new Set(seen.map(({ catalogueKey }) => catalogueKey))) {
      const source = decoded.has(key) ? decoded.get(key) : await decode(key);
      if (source === 'not stored') continue;
      next.set(key, source);
      if (source === undefined) continue;
      const { build } = source.current;
      // A worker of another version takes other tasks, and nobody takes any if all workers with the build are away.
      if (isPartialKey(key) && !(rankOf(key, build) === 1 && seenLately.some((one) => one.catalogueKey === key)))
        continue;
      const other = byBuild.get(build.key);
      if (other === undefined || rankOf(key, build) < rankOf(other.key, build)) byBuild.set(build.key, { source, key });
    }
    decoded = next;
    const nextWithDevices: typeof withDevices = new Map();
    const sourceOf = ({ buildKey, devices = [] }: SeenWorker): CatalogueSource | undefined => {
      const of = byBuild.get(buildKey)?.source;
      const abilities = deviceAbilities(devices);
      if (of === undefined) return undefined;
      if (abilities.size === 0) return of;
      const offer = [buildKey, ...abilities].join(' ');
      const earlier = nextWithDevices.get(offer) ?? withDevices.get(offer);
      const entry = earlier?.of === of ? earlier : { of, source: sourceWithDevices(of, abilities) };
      nextWithDevices.set(offer, entry);
      return entry.source;
    };
    const sourcesOf = (some: readonly SeenWorker[]): readonly CatalogueSource[] => {
      const sources = new Set(some.flatMap((worker) => sourceOf(worker) ?? []));
      // Those without devices first: they run most jobs.
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
    list: async () => {
      const isEmpty = known.recent.length + known.away.length === 0;
      if (performance.now() - readAt < (isEmpty ? EMPTY_LIST_MS : LIST_MS)) return known;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

/** Workers of another version may have registered the same build. Their catalogue lacks what only this version allows. */
function rankOf(key: string, build: Catalogue['build']): number {
  const own = catalogueKeyOf(build);
  return key === own ? 0 : key === partialKeyOf(own) ? 1 : 2;
}

const sameOr = <T>(old: readonly T[], next: readonly T[]): readonly T[] =>
  next.length === old.length && next.every((one, index) => one === old[index]) ? old : next;

import { deviceAbilities } from '../domain/devices.ts';
import type { Catalogue } from '../ffmpeg/catalogue/catalogue.ts';
import { catalogueKeyOf } from '../ffmpeg/catalogue/complete-catalogue.ts';
import { type CatalogueSource, decodeCatalogue } from '../ffmpeg/catalogue/registered-catalogue.ts';
import { sourceWithDevices } from '../ffmpeg/catalogue/with-devices.ts';
import type { CatalogueStore, WorkerStore } from './ports.ts';

/**
 * For how long after the last report of its workers a build counts as registered, in seconds. So a worker may restart, or
 * its machine, and meanwhile requests are accepted.
 */
export const REGISTERED_SECONDS = 300;

/** For how long a list is used before the database is asked again, in milliseconds. */
const LIST_MS = 2000;

/** What tells builds apart: their keys, and what the devices of their workers offer. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

/** The ffmpeg builds of the workers, as far as their catalogues are stored. */
export interface RegisteredBuilds {
  /** Each build once, with each set of devices that its workers have. Empty if no worker is registered. Throws `StoreUnavailable`. */
  list(): Promise<readonly CatalogueSource[]>;
}

/** Reads the registered builds, and keeps their catalogues in memory. */
export function registeredBuilds(
  workers: Pick<WorkerStore, 'seenWithin'>,
  catalogues: Pick<CatalogueStore, 'read'>,
): RegisteredBuilds {
  /** By key. undefined: a version of Telecine stored it in a form that this one cannot read. */
  let decoded = new Map<string, CatalogueSource | undefined>();
  /** Those of builds whose workers have devices, by what both offer together. */
  let withDevices = new Map<string, { readonly of: CatalogueSource; readonly source: CatalogueSource }>();
  let list: readonly CatalogueSource[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly CatalogueSource[]> | undefined;

  const read = async (): Promise<readonly CatalogueSource[]> => {
    const seen = await workers.seenWithin(REGISTERED_SECONDS);
    const next = new Map<string, CatalogueSource | undefined>();
    const byBuild = new Map<string, CatalogueSource>();
    for (const key of new Set(seen.map(({ catalogueKey }) => catalogueKey))) {
      const source = decoded.has(key) ? decoded.get(key) : await decode(key);
      if (source === 'not stored') continue;
      next.set(key, source);
      if (source === undefined) continue;
      const { build } = source.current;
      // Workers of another version may have registered the same build.
      if (!byBuild.has(build.key) || key === catalogueKeyOf(build)) byBuild.set(build.key, source);
    }
    decoded = next;
    const nextWithDevices: typeof withDevices = new Map();
    for (const { buildKey, devices = [] } of seen) {
      const of = byBuild.get(buildKey);
      const abilities = deviceAbilities(devices);
      const offer = [buildKey, ...abilities].join(' ');
      if (of === undefined || abilities.size === 0 || nextWithDevices.has(offer)) continue;
      const known = withDevices.get(offer);
      nextWithDevices.set(offer, known?.of === of ? known : { of, source: sourceWithDevices(of, abilities) });
    }
    withDevices = nextWithDevices;
    const plain = new Set(seen.flatMap(({ buildKey, devices = [] }) => (devices.length === 0 ? buildKey : [])));
    const found = [
      ...[...byBuild].flatMap(([key, source]) => (plain.has(key) ? source : [])),
      ...[...withDevices.values()].map(({ source }) => source),
    ];
    // The same list as long as nothing changes, because plans are cached for it.
    if (found.length !== list.length || found.some((one, index) => one !== list[index])) list = found;
    readAt = performance.now();
    return list;
  };
  /** A worker stores its catalogue after its first report. */
  const decode = async (key: string): Promise<CatalogueSource | 'not stored' | undefined> => {
    const content = await catalogues.read(key);
    return content === undefined ? 'not stored' : decodeCatalogue(content);
  };

  return {
    list: async () => {
      if (performance.now() - readAt < LIST_MS) return list;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

import type { Catalogue, MissingFacts } from './catalogue.ts';

/** What gives a catalogue, such as `LiveCatalogue` and `CatalogueSource`. */
interface Source {
  readonly current: Catalogue;
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined): Promise<Catalogue>;
}

/** By the catalogue without devices. The same one comes back each time, because plans are cached for it. */
const made = new WeakMap<Catalogue, Map<string, Catalogue>>();

/** Adds what devices offer to the catalogue of a build. Unchanged if they offer nothing. */
export function withDevices(catalogue: Catalogue, devices: ReadonlySet<string>): Catalogue {
  if (devices.size === 0) return catalogue;
  const key = [...devices].join(' ');
  const known = made.get(catalogue) ?? new Map<string, Catalogue>();
  made.set(catalogue, known);
  const found = known.get(key) ?? { ...catalogue, devices };
  known.set(key, found);
  return found;
}

/** Adds what the devices of a machine offer to all catalogues that a source gives. */
export function sourceWithDevices<S extends Source>(source: S, devices: ReadonlySet<string>): S {
  if (devices.size === 0) return source;
  const added = {
    get current() {
      return withDevices(source.current, devices);
    },
    ensure: async (findMissing: Parameters<Source['ensure']>[0]) =>
      withDevices(await source.ensure((known) => findMissing(withDevices(known, devices))), devices),
  };
  // A spread of `source` would read its catalogue only once.
  return Object.create(source, Object.getOwnPropertyDescriptors(added));
}

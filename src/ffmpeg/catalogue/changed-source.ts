import type { Catalogue, MissingFacts } from './catalogue.ts';
import type { QueryOptions } from './query-ffmpeg.ts';

/** What gives a catalogue, such as `LiveCatalogue` and `CatalogueSource`. */
export interface CatalogueFrom {
  readonly current: Catalogue;
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined, how?: QueryOptions): Promise<Catalogue>;
}

/** A source that gives each catalogue of another one changed. `change` returns the same object for the same catalogue. */
export function changedSource<S extends CatalogueFrom>(source: S, change: (catalogue: Catalogue) => Catalogue): S {
  const changed = {
    get current() {
      return change(source.current);
    },
    ensure: async (...[findMissing, how]: Parameters<CatalogueFrom['ensure']>) =>
      change(await source.ensure((known) => findMissing(change(known)), how)),
  };
  // A spread of `source` would read its catalogue only once.
  return Object.create(source, Object.getOwnPropertyDescriptors(changed));
}

import type { Catalogue } from './catalogue.ts';
import { type CatalogueFrom, changedSource } from './changed-source.ts';

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
export const sourceWithDevices = <S extends CatalogueFrom>(source: S, devices: ReadonlySet<string>): S =>
  devices.size === 0 ? source : changedSource(source, (catalogue) => withDevices(catalogue, devices));

/** What tells builds apart: their keys, and what the devices of their workers offer. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

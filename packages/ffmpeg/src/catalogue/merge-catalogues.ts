import { releaseOrder } from './build.ts';
import type { Catalogue } from './catalogue.ts';

/**
 * Merges what requests can name in several builds, for searches. If several builds have an entry, the newest one describes it. A request still
 * needs one build that has everything it uses, so do not plan with the result. There must be at least one catalogue.
 */
export function mergeCatalogues(catalogues: readonly Catalogue[]): Catalogue {
  const newestFirst = catalogues.toSorted((a, b) => releaseOrder(b.build, a.build));
  const [newest] = newestFirst;
  if (newest === undefined) throw new Error('There is no catalogue to merge.');
  if (newestFirst.length === 1) return newest;
  const merge = <T>(part: (one: Catalogue) => Iterable<readonly [string, T]>): ReadonlyMap<string, T> => {
    const merged = new Map<string, T>();
    for (const [name, value] of newestFirst.flatMap((one) => [...part(one)]))
      if (!merged.has(name)) merged.set(name, value);
    return merged;
  };
  const devices = new Set(newestFirst.flatMap((one) => [...(one.devices ?? [])]));
  return {
    ...newest,
    cli: merge((one) => one.cli),
    cliHelp: merge((one) => one.cliHelp),
    avOptions: merge((one) => one.avOptions),
    classes: merge((one) => one.classes),
    lists: {
      ...newest.lists,
      encoders: merge((one) => one.lists.encoders),
      decoders: merge((one) => one.lists.decoders),
      muxers: merge((one) => one.lists.muxers),
      demuxers: merge((one) => one.lists.demuxers),
      filters: merge((one) => one.lists.filters),
      bsfs: merge((one) => one.lists.bsfs),
    },
    ...(devices.size > 0 && { devices }),
    ...(newestFirst.some(({ speech }) => speech) && { speech: true }),
  };
}

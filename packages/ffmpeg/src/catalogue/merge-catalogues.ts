import { releaseOrder } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { byGenericClass } from './component.ts';

/**
 * Merges the catalogues of several builds, for searching, not for planning requests. If several builds have an entry, the newest one describes
 * it. A request still needs one build that has everything it uses, so two entries of the result may not work together.
 */
export function mergeCatalogues(catalogues: readonly Catalogue[]): Catalogue {
  const newestFirst = catalogues.toSorted((a, b) => releaseOrder(b.build, a.build));
  const [newest, ...others] = newestFirst;
  if (newest === undefined) throw new Error('There is no catalogue to merge.');
  if (others.length === 0) return newest;
  const merge = <T>(part: (one: Catalogue) => ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const merged = new Map(part(newest));
    for (const [name, value] of others.flatMap((one) => [...part(one)])) if (!merged.has(name)) merged.set(name, value);
    return merged;
  };
  const mergeSets = (part: (one: Catalogue) => ReadonlySet<string>): ReadonlySet<string> =>
    new Set(newestFirst.flatMap((one) => [...part(one)]));
  const devices = mergeSets((one) => one.devices ?? new Set());
  return {
    build: newest.build,
    cli: merge((one) => one.cli),
    cliHelp: merge((one) => one.cliHelp),
    avOptions: merge((one) => one.avOptions),
    generic: byGenericClass((name) => merge((one) => one.generic[name])),
    classes: merge((one) => one.classes),
    lists: {
      encoders: merge((one) => one.lists.encoders),
      decoders: merge((one) => one.lists.decoders),
      muxers: merge((one) => one.lists.muxers),
      demuxers: merge((one) => one.lists.demuxers),
      filters: merge((one) => one.lists.filters),
      bsfs: mergeSets((one) => one.lists.bsfs),
      pixelFormats: mergeSets((one) => one.lists.pixelFormats),
      sampleFormats: mergeSets((one) => one.lists.sampleFormats),
      channelLayouts: mergeSets((one) => one.lists.channelLayouts),
      colors: mergeSets((one) => one.lists.colors),
    },
    ...(devices.size > 0 && { devices }),
    ...(newestFirst.some(({ speech }) => speech) && { speech: true }),
  };
}

import { BuildUnavailable, releaseOrder } from './build.ts';
import type { AvUse, Catalogue, CliFacts } from './catalogue.ts';
import { byGenericClass } from './component.ts';
import type { OptionClass } from './help-full.ts';
import type { CatalogueSource } from './registered-catalogue.ts';

/** A catalogue for searching, not for planning requests. */
export type CatalogueToSearch = Omit<CatalogueSource, 'ensure'>;

/**
 * Merges the catalogues of several builds. If several builds have an entry, the newest build with a complete catalogue describes it. A
 * request still needs one build that has everything it uses, so two entries of the result may not work together.
 */
export function mergeSources(sources: readonly CatalogueSource[]): CatalogueToSearch {
  const newestFirst = sources.toSorted((a, b) => releaseOrder(b.current.build, a.current.build));
  const [newest, ...others] = newestFirst;
  if (newest === undefined) throw new Error('There is no catalogue to merge.');
  if (others.length === 0) return newest;
  // Ask complete catalogues first. A partial catalogue gets missing facts through tasks of workers, for which a client would wait.
  const quickFirst = newestFirst.toSorted((a, b) => Number(a.isPartial === true) - Number(b.isPartial === true));
  let merged: { readonly from: readonly Catalogue[]; readonly catalogue: Catalogue } | undefined;
  let classes: { readonly from: readonly (readonly OptionClass[])[]; readonly all: readonly OptionClass[] } | undefined;
  return {
    get current() {
      const from = newestFirst.map((one) => one.current);
      // Merge again if a catalogue changed: a build on this machine gets a new catalogue object with each new fact.
      if (merged === undefined || !isSame(merged.from, from)) merged = { from, catalogue: mergeCatalogues(from) };
      return merged.catalogue;
    },
    component: (kind, name) => firstOf(quickFirst, (one) => one.component(kind, name)),
    option: (name) =>
      firstOf(quickFirst, async (one) => {
        const facts = await one.option(name);
        return facts?.place === 'nowhere' ? undefined : facts;
      }),
    classes: async () => {
      const from = await answersOf(newestFirst.map((one) => one.classes()));
      if (classes === undefined || !isSame(classes.from, from)) classes = { from, all: mergeClasses(from) };
      return classes.all;
    },
  };
}

const isSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((one, index) => one === now[index]);

/** Returns the first answer that is not undefined. Throws `BuildUnavailable` if there is none and a source is unavailable. */
async function firstOf<T>(
  sources: readonly CatalogueSource[],
  read: (source: CatalogueSource) => Promise<T | undefined>,
): Promise<T | undefined> {
  let unavailable: BuildUnavailable | undefined;
  for (const source of sources) {
    try {
      const found = await read(source);
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof BuildUnavailable)) throw error;
      unavailable ??= error;
    }
  }
  if (unavailable !== undefined) throw unavailable;
  return undefined;
}

/** The answers of all builds that are available. Throws `BuildUnavailable` if no build is. */
async function answersOf<T>(answers: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(answers);
  const failed = settled.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
  const fault = failed.find((reason) => !(reason instanceof BuildUnavailable)) ?? failed[0];
  const found = settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  if (fault !== undefined && (found.length === 0 || !(fault instanceof BuildUnavailable))) throw fault;
  return found;
}

function mergeCatalogues(newestFirst: readonly Catalogue[]): Catalogue {
  const [newest] = newestFirst;
  if (newest === undefined) throw new Error('There is no catalogue to merge.');
  const lists = newestFirst.map((one) => one.lists);
  const devices = mergeSets(newestFirst.map((one) => one.devices ?? new Set()));
  return {
    build: newest.build,
    cli: mergeCli(newestFirst.map((one) => one.cli)),
    cliHelp: mergeMaps(newestFirst.map((one) => one.cliHelp)),
    avOptions: mergeMaps<readonly AvUse[]>(newestFirst.map((one) => one.avOptions)),
    generic: byGenericClass((name) => mergeMaps(newestFirst.map((one) => one.generic[name]))),
    lists: {
      encoders: mergeMaps(lists.map((one) => one.encoders)),
      decoders: mergeMaps(lists.map((one) => one.decoders)),
      muxers: mergeMaps(lists.map((one) => one.muxers)),
      demuxers: mergeMaps(lists.map((one) => one.demuxers)),
      filters: mergeMaps(lists.map((one) => one.filters)),
      bsfs: mergeSets(lists.map((one) => one.bsfs)),
      pixelFormats: mergeSets(lists.map((one) => one.pixelFormats)),
      sampleFormats: mergeSets(lists.map((one) => one.sampleFormats)),
      channelLayouts: mergeSets(lists.map((one) => one.channelLayouts)),
      colors: mergeSets(lists.map((one) => one.colors)),
    },
    components: mergeMaps(newestFirst.map((one) => one.components)),
    ...(devices.size > 0 && { devices }),
    ...(newestFirst.some(({ speech }) => speech) && { speech: true }),
  };
}

/** Merges maps. If several maps have a key, the first such map gives the value. The keys of the first map come first. */
function mergeMaps<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const [key, value] of maps.flatMap((map) => [...map])) if (!merged.has(key)) merged.set(key, value);
  return merged;
}

/** Merges facts about options. If one build has not been asked about an option yet (null), the facts of another build are used. */
const mergeCli = (maps: readonly Catalogue['cli'][]): Catalogue['cli'] => {
  const known = maps.map((map) => new Map([...map].filter(([, facts]) => facts !== null)));
  return mergeMaps<CliFacts | null>([...known, ...maps]);
};

const mergeSets = (sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(sets.flatMap((set) => [...set]));

function mergeClasses(newestFirst: readonly (readonly OptionClass[])[]): readonly OptionClass[] {
  const byTitle = Map.groupBy(newestFirst.flat(), ({ title }) => title);
  return [...byTitle].map(([title, classes]) => ({
    title,
    options: [...mergeMaps(classes.map(({ options }) => new Map(options.map((one) => [one.name, one])))).values()],
  }));
}

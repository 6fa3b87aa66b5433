import { BuildUnavailable, releaseOrder } from './build.ts';
import type { AvUse, Catalogue, CliFacts } from './catalogue.ts';
import type { AvOption, GenericClass } from './component.ts';
import type { OptionClass } from './help-full.ts';
import type { CatalogueSource } from './registered-catalogue.ts';

/** A catalogue for people to search. Requests are not planned with it. */
export type CatalogueToSearch = Omit<CatalogueSource, 'ensure'>;

/**
 * Merges what several builds offer. What several builds have is described as in the newest whose catalogue is complete. A request is accepted only if
 * one build runs all of it, so two components of the result may not work together.
 */
export function mergeSources(sources: readonly CatalogueSource[]): CatalogueToSearch {
  const newestFirst = sources.toSorted((a, b) => releaseOrder(b.current.build, a.current.build));
  const [newest, ...others] = newestFirst;
  if (newest === undefined) throw new Error('There is no catalogue to merge.');
  if (others.length === 0) return newest;
  // What a partial one lacks takes a task of a worker, for which people would wait.
  const quickFirst = newestFirst.toSorted((a, b) => Number(a.isPartial === true) - Number(b.isPartial === true));
  let merged: { readonly from: readonly Catalogue[]; readonly catalogue: Catalogue } | undefined;
  let classes: { readonly from: readonly (readonly OptionClass[])[]; readonly all: readonly OptionClass[] } | undefined;
  return {
    get current() {
      const from = newestFirst.map((one) => one.current);
      // A build of this machine gets a new catalogue with each new fact.
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

/** What the first source that has it gives. Throws `BuildUnavailable` if none has, and one cannot be asked. */
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

/** The answers of the builds that can be asked. Throws `BuildUnavailable` if there is none. */
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
  const generic = (name: GenericClass): ReadonlyMap<string, AvOption> =>
    mergeMaps(newestFirst.map((one) => one.generic[name]));
  return {
    build: newest.build,
    cli: mergeCli(newestFirst.map((one) => one.cli)),
    cliHelp: mergeMaps(newestFirst.map((one) => one.cliHelp)),
    avOptions: mergeMaps<readonly AvUse[]>(newestFirst.map((one) => one.avOptions)),
    generic: {
      codec: generic('codec'),
      format: generic('format'),
      scaler: generic('scaler'),
      resampler: generic('resampler'),
    },
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

/** The first map that has a key gives its value. The keys of the first map come first. */
function mergeMaps<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const [key, value] of maps.flatMap((map) => [...map])) if (!merged.has(key)) merged.set(key, value);
  return merged;
}

/** The same, with what one build knows of an option that another one was not asked about yet. */
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

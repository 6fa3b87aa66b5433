import type { Interval, Measurements } from './analysis.ts';

export const MEASURED_LISTS = [
  'silence',
  'black',
  'freeze',
  'scenes',
  'duplicates',
  'bitrate',
  'keyframes',
  'errors.video',
  'errors.audio',
] as const;

export type MeasuredList = (typeof MEASURED_LISTS)[number];

/** An entry of a list: a part of the input, a change with its score, a time or a rate. */
export type MeasuredEntry = Interval | { readonly at: number; readonly score: number } | number;

/** A list of entries, or the first part of the list. */
export interface MeasuredEntries {
  /** How many entries the whole list has. */
  readonly count: number;
  readonly entries: readonly MeasuredEntry[];
}

/** Where the results contain a list: the object, the name of the list in this object, and the member with the number of entries. */
interface ListPlace {
  readonly in: (all: Measurements) => object | null | undefined;
  readonly name: string;
  /** The member with the number of all entries. Default: `count`. */
  readonly count?: string;
}

const PLACES: Readonly<Record<MeasuredList, ListPlace>> = {
  silence: { in: (all) => all.silence, name: 'intervals' },
  black: { in: (all) => all.black, name: 'intervals' },
  freeze: { in: (all) => all.freeze, name: 'intervals' },
  scenes: { in: (all) => all.scenes, name: 'changes' },
  duplicates: { in: (all) => all.duplicates, name: 'at', count: 'duplicates' },
  bitrate: { in: (all) => all.bitrate, name: 'values' },
  keyframes: { in: (all) => all.keyframes, name: 'at' },
  'errors.video': { in: (all) => all.errors?.video, name: 'intervals' },
  'errors.audio': { in: (all) => all.errors?.audio, name: 'intervals' },
};

/** Returns a list of the results. undefined: the analysis did not measure it, or found no stream of this kind. */
export function measuredList(all: Measurements, list: MeasuredList): MeasuredEntries | undefined {
  const { in: holderOf, name, count = 'count' } = PLACES[list];
  const holder = holderOf(all) as Record<string, unknown> | null | undefined;
  const entries = holder?.[name] as readonly MeasuredEntry[] | undefined;
  if (holder === null || holder === undefined || entries === undefined) return undefined;
  return { count: Number(holder[count] ?? entries.length), entries };
}

/** Returns the results with the entries of some lists replaced. A replaced list has no cursor. */
export function withEntries(
  all: Measurements,
  lists: ReadonlyMap<MeasuredList, readonly MeasuredEntry[]>,
): Measurements {
  const copy = structuredClone(all);
  for (const [list, entries] of lists) {
    const holder = PLACES[list].in(copy) as Record<string, unknown> | null | undefined;
    if (holder === null || holder === undefined) continue;
    holder[PLACES[list].name] = entries;
    delete holder['nextCursor'];
  }
  return copy;
}

/** Returns members to add beside the first entries of a list. */
type Beside = (list: MeasuredList, shown: { readonly count: number; readonly entries: number }) => object;

/** The results with at most `most` entries in each list. `beside`: returns members to add to a list. Default: none. */
export function withFirstEntries(all: Measurements, most: number, beside: Beside = () => ({})): Measurements {
  const shortened = (holder: object, list: MeasuredList): object => {
    const found = measuredList(all, list);
    if (found === undefined) return holder;
    const entries = found.entries.slice(0, most);
    return {
      ...holder,
      [PLACES[list].name]: entries,
      ...beside(list, { count: found.count, entries: entries.length }),
    };
  };
  const members = MEASURED_LISTS.flatMap((list): readonly (readonly [string, object])[] => {
    const holder = list.includes('.') ? undefined : PLACES[list].in(all);
    return holder === null || holder === undefined ? [] : [[list, shortened(holder, list)]];
  });
  const { errors } = all;
  return {
    ...all,
    ...Object.fromEntries(members),
    ...(errors !== undefined && {
      errors: {
        ...errors,
        ...(errors.video && { video: shortened(errors.video, 'errors.video') as typeof errors.video }),
        ...(errors.audio && { audio: shortened(errors.audio, 'errors.audio') as typeof errors.audio }),
      },
    }),
  };
}

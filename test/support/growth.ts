import type { Work, WorkCounter } from './work.ts';

/** Makes an input of a size, and returns what is counted: its reading, which may not throw. */
export type Prepare = (size: number) => () => unknown;

/** Each input is so many times as long as the one before. */
const STEP = 4;
/** The most that the work may grow in a step. Sorting grows by up to 5, squares by up to 16. */
const MAX_GROWTH = 6;
/** Linear work with a constant part grows by less in the first step. */
const MIN_GROWTH = 4.2;
/** Counts below this are not compared: caches, first errors and limits change them too much. */
const COMPARABLE = 2000;

/** How many places an error names. */
const SHOWN = 4;
/** How many calls of a built-in function are looked at to find its callers. */
const SAMPLES = 50;

/**
 * Counts the work for inputs of the sizes n and 16n, and where it may have grown too much, of 4n. Returns a text that names the
 * places that grow most if the work grows more than linearly, in all or at one place, else undefined.
 */
export async function growthError(counter: WorkCounter, prepare: Prepare, size: number): Promise<string | undefined> {
  const sizes = [size, STEP * size, STEP * STEP * size] as const;
  // The first run loads modules and fills caches.
  await prepare(sizes[0])();
  const [short, long] = await counter.works([prepare(sizes[0]), prepare(sizes[2])]);
  if (short === undefined || long === undefined) throw new Error('Nothing was counted.');
  const countsOf = (work: Work): ReadonlyMap<string, number> => new Map([...work.places, [ALL, work.units]]);
  const [shorts, longs] = [countsOf(short), countsOf(long)];
  const suspects = [...longs].filter(([place, count]) => mayGrow(shorts.get(place) ?? 0, count));
  if (suspects.length === 0) return undefined;
  const middle = await counter.work(prepare(sizes[1]));
  const middles = countsOf(middle);
  const grown = suspects
    .map(([place, count]) => ({ place, counts: [shorts.get(place) ?? 0, middles.get(place) ?? 0, count] }))
    .filter(({ counts }) => grows(counts))
    .sort((a, b) => (b.counts[2] ?? 0) - (a.counts[2] ?? 0));
  if (grown.length === 0) return undefined;
  const lines = [
    `${[short, middle, long].map(({ units }) => units).join(' → ')} units for sizes of ${sizes.join(', ')}`,
  ];
  for (const { place, counts } of grown.filter((one) => one.place !== ALL).slice(0, SHOWN)) {
    const every = Math.ceil((counts[1] ?? 0) / SAMPLES);
    const callers = place.includes(':') ? [] : await counter.callersOf(place, prepare(sizes[1]), every);
    lines.push(`${counts.join(' → ')} at ${[place, ...callers.slice(0, 2)].join(' from ')}`);
  }
  return lines.join('\n  ');
}

/** The key of all counts together. */
const ALL = '';

/** Whether `grows` is possible for some count in the middle. */
const mayGrow = (short: number, long: number): boolean => long >= COMPARABLE && long > MAX_GROWTH * MIN_GROWTH * short;

/** Whether the counts for n, 4n and 16n grow too much in both steps. A limit that is reached makes one step large. */
const grows = ([short = 0, middle = 0, long = 0]: readonly number[]): boolean =>
  long >= COMPARABLE && long > MAX_GROWTH * middle && middle > MIN_GROWTH * short;

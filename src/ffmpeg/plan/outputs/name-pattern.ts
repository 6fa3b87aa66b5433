/** A place in a name where ffmpeg puts a number: of a segment, a picture or a stream, or out of the date. */
export interface NameCounter {
  /** The lowest number that it counts, in figures, with the noughts that ffmpeg puts before it: `001`. */
  readonly lowest: string;
  /** Whether no number has more figures than `lowest`. */
  readonly short?: boolean;
}

/** The names that files get by one pattern: letters that stand as they are, and counters. */
export type NamePattern = readonly (string | NameCounter)[];

/** No name is longer, whatever width is asked for. */
const MOST_FIGURES = 255;

/** A counter of `%03d` and its like, whose digits of width are `width`. */
export const numberCounter = (width: string, from: number): NameCounter => ({
  lowest: `${Number.isSafeInteger(from) && from > 0 ? from : 0}`.padStart(Math.min(Number(width), MOST_FIGURES), '0'),
});

/** The pattern of a text in which `marks` finds the counters; `counterOf` reads one from its match. */
export function parseNamePattern(
  text: string,
  marks: RegExp,
  counterOf: (match: RegExpMatchArray) => NameCounter | string,
): NamePattern {
  const parts: (string | NameCounter)[] = [];
  const add = (letters: string): void => {
    for (const letter of letters) parts.push(letter);
  };
  let at = 0;
  for (const match of text.matchAll(marks)) {
    add(text.slice(at, match.index));
    const read = counterOf(match);
    if (typeof read === 'string') add(read);
    else parts.push(read);
    at = match.index + match[0].length;
  }
  add(text.slice(at));
  return parts;
}

/** Whether the name has a counter, so that there can be many of it. */
export const containsCounter = (pattern: NamePattern): boolean => pattern.some((part) => typeof part !== 'string');

/** How much more may be compared; a caller could send names that take seconds. */
export interface ComparisonBudget {
  steps: number;
}

/** Far more than the names of an honest request take. */
export const comparisonBudget = (): ComparisonBudget => ({ steps: 20_000 });

/** Whether two patterns can come out as one name; false too where that would take more than `effort`. */
export function canOverlap(one: NamePattern, other: NamePattern, effort: ComparisonBudget): boolean {
  const between = withoutEnds(one, other);
  if (between === undefined) return false;
  const [a, b] = between;
  const [endOfA, endOfB] = [a.length * PLACES, b.length * PLACES];
  const seen = new Set<number>();
  const waiting: (readonly [ofA: number, ofB: number])[] = [[0, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [i, j] = next;
    if (i === endOfA && j === endOfB) return true;
    const both = i * (endOfB + 1) + j;
    if (seen.has(both)) continue;
    seen.add(both);
    effort.steps -= 1;
    if (effort.steps < 0) return false;
    const others = lettersAt(b, j);
    for (const left of lettersAt(a, i))
      for (const right of others)
        if (left.low <= right.high && right.low <= left.high) waiting.push([left.next, right.next]);
  }
  return false;
}

/** Most names differ before anything is counted, or behind it (undefined); what is the same there is left out. */
function withoutEnds(a: NamePattern, b: NamePattern): readonly [NamePattern, NamePattern] | undefined {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start] && typeof a[start] === 'string') start += 1;
  if (differ(a[start], b[start])) return undefined;
  let [endOfA, endOfB] = [a.length, b.length];
  while (Math.min(endOfA, endOfB) > start && a[endOfA - 1] === b[endOfB - 1] && typeof a[endOfA - 1] === 'string') {
    endOfA -= 1;
    endOfB -= 1;
  }
  if (Math.min(endOfA, endOfB) > start && differ(a[endOfA - 1], b[endOfB - 1])) return undefined;
  return [a.slice(start, endOfA), b.slice(start, endOfB)];
}

const differ = (one: string | NameCounter | undefined, other: string | NameCounter | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

/** What may stand at a place of a name, by code points, and the place behind it. */
interface Letters {
  readonly low: number;
  readonly high: number;
  readonly next: number;
}

/**
 * Places in one part of a pattern: of a counter, how many of the figures of `lowest` are passed, and whether the
 * number is known to be a larger one.
 */
const PLACES = 2 * (MOST_FIGURES + 1);

const [NOUGHT, NINE] = [48, 57];

function lettersAt(pattern: NamePattern, place: number): readonly Letters[] {
  const index = Math.floor(place / PLACES);
  const [start, behind] = [index * PLACES, (index + 1) * PLACES];
  const part = pattern[index];
  if (part === undefined) return [];
  if (typeof part === 'string') {
    const letter = part.codePointAt(0) ?? 0;
    return [{ low: letter, high: letter, next: behind }];
  }
  const passed = Math.floor((place - start) / 2);
  const larger = (place - start) % 2 === 1;
  const then = (isLarger: 0 | 1): number =>
    passed + 1 === part.lowest.length ? behind : start + 2 * (passed + 1) + isLarger;
  const least = part.lowest.charCodeAt(passed);
  // Figures before those of `lowest` make a number larger, and the first of them is no nought.
  const more = passed > 0 || part.short ? [] : [{ low: larger ? NOUGHT : NOUGHT + 1, high: NINE, next: start + 1 }];
  if (larger) return [...more, { low: NOUGHT, high: NINE, next: then(1) }];
  return [...more, { low: least + 1, high: NINE, next: then(1) }, { low: least, high: least, next: then(0) }].filter(
    ({ low, high }) => low <= high,
  );
}

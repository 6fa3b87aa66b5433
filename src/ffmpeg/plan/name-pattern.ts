/** A place in a name where ffmpeg puts a number: of a segment, a picture or a stream, or out of the date. */
export interface Counter {
  /** Digits at least, with noughts before them. */
  readonly width: number;
  /** The lowest that it counts. */
  readonly from: number;
}

/** The names that files get by one pattern: letters that stand as they are, and counters. */
export type NamePattern = readonly (string | Counter)[];

/** A counter of `%03d` and its like, whose digits of width are `width`. */
export const counter = (width: string, from: number): Counter => ({ width: Math.max(1, Number(width)), from });

/** The pattern of a text in which `marks` finds the counters; `counterOf` reads one from its match. */
export function readPattern(
  text: string,
  marks: RegExp,
  counterOf: (match: RegExpMatchArray) => Counter | string,
): NamePattern {
  const parts: (string | Counter)[] = [];
  let at = 0;
  for (const match of text.matchAll(marks)) {
    const read = counterOf(match);
    parts.push(...text.slice(at, match.index), ...(typeof read === 'string' ? read : [read]));
    at = match.index + match[0].length;
  }
  return [...parts, ...text.slice(at)];
}

/** Whether the name has a counter, so that there can be many of it. */
export const counts = (pattern: NamePattern): boolean => pattern.some((part) => typeof part !== 'string');

/** How much more may be compared; a caller could send names that take seconds. */
export interface Effort {
  steps: number;
}

/** Far more than the names of an honest request take. */
export const enough = (): Effort => ({ steps: 20_000 });

/** Whether two patterns can come out as one name; false too where that would take more than `effort`. */
export function canMeet(one: NamePattern, other: NamePattern, effort: Effort): boolean {
  const [a, b] = withoutEnds(one, other);
  const seen = new Set<number>();
  const meetFrom = (i: number, j: number): boolean => {
    const state = i * (b.length + 1) + j;
    effort.steps -= 1;
    if (seen.has(state) || effort.steps < 0) return false;
    seen.add(state);
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) return left === right;
    if (left === right && typeof left === 'string') return meetFrom(i + 1, j + 1);
    return (
      (typeof left !== 'string' && ends(left, b, j).some((end) => meetFrom(i + 1, end))) ||
      (typeof right !== 'string' && ends(right, a, i).some((end) => meetFrom(end, j + 1)))
    );
  };
  return meetFrom(0, 0);
}

/** Most names differ before anything is counted, or behind it. */
function withoutEnds(a: NamePattern, b: NamePattern): readonly [NamePattern, NamePattern] {
  const same = (x: string | Counter | undefined, y: string | Counter | undefined): boolean =>
    typeof x === 'string' && x === y;
  let start = 0;
  while (same(a[start], b[start])) start += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - start;
  while (tail < most && same(a.at(-1 - tail), b.at(-1 - tail))) tail += 1;
  return [a.slice(start, a.length - tail), b.slice(start, b.length - tail)];
}

/** Of the largest number that ffmpeg counts. */
const MOST_DIGITS = 19;

/** Where in `parts` the digits may end which begin at `at` and are a number of `counter`. */
function ends(counter: Counter, parts: NamePattern, at: number): readonly number[] {
  const found: number[] = [];
  let digits = '';
  let known = true;
  for (let end = at; end < Math.min(parts.length, at + MOST_DIGITS); end += 1) {
    const part = parts[end];
    if (typeof part === 'string' && !/^\d$/.test(part)) break;
    if (typeof part === 'string') digits += part;
    else known = false;
    if (!known || isNumberOf(counter, digits)) found.push(end + 1);
  }
  return found;
}

const isNumberOf = ({ width, from }: Counter, digits: string): boolean =>
  digits.length >= width && (digits.length === width || !digits.startsWith('0')) && Number(digits) >= from;

/** A number that ffmpeg writes into a file name: that of a segment, a picture or a stream, or a part of the date. */
export interface NameCounter {
  /** The lowest number, with the leading zeros that ffmpeg writes: `001`. */
  readonly lowest: string;
  /** Whether no number has more digits than `lowest`. */
  readonly fixedWidth?: boolean;
}

/** A file name pattern, as a list of single characters and counters. */
export type NamePattern = readonly (string | NameCounter)[];

/** The maximum number of digits of a counter. No file name can be longer. */
const MAX_DIGITS = 255;

/** Returns a counter such as `%03d`. `width` is its width as text (`03`), and `from` is the lowest number. */
export const numberCounter = (width: string, from: number): NameCounter => ({
  lowest: `${Number.isSafeInteger(from) && from > 0 ? from : 0}`.padStart(Math.min(Number(width), MAX_DIGITS), '0'),
});

/** Parses a name in which `marks` matches the counters. `readMark` returns the counter, or plain text, for a match. */
export function parseNamePattern(
  text: string,
  marks: RegExp,
  readMark: (match: RegExpMatchArray) => NameCounter | string,
): NamePattern {
  const parts: (string | NameCounter)[] = [];
  let at = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(...text.slice(at, match.index));
    const part = readMark(match);
    if (typeof part === 'string') parts.push(...part);
    else parts.push(part);
    at = match.index + match[0].length;
  }
  parts.push(...text.slice(at));
  return parts;
}

/** Whether the pattern has a counter, so that it can name many files. */
export const containsCounter = (pattern: NamePattern): boolean => pattern.some((part) => typeof part !== 'string');

/** How many more comparisons are allowed. Without a limit, a client could send names whose comparison takes seconds. */
export interface ComparisonBudget {
  steps: number;
}

/** The budget of one request: far more steps than the names of any ordinary request need. */
export const comparisonBudget = (): ComparisonBudget => ({ steps: 20_000 });

/** Whether two patterns can result in the same name. False if the comparison exceeds the budget. */
export function canOverlap(one: NamePattern, other: NamePattern, budget: ComparisonBudget): boolean {
  const middle = trimCommonEnds(one, other);
  if (middle === undefined) return false;
  const [a, b] = middle;
  const [endOfA, endOfB] = [a.length * STATES_PER_PART, b.length * STATES_PER_PART];
  const seen = new Set<number>();
  const queue: (readonly [ofA: number, ofB: number])[] = [[0, 0]];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [i, j] = next;
    if (i === endOfA && j === endOfB) return true;
    const state = i * (endOfB + 1) + j;
    if (seen.has(state)) continue;
    seen.add(state);
    budget.steps -= 1;
    if (budget.steps < 0) return false;
    const ofB = transitions(b, j);
    for (const left of transitions(a, i))
      for (const right of ofB)
        if (left.low <= right.high && right.low <= left.high) queue.push([left.next, right.next]);
  }
  return false;
}

/**
 * Removes the characters that both patterns begin and end with. Returns undefined if the patterns differ before the
 * first counter or after the last one, as most names do.
 */
function trimCommonEnds(a: NamePattern, b: NamePattern): readonly [NamePattern, NamePattern] | undefined {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start] && typeof a[start] === 'string') start += 1;
  if (areDifferentCharacters(a[start], b[start])) return undefined;
  let [endOfA, endOfB] = [a.length, b.length];
  while (Math.min(endOfA, endOfB) > start && a[endOfA - 1] === b[endOfB - 1] && typeof a[endOfA - 1] === 'string') {
    endOfA -= 1;
    endOfB -= 1;
  }
  if (Math.min(endOfA, endOfB) > start && areDifferentCharacters(a[endOfA - 1], b[endOfB - 1])) return undefined;
  return [a.slice(start, endOfA), b.slice(start, endOfB)];
}

const areDifferentCharacters = (one: string | NameCounter | undefined, other: string | NameCounter | undefined) =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

/** The code points that may come next in a name, and the state after them. */
interface Transition {
  readonly low: number;
  readonly high: number;
  readonly next: number;
}

/**
 * States for each part of a pattern. For a counter, a state is how many digits of `lowest` are matched, and whether the
 * number is known to be larger than `lowest`.
 */
const STATES_PER_PART = 2 * (MAX_DIGITS + 1);

const [ZERO, NINE] = [48, 57];

function transitions(pattern: NamePattern, state: number): readonly Transition[] {
  const index = Math.floor(state / STATES_PER_PART);
  const [start, end] = [index * STATES_PER_PART, (index + 1) * STATES_PER_PART];
  const part = pattern[index];
  if (part === undefined) return [];
  if (typeof part === 'string') {
    const character = part.codePointAt(0) ?? 0;
    return [{ low: character, high: character, next: end }];
  }
  const matched = Math.floor((state - start) / 2);
  const isLarger = (state - start) % 2 === 1;
  const after = (larger: 0 | 1): number =>
    matched + 1 === part.lowest.length ? end : start + 2 * (matched + 1) + larger;
  const digit = part.lowest.charCodeAt(matched);
  // A number with more digits than `lowest` is larger. Its first digit is not a zero.
  const extra =
    matched > 0 || part.fixedWidth ? [] : [{ low: isLarger ? ZERO : ZERO + 1, high: NINE, next: start + 1 }];
  if (isLarger) return [...extra, { low: ZERO, high: NINE, next: after(1) }];
  return [...extra, { low: digit + 1, high: NINE, next: after(1) }, { low: digit, high: digit, next: after(0) }].filter(
    ({ low, high }) => low <= high,
  );
}

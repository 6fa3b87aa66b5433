import { nextTurn } from './steps.ts';

/** One part of a pattern. `any` matches any number of characters. Other parts match one character. */
type Part = 'any' | ((char: string) => boolean);

/** The number of names that are matched in one turn of the event loop. One name takes up to 0.2 ms. */
export const NAMES_PER_TURN = 32;

/** The maximum number of characters for which a pattern remembers results. Names in a folder have few different characters. */
const MAX_KNOWN = 4096;

/**
 * Returns a function that tests names against a pattern with the rules of a shell: a hidden name matches only if the pattern begins with a
 * dot. A folder can have thousands of names that match slowly, so the function sometimes waits for the next turn of the event loop. Throws
 * the reason if `signal` is aborted.
 */
export function matchesInShell(pattern: string, signal: AbortSignal): (name: string) => Promise<boolean> {
  const matches = wildcard(pattern);
  const findsHidden = pattern.startsWith('.');
  let count = 0;
  return async (name) => {
    count += 1;
    if (count % NAMES_PER_TURN === 0) await nextTurn(signal);
    return (findsHidden || !name.startsWith('.')) && matches(name);
  };
}

/** The beginning that all names which match a pattern share. */
export const literalStart = (pattern: string): string => /^[^*?[\\]*/.exec(pattern)?.[0] ?? '';

/**
 * Returns a function that tests names against a pattern of `*`, `?`, `[a-z]` and `[!a-z]`. A backslash quotes the next character. Clients
 * choose both texts, and a regular expression (also in `matchesGlob` of node:path) can take forever with a hostile pattern. This function
 * follows all ways to match at the same time, as bits of a number: bit n is set if the characters so far match the first n parts.
 */
export function wildcard(pattern: string): (name: string) => boolean {
  const parts = parsePattern([...pattern]);
  /** Parts that match one character. */
  const single: ((char: string) => boolean)[] = [];
  /** The positions in the pattern where any number of characters may follow. */
  let stars = 0n;
  for (const part of parts) {
    if (part === 'any') stars |= 1n << BigInt(single.length);
    else single.push(part);
  }
  const known = new Map<string, bigint>();
  /** The parts of the pattern that match a character. */
  const partsOf = (char: string): bigint => {
    let found = known.get(char);
    if (found === undefined) {
      if (known.size === MAX_KNOWN) known.clear();
      found = single.reduce((bits, matches, at) => (matches(char) ? bits | (1n << BigInt(at)) : bits), 0n);
      known.set(char, found);
    }
    return found;
  };
  return (name) => {
    let matched = 1n;
    for (const char of name) {
      matched = (matched & stars) | ((matched & partsOf(char)) << 1n);
      if (matched === 0n) return false;
    }
    return matched >> BigInt(single.length) === 1n;
  };
}

function parsePattern(pattern: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    const end = char === '[' ? closingBracket(pattern, at) : -1;
    if (char === '*') parts.push('any');
    else if (char === '?') parts.push(() => true);
    else if (end > 0) {
      parts.push(matchSet(pattern.slice(at + 1, end)));
      at = end;
    } else if (char === '\\' && at + 1 < pattern.length) {
      at += 1;
      const quoted = pattern[at];
      parts.push((one) => one === quoted);
    } else parts.push((one) => one === char);
  }
  return parts;
}

const negates = (char: string | undefined): boolean => char === '!' || char === '^';

/** The index of the bracket that closes the bracket at `from`, or -1. A `]` at the start of a set is a member of the set. */
function closingBracket(pattern: readonly string[], from: number): number {
  const first = from + (negates(pattern[from + 1]) ? 2 : 1);
  return pattern.indexOf(']', first + 1);
}

/** Matches one character of a set such as `a-z` or `!a-z`. */
function matchSet(text: readonly string[]): (char: string) => boolean {
  const isNegated = negates(text[0]);
  const chars = isNegated ? text.slice(1) : text;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const from = chars[at] ?? '';
    const to = chars[at + 1] === '-' ? chars[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const code = (char: string): number => char.codePointAt(0) ?? 0;
  return (char) => ranges.some(([from, to]) => code(char) >= code(from) && code(char) <= code(to)) !== isNegated;
}

/** Images that ffmpeg can read as a sequence. */
export const IMAGES = /\.(?:jpe?g|png|bmp|tiff?|webp|tga|ppm|pgm|exr|dpx)$/i;

/** Why a missing input whose name has a wildcard is not found. undefined: its name has no `*` and no `?`. */
export function wildcardAdvice(path: string): string | undefined {
  if (!/[*?]/.test(path.slice(path.lastIndexOf('/') + 1))) return undefined;
  return IMAGES.test(path)
    ? 'its wildcard is read only with "pattern_type": "glob"'
    : 'wildcards are read only in names of images, and in "each"';
}

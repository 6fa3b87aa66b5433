/** One part of a pattern. It matches one character, or any number of characters if it is `any`. */
type Part = 'any' | ((char: string) => boolean);

/**
 * Whether a name matches a pattern of `*`, `?`, `[a-z]` and `[!a-z]`; a backslash quotes the next character. The time
 * is proportional to the product of both lengths. Clients choose both texts, and with a hostile pattern a regular
 * expression, and so `matchesGlob` of node:path, can take forever.
 */
export function matchesWildcard(name: string, pattern: string): boolean {
  const chars = [...name];
  const parts = parsePattern([...pattern]);
  let at = 0;
  let next = 0;
  /** `star`: the index of the last `*` so far. `starEnd`: the current end of the text that it matches. */
  let star = -1;
  let starEnd = 0;
  while (at < chars.length) {
    const part = parts[next];
    if (part === 'any') {
      star = next++;
      starEnd = at;
    } else if (part?.(chars[at] ?? '') === true) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      // Extend the match of the last `*` only: extending an earlier one would not find more matches.
      at = ++starEnd;
      next = star + 1;
    } else return false;
  }
  return parts.slice(next).every((part) => part === 'any');
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
      parts.push(matchChar(pattern[at] ?? ''));
    } else parts.push(matchChar(char));
  }
  return parts;
}

const matchChar =
  (expected: string) =>
  (char: string): boolean =>
    char === expected;

const negates = (char: string | undefined): boolean => char === '!' || char === '^';

/**
 * Returns the index of the bracket that closes the one at `from`, or -1. A `]` at the start of a set is a member of it.
 */
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

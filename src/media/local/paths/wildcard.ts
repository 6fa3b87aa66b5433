/** What one place of a pattern takes: one character, or any number of them. */
type Part = 'any' | ((char: string) => boolean);

/**
 * Whether a name is what a pattern of `*`, `?` and `[a-z]`, `[!a-z]` means; a backslash takes the next character as it
 * is. The time grows with both lengths multiplied and no more: both are clients' words, which regular expressions made
 * of patterns, and so `matchesGlob` of node:path, can take for ever to compare.
 */
export function matchesWildcard(name: string, pattern: string): boolean {
  const chars = [...name];
  const parts = partsOf([...pattern]);
  let at = 0;
  let next = 0;
  /** The `*` that was met last, and where what it takes ends for now. */
  let star = -1;
  let taken = 0;
  while (at < chars.length) {
    const part = parts[next];
    if (part === 'any') {
      star = next++;
      taken = at;
    } else if (part?.(chars[at] ?? '') === true) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      // An earlier one could take no more than this one can.
      at = ++taken;
      next = star + 1;
    } else return false;
  }
  return parts.slice(next).every((part) => part === 'any');
}

function partsOf(pattern: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    const end = char === '[' ? closing(pattern, at) : -1;
    if (char === '*') parts.push('any');
    else if (char === '?') parts.push(() => true);
    else if (end > 0) {
      parts.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    } else if (char === '\\' && at + 1 < pattern.length) {
      at += 1;
      parts.push(same(pattern[at] ?? ''));
    } else parts.push(same(char));
  }
  return parts;
}

const same =
  (wanted: string) =>
  (char: string): boolean =>
    char === wanted;

const isNot = (char: string | undefined): boolean => char === '!' || char === '^';

/** Where the bracket is closed that opens at `from`: a `]` that stands first is one of its characters. */
function closing(pattern: readonly string[], from: number): number {
  const first = from + (isNot(pattern[from + 1]) ? 2 : 1);
  return pattern.indexOf(']', first + 1);
}

function oneOf(inside: readonly string[]): (char: string) => boolean {
  const not = isNot(inside[0]);
  const listed = not ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < listed.length; at += 1) {
    const from = listed[at] ?? '';
    const to = listed[at + 1] === '-' ? listed[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const code = (char: string): number => char.codePointAt(0) ?? 0;
  return (char) => ranges.some(([from, to]) => code(char) >= code(from) && code(char) <= code(to)) !== not;
}

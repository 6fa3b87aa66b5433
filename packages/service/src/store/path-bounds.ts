/** Longer bounds are shortened, because PostgreSQL limits the size of an index entry to about 2,700 bytes. In bytes. */
const MAX_BOUND = 1000;

/** Sorts after all other characters of a path. */
const LAST = '\u{10ffff}';

/** The texts between which the paths of some outputs are. */
interface PathBounds {
  readonly lowest: string;
  readonly highest: string;
}

/**
 * Returns texts between which all of these paths are, in the order of their bytes. Both databases compare texts in this
 * order. JavaScript has another one for characters beyond U+FFFF.
 */
export function pathBounds(paths: readonly string[]): PathBounds {
  const sorted = paths.map((path) => Buffer.from(path)).toSorted(Buffer.compare);
  const [lowest = Buffer.alloc(0)] = sorted;
  const highest = sorted.at(-1) ?? lowest;
  return {
    lowest: startOf(lowest),
    highest: highest.length <= MAX_BOUND ? highest.toString() : `${startOf(highest)}${LAST}`,
  };
}

/** The first `MAX_BOUND` bytes of a text, without a character that is cut. */
function startOf(text: Buffer): string {
  let end = Math.min(text.length, MAX_BOUND);
  while (end < text.length && ((text[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.subarray(0, end).toString();
}

import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';

const ASCII = /^[ -~]*$/;

/**
 * Returns a path in a form for comparisons. Some disks treat paths that differ only in case or in Unicode normal form
 * as the same path. Such paths get the same form.
 */
export const foldName = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();

/** Existing numbered files, and the file name pattern that matches them. */
export interface ExistingFrames {
  /** The pattern without a folder: `frame_%03d.png`. */
  readonly pattern: string;
  /** The lowest number of these files. */
  readonly start: number;
  readonly first: string;
  readonly last: string;
}

const COUNTER = /(?<!%)((?:%%)*)%\d*d/;

/**
 * Finds files whose names differ from `pattern` only in their digits or in case: `frame_001.png` for `frame_%d.png`.
 * Returns the pattern that most of these files match. Returns undefined if `pattern` has no counter or no file matches.
 *
 * @param names The names of the files in the folder of `pattern`.
 */
export function findExistingFrames(pattern: string, names: readonly string[]): ExistingFrames | undefined {
  const [before, after] = pattern
    .replace(COUNTER, (_all, percents: string) => `${percents}\0`)
    .split('\0')
    .map((text) => text.replaceAll('%%', '%'));
  if (before === undefined || after === undefined) return undefined;
  const found = new Map<string, number[]>();
  for (const name of names) {
    const digits = digitsIn(name, before, after);
    if (digits === undefined) continue;
    const escapePercents = (text: string): string => text.replaceAll('%', '%%');
    const [start, end] = [name.slice(0, before.length), name.slice(before.length + digits.length)].map(escapePercents);
    // Digits without a leading zero, such as `100`, match both `%03d` and `%d`, so count them for both patterns.
    const widths = digits.startsWith('0') && digits.length > 1 ? [`0${digits.length}`] : [`0${digits.length}`, ''];
    for (const width of widths) {
      const key = `${start}%${width}d${end}`;
      const numbers = found.get(key);
      if (numbers === undefined) found.set(key, [Number(digits)]);
      else numbers.push(Number(digits));
    }
  }
  // If several patterns match equally many files, prefer the one without a width: it also matches numbers with more
  // digits.
  const [best] = [...found].sort(([a, some], [b, more]) => more.length - some.length || a.length - b.length);
  if (best === undefined) return undefined;
  const [meant, numbers] = best;
  const start = numbers.reduce((least, one) => Math.min(least, one));
  const end = numbers.reduce((most, one) => Math.max(most, one));
  const name = parseNumberedName(meant);
  return name && { pattern: meant, start, first: name.format(start), last: name.format(end) };
}

/** Returns the digits between `before` and `after` in a name. undefined: the name is not of this form. */
function digitsIn(name: string, before: string, after: string): string | undefined {
  if (name.length <= before.length + after.length) return undefined;
  const end = name.length - after.length;
  const isLike =
    foldName(name.slice(0, before.length)) === foldName(before) && foldName(name.slice(end)) === foldName(after);
  return isLike ? /^\d{1,15}$/.exec(name.slice(before.length, end))?.[0] : undefined;
}

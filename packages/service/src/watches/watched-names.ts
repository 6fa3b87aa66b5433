import { extension, isMediaExtension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { IMAGES, wildcard } from '@telecine/contract/domain/wildcard.ts';

/**
 * Returns a function that tells whether a watch takes files with a name. Upper and lower case are equal, because cameras write `.MOV`. Hidden
 * names never count.
 */
export function nameMatcher(patterns: readonly string[] | undefined): (name: string) => boolean {
  if (patterns === undefined) return (name) => !name.startsWith('.') && isMediaName(name);
  const tests = patterns.map((pattern) => wildcard(pattern.toLowerCase()));
  return (name) => {
    const lower = name.toLowerCase();
    return !name.startsWith('.') && tests.some((matches) => matches(lower));
  };
}

const isMediaName = (name: string): boolean => isMediaExtension(extension(name as MediaPath)) || IMAGES.test(name);

/** The text before the first and after the last variable part, in lower case. Of a text without variable parts, both are the whole text. */
export interface FixedEnds {
  readonly start: string;
  readonly end: string;
  readonly isFixed: boolean;
}

function fixedEnds(original: string, variable: RegExp): FixedEnds {
  const text = original.toLowerCase();
  const variables = [...text.matchAll(variable)];
  const [first, last] = [variables[0], variables.at(-1)];
  if (first === undefined || last === undefined) return { start: text, end: text, isFixed: true };
  return { start: text.slice(0, first.index), end: text.slice(last.index + last[0].length), isFixed: false };
}

/** The fixed ends of the name of an output such as `{name}-small.mp4`. */
export const templateEnds = (template: string): FixedEnds => fixedEnds(template, /\{[a-z]+\}|%\d*d/g);

/** The fixed ends of a pattern. */
export const patternEnds = (pattern: string): FixedEnds => fixedEnds(pattern, /\\.|[*?[\]]/gs);

/** Whether a watch may take a file whose name has these ends. */
export type NameTest = (name: FixedEnds) => boolean;

/** How many characters of each end of a pattern are compared at most. */
const MOST_END = 64;

/** The most characters of fixed names, times those of patterns, that one check compares. They take up to 20 ms. */
const MOST_COMPARED = 200_000;

/**
 * Creates the tests for one check of watches: returns a function that returns the test for the patterns of a watch. A test compares only the
 * fixed ends of a name and of a pattern, so it can say true for names that never match. A name without variable parts is compared as a whole,
 * until the check has compared `MOST_COMPARED`: clients choose both texts, and a check of all of them would hold up other clients.
 */
export function nameTests(): (patterns: readonly string[] | undefined) => NameTest {
  let left = MOST_COMPARED;
  const matches = (pattern: string, name: string): boolean => {
    // Compiling a pattern takes time even if the name is empty.
    const size = pattern.length * (name.length + 1);
    if (size > left) return true;
    left -= size;
    return wildcard(pattern)(name);
  };
  return (patterns) => {
    if (patterns === undefined) return mayBeMedia;
    const all = patterns.map((pattern) => {
      const { start, end } = patternEnds(pattern);
      return { pattern: pattern.toLowerCase(), start: start.slice(0, MOST_END), end: end.slice(-MOST_END) };
    });
    return (name) =>
      all.some(
        ({ pattern, start, end }) =>
          (name.start.startsWith(start) || start.startsWith(name.start)) &&
          (name.end.endsWith(end) || end.endsWith(name.end)) &&
          (!name.isFixed || matches(pattern, name.start)),
      );
  };
}

function mayBeMedia({ end }: FixedEnds): boolean {
  const known = /\.[a-z\d]{1,5}$/.exec(end)?.[0];
  return known === undefined || isMediaName(`x${known}`);
}

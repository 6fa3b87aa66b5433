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

/** A placeholder of a template, or a wildcard of a pattern. */
const VARIABLE = /\{[a-z]+\}|%\d*d|\\.|[*?[\]]/g;

/** The text before the first and after the last variable part. */
function fixedEnds(text: string): { readonly start: string; readonly end: string; readonly isFixed: boolean } {
  const variables = [...text.matchAll(VARIABLE)];
  const [first, last] = [variables[0], variables.at(-1)];
  if (first === undefined || last === undefined) return { start: text, end: text, isFixed: true };
  return { start: text.slice(0, first.index), end: text.slice(last.index + last[0].length), isFixed: false };
}

/**
 * Whether a watch with these patterns may take a file whose name is made by a template such as `{name}-small.mp4`. Compares only the fixed
 * ends of both, so it can say true for names that never match.
 */
export function mayTake(patterns: readonly string[] | undefined, template: string): boolean {
  const name = fixedEnds(template.toLowerCase());
  if (patterns === undefined) {
    const known = /\.[a-z\d]{1,5}$/.exec(name.end)?.[0];
    return known === undefined || isMediaName(`x${known}`);
  }
  return patterns.some((pattern) => {
    if (name.isFixed) return wildcard(pattern.toLowerCase())(name.start);
    const own = fixedEnds(pattern.toLowerCase());
    const fits = (a: string, b: string, has: (long: string, short: string) => boolean): boolean =>
      has(a, b) || has(b, a);
    return (
      fits(name.start, own.start, (long, short) => long.startsWith(short)) &&
      fits(name.end, own.end, (long, short) => long.endsWith(short))
    );
  });
}

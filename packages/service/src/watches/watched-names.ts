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

/** The text before the first and after the last variable part, in lower case. Of a text without variable parts, both are the whole text. */
export interface FixedEnds {
  readonly start: string;
  readonly end: string;
  readonly isFixed: boolean;
}

/** The fixed ends of a template such as `{name}-small.mp4`, or of a pattern. */
export function fixedEnds(template: string): FixedEnds {
  const text = template.toLowerCase();
  const variables = [...text.matchAll(VARIABLE)];
  const [first, last] = [variables[0], variables.at(-1)];
  if (first === undefined || last === undefined) return { start: text, end: text, isFixed: true };
  return { start: text.slice(0, first.index), end: text.slice(last.index + last[0].length), isFixed: false };
}

/** See `templateMatcher`. */
export type TemplateMatcher = (name: FixedEnds) => boolean;

/**
 * Returns a function that tells whether a watch with these patterns may take a file whose name is made by a template. Compares only the fixed
 * ends of both, unless the name is fixed, so it can say true for names that never match.
 */
export function templateMatcher(patterns: readonly string[] | undefined): TemplateMatcher {
  if (patterns === undefined)
    return ({ end }) => {
      const known = /\.[a-z\d]{1,5}$/.exec(end)?.[0];
      return known === undefined || isMediaName(`x${known}`);
    };
  const all = patterns.map((pattern) => ({ ...fixedEnds(pattern), matches: wildcard(pattern.toLowerCase()) }));
  return (name) =>
    all.some(
      (own) =>
        (name.start.startsWith(own.start) || own.start.startsWith(name.start)) &&
        (name.end.endsWith(own.end) || own.end.endsWith(name.end)) &&
        (!name.isFixed || own.matches(name.start)),
    );
}

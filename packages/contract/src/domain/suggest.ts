import { nearestName } from './aliases.ts';
import { sortByCloseness } from './closest-match.ts';
import { type Edits, rename, replacePart, sendValue } from './edit.ts';
import type { Hint } from './hint.ts';

/** What may be in the place of a wrong name or number. A check states it, and `suggest` makes the fix. */
export type Nearest =
  /** `is`: what `given` is: the name of the field, its whole value, or one word of its value. */
  | { readonly given: string; readonly names: Iterable<string>; readonly is: 'name' | 'value' | 'word' }
  /** `others`: on which side of the bound the other allowed values are. */
  | { readonly bound: number | string; readonly others: 'less' | 'more' };

interface Suggestible {
  readonly allowed?: readonly string[];
  readonly fix?: Hint;
  readonly nearest?: Nearest | undefined;
}

/** The maximum number of names in an error. */
const MAX_NAMES = 20;

/**
 * The error with its fix: the nearest allowed name in another spelling, by the table of aliases or by its letters, or the nearest bound. All
 * suggestions for wrong requests are made here, after the checks. If the names are more than 20, `allowed` gets those with the nearest letters.
 */
export function suggest<E extends Suggestible>(error: E): E {
  const { nearest, allowed = [] } = error;
  if (nearest === undefined) return error;
  if ('bound' in nearest) {
    const fix: Edits = { ...sendValue(nearest.bound), or: nearest.others, isNearest: true };
    return { ...error, fix, nearest: undefined };
  }
  const { given, is } = nearest;
  // `nearestName` caches by the array.
  const names = Array.isArray(nearest.names) ? (nearest.names as readonly string[]) : [...nearest.names];
  const listed = names.length <= MAX_NAMES ? names : sortByCloseness(given, names).slice(0, MAX_NAMES);
  const name = nearestName(given, names);
  return {
    ...error,
    nearest: undefined,
    allowed: [...new Set([...allowed, ...listed])],
    ...(name !== undefined && { fix: fixWith(name, given, is) }),
  };
}

function fixWith(name: string, given: string, is: 'name' | 'value' | 'word'): Edits {
  if (is === 'name') return rename(name);
  return is === 'value' ? sendValue(name) : replacePart(given, name);
}

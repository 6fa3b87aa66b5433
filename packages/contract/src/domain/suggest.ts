import { nearestName } from './aliases.ts';
import { sortByCloseness } from './closest-match.ts';
import { type Edits, rename, replacePart, sendValue } from './edit.ts';
import type { Hint } from './hint.ts';

/** What may be in the place of a wrong name or number. A check states it, and `suggest` makes the fix. */
export type Nearest =
  /** `is`: what `given` is: the name of the field, its whole value, or one word of its value. */
  | {
      readonly given: string;
      readonly names: readonly string[];
      readonly is: 'name' | 'value' | 'word';
    }
  /** `others`: on which side of the bound the other allowed values are. `part`: the wrong part of the value. Default: the whole value. */
  | { readonly bound: number | string; readonly others: 'less' | 'more'; readonly part?: string };

interface Suggestible {
  readonly allowed?: readonly string[];
  readonly fix?: Hint;
  readonly nearest?: Nearest | undefined;
}

/** The maximum number of names in an error. */
const MAX_NAMES = 20;

/**
 * The error with its fix: the only allowed name, or the nearest one by its number, in another spelling, by the table of aliases or by its
 * letters, or the nearest bound. All suggestions for wrong requests are made here, after the checks. `allowed` lists the
 * names. Of more than 20 names, it lists those with the nearest letters, and none if the check lists the usual ones.
 */
export function suggest<E extends Suggestible>(error: E): E {
  const { nearest, allowed = [] } = error;
  if (nearest === undefined) return error;
  if ('bound' in nearest) {
    const { bound, others, part } = nearest;
    const send = part === undefined ? sendValue(bound) : replacePart(part, String(bound));
    return { ...error, fix: { ...send, or: others }, nearest: undefined };
  }
  const { given, is, names } = nearest;
  const listed = names.length <= MAX_NAMES ? names : is === 'name' || allowed.length > 0 ? [] : nearestOf(given, names);
  const only = names.length === 1 && allowed.length === 0 ? names[0] : undefined;
  const name = only ?? nearestNumber(given, names) ?? nearestName(given, names);
  const all = [...new Set([...allowed, ...listed])];
  return {
    ...error,
    nearest: undefined,
    ...(all.length > 0 && { allowed: all }),
    ...(name !== undefined && name !== given && { fix: fixWith(name, given, is) }),
  };
}

const nearestOf = (given: string, names: readonly string[]): readonly string[] =>
  sortByCloseness(given, names).slice(0, MAX_NAMES);

/** The name with the nearest number: for the level 4.3, 4.2 and not 1.3. undefined: `given` or all names but one are not numbers. */
function nearestNumber(given: string, names: readonly string[]): string | undefined {
  const number = Number(given);
  const numbers = names.filter((name) => name !== '' && Number.isFinite(Number(name)));
  if (given === '' || !Number.isFinite(number) || numbers.length < 2) return undefined;
  return numbers.reduce((best, one) => (Math.abs(Number(one) - number) < Math.abs(Number(best) - number) ? one : best));
}

function fixWith(name: string, given: string, is: 'name' | 'value' | 'word'): Edits {
  if (is === 'name') return rename(name);
  return is === 'value' ? sendValue(name) : replacePart(given, name);
}

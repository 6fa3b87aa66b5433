import { closestMatch } from '../../domain/closest-match.ts';
import { hint } from '../../domain/hint.ts';
import { Problem } from '../../domain/problem.ts';
import { type Described, search } from '../../ffmpeg/capabilities/search.ts';
import type { Page, Search } from './operations.ts';

const ALIKE = 'Nothing matches; these are spelled alike.';
const NOTHING = 'Nothing matches. Search with other or fewer words.';

/** One page of what matches; `more`: what else of an item words may be found in; `note` is about the whole list. */
export function pageOf<T extends Described>(
  all: readonly T[],
  { q = '', limit, from }: Search,
  { more, note }: { readonly more?: (item: T) => string; readonly note?: string } = {},
): Page<T> {
  const { items, alike } = search(all, q, more);
  const found = alike ? (items.length > 0 ? ALIKE : NOTHING) : undefined;
  const notes = [note, found].filter((one) => one !== undefined);
  return {
    items: items.slice(from, from + limit),
    ...(items.length > from + limit && { next: from + limit }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

type What = 'format' | 'codec' | 'filter' | 'option';

/** `refused`: why what there is cannot be used. */
export function noSuch(what: What, name: string, names: Iterable<string>, refused?: string): Problem {
  const short = name.slice(0, 64);
  const near = closestMatch(name, names);
  const message = refused ?? `The installed ffmpeg has no ${what} "${short}".`;
  const fix =
    near === undefined || refused !== undefined
      ? hint`Search for another: ${{ do: 'search-capabilities', kind: `${what}s` }}.`
      : `Ask for "${near}".`;
  const code = refused === undefined ? `UNKNOWN_${what.toUpperCase()}` : `${what.toUpperCase()}_NOT_ALLOWED`;
  return new Problem('NOT_FOUND', message, { fix, errors: [{ field: '/name', code, message, fix }] });
}

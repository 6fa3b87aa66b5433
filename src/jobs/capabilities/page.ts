import { closestMatch } from '../../domain/closest-match.ts';
import { sendValue } from '../../domain/edit.ts';
import { hint } from '../../domain/hint.ts';
import { Problem } from '../../domain/problem.ts';
import { type Described, search } from '../../ffmpeg/capabilities/search.ts';
import type { Page, Search } from './operations.ts';

const SIMILAR = 'Nothing matches. These names are similar.';
const NOTHING = 'Nothing matches. Search with other or fewer words.';

/**
 * Returns one page of the items that match. `more`: returns further text of an item to search in. `note`: a remark
 * about the whole list.
 */
export function pageOf<T extends Described>(
  all: readonly T[],
  { q = '', limit, from }: Search,
  { more, note }: { readonly more?: (item: T) => string; readonly note?: string } = {},
): Page<T> {
  const { items, alike } = search(all, q, more);
  const found = alike ? (items.length > 0 ? SIMILAR : NOTHING) : undefined;
  const notes = [note, found].filter((one) => one !== undefined);
  return {
    items: items.slice(from, from + limit),
    ...(items.length > from + limit && { next: from + limit }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

type What = 'format' | 'codec' | 'filter' | 'option';

/**
 * The problem of an unknown name. `rejection`: the reason if ffmpeg has the name but requests may not use it. `meant`: what the name means,
 * one of `names`.
 */
export function notFound(
  what: What,
  name: string,
  names: Iterable<string>,
  rejection?: string,
  meant?: string,
): Problem {
  const short = name.slice(0, 64);
  const near = meant ?? closestMatch(name, names);
  const message = rejection ?? `The installed ffmpeg has no ${what} "${short}".`;
  const fix =
    near === undefined || rejection !== undefined
      ? hint`Search for another: ${{ do: 'search-capabilities', kind: `${what}s` }}.`
      : sendValue(near);
  const code = rejection === undefined ? `UNKNOWN_${what.toUpperCase()}` : `${what.toUpperCase()}_NOT_ALLOWED`;
  return new Problem('NOT_FOUND', message, { fix, errors: [{ field: '/name', code, message, fix }] });
}

import { defined } from '@telecine/contract/domain/defined.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { nextOffset, readOffset } from '@telecine/contract/wire/paging.ts';
import { type Described, search } from '@telecine/ffmpeg/capabilities/search.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { findFormat } from '@telecine/ffmpeg/plan/request/format-names.ts';

export interface PageQuery {
  /** The words to find. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
  /** A remark about the whole list. */
  readonly note?: string;
}

/** Resolves to what the installed ffmpeg offers. Waits until the service has found it. */
export type FindCatalogue = () => Promise<Catalogue>;

const SIMILAR = 'Nothing matches. These names are similar.';
const NOTHING = 'Nothing matches. Search with other or fewer words.';

/** Returns one page of the matching items. `more`: additional text of an item that is searched. */
export function pageOf<T extends Described>(
  all: readonly T[],
  { q = '', limit, cursor }: PageQuery,
  more?: (item: T) => string,
): Page<T> {
  const from = readOffset(cursor);
  const { items, alike } = search(all, q, more);
  return {
    items: items.slice(from, from + limit),
    ...defined({ nextCursor: nextOffset(from + limit, items.length) }),
    ...(alike && { note: items.length > 0 ? SIMILAR : NOTHING }),
  };
}

/** Finds a muxer by its name or by a common file extension, such as `mkv`. undefined: there is none. */
export function muxerNamed({ lists }: Catalogue, name: string): string | undefined {
  const lookup = findFormat(name, lists.muxers);
  return 'format' in lookup ? lookup.format.muxer : undefined;
}

interface Lookup {
  readonly what: 'format' | 'codec' | 'filter' | 'option';
  readonly name: string;
  /** The name that ffmpeg uses for `name`. */
  readonly other?: string | undefined;
  /** Why requests may not use the name. */
  readonly rejection?: string | undefined;
}

/** Finds an item by its name, or else by the name that ffmpeg uses for it. Throws NOT_FOUND. */
export function findNamed<T extends { readonly name: string }>(all: readonly T[], lookup: Lookup): T {
  const item = all.find((one) => one.name === lookup.name) ?? all.find((one) => one.name === lookup.other);
  if (item === undefined) throw notFound(all, lookup);
  return item;
}

/** Creates the problem for an unknown name. */
export function notFound(all: readonly { readonly name: string }[], { what, name, rejection }: Lookup): Problem {
  const names = new Set(all.map((one) => one.name));
  const error = suggest<FieldError>({
    field: '/name',
    code: rejection === undefined ? `UNKNOWN_${what.toUpperCase()}` : `${what.toUpperCase()}_NOT_ALLOWED`,
    message: rejection ?? `The installed ffmpeg has no ${what} "${name.slice(0, 64)}".`,
    fix: hint`Search for another: ${{ do: 'search-capabilities', kind: `${what}s` }}.`,
    ...(rejection === undefined && { nearest: { given: name, names: [...names], is: 'value' } }),
  });
  return new Problem('NOT_FOUND', error.message, { ...defined({ fix: error.fix }), errors: [error] });
}

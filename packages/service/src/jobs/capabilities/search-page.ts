import { defined } from '@telecine/contract/domain/defined.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import type { CodecsQuery, FiltersQuery, FormatsQuery, OptionsQuery } from '@telecine/contract/wire/capabilities.ts';
import { type Described, search } from '@telecine/ffmpeg/capabilities/search.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { findFormat } from '@telecine/ffmpeg/plan/request/format-names.ts';

/** A query of the API. `from`: how many results to skip. */
type From<Q> = Omit<Q, 'cursor'> & { readonly from: number };
export type FormatQuery = From<FormatsQuery>;
export type CodecQuery = From<CodecsQuery>;
export type FilterQuery = From<FiltersQuery>;
export type OptionQuery = From<OptionsQuery>;

export interface Page<T> {
  readonly items: readonly T[];
  /** `from` of the next page. */
  readonly next?: number;
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
  { q = '', limit, from }: Pick<FormatQuery, 'q' | 'limit' | 'from'>,
  more?: (item: T) => string,
): Page<T> {
  const { items, alike } = search(all, q, more);
  return {
    items: items.slice(from, from + limit),
    ...(items.length > from + limit && { next: from + limit }),
    ...(alike && { note: items.length > 0 ? SIMILAR : NOTHING }),
  };
}

/** Finds a muxer by its name or by a common file extension, such as `mkv`. undefined: there is none. */
export function muxerNamed({ lists }: Catalogue, name: string): string | undefined {
  const lookup = findFormat(name, lists.muxers);
  return 'format' in lookup ? lookup.format.muxer : undefined;
}

type What = 'format' | 'codec' | 'filter' | 'option';

/** Creates the problem for an unknown name. `rejection`: why requests may not use the name. */
export function notFound(
  what: What,
  name: string,
  all: readonly { readonly name: string }[],
  rejection?: string,
): Problem {
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

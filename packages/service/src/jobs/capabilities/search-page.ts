import { defined } from '@telecine/contract/domain/defined.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { type Described, search } from '@telecine/ffmpeg/capabilities/search.ts';
import type { Catalogue, CliFacts, CodecKind } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '@telecine/ffmpeg/catalogue/component.ts';
import type { OptionClass } from '@telecine/ffmpeg/catalogue/help-full.ts';

/** A search in a list. `q`: the words to search for. `from`: how many results to skip. */
export interface Search {
  readonly q?: string;
  readonly limit: number;
  readonly from: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** `from` of the next page. */
  readonly next?: number;
  readonly note?: string;
}

export interface FormatQuery extends Search {
  readonly use?: 'read' | 'write';
}

export interface CodecQuery extends Search {
  readonly kind?: CodecKind;
  readonly use?: 'encode' | 'decode';
}

export interface FilterQuery extends Search {
  /** Lists only filters that have an input or an output of this kind. */
  readonly kind?: 'video' | 'audio';
}

/** Selects the component whose options are listed. Set at most one of these names. */
export interface OptionQuery extends Search {
  readonly encoder?: string;
  readonly decoder?: string;
  readonly format?: string;
  readonly inputFormat?: string;
  readonly filter?: string;
  readonly bsf?: string;
}

/** The installed ffmpeg. Its methods run ffmpeg to read facts that the catalogue lacks. */
export interface InstalledFfmpeg {
  catalogue(): Catalogue;
  component(kind: ComponentKind, name: string): Promise<Component | undefined>;
  option(name: string): Promise<CliFacts | undefined>;
  classes(): Promise<readonly OptionClass[]>;
}

/** Resolves to the installed ffmpeg. Waits until the service has found it. */
export type FindFfmpeg = () => Promise<InstalledFfmpeg>;

const SIMILAR = 'Nothing matches. These names are similar.';
const NOTHING = 'Nothing matches. Search with other or fewer words.';

/**
 * Returns one page of the matching items. `more`: additional text of an item that is searched. `note`: a remark about
 * the whole list.
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

/** Creates the problem for an unknown name. `rejection`: why requests may not use the name. */
export function notFound(what: What, name: string, names: Iterable<string>, rejection?: string): Problem {
  const error = suggest<FieldError>({
    field: '/name',
    code: rejection === undefined ? `UNKNOWN_${what.toUpperCase()}` : `${what.toUpperCase()}_NOT_ALLOWED`,
    message: rejection ?? `The installed ffmpeg has no ${what} "${name.slice(0, 64)}".`,
    fix: hint`Search for another: ${{ do: 'search-capabilities', kind: `${what}s` }}.`,
    ...(rejection === undefined && { nearest: { given: name, names: [...names], is: 'value' } }),
  });
  return new Problem('NOT_FOUND', error.message, { ...defined({ fix: error.fix }), errors: [error] });
}

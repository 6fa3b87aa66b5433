import type { CodecView, FullCodecView } from '../../ffmpeg/capabilities/codecs.ts';
import type { FilterView, FullFilterView } from '../../ffmpeg/capabilities/filters.ts';
import type { FormatView, FullFormatView } from '../../ffmpeg/capabilities/formats.ts';
import type { MeaningView } from '../../ffmpeg/capabilities/options.ts';
import type { CodecKind } from '../../ffmpeg/catalogue/catalogue.ts';

/** `q`: words to search for. `from`: how many results to skip. */
export interface Search {
  readonly q?: string;
  readonly limit: number;
  readonly from: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** `from` of the next page. */
  readonly next?: number;
  /** A remark about the whole list. */
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
  /** The filter has an input or an output of this kind. */
  readonly kind?: 'video' | 'audio';
}

/** The component whose options to list. At most one of these. */
export interface OptionQuery extends Search {
  readonly encoder?: string;
  readonly decoder?: string;
  readonly format?: string;
  readonly inputFormat?: string;
  readonly filter?: string;
  readonly bsf?: string;
}

/** What the installed ffmpeg has and a caller may use. Each method throws `Problem`: NOT_FOUND, INVALID_REQUEST. */
export interface CapabilityOperations {
  formats(query: FormatQuery): Promise<Page<FormatView>>;
  codecs(query: CodecQuery): Promise<Page<CodecView>>;
  filters(query: FilterQuery): Promise<Page<FilterView>>;
  options(query: OptionQuery): Promise<Page<MeaningView>>;
  format(name: string): Promise<FullFormatView>;
  codec(name: string): Promise<FullCodecView>;
  filter(name: string): Promise<FullFilterView>;
  /** All meanings of an option name. */
  option(name: string): Promise<readonly MeaningView[]>;
}

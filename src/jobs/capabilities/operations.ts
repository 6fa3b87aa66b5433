import type { Measurement } from '../../domain/analysis.ts';
import type {
  CodecView,
  FilterView,
  FormatView,
  FullCodecView,
  FullFilterView,
  FullFormatView,
} from '../../ffmpeg/capabilities/components.ts';
import type { MeaningView } from '../../ffmpeg/capabilities/options.ts';
import type { CodecKind } from '../../ffmpeg/catalogue/catalogue.ts';

/** A search. `q`: the words to search for. `from`: how many results to skip. */
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
  /** Only filters that have an input or an output of this kind. */
  readonly kind?: 'video' | 'audio';
}

/** Selects the component whose options to list. Set at most one of its names. */
export interface OptionQuery extends Search {
  readonly encoder?: string;
  readonly decoder?: string;
  readonly format?: string;
  readonly inputFormat?: string;
  readonly filter?: string;
  readonly bsf?: string;
}

/** Lists the features of the installed ffmpeg that a request may use. Each method throws NOT_FOUND, INVALID_REQUEST. */
export interface CapabilityOperations {
  formats(query: FormatQuery): Promise<Page<FormatView>>;
  codecs(query: CodecQuery): Promise<Page<CodecView>>;
  filters(query: FilterQuery): Promise<Page<FilterView>>;
  /** What an analysis can measure on at least one worker. */
  measurements(): Promise<readonly Measurement[]>;
  options(query: OptionQuery): Promise<Page<MeaningView>>;
  format(name: string): Promise<FullFormatView>;
  codec(name: string): Promise<FullCodecView>;
  filter(name: string): Promise<FullFilterView>;
  /** Returns all meanings of an option name. */
  option(name: string): Promise<readonly MeaningView[]>;
}

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { GraphFilter } from './graph.ts';
import type { FindPlaces } from './graph-places.ts';

export interface FilterContext {
  readonly catalogue: Catalogue;
  /** The logical name of the input that a filter names as a file. undefined if there is none. `byContent`: see `FilterFile`. */
  fileNamed(path: string, byContent: boolean): string | undefined;
  /** The logical name of the folder of fonts, if an input is a font at this path or in this folder; else all folders of fonts. */
  fontsIn(path: string): string | readonly string[];
  /** The logical name of the folder of fonts. undefined if no input is a font. */
  allFonts(): string | undefined;
  /** Whether the graph is for audio alone. */
  readonly ofSound?: boolean;
  /** Finds the places of errors. Absent if the client did not send the text of the graph. */
  readonly placesOf?: FindPlaces | undefined;
}

export interface CheckedFilter {
  /** The filter for the argv: every option has its name, and files have their logical names. */
  readonly checked: GraphFilter;
  /** The filter as the client sent it with all errors corrected, or the filters that replace it. Absent if unknown. */
  readonly meant?: readonly GraphFilter[];
}

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { GraphFilter } from './graph.ts';
import type { FindPlaces } from './graph-places.ts';

export interface FilterContext {
  readonly catalogue: Catalogue;
  /**
   * Returns the logical name of the input that a filter uses as a file. undefined: no input has this path. `byContent`: see `FilterFile`.
   */
  fileNamed(path: string, byContent: boolean): string | undefined;
  /**
   * Returns the logical name of the font folder, if an input is a font at this path or in this folder. Otherwise returns all font folders.
   */
  fontsIn(path: string): string | readonly string[];
  /** Returns the logical name of a font folder. undefined: no input is a font. */
  allFonts(): string | undefined;
  /** True if the graph is for audio only. */
  readonly ofSound?: boolean;
  /** Finds the position of an error in the text. undefined: the client did not send the graph as text. */
  readonly placesOf?: FindPlaces | undefined;
}

export interface CheckedFilter {
  /** The filter for the argv. Every option has its name, and files have their logical names. */
  readonly checked: GraphFilter;
  /**
   * The filter as the client sent it, with all errors corrected. It may consist of several filters. undefined: the correction is unknown.
   */
  readonly meant?: readonly GraphFilter[];
}

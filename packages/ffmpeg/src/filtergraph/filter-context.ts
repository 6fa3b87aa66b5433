import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FindPlaces } from './graph-places.ts';

export interface FilterContext {
  readonly catalogue: Catalogue;
  /** The logical name of the input that a filter reads as a file. undefined: no input has this path. `byContent`: see `FilterFile`. */
  fileNamed(path: string, byContent: boolean): string | undefined;
  /**
   * The logical name of the font folder, if an input is a font at this path or in this folder. Otherwise the paths of all folders with
   * fonts among the inputs.
   */
  fontsIn(path: string): string | readonly string[];
  /** The logical name of the folder with all fonts among the inputs. undefined: there are none. */
  allFonts(): string | undefined;
  /** Finds the position of an error in the text of the graph. undefined: the client sent no such text. */
  readonly placesOf?: FindPlaces | undefined;
}

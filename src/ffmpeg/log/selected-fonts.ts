import type { LogLine } from './log-line.ts';

/** A font that subtitles name, and the file that libass took for it. */
export interface SelectedFont {
  readonly family: string;
  /** The PostScript name of the installed font: `DejaVuSans-Bold`. undefined if the font is an input or in the media. */
  readonly installed: string | undefined;
}

/**
 * `fontselect: (Inter, 400, 0) -> /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf, 0, DejaVuSans` (libass 0.14 to 0.17). A
 * font without a path is one of the inputs, or attached to the media.
 */
const SELECTED = /^fontselect: \(([^()]{1,60}), -?\d+, -?\d+\) -> (?:\/.{1,300}, -?\d+, ([\w-]{1,60})$)?/;
/** The filters that draw with libass. */
const FILTER = /^Parsed_(?:subtitles|ass)_\d+$/;

const MAX_FONTS = 20;

/**
 * Reads which fonts libass selected. Only the first line about a family counts: others are about characters that the font
 * does not have. Text in the media can forge such lines, so nothing but a warning may depend on them.
 */
export class SelectedFontReader {
  readonly #selected = new Map<string, SelectedFont>();

  feed({ level, component = '', text }: LogLine): void {
    const [, family, installed] = level === 'info' && FILTER.test(component) ? (SELECTED.exec(text) ?? []) : [];
    if (family !== undefined && this.#selected.size < MAX_FONTS && !this.#selected.has(family))
      this.#selected.set(family, { family, installed });
  }

  get found(): readonly SelectedFont[] {
    return [...this.#selected.values()];
  }
}

/** A filter option whose value is the name of a file to read. */
export interface FilterFile {
  /** The names of the option: its own name, then its alias. */
  readonly names: readonly [string, ...string[]];
  /** The index of the option among positional values. Absent if the option always needs its name. */
  readonly position?: number;
  /**
   * Whether the filter detects the format of the file by content, as ffmpeg does for inputs. If so, it would follow a
   * playlist that is named `x.srt`.
   */
  readonly byContent?: true;
  /** Whether the file is a font. If so, the option may also name a system font. */
  readonly font?: true;
  /** Whether the filter searches the installed fonts for a text that is not the name of a file. */
  readonly fontPattern?: true;
  /** Whether the option names a folder of fonts, or one of them. Without it, the filter gets all fonts among the inputs. */
  readonly fontFolder?: true;
}

const first = (...names: [string, ...string[]]): FilterFile => ({ names, position: 0 });
const named = (...names: [string, ...string[]]): FilterFile => ({ names });

const FONTS: FilterFile = { ...named('fontsdir'), fontFolder: true };

/**
 * The filters that may read a file of the request. Each was reviewed: its files are text, images, fonts, or tables of
 * numbers, and none of them can refer to other files. Positions are those of libavfilter 5.1 to 8.
 */
export const FILTER_FILES: ReadonlyMap<string, readonly FilterFile[]> = new Map([
  ['subtitles', [{ ...first('filename', 'f'), byContent: true }, FONTS]],
  ['ass', [first('filename', 'f'), FONTS]],
  ['lut3d', [first('file')]],
  ['lut1d', [first('file')]],
  ['drawtext', [{ ...first('fontfile'), font: true, fontPattern: true }, named('textfile')]],
  ['arnndn', [first('model', 'm')]],
  ['sofalizer', [first('sofa')]],
  ['removelogo', [first('filename', 'f')]],
  ['find_rect', [first('object')]],
  ['cover_rect', [first('cover')]],
  ['fieldhint', [first('hint')]],
  ['nnedi', [first('weights')]],
  ['curves', [named('psfile')]],
  ['selectivecolor', [named('psfile')]],
  ['showcqt', [{ ...named('fontfile'), font: true }, named('axisfile')]],
  ['cellauto', [first('filename', 'f')]],
  ['life', [first('filename', 'f')]],
  ['flite', [named('textfile')]],
]);

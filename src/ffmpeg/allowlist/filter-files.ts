/** A filter option that names a file to read. */
export interface FilterFile {
  /** Its names; the first one is printed. */
  readonly names: readonly [string, ...string[]];
  /** Its position among values without names; absent if it needs its name. */
  readonly position?: number;
  /** Whether the filter detects the format by content, like any media. It would follow a playlist named `x.srt`. */
  readonly byContent?: true;
  /** Whether it is a font, so that system fonts are allowed too. */
  readonly font?: true;
}

const first = (...names: [string, ...string[]]): FilterFile => ({ names, position: 0 });
const named = (...names: [string, ...string[]]): FilterFile => ({ names });

/**
 * Filters that may read a file of the request, reviewed one by one: text, images and tables of numbers, none of which
 * can name other files. Positions are those of libavfilter 5.1 to 8.
 */
export const FILTER_FILES: ReadonlyMap<string, readonly FilterFile[]> = new Map([
  ['subtitles', [{ ...first('filename', 'f'), byContent: true }]],
  ['ass', [first('filename', 'f')]],
  ['lut3d', [first('file')]],
  ['lut1d', [first('file')]],
  ['drawtext', [{ ...first('fontfile'), font: true }, named('textfile')]],
  ['arnndn', [first('model', 'm')]],
  ['sofalizer', [first('sofa')]],
  ['removelogo', [first('filename', 'f')]],
  ['find_rect', [first('object')]],
  ['cover_rect', [first('cover')]],
  ['fieldhint', [first('hint')]],
  ['nnedi', [first('weights')]],
  ['curves', [named('psfile')]],
  ['selectivecolor', [named('psfile')]],
]);

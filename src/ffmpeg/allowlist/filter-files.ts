/** An option of a filter that names a file which the filter reads. */
export interface FilterFile {
  /** Its names; the first is the one that is written. */
  readonly names: readonly [string, ...string[]];
  /** Where it stands among values without names; absent: it is written with its name only. */
  readonly position?: number;
  /** The filter opens it by what it holds, as any media: a playlist that is called `x.srt` would be followed. */
  readonly byContent?: true;
  /** A font, so that those of the system may be named too. */
  readonly font?: true;
}

const first = (...names: [string, ...string[]]): FilterFile => ({ names, position: 0 });
const named = (...names: [string, ...string[]]): FilterFile => ({ names });

/**
 * Filters that may read a file of the request, reviewed one by one: text, pictures and tables of numbers, none of which
 * names further files. Positions are those of libavfilter 5.1 to 8.
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

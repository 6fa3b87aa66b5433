/** A filter option whose value is the name of a file that the filter reads. */
interface FilterFile {
  /** The option's own name, then its alias. */
  readonly names: readonly [string, ...string[]];
  /** The index of this option among values without a name (`lut3d=film.cube`: 0). Absent: the option needs its name. */
  readonly position?: number;
  /**
   * Present if the filter detects the file format by content, whatever the extension, so that it would open the files in a playlist named
   * `x.srt`. Such an input is therefore opened with a format allowlist first.
   */
  readonly byContent?: true;
  /** Present if the file is a font. The value may then also be the path of an installed font. */
  readonly font?: true;
  /** Present if the filter searches the installed fonts when the value is not a file. */
  readonly fontPattern?: true;
  /** Present if the option names a folder of fonts, or one font. Default: the folder with all fonts among the inputs. */
  readonly fontFolder?: true;
}

const first = (...names: [string, ...string[]]): FilterFile => ({ names, position: 0 });
const named = (...names: [string, ...string[]]): FilterFile => ({ names });

const FONTS: FilterFile = { ...named('fontsdir'), fontFolder: true };

/** The filters that may read a file of the request (libavfilter 5.1 to 8). Reviewed: their files cannot refer to other files. */
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

/** Font files in the system folders, which only an administrator can write. The sandbox mounts these folders under the same paths. */
const FONT_FILE =
  /^\/usr\/(?:local\/)?share\/fonts\/(?:[\w+-][\w .+-]*\/)*[\w+-][\w .+-]*\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** True if a path is the path of an installed font, without any part that starts with a dot. */
export const isSystemFont = (path: string): boolean => FONT_FILE.test(path);

/**
 * Fontconfig patterns with a size or a style: `DejaVu Sans-40:style=Bold`. Only the listed properties are allowed, because the property
 * `file` can name any file of the host. drawtext first tries to open the pattern as a file of the working folder; this is safe, because
 * only the service writes there.
 */
const FONT_PATTERN =
  /^[a-z][\w ]*(?:(?:-\d{1,3})?(?::(?:style|weight|slant|width|bold|italic|size|pixelsize|lang|spacing)(?:=[\w. -]+)?)+|-\d{1,3})$/i;

/** True if a text names an installed font with a size or a style. */
export const isFontPattern = (text: string): boolean => FONT_PATTERN.test(text);

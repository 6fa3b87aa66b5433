/**
 * Font files in system folders. The sandbox mounts these folders under the same paths, and only an administrator can
 * write to them.
 */
const FONT_FILE =
  /^\/usr\/(?:local\/)?share\/fonts\/(?:[\w+-][\w .+-]*\/)*[\w+-][\w .+-]*\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** Whether a path is that of a system font. No file or folder name in the path may start with a dot. */
export const isSystemFont = (path: string): boolean => FONT_FILE.test(path);

/**
 * Patterns of fontconfig with a size or a style: `DejaVu Sans-40:style=Bold`. drawtext first tries to open the pattern
 * as a file of the working folder, where only the service writes. Only listed properties are allowed, because the
 * property `file` can name any file of the host.
 */
const FONT_PATTERN =
  /^[a-z][\w ]*(?:(?:-\d{1,3})?(?::(?:style|weight|slant|width|bold|italic|size|pixelsize|lang|spacing)(?:=[\w. -]+)?)+|-\d{1,3})$/i;

/** Whether a text is a pattern that chooses an installed font by more than its name. */
export const isFontPattern = (text: string): boolean => FONT_PATTERN.test(text);

/**
 * Font files in system folders. The sandbox mounts these folders under the same paths, and only an administrator can
 * write to them.
 */
const FONT_FILE =
  /^\/usr\/(?:local\/)?share\/fonts\/(?:[\w+-][\w .+-]*\/)*[\w+-][\w .+-]*\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** Whether a path is that of a system font. No file or folder name in the path may start with a dot. */
export const isSystemFont = (path: string): boolean => FONT_FILE.test(path);

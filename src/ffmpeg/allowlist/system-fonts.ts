/**
 * Font files in system folders, which the sandbox mounts under the same paths; only an administrator can write there.
 */
const FONT_FILE =
  /^\/usr\/(?:local\/)?share\/fonts\/(?:[\w+-][\w .+-]*\/)*[\w+-][\w .+-]*\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** Whether a path is that of a system font. No part of it may start with a dot. */
export const isSystemFont = (path: string): boolean => FONT_FILE.test(path);

/** The folders that systems keep fonts in, which the sandbox shows under the same names; only an administrator writes there. */
const FONT_FILE =
  /^\/usr\/(?:local\/)?share\/fonts\/(?:[\w+-][\w .+-]*\/)*[\w+-][\w .+-]*\.(?:ttf|otf|ttc|pfb|woff2?)$/i;

/** Whether a path names a font of the system by its place alone: no part of it begins with a dot. */
export const isSystemFont = (path: string): boolean => FONT_FILE.test(path);

/** Extensions of files without a picture. */
const SOUNDS = /^(?:wav|mp[23]|flac|m4a|og[ga]|opus|aac|aiff?|wma)$/i;
const FILMS = /^(?:mp4|m4v|mov|mkv|webm|avi|flv|m?ts|m2ts|mpe?g|vob|wmv|3gp|ogv|mxf)$/i;

/** Whether an extension without its dot is that of a file without a picture. */
export const isSoundExtension = (extension: string): boolean => SOUNDS.test(extension);

/** Whether all files are films, or all are sounds, by their names. */
export const areOfOneKind = (paths: readonly string[]): boolean =>
  [SOUNDS, FILMS].some((kind) => paths.every((path) => kind.test(path.slice(path.lastIndexOf('.') + 1))));

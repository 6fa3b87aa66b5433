declare const mediaPath: unique symbol;

/**
 * A file inside a client's media root: segments joined by `/`, no leading `/`, no `.`, `..` or empty segment,
 * no segment that begins with `.telecine`. Only `parseMediaPath` makes one.
 */
export type MediaPath = string & { readonly [mediaPath]: true };

/** Names that begin so are the service's own (scratch, temporaries) and cannot be named by a client. */
export const RESERVED_PREFIX = '.telecine';

/** Longest path in UTF-8 bytes (PATH_MAX less room for the root) and longest name (NAME_MAX of ext4, xfs, APFS). */
const MAX_PATH_BYTES = 3072;
const MAX_NAME_BYTES = 255;

export interface PathError {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

const bytes = (text: string): number => Buffer.byteLength(text);

/** C0 controls, DEL and C1 controls: no file that people name holds them, and they forge log lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Reads a path as the client wrote it. A leading `/` means the media root, except that a path under
 * `root` (the root's absolute host path) is read as that host path. Pure: symlinks are looked at elsewhere.
 */
export function parseMediaPath(text: string, root: string): MediaPath | PathError {
  if (text === '') return { code: 'EMPTY', message: 'The path is empty.', fix: 'Send a path such as "movies/in.mp4".' };
  if (!text.isWellFormed())
    return { code: 'BAD_ENCODING', message: 'The path holds a lone surrogate, which is no valid Unicode text.' };
  if (CONTROL.test(text))
    return { code: 'CONTROL_CHARACTER', message: 'The path holds a control character (NUL, newline or the like).' };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  if (scheme !== undefined)
    return {
      code: 'STORAGE_NOT_ALLOWED',
      message: `${scheme}:// is not a storage that this service is set up for.`,
      fix: 'Send a path inside your media root.',
    };
  if (bytes(text) > MAX_PATH_BYTES)
    return { code: 'TOO_LONG', message: `The path is longer than ${MAX_PATH_BYTES} bytes.` };
  const base = root.endsWith('/') ? root : `${root}/`;
  const inner = text.startsWith(base) ? text.slice(base.length) : text;
  const kept: string[] = [];
  for (const segment of inner.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (kept.pop() === undefined)
        return {
          code: 'OUTSIDE_ROOT',
          message: 'The path leaves the media root by "..".',
          fix: 'Send a path that stays inside your media root.',
        };
      continue;
    }
    if (bytes(segment) > MAX_NAME_BYTES)
      return { code: 'TOO_LONG', message: `A name in the path is longer than ${MAX_NAME_BYTES} bytes.` };
    if (segment.startsWith(RESERVED_PREFIX))
      return { code: 'RESERVED_NAME', message: `Names that begin with "${RESERVED_PREFIX}" belong to the service.` };
    kept.push(segment);
  }
  if (kept.length === 0 || inner.endsWith('/') || /(^|\/)\.\.?$/.test(inner))
    return { code: 'IS_DIRECTORY', message: 'The path names a folder.', fix: 'Name a file.' };
  return kept.join('/') as MediaPath;
}

/** The last segment: the file's name. */
export const baseName = (path: MediaPath): string => path.slice(path.lastIndexOf('/') + 1);

/** The extension without its dot, lower case; '' when there is none. */
export function extension(path: MediaPath): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

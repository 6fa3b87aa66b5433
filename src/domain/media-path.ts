import { badEncoding, controlCharacter } from './text-validation.ts';

declare const mediaPath: unique symbol;

/**
 * A file inside a client's media root: segments joined by `/`, no leading `/`, no `.`, `..` or empty segment,
 * no segment that begins with `.telecine`. Only `parseMediaPath` makes one.
 */
export type MediaPath = string & { readonly [mediaPath]: true };

/** Names that begin so are the service's own (scratch, temporaries) and cannot be named by a client. */
export const RESERVED_PREFIX = '.telecine';

/** Longest path in UTF-8 bytes (PATH_MAX less room for the root) and longest name (NAME_MAX of ext4, xfs, APFS). */
export const MAX_PATH_BYTES = 3072;
export const MAX_NAME_BYTES = 255;

export interface PathError {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

const bytes = (text: string): number => Buffer.byteLength(text);

/** C0 controls, DEL, C1 controls, the two Unicode line ends: no name needs them, and they forge log lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const ASCII = /^[ -~]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/** A path that ends so names a folder whatever stands there. */
const FOLDER_END = /(^|\/)\.{0,2}$/;

/**
 * Nearly every path: ASCII, shorter than any limit, no name that begins with a dot, no colon. No rule says more of it
 * than where it begins, and one look at it takes a sixth of the time.
 */
const USUAL = /^(?=.{1,255}$)\/?[ -\-0-9;-~](?:[ -.0-9;-~]|\/[ -\-0-9;-~])*$/;

/**
 * Reads a path as the client wrote it. A leading `/` means the media root, except that a path under
 * `root` (the root's absolute host path) is read as that host path. Pure: symlinks are looked at elsewhere.
 */
export function parseMediaPath(text: string, root: string): MediaPath | PathError {
  if (USUAL.test(text)) {
    if (!text.startsWith('/')) return text as MediaPath;
    const start = startOf(root);
    if (text.startsWith(start)) return text.slice(start.length) as MediaPath;
    if (`${text}/` !== start) return text.slice(1) as MediaPath;
  }
  if (text === '') return { code: 'EMPTY', message: 'The path is empty.', fix: 'Send a path such as "movies/in.mp4".' };
  if (!text.isWellFormed()) return badEncoding('The path');
  if (CONTROL.test(text))
    return controlCharacter('The path', 'Leave it out, and give the file itself a name without it.');
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme !== undefined)
    return {
      code: 'STORAGE_NOT_ALLOWED',
      message: `${scheme}:// is not a storage that this service is set up for.`,
      fix: 'Send a path inside your media root.',
    };
  if (bytes(text) > MAX_PATH_BYTES)
    return {
      code: 'TOO_LONG',
      message: `The path is longer than ${MAX_PATH_BYTES} bytes.`,
      fix: 'Send a shorter one, of fewer folders or shorter names.',
    };
  const kept: string[] = [];
  for (const segment of belowRoot(text, root)) {
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
      return {
        code: 'TOO_LONG',
        message: `A name in the path is longer than ${MAX_NAME_BYTES} bytes.`,
        fix: 'Send shorter names; a letter beyond ASCII counts as two to four bytes.',
      };
    if (isReserved(segment))
      return {
        code: 'RESERVED_NAME',
        message: `Names that begin with "${RESERVED_PREFIX}" belong to the service.`,
        fix: 'Send another name.',
      };
    kept.push(segment);
  }
  if (kept.length === 0 || FOLDER_END.test(text))
    return { code: 'IS_DIRECTORY', message: 'The path names a folder.', fix: 'Name a file.' };
  return kept.join('/') as MediaPath;
}

const segmentsOf = (text: string): readonly string[] =>
  text.split('/').filter((segment) => segment !== '' && segment !== '.');

/** The segments below the media root; those of the root itself are taken off where an absolute path has them. */
function belowRoot(text: string, root: string): readonly string[] {
  const segments = segmentsOf(text);
  if (!text.startsWith('/')) return segments;
  const above = segmentsOf(root);
  return above.every((segment, i) => segment === segments[i]) ? segments.slice(above.length) : segments;
}

let knownStart = { root: '/', start: '/' };

/** What paths below a root begin with: `/srv/media/`. Mostly of the root that was asked for last. */
function startOf(root: string): string {
  if (root !== knownStart.root) knownStart = { root, start: `/${[...segmentsOf(root), ''].join('/')}` };
  return knownStart.start;
}

/**
 * Disks that ignore case, Unicode's compatibility forms or its invisible characters (APFS, HFS+, ext4 with
 * casefold) would find our own folder under such a spelling.
 */
function isReserved(segment: string): boolean {
  const plain = ASCII.test(segment) ? segment : segment.normalize('NFKC').replace(IGNORABLE, '');
  return plain.slice(0, RESERVED_PREFIX.length).toLowerCase() === RESERVED_PREFIX;
}

/** The last segment: the file's name. */
export const baseName = (path: MediaPath): string => path.slice(path.lastIndexOf('/') + 1);

/** The extension without its dot, lower case; '' when there is none. */
export function extension(path: MediaPath): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

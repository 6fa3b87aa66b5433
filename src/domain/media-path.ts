import { badEncoding, controlCharacter } from './text-validation.ts';

declare const mediaPath: unique symbol;

/**
 * A file in a client's media root: segments joined by `/`, without a leading `/`, without `.`, `..` or empty segments,
 * and without segments that begin with `.telecine`. Only `parseMediaPath` creates one.
 */
export type MediaPath = string & { readonly [mediaPath]: true };

/** Names with this prefix are reserved for the service (scratch folders, temporary files). No request can name them. */
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

/**
 * C0 controls, DEL, C1 controls and the two Unicode line separators. No name needs them, and they can forge log lines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const ASCII = /^[ -~]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/** A path that ends like this always names a folder. */
const FOLDER_END = /(^|\/)\.{0,2}$/;

/**
 * Matches nearly every path: ASCII, shorter than any limit, no colon, no name that begins with a dot. Only the start of
 * such a path needs a check. This takes a sixth of the time.
 */
const USUAL = /^(?=.{1,255}$)\/?[ -\-0-9;-~](?:[ -.0-9;-~]|\/[ -\-0-9;-~])*$/;

/**
 * Reads a path of a request. A leading `/` means the media root, but a path that begins with `root` (an absolute host
 * path) means the path below it. Pure: symlinks are checked elsewhere.
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
    return controlCharacter('The path', 'Leave it out. If the file name has it, rename the file.');
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme !== undefined)
    return {
      code: 'STORAGE_NOT_ALLOWED',
      message: `${scheme}:// is not a supported storage.`,
      fix: 'Send a path inside your media root.',
    };
  if (bytes(text) > MAX_PATH_BYTES)
    return {
      code: 'TOO_LONG',
      message: `The path is longer than ${MAX_PATH_BYTES} bytes.`,
      fix: 'Send a path with fewer folders or shorter names.',
    };
  const segments: string[] = [];
  for (const segment of belowRoot(text, root)) {
    if (segment === '..') {
      if (segments.pop() === undefined)
        return {
          code: 'OUTSIDE_ROOT',
          message: 'The path leaves the media root through "..".',
          fix: 'Send a path that stays inside your media root.',
        };
      continue;
    }
    if (bytes(segment) > MAX_NAME_BYTES)
      return {
        code: 'TOO_LONG',
        message: `A name in the path is longer than ${MAX_NAME_BYTES} bytes.`,
        fix: 'Send shorter names. A character outside ASCII takes two to four bytes.',
      };
    if (isReserved(segment))
      return {
        code: 'RESERVED_NAME',
        message: `Names that begin with "${RESERVED_PREFIX}" belong to the service.`,
        fix: 'Send another name.',
      };
    segments.push(segment);
  }
  if (segments.length === 0 || FOLDER_END.test(text))
    return { code: 'IS_DIRECTORY', message: 'The path names a folder.', fix: 'Name a file.' };
  return segments.join('/') as MediaPath;
}

const segmentsOf = (text: string): readonly string[] =>
  text.split('/').filter((segment) => segment !== '' && segment !== '.');

/** The segments below the media root. Removes the segments of the root from an absolute path. */
function belowRoot(text: string, root: string): readonly string[] {
  const segments = segmentsOf(text);
  if (!text.startsWith('/')) return segments;
  const rootSegments = segmentsOf(root);
  return rootSegments.every((segment, i) => segment === segments[i]) ? segments.slice(rootSegments.length) : segments;
}

let knownStart = { root: '/', start: '/' };

/** The prefix of paths below a root: `/srv/media/`. Remembers the last one. */
function startOf(root: string): string {
  if (root !== knownStart.root) knownStart = { root, start: `/${[...segmentsOf(root), ''].join('/')}` };
  return knownStart.start;
}

/**
 * Whether a name is reserved in any spelling. File systems that ignore case, compatibility forms or invisible
 * characters of Unicode (APFS, HFS+, ext4 with casefold) would find the reserved folder.
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

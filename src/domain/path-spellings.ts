import { type MediaPath, parseMediaPath } from './media-path.ts';

/** The maximum number of spellings of one path, because each is looked up. */
const MAX_SPELLINGS = 8;

/**
 * Other spellings of a path that a client may mean: with slashes for backslashes, without a drive, a home folder, quotes
 * or `%20`, in other cases, and without its first folders. The likeliest comes first. Files with these names need not exist.
 */
export function otherSpellings(path: MediaPath): readonly MediaPath[] {
  const [bucket] = BUCKET.exec(path) ?? [];
  if (bucket === undefined) return spellingsInRoot(path);
  return spellingsInRoot(path.slice(bucket.length)).map((one) => `${bucket}${one}` as MediaPath);
}

const BUCKET = /^s3:\/\/[^/]+\//;

function spellingsInRoot(path: string): readonly MediaPath[] {
  const plain = decoded(path)
    .replaceAll('\\', '/')
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:file:|[A-Za-z]:|~(?=\/))\/*/i, '')
    .trim();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  // A path of another machine has folders before those of the media root.
  const below = [1, 2].map((count) => plain.split('/').slice(count).join('/'));
  const texts = [plain, ...cases(plain), ...below, name, ...cases(name)];
  const paths = texts.map((text) => parseMediaPath(text, '/')).filter((one) => typeof one === 'string');
  return [...new Set(paths)].filter((one) => one !== path).slice(0, MAX_SPELLINGS);
}

function decoded(path: string): string {
  if (!/%[\da-f]{2}/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function cases(text: string): readonly string[] {
  const dot = text.lastIndexOf('.');
  const [stem, end] = dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot)];
  return [text.toLowerCase(), stem + end.toLowerCase(), stem + end.toUpperCase()];
}

/** A longer text is not a list of files that people write. */
const MAX_LENGTH = 4000;

/** What separates paths in a text. A blank does only behind the extension of a medium: it is part of many names. */
const SEPARATOR = /[,;|\n]/;
const SEPARATOR_OR_BLANK =
  /[,;|\n]|(?<=\.(?:mp[34]|m4[av]|mkv|mov|webm|avi|mpe?g|ts|gif|wav|flac|ogg|opus|aac|jpe?g|png|webp)) +/i;

/** A path of a file that names its format. A comma in a title is rarely between two of them. */
const FILE = /^[^"'[\]]*[^"'[\]/.]\.(?=\w*[a-z])\w{2,6}$/i;

/** A path of letters, digits, spaces and folders, with an extension: nothing of a URL, which may contain a password. */
const PLAIN_FILE = /^[\w ./-]{1,200}\.\w{2,5}$/;

/** Whether a value is a path of a file that a message may repeat. */
export const isPlainFile = (value: unknown): value is string => typeof value === 'string' && PLAIN_FILE.test(value);

/** The paths in a text such as `a.mp4,b.mp4`, or `a.mp4 b.mp4` unless blanks separate none. undefined if it is not a list of several. */
export function pathsInText(text: string, { blanks = true } = {}): readonly string[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const paths = text.split(blanks ? SEPARATOR_OR_BLANK : SEPARATOR).map((path) => path.trim());
  return paths.length > 1 && paths.every((path) => FILE.test(path)) ? paths : undefined;
}

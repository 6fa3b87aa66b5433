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

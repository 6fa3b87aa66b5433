/** A longer text is not a list of files that people write. */
const MAX_LENGTH = 4000;

/** What separates paths in a text. */
const SEPARATOR = /[,;|\n]/;

/** A path of a file that names its format. A comma in a title is rarely between two of them. */
const FILE = /^[^"'[\]]*[^"'[\]/.]\.(?=\w*[a-z])\w{2,6}$/i;

/** The paths in a text such as `a.mp4,b.mp4`. undefined if it is not a list of several. */
export function pathsInText(text: string): readonly string[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const paths = text.split(SEPARATOR).map((path) => path.trim());
  return paths.length > 1 && paths.every((path) => FILE.test(path)) ? paths : undefined;
}

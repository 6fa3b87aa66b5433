/** A local file, and the number of the input that it is. */
interface UploadedFile {
  readonly file: string;
  readonly index: number;
}

/** The message of the service about a file of a filter that is not an input. It cuts long paths. */
const NOT_AN_INPUT = /^The filter "(\w+)" reads the file "([^"…]+)", which is not an input of the request/;

/**
 * Says how a command names a file that a filter reads. An upload gets a new path, so the value has the number of the input
 * instead. undefined for other messages, and for a command whose inputs are all on the service: it names them by their paths.
 *
 * @param inputs How many inputs the command has.
 */
export function filterFileFix(message: string, uploads: readonly UploadedFile[], inputs: number): string | undefined {
  const [, filter, file] = NOT_AN_INPUT.exec(message) ?? [];
  if (filter === undefined || file === undefined || uploads.length === 0) return undefined;
  const sent = uploads.find((upload) => upload.file === file);
  const placeholder = `{${sent?.index ?? inputs}}`;
  const write = `rite ${placeholder} instead of ${file} in the value: ${filter}=${placeholder}`;
  return sent === undefined ? `Add ${file} as input, after the others, and w${write}.` : `W${write}.`;
}

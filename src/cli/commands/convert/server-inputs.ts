import { serverPath } from './file-location.ts';

/** The path of an input in a fix: the member `input`, or a text in the list `inputs`. */
const INPUT_PATH = /(?<="input":\s?)"(?:[^"\\]|\\.)*"|(?<="inputs":\s?\[(?:[^\]]*,)?\s?)"(?:[^"\\]|\\.)*"(?=\s?[,\]])/g;
/** The whole fix, for an input that the service does not find, or the files near it. */
const FOUND_PATHS = /(?<=^Send )"(?:[^"\\]|\\.)*"(?=\.$)|(?<=\. Files in .*)"(?:[^"\\]|\\.)*"(?=[.,:])/g;

/**
 * Writes the inputs in a fix that are on the service as the command line names them.
 *
 * @param folder That of the uploads.
 */
export function withServerInputs(
  { fix, code }: { readonly fix: string; readonly code?: string | undefined },
  folder: string,
): string {
  const paths = code === 'INPUT_NOT_FOUND' && fix.search(FOUND_PATHS) >= 0 ? FOUND_PATHS : INPUT_PATH;
  return fix.replaceAll(paths, (text) => {
    const path = JSON.parse(text) as string;
    return path.startsWith(`${folder}/`) ? text : JSON.stringify(serverPath(path));
  });
}

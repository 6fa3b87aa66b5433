import { folderOf } from './file-list.ts';

/** The most paths of one zip, as the service allows. */
const MAX_PATHS = 100;

/** The longest URL that proxies and the service surely accept. */
const MAX_URL = 7000;

/** The URL of a zip of files and folders. */
export const zipAddress = (paths: readonly string[]): string =>
  `/api/files.zip?${new URLSearchParams(paths.map((path) => ['path', path]))}`;

/**
 * The paths to ask for, for a zip of the selected entries of one folder. If all its entries are selected, this is the folder. undefined: they
 * are too many for one URL. `count`: the number of entries of the folder, if all are listed.
 */
export function zipOfSelection(selected: readonly string[], count: number | undefined): readonly string[] | undefined {
  const folder = folderOf(selected[0] ?? '');
  if (selected.length === count && selected.length > 1 && folder !== '') return [folder];
  return selected.length <= MAX_PATHS && zipAddress(selected).length <= MAX_URL ? selected : undefined;
}

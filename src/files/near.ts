import type { Caller } from '../domain/client.ts';
import { sortByCloseness } from '../domain/closest-match.ts';
import { Problem } from '../domain/problem.ts';
import { isUrl } from '../domain/url-input.ts';
import { parsePrefix } from './file-path.ts';
import type { NearFiles } from './operations.ts';
import type { FileStore } from './ports.ts';

/** The entries of a folder that are compared. */
const MAX_ENTRIES = 500;
const MAX_NAMES = 5;
/** A name that is longer costs more than it helps. */
const MAX_LENGTH = 200;

/**
 * Files in the folder of a missing file, or in the media root if that folder has none: at most five, the closest in spelling
 * first. Undefined if there are none, and for a path that is not in the media root.
 */
export async function filesNear(store: FileStore, caller: Caller, path: string): Promise<NearFiles | undefined> {
  if (isUrl(path) || path.startsWith('s3://')) return undefined;
  for (const folder of new Set([folderOf(path), ''])) {
    const found = await filesIn(store, caller, folder);
    const [first] = found;
    // As the files name it: the path can be that of the host, which the client may not know.
    if (first !== undefined)
      return { folder: folderOf(first), paths: sortByCloseness(path, found).slice(0, MAX_NAMES) };
  }
  return undefined;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

async function filesIn({ list }: FileStore, { root }: Caller, text: string): Promise<readonly string[]> {
  try {
    const { folder } = parsePrefix(text, root);
    const { entries } = await list(root, { folder, nameStart: '', limit: MAX_ENTRIES });
    return entries.filter((one) => one.kind === 'file' && one.path.length <= MAX_LENGTH).map(({ path }) => path);
  } catch (error) {
    // The path has no folder in the media root. The caller reports the missing file.
    if (error instanceof Problem) return [];
    throw error;
  }
}

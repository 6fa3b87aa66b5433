import type { Caller } from '../domain/client.ts';
import { sortByCloseness } from '../domain/closest-match.ts';
import { Problem } from '../domain/problem.ts';
import { parsePrefix } from './file-path.ts';
import type { FileStore } from './ports.ts';

/** The entries of a folder that are compared. */
const MAX_ENTRIES = 500;
const MAX_NAMES = 5;
/** A name that is longer costs more than it helps. */
const MAX_LENGTH = 200;

/**
 * The paths of files in the folder of a missing file, or in the media root if that folder has none: at most five, the
 * closest in spelling first.
 */
export async function filesNear(store: FileStore, caller: Caller, path: string): Promise<readonly string[]> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (const folder of new Set([path.slice(0, path.length - name.length), ''])) {
    const found = await filesIn(store, caller, folder);
    if (found.length > 0) return sortByCloseness(path, found).slice(0, MAX_NAMES);
  }
  return [];
}

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

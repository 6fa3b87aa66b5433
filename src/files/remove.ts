import type { Caller } from '../domain/client.ts';
import { filePath } from './file-path.ts';
import type { FileStore } from './ports.ts';
import { checkOf, type Precondition } from './precondition.ts';

/** Deletes one file, or by a path that ends with a slash an empty folder. A conversion that reads the file goes on. */
export async function remove(
  store: FileStore,
  caller: Caller,
  path: string,
  precondition: Precondition,
): Promise<void> {
  const check = checkOf(precondition);
  const folder = /^(.*[^/])\/+$/s.exec(path)?.[1];
  if (folder === undefined) return store.remove(caller.root, filePath(path, caller.root), check);
  // A folder has no content of its own that a condition could mean.
  check(undefined);
  return store.removeFolder(caller.root, filePath(folder, caller.root));
}

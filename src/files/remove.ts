import type { Caller } from '../domain/client.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';

/** Deletes a file, or an empty folder if the path ends with a slash. A conversion that reads the file continues. */
export async function removePath(
  store: FileStore,
  caller: Caller,
  path: string,
  precondition: Precondition,
): Promise<void> {
  const check = toFileCheck(precondition);
  const folder = /^(.*[^/])\/+$/s.exec(path)?.[1];
  if (folder === undefined) return store.remove(caller.root, parseFilePath(path, caller.root), check);
  // A folder has no content that a precondition could match.
  check(undefined);
  return store.removeFolder(caller.root, parseFilePath(folder, caller.root));
}

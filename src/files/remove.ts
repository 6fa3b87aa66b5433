import type { Caller } from '../domain/client.ts';
import type { StoredFiles } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';

/** Deletes a file, or an empty folder if the path ends with a slash. A conversion that reads the file continues. */
export async function removePath(
  { store, stored }: { readonly store: FileStore; readonly stored: Pick<StoredFiles, 'forget'> },
  caller: Caller,
  path: string,
  precondition: Precondition,
): Promise<void> {
  const check = toFileCheck(precondition);
  const folder = /^(.*[^/])\/+$/s.exec(path)?.[1];
  if (folder === undefined) {
    const file = parseFilePath(path, caller.root);
    await store.remove(caller.root, file, check);
    return stored.forget(caller.clientId, [{ path: file }]);
  }
  // A folder has no content that a precondition could match.
  check(undefined);
  return store.removeFolder(caller.root, parseFilePath(folder, caller.root));
}

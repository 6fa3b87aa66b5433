import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import type { RecountFiles } from '../domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';

/**
 * Deletes a file, or an empty folder if the path ends with a slash. A conversion that reads the file continues. A file that is
 * gone already counts no more either.
 */
export async function removePath(
  { store, recount }: { readonly store: FileStore; readonly recount: RecountFiles },
  caller: Caller,
  path: string,
  precondition: Precondition,
): Promise<void> {
  const check = toFileCheck(precondition);
  const folder = /^(.*[^/])\/+$/s.exec(path)?.[1];
  if (folder === undefined) {
    const file = parseFilePath(path, caller.root);
    await store.remove(caller.root, file, check).catch(async (error) => {
      if (isMissing(error)) await recount(caller.clientId, [file]);
      throw error;
    });
    return recount(caller.clientId, [file]);
  }
  // A folder has no content that a precondition could match.
  check(undefined);
  return store.removeFolder(caller.root, parseFilePath(folder, caller.root));
}

const isMissing = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_FILE');

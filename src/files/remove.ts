import type { Caller } from '../domain/client.ts';
import { filePath } from './file-path.ts';
import type { FileStore } from './ports.ts';
import { checkOf, type Precondition } from './precondition.ts';

/** Deletes one file. A conversion that reads it goes on. */
export const remove = (store: FileStore, caller: Caller, path: string, precondition: Precondition): Promise<void> =>
  store.remove(caller.root, filePath(path, caller.root), checkOf(precondition));

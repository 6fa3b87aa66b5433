import type { Caller } from '@telecine/contract/domain/client.ts';
import { invalidRequest, type Problem } from '@telecine/contract/domain/problem.ts';
import { parseEntryPath, parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { requireUnused } from './jobs-at-path.ts';
import type { FileCheck, FileEntry, FileStore, UnfinishedJobs } from './ports.ts';

export interface MoveDeps {
  readonly store: Pick<FileStore, 'move' | 'createFolder'>;
  readonly unfinished: UnfinishedJobs;
}

/** What to move. Paths are as the client wrote them. */
export interface Move {
  /** The path of a folder ends with a slash. */
  readonly from: string;
  readonly to: string;
  /** Whether a file at `to` may be replaced. */
  readonly replace: boolean;
  /** Called with the file right before it is moved, to reject another content. Not for folders. */
  readonly check?: FileCheck | undefined;
}

/**
 * Moves or renames a file or a folder. Throws FILE_NOT_FOUND, NOT_A_FILE, FILE_EXISTS, FILE_IN_USE, STORAGE_FAULT,
 * INVALID_REQUEST.
 */
export async function movePath(
  { store, unfinished }: MoveDeps,
  caller: Caller,
  { from: source, to: target, ...move }: Move,
): Promise<FileEntry> {
  const { path: from, isFolder } = parseEntryPath(source, caller.root, '/from');
  if (!isFolder && target.endsWith('/'))
    throw invalidTarget('IS_DIRECTORY', `${JSON.stringify(target)} is a folder, and "to" is the new path of the file.`);
  const to = parseFilePath(withoutFinalSlashes(target), caller.root, '/to');
  if (from === to) throw invalidTarget('SAME_PATH', `"from" and "to" are both ${JSON.stringify(to)}.`);
  if (isFolder && to.startsWith(`${from}/`))
    throw invalidTarget('INSIDE_ITSELF', `Folder ${JSON.stringify(from)} cannot be moved into itself.`);
  await requireUnused(unfinished, caller, isFolder ? [`${from}/`, `${to}/`] : [from, to]);
  return store.move(caller.root, from, to, { ...move, isFolder, by: caller });
}

const invalidTarget = (code: string, message: string): Problem => invalidRequest([{ field: '/to', code, message }]);

/** Creates an empty folder. Throws FILE_EXISTS, NOT_A_FILE, STORAGE_FAULT, INVALID_REQUEST. */
export async function createFolder(
  { store }: Pick<MoveDeps, 'store'>,
  caller: Pick<Caller, 'root' | 'clientId' | 'hangUp'>,
  text: string,
): Promise<FileEntry> {
  const path = parseFilePath(withoutFinalSlashes(text), caller.root);
  await store.createFolder(caller.root, path, caller);
  return { kind: 'folder', path: `${path}/` };
}

import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { requireUnused } from './jobs-at-path.ts';
import type { FileCheck, FileEntry, FileStore, UnfinishedJobs } from './ports.ts';

export interface MoveDeps {
  readonly store: Pick<FileStore, 'move' | 'moveFolder' | 'createFolder'>;
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
export async function movePath(deps: MoveDeps, caller: Caller, move: Move): Promise<FileEntry> {
  return move.from.endsWith('/') ? moveFolder(deps, caller, move) : moveFile(deps, caller, move);
}

async function moveFile({ store, unfinished }: MoveDeps, caller: Caller, { from: source, to: target, ...move }: Move) {
  const from = parseFilePath(source, caller.root, '/from');
  const to = parseFilePath(withoutFolderEnd(target), caller.root, '/to');
  if (from === to) throw invalidRequest([samePath(to)]);
  await requireUnused(unfinished, caller, [from, to]);
  return { kind: 'file', ...(await store.move(caller.root, from, to, { ...move, by: caller })) } as const;
}

async function moveFolder({ store, unfinished }: MoveDeps, caller: Caller, { from: source, to: target }: Move) {
  const from = parseFilePath(withoutFinalSlashes(source), caller.root, '/from');
  const to = parseFilePath(withoutFinalSlashes(target), caller.root, '/to');
  if (`${to}/`.startsWith(`${from}/`)) throw invalidRequest([to === from ? samePath(to) : insideItself(from)]);
  const before = () => requireUnused(unfinished, caller, [`${from}/`, `${to}/`]);
  await before();
  // A job that names the folder may be submitted while a large one is read.
  await store.moveFolder(caller.root, from, to, { by: caller, before });
  return { kind: 'folder', path: `${to}/` } as const;
}

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

/** Throws INVALID_REQUEST if the new path of a file ends with a slash: it is the folder, and the name is missing. */
function withoutFolderEnd(to: string): string {
  if (!to.endsWith('/')) return to;
  throw invalidRequest([
    {
      field: '/to',
      code: 'IS_DIRECTORY',
      message: `${JSON.stringify(to)} is a folder, and "to" is the new path of the file.`,
    },
  ]);
}

const samePath = (path: MediaPath): FieldError => ({
  field: '/to',
  code: 'SAME_PATH',
  message: `"from" and "to" are both ${JSON.stringify(path)}.`,
});

const insideItself = (path: MediaPath): FieldError => ({
  field: '/to',
  code: 'INSIDE_ITSELF',
  message: `Folder ${JSON.stringify(path)} cannot be moved into itself.`,
});

import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import {
  checkRecords,
  type RecountFiles,
  type StoredFile,
  type StoredFiles,
} from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { requireUnused } from './jobs-at-path.ts';
import type { OtherCounts } from './other-counts.ts';
import type { FileCheck, FileEntry, FileStore, UnfinishedJobs } from './ports.ts';

export interface MoveDeps {
  readonly store: Pick<FileStore, 'move' | 'moveFolder' | 'createFolder'>;
  readonly stored: Pick<StoredFiles, 'find' | 'below' | 'count' | 'records'>;
  readonly recount: RecountFiles;
  readonly others: OtherCounts;
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

/** The maximum number of counted files in a folder that is moved. */
export const MAX_COUNTED = 10_000;

/** How many files are read or counted in one turn of the event loop. The paths of 100 files can have 300 KB. */
const COUNTED_AT_ONCE = 100;

/**
 * Moves or renames a file or a folder. Throws FILE_NOT_FOUND, NOT_A_FILE, FILE_EXISTS, FILE_IN_USE, STORAGE_FAULT,
 * INVALID_REQUEST. A hang-up of the caller ends the reads of a folder before anything changes.
 */
export async function movePath(deps: MoveDeps, caller: Caller, move: Move): Promise<FileEntry> {
  return move.from.endsWith('/') ? moveFolder(deps, caller, move) : moveFile(deps, caller, move);
}

async function moveFile(deps: MoveDeps, caller: Caller, { from: source, to: target, replace, check }: Move) {
  const { store, stored, recount, others, unfinished } = deps;
  const { clientId, root } = caller;
  const from = parseFilePath(source, root, '/from');
  const to = parseFilePath(withoutFolderEnd(target), root, '/to');
  if (from === to) throw invalidRequest([samePath(to)]);
  await requireUnused(unfinished, caller, [from, to]);
  const counted = await stored.find(clientId, [from, to]);
  const bytes = counted.find(({ path }) => path === from)?.bytes;
  const own = { version: randomUUID() };
  const ofOthers = others.change(clientId, await others.find(clientId, from), () => to);
  const replaced = replace ? await others.find(clientId, to) : [];
  const recountAll = async (hasMoved: boolean): Promise<void> => {
    // A file that another program stored does not count, and does not after a move.
    const hasAppeared = hasMoved && bytes !== undefined;
    if (counted.length > 0) await recount(clientId, [to], { ...own, hasAppeared });
    if (bytes !== undefined) await recount(clientId, [from]);
    await ofOthers.end(hasMoved);
    if (hasMoved) await others.change(clientId, replaced).end(hasMoved);
  };
  try {
    await countAgain(deps, clientId, bytes === undefined ? [] : [{ path: to, bytes }], own);
    await ofOthers.begin();
    const facts = await store.move(root, from, to, { replace, check, by: caller });
    await recountAll(true);
    return { kind: 'file', ...facts } as const;
  } catch (error) {
    await recountAll(false);
    throw error;
  }
}

async function moveFolder(deps: MoveDeps, caller: Caller, { from: source, to: target }: Move) {
  const { store, stored, recount, others, unfinished } = deps;
  const { clientId, root } = caller;
  const from = parseFilePath(withoutFinalSlashes(source), root, '/from');
  const to = parseFilePath(withoutFinalSlashes(target), root, '/to');
  if (`${to}/`.startsWith(`${from}/`)) throw invalidRequest([to === from ? samePath(to) : insideItself(from)]);
  await checkRecords(stored, caller);
  const requireFree = () => requireUnused(unfinished, caller, [`${from}/`, `${to}/`]);
  await requireFree();
  const counted = await listCounted(stored, clientId, from);
  requireFew(counted, tooManyToMove(from));
  const movedPath = (path: string): string => `${to}${path.slice(from.length)}`;
  const moved = counted.map(({ path, bytes }) => ({ path: movedPath(path), bytes }));
  const ofOthers = others.change(clientId, await others.find(clientId, `${from}/`), movedPath);
  const own = { version: randomUUID() };
  let hasCounted = false;
  const prepare = async (): Promise<void> => {
    hasCounted = true;
    await countAgain(deps, clientId, moved, own);
    await ofOthers.begin();
  };
  const recountAll = async (hasAppeared: boolean): Promise<void> => {
    const paths = (files: readonly StoredFile[]) => files.map(({ path }) => path);
    await recount(clientId, paths(moved), { ...own, hasAppeared });
    await recount(clientId, paths(counted));
    await ofOthers.end(hasAppeared);
  };
  try {
    // A job that names the folder may be submitted while a large one is read.
    await store.moveFolder(root, from, to, { by: caller, prepare, before: requireFree });
    await recountAll(true);
    return { kind: 'folder', path: `${to}/` } as const;
  } catch (error) {
    // A folder that is missing can still have counted files.
    if (hasCounted || isMissing(error)) await recountAll(false);
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Problem && error.code === 'FILE_NOT_FOUND';

/** Lists the counted files of a folder: at most one more than a request may have, see `requireFew`. */
export async function listCounted(
  stored: Pick<StoredFiles, 'below'>,
  clientId: string,
  folder: MediaPath,
): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (let isWhole = false; !isWhole && files.length <= MAX_COUNTED; await nextTurn()) {
    const page = await stored.below(clientId, `${folder}/`, COUNTED_AT_ONCE, files.at(-1)?.path);
    files.push(...page);
    isWhole = page.length < COUNTED_AT_ONCE;
  }
  return files;
}

/** Throws INVALID_REQUEST with `error` if one request has too many counted files. */
export function requireFew({ length }: readonly StoredFile[], error: FieldError): void {
  if (length > MAX_COUNTED) throw invalidRequest([error]);
}

/**
 * Counts moved files at their new paths before they appear there, so that no crash leaves them uncounted. Until they are
 * recounted, they count at both paths. They need no room in the quota, because they use none afterwards. `limit`: files
 * that come back from the bin need room. Recount all files with the version also if this throws: some may be counted.
 */
export async function countAgain(
  { stored }: { readonly stored: Pick<StoredFiles, 'count'> },
  clientId: string,
  files: readonly StoredFile[],
  options: { readonly version: string; readonly limit?: number | undefined },
): Promise<void> {
  for (let first = 0; first < files.length; first += COUNTED_AT_ONCE)
    await stored.count(clientId, files.slice(first, first + COUNTED_AT_ONCE), options);
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

const tooManyToMove = (path: MediaPath): FieldError => ({
  field: '/from',
  code: 'TOO_MANY',
  message: `Folder ${JSON.stringify(path)} has more than ${MAX_COUNTED} files, the most that move in one request.`,
});

import { callQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { FILE_SEARCH, fileSearch } from '@telecine/contract/domain/file-search.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  type BinDeps,
  type Deletion,
  deleteEntry,
  deletePaths,
  emptyBin,
  keepSecondsOf,
  listBin,
  removeEntry,
  restoreEntry,
} from './bin.ts';
import { chosenFiles } from './chosen-files.ts';
import { parseEntryPath, parseFilePath, parsePrefix } from './file-path.ts';
import { batchOutputs, outputsToOpen } from './job-outputs.ts';
import { createFolder, type Move, type MoveDeps, movePath } from './move-path.ts';
import { filesNear } from './near-files.ts';
import type { FilePage, FileStore, JobLookup, OpenFile } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';

export type FileOperations = ReturnType<typeof fileOperations>;

/** How many clients can search, or list folders for a zip, at the same time. This can take seconds, so it takes no slot of a list of files. */
const SEARCHES = 4;

/** How many moves, restores and deletions of folders may be in progress. Each can read or copy many files. */
const FOLDER_CHANGES = { perClient: 2, total: 8 };

/**
 * Creates the operations on files for HTTP and MCP. Paths are in the form in which the client sent them. The operations
 * throw the errors of `FileStore`.
 */
export function fileOperations(deps: MoveDeps & BinDeps & { readonly jobs: JobLookup; readonly store: FileStore }) {
  const folderQuota = callQuota('moves, restores and deletions of folders', FOLDER_CHANGES);
  const isFolder = (path: string): boolean => path.endsWith('/');
  const searchSlots = fairSlots({ slots: SEARCHES, perClient: 1 });
  return {
    open: async (caller: Caller, path: string): Promise<OpenFile> =>
      deps.store.open(caller.root, parseFilePath(path, caller.root)),
    remove: (caller: Caller, path: string, precondition: Precondition) => {
      const how = { keep: false, check: toFileCheck(precondition) };
      return removeEntry(deps, caller, parseEntryPath(path, caller.root), how);
    },
    move: (caller: Caller, move: Move) => {
      const work = () => movePath(deps, caller, move);
      return isFolder(move.from) ? folderQuota(caller.clientId, work) : work();
    },
    createFolder: (caller: Caller, path: string) => createFolder(deps, caller, path),
    removeAll: (caller: Caller, deletion: Deletion) => {
      const work = () => deletePaths(deps, caller, deletion);
      return deletion.keep && deletion.paths.some(isFolder) ? folderQuota(caller.clientId, work) : work();
    },
    keepSecondsOf: (caller: Caller) => keepSecondsOf(deps, caller),
    listBin: (caller: Caller, limit: number) => listBin(deps, caller, limit),
    restore: (caller: Caller, entryId: string, to?: string) => restoreEntry(deps, caller, entryId, to, folderQuota),
    deleteEntry: (caller: Caller, entryId: string) => deleteEntry(deps, caller, entryId),
    emptyBin: (caller: Caller) => emptyBin(deps, caller),
    list: (caller: Caller, query: FileQuery) => listFiles(deps.store, caller, query),
    search: (caller: Caller, query: FileQuery & { readonly q: string }, signal: AbortSignal) =>
      searchSlots(caller.clientId, signal, () => searchFiles(deps.store, caller, query, signal)),
    /** The files that the client chose, to send them together: see `chosenFiles`. */
    chosen: (caller: Caller, paths: readonly string[], signal: AbortSignal) =>
      searchSlots(caller.clientId, signal, () => chosenFiles(deps.store, caller, paths, signal)),
    near: (caller: Caller, path: string) => filesNear(deps.store, caller, path),
    outputs: (caller: Caller, jobId: string) => outputsToOpen(deps, caller, jobId),
    batchOutputs: (jobs: AsyncIterable<Job>) => batchOutputs(deps, jobs),
  };
}

interface FileQuery {
  readonly prefix: string;
  readonly limit: number;
  /** `nextAfter` of the previous page. */
  readonly after?: string;
}

/**
 * Lists one page of files and folders whose paths begin with `prefix`, sorted by name. A folder is one entry, without
 * what is in it.
 */
export async function listFiles(
  store: FileStore,
  caller: Caller,
  { prefix, limit, after }: FileQuery,
): Promise<FilePage> {
  const { folder, nameStart } = parsePrefix(prefix, caller.root);
  const page = await store.list(caller.root, { folder, nameStart, limit, ...(after !== undefined && { after }) });
  const last = page.entries.at(-1);
  if (!page.more || last === undefined) return { entries: page.entries };
  return { entries: page.entries, nextAfter: last.path.slice(folder.length) };
}

/** Finds files and folders in the folder of `prefix` and in all folders below it, one page at a time; see `fileSearch`. */
function searchFiles(
  store: FileStore,
  caller: Caller,
  { q, prefix, ...query }: FileQuery & { readonly q: string },
  signal: AbortSignal,
): Promise<FilePage> {
  const where = parsePrefix(prefix, caller.root);
  return store.search(caller.root, { ...where, ...query, matches: fileSearch(q), maxNames: FILE_SEARCH.names }, signal);
}

import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import type { FileFacts, FileStore } from '../files/ports.ts';
import type { PathStats } from '../jobs/ports/media-store.ts';

/** A file in a watched folder. */
export interface FoundFile {
  readonly path: MediaPath;
  readonly bytes: number;
  /** Differs for each content of the file: its size and time on a disk, and its ETag and size in an object store. */
  readonly version: string;
  /** Stays the same when the file is renamed: the inode number, or `version` in an object store. Absent: the storage has none. */
  readonly fileKey?: string;
}

/** A file as it is now. */
export interface FoundNow extends FoundFile {
  /** See `FileFacts.fingerprint`. */
  readonly fingerprint: string;
  /** When it was changed, by the clock of the storage. */
  readonly modifiedMs: number;
  /** See `OpenFile.isOutput`. */
  isOutput(fingerprint: string | undefined): boolean;
}

/** The most files and folders in a watched folder. A list of so many takes some 200 MB. */
const MOST_LISTED = 500_000;

/** Codes of problems that mean that no file is at a path. Other codes mean that its storage cannot be read. */
const NO_FILE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE', 'INVALID_REQUEST']);

const RETRY_SOON = 'Send the same request again in a minute. If it fails again, tell the operator.';

export interface WatchedFolders {
  /** Whether a folder is in an object store, where each list costs requests. */
  isBucket(folder: string): boolean;
  /** Rejects if the disk of a folder does not answer. Costs one call, where a list costs many. */
  reach(root: MediaRoot, folder: string): Promise<void>;
  /** Lists all files in a folder and in the folders below it. Throws FOLDER_UNREACHABLE, and the reason of an abort. */
  list(root: MediaRoot, folder: string, signal: AbortSignal): Promise<readonly FoundFile[]>;
  /** Finds one file. undefined: there is none. Throws STORAGE_FAULT, UNAVAILABLE. */
  find(root: MediaRoot, path: MediaPath): Promise<FoundNow | undefined>;
}

/** Reads watched folders through the file store. `isBucket`: whether the media roots are in an object store. */
export function watchedFolders(
  store: Pick<FileStore, 'open' | 'listTree'>,
  { statPaths }: PathStats,
  isBucket: WatchedFolders['isBucket'],
): WatchedFolders {
  return {
    isBucket,
    reach: async (root, folder) => {
      if (isBucket(folder) || folder === '') return;
      try {
        await statPaths(root, [folder.slice(0, -1) as MediaPath]);
      } catch (error) {
        throw unreachable(folder, error);
      }
    },
    list: async (root, folder, signal) => {
      try {
        const tree = await store.listTree(root, folder.replace(/\/$/, '') as MediaPath, MOST_LISTED, signal);
        if (tree === undefined)
          throw notReadable(folder, `it has more than ${MOST_LISTED} files`, 'Watch a folder below it.');
        return tree.files.map(toFound);
      } catch (error) {
        signal.throwIfAborted();
        // An object store has no folders, only keys.
        if (isBucket(folder) && error instanceof Problem && error.code === 'FILE_NOT_FOUND') return [];
        throw unreachable(folder, error);
      }
    },
    find: async (root, path) => {
      try {
        const file = await store.open(root, path);
        await file.close();
        const { fingerprint, modifiedAt, isOutput } = file;
        return { ...toFound(file), fingerprint, modifiedMs: modifiedAt.getTime(), isOutput };
      } catch (error) {
        if (error instanceof Problem && NO_FILE.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}

/** The fingerprint of a file on a disk: its inode number, which stays the same when the file is renamed, its size and its time. */
const ON_DISK = /^(\d+):(\d+:\d+)$/;

/** The fingerprint of a file on a disk without stable inode numbers. */
const WITHOUT_INODE = /^\d+:\d+$/;

function toFound({ path, sizeBytes: bytes, fingerprint }: FileFacts): FoundFile {
  const [, fileKey, version] = ON_DISK.exec(fingerprint) ?? [];
  if (fileKey !== undefined && version !== undefined) return { path, bytes, version, fileKey };
  return { path, bytes, version: fingerprint, ...(!WITHOUT_INODE.test(fingerprint) && { fileKey: fingerprint }) };
}

/** Returns the problem of a folder that cannot be read. Returns other errors unchanged, because they are bugs. */
function unreachable(folder: string, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code === 'FOLDER_UNREACHABLE') return error;
  switch (error.code) {
    case 'FILE_NOT_FOUND':
    case 'NOT_A_FILE':
      return notReadable(
        folder,
        'it does not exist, or its disk is not mounted',
        'Create the folder, or send another one.',
        error,
      );
    case 'INVALID_REQUEST':
      return notReadable(
        folder,
        'the service may not read it',
        'Ask the operator for access to it, or send another one.',
        error,
      );
    default:
      return notReadable(folder, 'its storage does not answer', RETRY_SOON, error);
  }
}

const notReadable = (folder: string, why: string, fix: string, cause?: Problem): Problem =>
  new Problem('FOLDER_UNREACHABLE', `The folder ${JSON.stringify(shownFolder(folder))} cannot be read: ${why}.`, {
    fix,
    cause,
  });

import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import type { FileFacts, FileStore, OpenFile } from '../files/ports.ts';
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
export interface FoundNow extends FoundFile, Pick<OpenFile, 'fingerprint' | 'isOutput'> {}

/** The most files and folders in a watched folder. A list of so many takes some 200 MB. */
const MOST_LISTED = 500_000;

/** Codes of problems that mean that no file is at a path. Other codes mean that its storage cannot be read. */
const NO_FILE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE', 'INVALID_REQUEST']);

/** Why a folder cannot be read, and what to do. */
const MISSING = ['it does not exist, or its disk is not mounted', 'Create the folder, or send another one.'] as const;
const DENIED = ['the service may not read it', 'Ask the operator for access to it, or send another one.'] as const;
const TOO_LARGE = [`it has more than ${MOST_LISTED} files`, 'Watch a folder below it.'] as const;
const NO_ANSWER = [
  'its storage does not answer',
  'Try again in a minute. If it fails again, tell the operator.',
] as const;

const unreachable = (folder: string, [why, fix]: readonly [string, string], cause?: Problem): Problem => {
  const message = `The folder ${JSON.stringify(shownFolder(folder))} cannot be read: ${why}.`;
  return new Problem('FOLDER_UNREACHABLE', message, { fix, cause });
};

/** What an error of the storage says about a folder. */
function folderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.code === 'INVALID_REQUEST') return unreachable(folder, DENIED, error);
  return unreachable(folder, NO_FILE.has(error.code) ? MISSING : NO_ANSWER, error);
}

export type WatchedFolders = ReturnType<typeof watchedFolders>;

/** Reads watched folders through the file store. `isBucket`: whether a folder is in an object store, where each list costs requests. */
export function watchedFolders(
  store: Pick<FileStore, 'open' | 'listTree'>,
  { statPaths }: PathStats,
  isBucket: (folder: string) => boolean,
) {
  return {
    isBucket,

    /** Rejects if the disk of a folder does not answer. Costs one call, where a list costs many. */
    async reach(root: MediaRoot, folder: string): Promise<void> {
      if (isBucket(folder) || folder === '') return;
      try {
        await statPaths(root, [folder.slice(0, -1) as MediaPath]);
      } catch (error) {
        throw folderError(folder, error);
      }
    },

    /** Lists all files in a folder and in the folders below it. Throws FOLDER_UNREACHABLE, and the reason of an abort. */
    async list(root: MediaRoot, folder: string, signal: AbortSignal): Promise<readonly FoundFile[]> {
      try {
        const tree = await store.listTree(root, folder.replace(/\/$/, '') as MediaPath, MOST_LISTED, signal);
        if (tree !== undefined) return tree.files.map(toFound);
      } catch (error) {
        signal.throwIfAborted();
        // An object store has no folders, only keys.
        if (isBucket(folder) && error instanceof Problem && error.code === 'FILE_NOT_FOUND') return [];
        throw folderError(folder, error);
      }
      throw unreachable(folder, TOO_LARGE);
    },

    /** Finds one file. undefined: there is none. Throws STORAGE_FAULT, UNAVAILABLE. */
    async find(root: MediaRoot, path: MediaPath): Promise<FoundNow | undefined> {
      try {
        const file = await store.open(root, path);
        await file.close();
        const { fingerprint, isOutput } = file;
        return { ...toFound(file), fingerprint, isOutput };
      } catch (error) {
        if (error instanceof Problem && NO_FILE.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}

/** The fingerprint of a file on a disk: its inode number, if that is stable when the file is renamed, its size and its time. */
const ON_DISK = /^(?:(\d+):)?(\d+:\d+)$/;

function toFound({ path, sizeBytes: bytes, fingerprint }: FileFacts): FoundFile {
  const [isOnDisk, inode, version = fingerprint] = ON_DISK.exec(fingerprint) ?? [];
  const fileKey = isOnDisk === undefined ? fingerprint : inode;
  return { path, bytes, version, ...(fileKey !== undefined && { fileKey }) };
}

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathsBelow } from './folders.ts';

/** The files of a media root or of a folder in it, on a disk or in a bucket. Paths are relative to it. */
export interface TestMedia {
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Puts the files that `write` writes to a folder. */
  fill(write: (folder: string) => Promise<unknown>): Promise<void>;
  /** Throws if there is no file. */
  get(path: string): Promise<Buffer>;
  remove(path: string): Promise<void>;
  /** The paths of the files in a folder and below it, sorted, relative to it. Without reserved paths. */
  list(folder?: string): Promise<readonly string[]>;
  /** The host path of a file, for programs: on a disk the file itself, otherwise a copy. */
  local(path: string): Promise<string>;
  /** Copies a file to its path in a host folder. On a disk, `folder` must be the media root, and nothing is copied. */
  copyTo(folder: string, path: string): Promise<void>;
  /** The host path of a folder with all its files. */
  localFolder(folder?: string): Promise<string>;
  /** The files of a folder. */
  below(folder: string): TestMedia;
}

/** Whether a path is not a reserved one. */
export const isShown = (path: string): boolean => !path.startsWith('.telecine');

/** The files of a media root on a disk. */
export const diskMedia = (root: string): TestMedia => ({
  put: async (path, content) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  },
  fill: async (write) => {
    await mkdir(root, { recursive: true });
    await write(root);
  },
  get: (path) => readFile(join(root, path)),
  remove: (path) => rm(join(root, path)),
  list: async (folder = '') => (await filesBelow(join(root, folder))).filter(isShown),
  local: async (path) => join(root, path),
  copyTo: async () => {},
  localFolder: async (folder = '') => join(root, folder),
  below: (folder) => diskMedia(join(root, folder)),
});

/** The paths of the files in a host folder and below it, sorted, relative to it. */
export const filesBelow = async (folder: string): Promise<readonly string[]> => {
  const paths = await pathsBelow(folder);
  const folders = new Set(paths.map((path) => dirname(path)));
  return paths.filter((path) => !folders.has(path)).toSorted();
};

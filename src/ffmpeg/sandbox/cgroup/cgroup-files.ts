import { access, constants, mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The access to the cgroup file system. Tests use one in memory, because the kernel may have no controllers. */
export interface CgroupFiles {
  /** The user id of the owner of a cgroup. */
  ownerOf(group: string): Promise<number>;
  /** Whether this process may write to the file `name` of a cgroup. */
  canWrite(group: string, name: string): Promise<boolean>;
  read(group: string, name: string): Promise<string>;
  write(group: string, name: string, text: string): Promise<void>;
  /** The names of the cgroups below a cgroup. */
  inner(group: string): Promise<readonly string[]>;
  make(group: string): Promise<void>;
  remove(group: string): Promise<void>;
}

/** The cgroup file system of the kernel. Cgroups are absolute paths. */
export const KERNEL_CGROUPS: CgroupFiles = {
  ownerOf: async (group) => (await stat(group)).uid,
  canWrite: (group, name) =>
    access(join(group, name), constants.W_OK).then(
      () => true,
      () => false,
    ),
  read: (group, name) => readFile(join(group, name), 'utf8'),
  // No O_CREAT: if a file is missing, the kernel does not have this control.
  write: (group, name, text) => writeFile(join(group, name), text, { flag: constants.O_WRONLY }),
  inner: async (group) =>
    (await readdir(group, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name),
  make: (group) => mkdir(group),
  remove: (group) => rmdir(group),
};

/** The errno code of an error; '' if it has none. */
export const errnoOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

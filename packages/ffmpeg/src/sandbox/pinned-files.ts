import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { askOperator, hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { READ_FLAGS } from '../process/regular-file.ts';
import { type Confinement, type PinnedMount, WRITABLE } from './confine.ts';
import type { Sandbox } from './sandbox.ts';
import { isBelow, stagedName } from './work-folder.ts';

/** The files that the sandbox of a run shows. */
export type PinnedFiles = Pick<Confinement, 'dir' | 'folders' | 'mounts' | 'writable'>;

/**
 * Opens the folders and inputs of a conversion, calls `start`, which starts ffmpeg with their descriptors, and closes the descriptors.
 * Throws the errors of `pinFolders` and `pinInputs`.
 */
export async function withPinnedFiles<T>(
  { sandbox, writable, ...files }: Pick<Confinement, 'dir' | 'mounts' | 'sandbox' | 'writable'>,
  start: (pinned: PinnedFiles) => T,
): Promise<T> {
  const folders = await pinFolders(files.dir, files.mounts, sandbox, writable);
  try {
    const inputs = await pinInputs(folders.dir, folders.mounts, sandbox);
    try {
      return start({
        dir: folders.dir,
        ...(folders.folders === undefined ? {} : { folders: folders.folders }),
        ...(writable === undefined ? {} : { writable }),
        mounts: inputs.mounts,
      });
    } finally {
      await inputs.close();
    }
  } finally {
    await folders.close();
  }
}

/** How long the storage may take to open, read or close a file. A mount whose server is gone does not reply for minutes, or never. */
const REPLY_MS = 30_000;

const STORAGE_HANGS: Failure = {
  code: 'STORAGE_FAULT',
  message: `The storage did not open a file of the run within ${REPLY_MS / 1000} s.`,
  fix: hint`${RETRY_JOB}, or ${askOperator('look for a mount that hangs')}.`,
};

/**
 * Waits for the storage. `discard`: gets a result that comes too late.
 *
 * @throws JobFailed STORAGE_FAULT if the storage does not reply in time.
 */
function inTime<T>(reply: Promise<T>, discard: (late: T) => unknown = () => undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new JobFailed(STORAGE_HANGS));
    }, REPLY_MS).unref();
    reply
      .finally(() => clearTimeout(timer))
      .then((result) => (isLate ? discard(result) : resolve(result)))
      .catch(reject);
  });
}

/** Closes a file. Does not wait for a storage that hangs: the descriptor is closed when it replies. */
const closeFile = (handle: FileHandle): Promise<void> =>
  inTime(handle.close()).catch((error: unknown) => {
    if (!(error instanceof JobFailed)) throw error;
  });

interface PinnedFolders extends Pick<Confinement, 'dir' | 'folders'> {
  readonly mounts: readonly Mount[];
  /** Closes the descriptors in this process. Call it when ffmpeg has started, and so has inherited them. */
  close(): Promise<void>;
}

/**
 * Opens the folders in the scratch folder `dir` that the sandbox shows, and checks that they belong to the service. If bubblewrap can mount
 * open files, it gets the descriptors of the folders. Otherwise, and with Landlock, the returned `dir` is the path of the scratch folder
 * with symlinks resolved. A bubblewrap without descriptors does not notice if a folder is replaced later; then outputs are missing.
 *
 * @param dir Absolute. It may be the path of a descriptor, which only this process can use.
 * @param written The folders that ffmpeg writes to.
 * @throws JobFailed STORAGE_FAULT if a folder was replaced.
 */
async function pinFolders(
  dir: string,
  mounts: readonly Mount[],
  sandbox: Sandbox,
  written = WRITABLE,
): Promise<PinnedFolders> {
  if (sandbox.kind === 'none') return { dir, mounts, close: async () => undefined };
  const handles = new Map<string, FileHandle>();
  const close = async (): Promise<void> => {
    for (const handle of handles.values()) await closeFile(handle);
  };
  try {
    for (const name of [...written, ...stagedNames(dir, mounts)]) handles.set(name, await openOwn(join(dir, name)));
  } catch (error) {
    await close();
    throw error;
  }
  const folders = new Map([...handles].map(([name, { fd }]) => [name, fd]));
  if (sandbox.kind === 'bubblewrap' && sandbox.showsOpenFiles) return { dir, mounts, folders, close };
  const real = await realpath(dir);
  const moved = { dir: real, mounts: mounts.map((mount) => movedTo(real, dir, mount)), close };
  return sandbox.kind === 'landlock' ? { ...moved, folders } : moved;
}

/** The names of staged files and folders in the scratch folder, such as `in/0`. */
const stagedNames = (dir: string, mounts: readonly Mount[]): ReadonlySet<string> =>
  new Set(mounts.flatMap(({ hostPath }) => stagedName(dir, hostPath) ?? []));

const movedTo = (real: string, dir: string, mount: Mount): Mount => {
  const path = relative(dir, mount.hostPath);
  return isBelow(path) ? { ...mount, hostPath: join(real, path) } : mount;
};

const openOwn = (path: string): Promise<FileHandle> =>
  openUnreplaced(path, ({ uid }) => Number(uid) === process.getuid?.(), {
    code: 'STORAGE_FAULT',
    message: 'A folder of the conversion was replaced.',
    fix: hint`${RETRY_JOB}.`,
  });

/** Opens a file or folder. Throws `failure` if it is missing or was replaced, and STORAGE_FAULT if the storage does not reply. */
async function openUnreplaced(
  path: string,
  isSame: (stats: BigIntStats) => boolean,
  failure: Failure,
): Promise<FileHandle> {
  const opening = (async () => {
    const handle = await open(path, READ_FLAGS).catch((cause) => {
      throw new JobFailed(failure, cause);
    });
    try {
      return { handle, stats: await handle.stat({ bigint: true }) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  })();
  const { handle, stats } = await inTime(opening, (late) => late.handle.close());
  if (isSame(stats)) return handle;
  await closeFile(handle);
  throw new JobFailed(failure);
}

/** Inputs that are open, so that no other file can take their place. */
interface PinnedInputs {
  readonly mounts: readonly PinnedMount[];
  /** Closes the descriptors in this process. Call it when ffmpeg has started, and so has inherited them. */
  close(): Promise<void>;
}

/**
 * Opens the inputs, and checks that none was replaced. If the sandbox can mount open files, the result has their descriptors. Files in the
 * scratch folder `dir`, such as linked images of a sequence, are not opened, because only the service can write there.
 *
 * @throws JobFailed INPUT_INVALID if an input was replaced or removed, and STORAGE_FAULT if the storage does not reply.
 */
export async function pinInputs(dir: string, mounts: readonly Mount[], sandbox: Sandbox): Promise<PinnedInputs> {
  const handles: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(handles.map(closeFile));
  };
  try {
    const pinned: PinnedMount[] = [];
    for (const mount of mounts) {
      const fileId = stagedName(dir, mount.hostPath) === undefined ? mount.identities?.[0] : undefined;
      if (fileId === undefined) {
        pinned.push(mount);
        continue;
      }
      const handle = await openChecked(mount, fileId);
      handles.push(handle);
      pinned.push({ ...mount, fd: handle.fd });
    }
    const usesDescriptors = sandbox.kind === 'landlock' || (sandbox.kind === 'bubblewrap' && sandbox.showsOpenFiles);
    return { mounts: usesDescriptors ? pinned : mounts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the first bytes of an input, to say in a message what it contains. Throws the errors of `openPinned`. */
export async function readPinned(mount: Mount, bytes: number): Promise<Uint8Array> {
  const handle = await openPinned(mount);
  try {
    const { buffer, bytesRead } = await inTime(handle.read(Buffer.alloc(bytes), 0, bytes, 0));
    return buffer.subarray(0, bytesRead);
  } finally {
    await closeFile(handle);
  }
}

/**
 * Opens an input, and checks that it is still the same file.
 *
 * @throws JobFailed if the input was replaced or removed. Throws other errors if `mount` is not a single file.
 */
export async function openPinned(mount: Mount): Promise<FileHandle> {
  const [fileId, ...others] = mount.identities ?? [];
  if (fileId === undefined || others.length > 0) throw new Error(`${mount.logical} is not one file.`);
  return openChecked(mount, fileId);
}

const openChecked = ({ hostPath, logical }: Mount, fileId: string): Promise<FileHandle> =>
  openUnreplaced(hostPath, ({ dev, ino }) => `${dev}:${ino}` === fileId, {
    code: 'INPUT_INVALID',
    message: `The input ${logical} was replaced or removed.`,
    fix: hint`${RETRY_JOB}.`,
  });

import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { JobFailed } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Mount } from '../../domain/plan.ts';
import { type Confinement, WRITABLE } from './confine.ts';
import { PIN_FLAGS } from './pinned-inputs.ts';
import type { Sandbox } from './sandbox.ts';
import { isBelow, stagedName } from './staged-name.ts';

/** The folders of a conversion as the sandbox mounts them. */
export interface PinnedFolders extends Pick<Confinement, 'dir' | 'folders'> {
  readonly mounts: readonly Mount[];
  /** Closes the service's descriptors. Call this once ffmpeg has started and inherited them. */
  close(): Promise<void>;
}

/**
 * Opens the folders of the scratch folder `dir` that the sandbox shows, and verifies that they belong to the service.
 * Landlock allows these folders and no others, and ffmpeg finds them at the current path of the scratch folder, which is
 * returned as `dir`. So it is for a bubblewrap that cannot mount open files, where a replacement from here on is noticed
 * only when the outputs are missing.
 *
 * @param dir Absolute. May be the path of a descriptor, which only this process can use.
 * @param written The folders that ffmpeg writes to. Default: `out` and `pass`.
 * @throws JobFailed STORAGE_FAULT if a folder was replaced.
 */
export async function pinFolders(
  dir: string,
  mounts: readonly Mount[],
  sandbox: Sandbox,
  written = WRITABLE,
): Promise<PinnedFolders> {
  if (sandbox.kind === 'none') return { dir, mounts, close: async () => undefined };
  const handles = new Map<string, FileHandle>();
  const close = async (): Promise<void> => {
    for (const handle of handles.values()) await handle.close();
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

/** The names, such as `in/0`, of the files and folders that are staged in the scratch folder. */
const stagedNames = (dir: string, mounts: readonly Mount[]): ReadonlySet<string> =>
  new Set(mounts.flatMap(({ hostPath }) => stagedName(dir, hostPath) ?? []));

const movedTo = (real: string, dir: string, mount: Mount): Mount => {
  const path = relative(dir, mount.hostPath);
  return isBelow(path) ? { ...mount, hostPath: join(real, path) } : mount;
};

async function openOwn(path: string): Promise<FileHandle> {
  const handle = await open(path, PIN_FLAGS).catch((cause) => {
    throw replaced(cause);
  });
  const { uid } = await handle.stat();
  if (uid === process.getuid?.()) return handle;
  await handle.close();
  throw replaced();
}

const replaced = (cause?: unknown): JobFailed =>
  new JobFailed(
    { code: 'STORAGE_FAULT', message: 'A folder of the conversion was replaced.', fix: hint`${RETRY_JOB}.` },
    cause,
  );

import type { Confinement } from './confine.ts';
import { pinFolders } from './pinned-folders.ts';
import { pinInputs } from './pinned-inputs.ts';

/** What the sandbox mounts of a run. */
export type PinnedFiles = Pick<Confinement, 'dir' | 'folders' | 'mounts' | 'writable'>;

/**
 * Opens the folders and the inputs of a conversion (`pinFolders`, `pinInputs`) while `start` starts ffmpeg, which inherits
 * the descriptors. Closes them then, and if anything fails. Throws what these functions throw.
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

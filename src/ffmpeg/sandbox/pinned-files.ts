import type { Mount } from '../../domain/plan.ts';
import type { Confinement } from './confine.ts';
import { pinFolders } from './pinned-folders.ts';
import { pinInputs } from './pinned-inputs.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Opens the folders and the inputs of a conversion (`pinFolders`, `pinInputs`) while `start` starts ffmpeg, which inherits
 * the descriptors. Closes them then, and if anything fails. Throws what these functions throw.
 */
export async function withPinnedFiles<T>(
  dir: string,
  mounts: readonly Mount[],
  sandbox: Sandbox,
  start: (pinned: Pick<Confinement, 'dir' | 'folders' | 'mounts'>) => T,
): Promise<T> {
  const folders = await pinFolders(dir, mounts, sandbox);
  try {
    const inputs = await pinInputs(folders.dir, folders.mounts, sandbox);
    try {
      return start({
        dir: folders.dir,
        ...(folders.folders === undefined ? {} : { folders: folders.folders }),
        mounts: inputs.mounts,
      });
    } finally {
      await inputs.close();
    }
  } finally {
    await folders.close();
  }
}

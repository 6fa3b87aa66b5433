import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Mount } from '../../domain/plan.ts';
import { isBelow } from './confine.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Makes the folder that a conversion runs in ready: room for the notes of a first pass, `folders` for what ffmpeg puts
 * below `out/`, and, where no sandbox shows the inputs under their logical names, links that do.
 *
 * @param dir Scratch, absolute; `in/` and `out/` are there.
 */
export async function prepareWorkFolder(
  dir: string,
  mounts: readonly Mount[],
  sandbox: Sandbox,
  folders: readonly string[] = [],
): Promise<void> {
  await Promise.all(['pass', ...folders].map((folder) => mkdir(join(dir, folder), { recursive: true })));
  if (sandbox.kind === 'bubblewrap') return;
  await Promise.all(
    mounts
      .filter((mount) => !isBelow(relative(join(dir, 'in'), mount.hostPath)))
      .map(async (mount) => {
        const link = join(dir, mount.logical);
        await mkdir(dirname(link), { recursive: true });
        await symlink(mount.hostPath, link);
      }),
  );
}

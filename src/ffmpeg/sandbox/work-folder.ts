import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mount } from '../../domain/plan.ts';
import type { DeviceAccess } from './device-access.ts';
import type { Sandbox } from './sandbox.ts';
import { stagedName } from './staged-name.ts';

/**
 * Prepares the working folder of a run. Creates `folders`: those that it writes to besides `out`. Without a sandbox that
 * mounts the inputs, creates symlinks to them with their logical names, and to the device.
 *
 * @param dir The scratch folder, absolute; contains `out/`.
 */
export async function prepareWorkFolder(
  dir: string,
  mounts: readonly Mount[],
  sandbox: Sandbox,
  folders: readonly string[] = [],
  device?: DeviceAccess,
): Promise<void> {
  await Promise.all(folders.map((folder) => mkdir(join(dir, folder), { recursive: true })));
  if (sandbox.kind === 'bubblewrap') return;
  if (device?.named !== undefined) {
    const link = join(dir, device.named.logical);
    await mkdir(dirname(link), { recursive: true });
    await symlink(device.named.node, link);
  }
  await linkMounts(dir, mounts, sandbox);
}

/** Creates symlinks to files with their logical names, unless the sandbox mounts them, or they are in the working folder. */
export async function linkMounts(dir: string, mounts: readonly Mount[], sandbox: Sandbox): Promise<void> {
  if (sandbox.kind === 'bubblewrap') return;
  await Promise.all(
    mounts
      .filter((mount) => stagedName(dir, mount.hostPath) === undefined)
      .map(async (mount) => {
        const link = join(dir, mount.logical);
        await mkdir(dirname(link), { recursive: true });
        await symlink(mount.hostPath, link);
      }),
  );
}

import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { FONTS_FOLDER } from '../../domain/media-path.ts';
import type { Mount } from '../../domain/plan.ts';
import type { DeviceAccess, Sandbox } from './sandbox.ts';

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

/** Whether `path`, a result of `path.relative(folder, …)`, is below the folder. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/**
 * Returns the name in the scratch folder `dir` of what the sandbox shows of a staged file: of a sequence its folder, such
 * as `in/0`, else the file. A font is shown alone, because others of its folder can be files of the media root. undefined
 * if the file is not in the scratch folder.
 */
export function stagedName(dir: string, hostPath: string): string | undefined {
  const path = relative(join(dir, 'in'), hostPath);
  if (!isBelow(path)) return undefined;
  const name = `in/${path}`;
  return dirname(name) === FONTS_FOLDER ? join(FONTS_FOLDER, basename(name)) : `in/${path.split(sep)[0]}`;
}

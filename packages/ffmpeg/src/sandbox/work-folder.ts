import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { FONTS_FOLDER } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { DeviceAccess, Sandbox } from './sandbox.ts';

/**
 * Prepares the scratch folder of a run: creates `folders` and, unless the sandbox mounts the inputs and the device, symlinks to them with
 * logical names.
 *
 * @param dir The scratch folder, absolute. It contains `out/`.
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

/** Creates symlinks with logical names to files outside the scratch folder, unless the sandbox mounts the files. */
export async function linkMounts(dir: string, mounts: readonly Mount[], sandbox: Sandbox): Promise<void> {
  if (sandbox.kind === 'bubblewrap') return;
  await Promise.all(
    mounts
      .filter((mount) => stagedName(dir, mount.hostPath) === undefined)
      .map(async (mount) => {
        const link = join(dir, mount.logical);
        await mkdir(dirname(link), { recursive: true });
        // An earlier run in this folder may have created the link.
        await symlink(mount.hostPath, link).catch(ignoreErrno('EEXIST'));
      }),
  );
}

/** True if a path is below a folder. `path`: the result of `path.relative(folder, …)`. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/**
 * Returns what the sandbox shows for a staged file in the scratch folder `dir`: the folder of a sequence (`in/0`), else the file. For a
 * font, returns the file, because the folder of fonts may contain links to the media root. undefined: the file is elsewhere.
 */
export function stagedName(dir: string, hostPath: string): string | undefined {
  const path = relative(join(dir, 'in'), hostPath);
  if (!isBelow(path)) return undefined;
  const name = `in/${path}`;
  return dirname(name) === FONTS_FOLDER ? join(FONTS_FOLDER, basename(name)) : `in/${path.split(sep)[0]}`;
}

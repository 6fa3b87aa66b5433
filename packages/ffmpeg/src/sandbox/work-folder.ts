import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { FONTS_FOLDER } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { DeviceAccess, Sandbox } from './sandbox.ts';

/**
 * Prepares the working folder of a run. Creates `folders`. If the sandbox does not mount the inputs and the device, creates symlinks to
 * them with their logical names.
 *
 * @param dir The absolute path of the scratch folder. It contains `out/`.
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

/** Creates symlinks with logical names to files outside the working folder. Does nothing if the sandbox mounts the files. */
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

/** Whether `path` is below the folder. `path`: the result of `path.relative(folder, …)`. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/**
 * The name in the scratch folder `dir` that the sandbox shows for a staged file. For a sequence, this is its folder, such as `in/0`; else
 * the file. For a font, this is only the file, because its folder may contain links to the media root. undefined: the file is outside the
 * scratch folder.
 */
export function stagedName(dir: string, hostPath: string): string | undefined {
  const path = relative(join(dir, 'in'), hostPath);
  if (!isBelow(path)) return undefined;
  const name = `in/${path}`;
  return dirname(name) === FONTS_FOLDER ? join(FONTS_FOLDER, basename(name)) : `in/${path.split(sep)[0]}`;
}

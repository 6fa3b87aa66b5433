import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Mounts a disk of `size` in memory at `path`. Needs root. Resolves to the function that unmounts it. */
export async function mountSmallDisk(path: string, size: `${number}m`): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', path]);
  return async () => {
    await run('umount', ['--lazy', path]);
  };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The size of the small disk: enough for the outputs of a soak. */
const SIZE = '192m';

/** Mounts a disk in memory at `path`. Needs root. Resolves to the function that unmounts it. */
export async function mountSmallDisk(path: string): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', path]);
  return async () => {
    await run('umount', ['--lazy', path]);
  };
}
